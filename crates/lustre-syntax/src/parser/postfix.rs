//! Indices, fields, updates, records, and calls of names with parts.

use super::expressions::{Frame, ListKind, Next};
use super::{Parser, Step};
use crate::ast::{Expr, ExprId, List, Name, Step as PathStep, UpdateNotation};
use crate::token::TokenKind;

impl Parser<'_> {
    /// `[`, `.`, `.%` or `{` after an operand.
    pub(super) fn postfix(&mut self, base: ExprId) -> Step<Next> {
        let start = self.outer_start(base);
        match self.take().kind {
            TokenKind::OpenBracket => self.wait(Frame::Index { base, start }),
            TokenKind::Dot => {
                let field = self.name("the name of a field")?;
                Ok(self.done(Expr::Field(base, field.symbol), start))
            }
            TokenKind::DotPercent => {
                let token = self.expect(TokenKind::Int, "the number of an element")?;
                let number = self.symbol(token);
                Ok(self.done(Expr::Project(base, number), start))
            }
            _ => {
                let field = self.name("the name of a field")?;
                self.expect(TokenKind::Assign, "':='")?;
                self.wait(Frame::AssignField { base, field, start })
            }
        }
    }

    pub(super) fn close_index(&mut self, base: ExprId, index: ExprId, start: u32) -> Step<Next> {
        let token = self.peek_token();
        match token.kind {
            TokenKind::CloseBracket => {
                self.take();
                Ok(self.done(Expr::Index(base, index), start))
            }
            TokenKind::Assign => {
                self.take();
                self.wait(Frame::AssignIndex { base, index, start })
            }
            TokenKind::DotDot => {
                self.take();
                self.wait(Frame::SliceEnd { base, low: index, start })
            }
            TokenKind::Comma => {
                Err(self.unsupported(token.span, "an index with several dimensions, 'a[i, j]',"))
            }
            TokenKind::Colon => Err(self.unsupported(token.span, "a range of bits, 'a[i:j]',")),
            _ => Err(self.expected(&["an operator", "']'", "':='", "'..'"])),
        }
    }

    pub(super) fn update<const N: usize>(
        &mut self,
        base: ExprId,
        path: [PathStep; N],
        value: ExprId,
        start: u32,
    ) -> ExprId {
        let path = self.program.steps.add(path);
        let span = self.span_from(start);
        let notation = UpdateNotation::Assign;
        self.add(Expr::Update { base, path, value, notation }, span)
    }

    /// `(base with`.
    pub(super) fn with(&mut self, start: u32, operands: usize) -> Step<Next> {
        let base = self.stacks.operands.pop().expect("invariant: an operand came first");
        if self.stacks.operands.len() > operands {
            return Err(self.expected(&["','", "')'"]));
        }
        self.take();
        let from = self.stacks.steps.len();
        self.with_path(base, from, start)
    }

    /// `.f`, `[i]`, `.%n` or, at the end, `=`.
    pub(super) fn with_path(&mut self, base: ExprId, from: usize, start: u32) -> Step<Next> {
        loop {
            match self.peek() {
                TokenKind::Dot => {
                    self.take();
                    let field = self.name("the name of a field")?;
                    self.stacks.steps.push(PathStep::Field(field));
                }
                TokenKind::OpenBracket => {
                    self.take();
                    return self.wait(Frame::WithIndex { base, from, start });
                }
                TokenKind::Equal if self.stacks.steps.len() > from => {
                    self.take();
                    return self.wait(Frame::WithValue { base, from, start });
                }
                TokenKind::DotPercent => {
                    let span = self.peek_token().span;
                    return Err(self.unsupported(span, "an update of an element of a tuple"));
                }
                _ if self.stacks.steps.len() > from => {
                    return Err(self.expected(&["'.'", "'['", "'='"]));
                }
                _ => return Err(self.expected(&["'.' and a field", "'[' and an index"])),
            }
        }
    }

    /// Does `{` start `{field := …}`?
    pub(super) fn starts_field_update(&mut self) -> bool {
        self.peek_at(1) == TokenKind::Name && self.peek_at(2) == TokenKind::Assign
    }

    /// Does `{` after a name start a record?
    pub(super) fn starts_record(&mut self) -> bool {
        match self.peek_at(1) {
            TokenKind::CloseBrace => true,
            TokenKind::Name => matches!(self.peek_at(2), TokenKind::Equal | TokenKind::With),
            _ => false,
        }
    }

    pub(super) fn record(&mut self, name: Name) -> Step<Next> {
        self.take();
        let mut base = None;
        if self.peek_at(1) == TokenKind::With {
            let record = self.name("a record")?;
            base = Some(self.add(Expr::Name(record.symbol), record.span));
            self.take();
        }
        let from = self.stacks.named.len();
        self.record_field(name, base, from)
    }

    pub(super) fn record_field(
        &mut self,
        name: Name,
        base: Option<ExprId>,
        from: usize,
    ) -> Step<Next> {
        if self.peek() == TokenKind::CloseBrace {
            return self.close_record(name, base, from);
        }
        let field = self.name("the name of a field")?;
        self.expect(TokenKind::Equal, "'='")?;
        self.wait(Frame::RecordField { name, base, field, from })
    }

    pub(super) fn close_record(
        &mut self,
        name: Name,
        base: Option<ExprId>,
        from: usize,
    ) -> Step<Next> {
        if !self.accept(TokenKind::CloseBrace) {
            return self.expected_by(&["an operator", "';'", "'}'"], name.span, "in this record");
        }
        let fields = self.program.named.add(self.stacks.named.drain(from..));
        Ok(self.done(Expr::Record { name: name.symbol, base, fields }, name.span.start))
    }

    /// `(` after an operand, which must be a name such as `msg.buff[0]` to be called.
    pub(super) fn call_of_path(&mut self, operand: ExprId) -> Step<Next> {
        let mut parts = Vec::new();
        let mut id = operand;
        let first = loop {
            match self.program.expr(id) {
                Expr::Field(base, field) => {
                    parts.push(format!(".{}", self.program.text(field)));
                    id = base;
                }
                Expr::Index(base, index) => {
                    let Expr::Int(index) = self.program.expr(index) else { break None };
                    parts.push(format!("[{}]", self.program.text(index)));
                    id = base;
                }
                Expr::Name(symbol) if !parts.is_empty() => {
                    parts.push(self.program.text(symbol).to_owned());
                    break Some(id);
                }
                _ => break None,
            }
        };
        let Some(first) = first else {
            return Err(self.expected(&["an operator"]));
        };
        parts.reverse();
        let span = self.program.expr_span(operand);
        // Nothing but the call refers to the parts of its name, and they came last.
        self.program.truncate_exprs(first);
        self.stacks.enclosed = None;
        let symbol = self.program.symbols.intern(&parts.concat());
        self.pending_call(Name { symbol, span }, List::empty());
        self.list(ListKind::Arguments, span.start)
    }
}
