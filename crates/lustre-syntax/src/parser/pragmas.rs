//! Properties, and what pragmas say about a node.

use super::{Parser, Step};
use crate::ast::{Bounds, Claim, ItemKind, Name, Property, PropertyNotation};
use crate::source::ByteSpan;
use crate::token::{Lines, TokenKind};

impl Parser<'_> {
    /// `--%PROPERTY …`, `check …`.
    pub(super) fn property(&mut self, notation: PropertyNotation) -> Step<ItemKind> {
        let opening = self.take().span;
        let mut claim = Claim::Invariant;
        if self.at_word("reachable") && !self.ends_here(1) {
            self.take();
            claim = Claim::Reachable(Bounds::default());
        } else if self.at_word("invariant") && !self.ends_here(1) {
            self.take();
        }
        let title = self.title();
        self.accept(TokenKind::Colon);
        let condition = self.expression()?;
        let mut provided = None;
        match &mut claim {
            Claim::Reachable(bounds) => self.bounds(bounds)?,
            Claim::Invariant => {
                if self.accept_word("provided") {
                    provided = Some(self.expression()?);
                }
            }
        }
        match notation {
            PropertyNotation::Check => self.end_equation("a property")?,
            PropertyNotation::Pragma => self.end_pragma(opening)?,
        }
        Ok(ItemKind::Property(Property { title, claim, condition, provided, notation }))
    }

    /// Is the word before `distance` a name rather than a claim, going by what follows?
    fn ends_here(&mut self, distance: usize) -> bool {
        !matches!(
            self.peek_at(distance),
            TokenKind::Name
                | TokenKind::Int
                | TokenKind::Real
                | TokenKind::String
                | TokenKind::True
                | TokenKind::False
                | TokenKind::OpenParen
                | TokenKind::Colon
                | TokenKind::DoubleColon
                | TokenKind::Hash
                | TokenKind::Bang
                | TokenKind::Tick
                | TokenKind::Not
                | TokenKind::If
                | TokenKind::Pre
                | TokenKind::Current
                | TokenKind::Condact
                | TokenKind::Merge
                | TokenKind::Fby
                | TokenKind::Floor
                | TokenKind::IntType
                | TokenKind::RealType
                | TokenKind::MachineType
                | TokenKind::Forall
                | TokenKind::Exists
        )
    }

    fn bounds(&mut self, bounds: &mut Bounds) -> Step<()> {
        loop {
            let slot = if self.at_word("from") {
                &mut bounds.from
            } else if self.at_word("at") {
                &mut bounds.at
            } else if self.at_word("within") {
                &mut bounds.within
            } else {
                return Ok(());
            };
            self.take();
            let token = self.expect(TokenKind::Int, "a number of steps")?;
            *slot = Some(self.symbol(token));
        }
    }

    /// `--%MAIN`, `--!MAIN : true;`.
    pub(super) fn main_pragma(&mut self) -> Step<ItemKind> {
        let opening = self.take().span;
        let mut main = true;
        if self.accept(TokenKind::Colon) {
            main = match self.peek() {
                TokenKind::True => true,
                TokenKind::False => false,
                _ => return Err(self.expected(&["'true'", "'false'"])),
            };
            self.take();
        }
        self.end_pragma(opening)?;
        Ok(ItemKind::Main(main))
    }

    /// `--%IVC x, y;`.
    pub(super) fn name_pragma(&mut self) -> Step<Vec<Name>> {
        let opening = self.take().span;
        let mut names = Vec::new();
        if self.peek() == TokenKind::Name && self.peek_token().lines == Lines::Same {
            names = self.names("the name of a variable")?;
        }
        self.end_pragma(opening)?;
        Ok(names)
    }

    /// `;`, which a pragma may leave out at the end of its line, and `*)` if it opened with
    /// `(*`.
    fn end_pragma(&mut self, opening: ByteSpan) -> Step<()> {
        let semicolon = self.accept(TokenKind::Semicolon);
        if !self.tokens.text(opening).starts_with('-') {
            self.expect(TokenKind::CloseBlock, "the end of the comment")?;
            return Ok(());
        }
        let next = self.peek_token();
        if semicolon || next.lines > Lines::Same || next.kind == TokenKind::End {
            return Ok(());
        }
        Err(self.expected(&["an operator", "';'"]))
    }
}
