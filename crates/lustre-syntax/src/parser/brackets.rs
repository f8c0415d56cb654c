//! After an operand: what brackets, postfix operators and keywords make of it.

use super::expressions::{Frame, Inside, ListKind, Next};
use super::{Parser, Step};
use crate::ast::{
    Activation, Expr, ExprId, Group, List, MergeNotation, Name, NamedExpr, Quantifier,
    Step as PathStep, UpdateNotation, VariableGroup,
};
use crate::diagnostic::Diagnostic;
use crate::source::ByteSpan;
use crate::token::TokenKind;

impl Parser<'_> {
    /// Goes on after a complete expression inside the bracket on top of the stack.
    pub(super) fn close(&mut self, value: ExprId) -> Step<Next> {
        let frame = self.stacks.frames.pop().expect("invariant: a bracket is open");
        match frame {
            Frame::If(start) => {
                self.expect_with(TokenKind::Then, "'then'", start, "of this 'if'")?;
                self.wait(Frame::Then(value, start))
            }
            Frame::Then(test, start) => {
                self.expect_with(TokenKind::Else, "'else'", start, "of this 'if'")?;
                self.wait(Frame::Else(test, value, start))
            }
            Frame::List { kind, start, from } => {
                self.stacks.operands.push(value);
                self.stacks.frames.push(Frame::List { kind, start, from });
                let comma = self.peek() == TokenKind::Comma
                    || kind == ListKind::Delay && self.peek() == TokenKind::Semicolon;
                if comma {
                    self.take();
                    return Ok(Next::Operand);
                }
                self.close_list()
            }
            Frame::Any(variables, start) => self.close_any(variables, value, start),
            Frame::Index { base, start } => self.close_index(base, value, start),
            Frame::AssignIndex { base, index, start } => {
                let update = self.update(base, [PathStep::Index(index)], value, start);
                // Kind 2 writes several updates as one: a[i := x; j := y].
                if self.accept(TokenKind::Semicolon) {
                    return self.wait(Frame::NextIndex { base: update, start });
                }
                self.expect(TokenKind::CloseBracket, "']'")?;
                Ok(Next::Operator(update))
            }
            Frame::NextIndex { base, start } => {
                self.expect(TokenKind::Assign, "':='")?;
                self.wait(Frame::AssignIndex { base, index: value, start })
            }
            Frame::SliceEnd { base, low, start } => {
                self.expect(TokenKind::CloseBracket, "']'")?;
                Ok(self.done(Expr::Slice(base, low, value), start))
            }
            Frame::AssignField { base, field, start } => {
                self.expect(TokenKind::CloseBrace, "'}'")?;
                let update = self.update(base, [PathStep::Field(field)], value, start);
                Ok(Next::Operator(update))
            }
            Frame::RecordField { name, base, field, from } => {
                self.stacks.named.push(NamedExpr { name: field, value });
                if self.accept(TokenKind::Semicolon) {
                    return self.record_field(name, base, from);
                }
                self.close_record(name, base, from)
            }
            Frame::WithIndex { base, from, start } => {
                self.expect(TokenKind::CloseBracket, "']'")?;
                self.stacks.steps.push(PathStep::Index(value));
                self.with_path(base, from, start)
            }
            Frame::WithValue { base, from, start } => {
                self.expect(TokenKind::CloseParen, "')'")?;
                let path = self.program.steps.add(self.stacks.steps.drain(from..));
                let notation = UpdateNotation::With;
                Ok(self.done(Expr::Update { base, path, value, notation }, start))
            }
            Frame::MergeTrue(clock, start) => {
                self.expect(TokenKind::Semicolon, "';' between the branches of 'merge'")?;
                self.wait(Frame::MergeFalse(clock, value, start))
            }
            Frame::MergeFalse(clock, one, start) => {
                self.expect(TokenKind::CloseParen, "')'")?;
                let branches = [("true", one), ("false", value)].map(|(text, value)| {
                    let symbol = self.program.symbols.intern(text);
                    NamedExpr { name: Name { symbol, span: clock.span }, value }
                });
                let branches = self.program.named.add(branches);
                let notation = MergeNotation::Boolean;
                Ok(self.done(Expr::Merge { clock: clock.symbol, branches, notation }, start))
            }
            Frame::MergeCase { clock, value: name, from, start } => {
                self.expect(TokenKind::CloseParen, "')'")?;
                self.stacks.named.push(NamedExpr { name, value });
                if self.peek() == TokenKind::OpenParen {
                    return self.merge_case(clock, from, start);
                }
                let branches = self.program.named.add(self.stacks.named.drain(from..));
                let notation = MergeNotation::Cases;
                Ok(self.done(Expr::Merge { clock: clock.symbol, branches, notation }, start))
            }
            Frame::Restart { inside, start } => self.close_restart(inside, value, start),
            Frame::Activate(start) => {
                let activation = Activation { clock: value, defaults: None };
                self.last_call().activation = Some(activation);
                if self.accept_word("initial") {
                    self.expect_word("default")?;
                    let from = self.stacks.operands.len();
                    return self.wait(Frame::List { kind: ListKind::Defaults, start, from });
                }
                self.close_activate(start)
            }
            _ => unreachable!("invariant: operators are complete before a bracket closes"),
        }
    }

    /// `}` after the condition of `any`.
    fn close_any(
        &mut self,
        variables: List<VariableGroup>,
        condition: ExprId,
        start: u32,
    ) -> Step<Next> {
        self.expect_with(TokenKind::CloseBrace, "'}'", start, "to close this")?;
        Ok(self.done(Expr::Quantified(Quantifier::Any, variables, condition), start))
    }

    pub(super) fn done(&mut self, expr: Expr, start: u32) -> Next {
        let span = self.span_from(start);
        Next::Operator(self.add(expr, span))
    }

    /// Like `expect`, with the place that asks for the token.
    fn expect_with(&mut self, kind: TokenKind, wanted: &str, start: u32, place: &str) -> Step<()> {
        if self.accept(kind) {
            return Ok(());
        }
        self.expected_by(&[wanted, "an operator"], ByteSpan::new(start, start + 1), place)
    }

    fn last_call(&mut self) -> &mut crate::ast::Call {
        self.stacks.calls.last_mut().expect("invariant: a call is being read")
    }

    /// Closes the list on top of the stack; its elements are on the stack of operands.
    pub(super) fn close_list(&mut self) -> Step<Next> {
        let Some(Frame::List { kind, start, from }) = self.stacks.frames.pop() else {
            unreachable!("invariant: a list is open");
        };
        if kind == ListKind::Defaults {
            let defaults = self.elements(from);
            if let Some(activation) = &mut self.last_call().activation {
                activation.defaults = Some(defaults);
            }
            return self.close_activate(start);
        }
        if kind == ListKind::Parentheses && self.peek() == TokenKind::With {
            return self.with(start, from);
        }
        let (closing, wanted) = match kind {
            ListKind::Tuple(TokenKind::CloseBrace) => (TokenKind::CloseBrace, "'}'"),
            ListKind::Array => (TokenKind::CloseBracket, "']'"),
            _ => (TokenKind::CloseParen, "')'"),
        };
        if !self.accept(closing) {
            if kind == ListKind::Parentheses && self.peek() == TokenKind::Colon {
                let span = self.peek_token().span;
                return Err(self.unsupported(span, "a type after an expression"));
            }
            let open = ByteSpan::new(start, start + 1);
            return self.expected_by(&["an operator", "','", wanted], open, "to close this");
        }
        match kind {
            ListKind::Parentheses if self.stacks.operands.len() == from + 1 => {
                let value = self.stacks.operands.pop().expect("invariant: one element");
                self.stacks.enclosed = Some((value, start));
                Ok(Next::Operator(value))
            }
            ListKind::Parentheses => Ok(self.group(Group::List, from, start)),
            ListKind::Tuple(_) => Ok(self.group(Group::Tuple, from, start)),
            ListKind::Array => Ok(self.group(Group::Array, from, start)),
            ListKind::AtMostOne => Ok(self.group(Group::AtMostOne, from, start)),
            ListKind::Arguments => {
                let arguments = self.elements(from);
                let call = self.stacks.calls.pop().expect("invariant: a call is being read");
                let bare = call.restart.is_none() && call.activation.is_none();
                let id = self.program.add_call(crate::ast::Call { arguments, ..call });
                if bare && self.accept(TokenKind::Every) {
                    return self.wait(Frame::Every(id, start));
                }
                Ok(self.done(Expr::Call(id), start))
            }
            ListKind::Condact => self.condact(from, start),
            ListKind::Delay => self.delay(from, start),
            ListKind::Defaults => unreachable!("invariant: closed above"),
        }
    }

    fn elements(&mut self, from: usize) -> List<ExprId> {
        self.program.expr_lists.add(self.stacks.operands.drain(from..))
    }

    fn group(&mut self, group: Group, from: usize, start: u32) -> Next {
        let elements = self.elements(from);
        self.done(Expr::Group(group, elements), start)
    }

    fn condact(&mut self, from: usize, start: u32) -> Step<Next> {
        let span = self.span_from(start);
        let elements = &self.stacks.operands[from..];
        let &[clock, call, ..] = elements else {
            let text = "'condact' needs a clock, a node call and the results before the first call";
            return Err(self.report(Diagnostic::error(span, text)));
        };
        if !matches!(self.program.expr(call), Expr::Call(_)) {
            let span = self.program.expr_span(call);
            let text = "the second argument of 'condact' must be a node call";
            return Err(self.report(Diagnostic::error(span, text)));
        }
        let defaults = self.program.expr_lists.add(self.stacks.operands.drain(from + 2..));
        self.stacks.operands.truncate(from);
        Ok(self.done(Expr::Condact { clock, call, defaults }, start))
    }

    fn delay(&mut self, from: usize, start: u32) -> Step<Next> {
        let span = self.span_from(start);
        let &[value, steps, initial] = &self.stacks.operands[from..] else {
            let text = "'fby(…)' needs a stream, a number of steps and a first value";
            return Err(self.report(Diagnostic::error(span, text)));
        };
        self.stacks.operands.truncate(from);
        Ok(self.done(Expr::Delay { value, steps, initial }, start))
    }

    fn close_restart(&mut self, inside: Inside, value: ExprId, start: u32) -> Step<Next> {
        self.last_call().restart = Some(value);
        self.expect(TokenKind::CloseParen, "')'")?;
        if inside == Inside::Activate {
            self.expect(TokenKind::Every, "'every'")?;
            return self.wait(Frame::Activate(start));
        }
        self.clocked_arguments(start)
    }

    /// `)` or `restart every` after the clock and the defaults of `activate`.
    fn close_activate(&mut self, start: u32) -> Step<Next> {
        if self.accept(TokenKind::Restart) {
            self.expect(TokenKind::Every, "'every'")?;
            let inside = Inside::ActivateTail;
            return self.wait(Frame::Restart { inside, start });
        }
        if self.peek() != TokenKind::CloseParen {
            let open = ByteSpan::new(start, start + 1);
            return self.expected_by(&["an operator", "')'"], open, "to close this");
        }
        self.take();
        self.clocked_arguments(start)
    }

    fn clocked_arguments(&mut self, start: u32) -> Step<Next> {
        if self.peek() != TokenKind::OpenParen {
            return Err(self.expected(&["'(' and the arguments of the call"]));
        }
        self.list(ListKind::Arguments, start)
    }
}
