//! Error recovery: the parser continues at the next equation or declaration.

use super::Parser;
use crate::token::TokenKind;

impl Parser<'_> {
    /// Skips to just past the `;` that ends the equation or clause at hand, or to before
    /// what ends the body.
    pub(super) fn skip_item(&mut self) {
        self.reset();
        loop {
            match self.peek() {
                TokenKind::End | TokenKind::Tel | TokenKind::Let => return,
                TokenKind::PropertyPragma | TokenKind::MainPragma | TokenKind::OpenContract => {
                    return;
                }
                kind if kind.starts_declaration() => return,
                TokenKind::Semicolon if self.braces <= 0 => {
                    self.take();
                    return;
                }
                _ => {
                    self.take();
                }
            }
        }
    }

    /// Skips to before the next declaration.
    pub(super) fn skip_declaration(&mut self) {
        self.reset();
        loop {
            match self.peek() {
                TokenKind::End => return,
                kind if kind.starts_declaration() => return,
                TokenKind::Const if self.previous.kind != TokenKind::OpenParen => return,
                TokenKind::Tel => {
                    self.take();
                    self.accept_separator();
                    return;
                }
                _ => {
                    self.take();
                }
            }
        }
    }

    pub(super) fn reset(&mut self) {
        self.stacks.clear();
        self.alternations = 0;
    }

    /// `;` or `.` after `tel`.
    pub(super) fn accept_separator(&mut self) {
        if matches!(self.peek(), TokenKind::Semicolon | TokenKind::Dot) {
            self.take();
        }
    }
}
