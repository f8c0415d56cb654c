//! Constants, and what is declared before `let`.

use super::types::plain;
use super::{Parser, Step, Stop};
use crate::ast::{Constant, Local, Trivia};
use crate::diagnostic::Diagnostic;
use crate::token::TokenKind;

impl Parser<'_> {
    /// Is the next name another constant under the same `const`?
    pub(super) fn continues_constants(&mut self) -> bool {
        let follows = [TokenKind::Equal, TokenKind::Colon, TokenKind::Comma];
        self.peek() == TokenKind::Name && follows.contains(&self.peek_at(1))
    }

    /// One constant with its `;`, after `const`.
    pub(super) fn constant(&mut self) -> Step<Constant> {
        let start = self.peek_token().span.start;
        let names = self.names("the name of a constant")?;
        let kind = if self.accept(TokenKind::Colon) { Some(self.type_expression()?) } else { None };
        let value = if self.accept(TokenKind::Equal) {
            if let [_, second, ..] = names[..] {
                let text = "constants declared together cannot have a value";
                return Err(self.report(Diagnostic::error(second.span, text)));
            }
            Some(self.expression()?)
        } else if kind.is_none() {
            return Err(self.expected(&["':' and a type", "'=' and a value"]));
        } else {
            None
        };
        if self.peek() != TokenKind::Semicolon {
            let wanted = if value.is_some() { "an operator" } else { "'=' and a value" };
            return Err(self.expected(&[wanted, "';'"]));
        }
        self.take();
        let span = self.span_from(start);
        Ok(Constant { names, kind, value, span, trivia: Trivia::default() })
    }

    /// `var a: int; b: bool; const c = 1;` before `let`.
    pub(super) fn locals(&mut self) -> Step<Vec<Local>> {
        let mut locals = Vec::new();
        let mut section = TokenKind::Let;
        loop {
            match self.peek() {
                TokenKind::Var | TokenKind::Const => {
                    section = self.take().kind;
                    // `var` may come with nothing, but not with anything else.
                    if section == TokenKind::Var && self.peek() == TokenKind::Let {
                        return Ok(locals);
                    }
                }
                TokenKind::Name if section == TokenKind::Const => {
                    // A word that starts a declaration of the file is no constant.
                    if !self.continues_constants() {
                        return Ok(locals);
                    }
                }
                TokenKind::Name | TokenKind::OpenParen if section == TokenKind::Var => {}
                _ => return Ok(locals),
            }
            if self.local(section, &mut locals).is_err() {
                self.skip_item();
                if self.too_many_errors()
                    || !matches!(
                        self.peek(),
                        TokenKind::Name | TokenKind::Var | TokenKind::Const | TokenKind::Let
                    )
                {
                    return Err(Stop);
                }
            }
        }
    }

    fn local(&mut self, section: TokenKind, locals: &mut Vec<Local>) -> Step<()> {
        self.braces = 0;
        let trivia = self.open_trivia();
        if section == TokenKind::Const {
            let constant = self.constant()?;
            let trivia = plain(self.close_trivia(trivia));
            locals.push(Local::Constant(Constant { trivia, ..constant }));
            return Ok(());
        }
        let mut groups = Vec::new();
        if self.accept(TokenKind::OpenParen) {
            loop {
                groups.push(self.variables()?);
                if !self.accept(TokenKind::Semicolon) || self.peek() == TokenKind::CloseParen {
                    break;
                }
            }
            self.expect(TokenKind::CloseParen, "')'")?;
            self.expect(TokenKind::When, "'when'")?;
            let clock = self.clock()?;
            for group in &mut groups {
                group.clock = Some(clock);
            }
        } else {
            groups.push(self.variables()?);
        }
        self.expect(TokenKind::Semicolon, "';' after the type")?;
        let trivia = plain(self.close_trivia(trivia));
        groups[0].trivia = trivia;
        locals.extend(groups.into_iter().map(Local::Variables));
        Ok(())
    }
}
