//! The items between `let` and `tel`.
//!
//! Blocks hold items that may be blocks: those being read are on a stack, innermost last.

use super::{Parser, Step};
use crate::ast::{
    Branch, ExprId, Frame, Item, ItemId, ItemKind, Name, PropertyNotation, Target, Trivia,
};
use crate::diagnostic::Diagnostic;
use crate::parser::automata::{OpenAutomaton, OpenState};
use crate::source::ByteSpan;
use crate::token::TokenKind;

/// A block being read.
pub(super) enum Block {
    /// The body itself.
    Body,
    /// `if c then`, after the branches so far; no condition after `else`.
    If { branches: Vec<Branch>, condition: Option<ExprId> },
    /// `frame (x, y)`, before its `let`.
    FrameStart { names: Vec<Name> },
    /// `frame (x, y) … let`.
    FrameBody { names: Vec<Name>, initial: Vec<ItemId> },
    /// A state of an automaton, after its `let`.
    State(Box<(OpenAutomaton, OpenState)>),
}

/// A block with the items read so far.
pub(super) struct Open {
    pub(super) block: Block,
    pub(super) items: Vec<ItemId>,
    pub(super) start: u32,
    pub(super) trivia: Trivia,
}

impl Parser<'_> {
    /// The items up to the `tel` of the body, which is not taken.
    pub(super) fn body(&mut self) -> Vec<ItemId> {
        let body = Open {
            block: Block::Body,
            items: Vec::new(),
            start: self.previous.span.start,
            trivia: Trivia::default(),
        };
        let mut stack = vec![body];
        loop {
            let kind = self.peek();
            let ends = kind == TokenKind::End || kind.starts_declaration();
            let top = &stack[stack.len() - 1].block;
            let closes = matches!(top, Block::FrameBody { .. } | Block::State(_));
            if ends || self.too_many_errors() || kind == TokenKind::Tel && !closes {
                break;
            }
            self.braces = 0;
            let before = self.previous.span.end;
            if self.item(&mut stack).is_err() {
                self.skip_item();
                // What stops the skipping but is no item here must not be tried again.
                let idle = self.previous.span.end == before;
                if idle && !matches!(self.peek(), TokenKind::Tel | TokenKind::End) {
                    self.take();
                }
            }
        }
        if let [_, .., innermost] = &stack[..] {
            self.unclosed(innermost.start, &innermost.block);
        }
        stack.swap_remove(0).items
    }

    fn unclosed(&mut self, start: u32, block: &Block) {
        let (name, end) = match block {
            Block::If { .. } => ("'if' block", "'fi'"),
            Block::State(_) => ("state", "'tel'"),
            Block::FrameStart { .. } => ("'frame' block", "'let'"),
            _ => ("'frame' block", "'tel'"),
        };
        let open = ByteSpan::new(start, start + 1);
        let found = self.found();
        let place = self.peek_token().span;
        let problem = Diagnostic::expected(place, &["an equation", end], &found);
        self.report(problem.with_related(open, format!("this {name} is open")));
    }

    /// Reads one item, or the start, middle or end of a block.
    fn item(&mut self, stack: &mut Vec<Open>) -> Step<()> {
        let first = stack[stack.len() - 1].items.is_empty();
        if self.block_continues(stack)? {
            return Ok(());
        }
        let mut trivia = self.open_trivia();
        trivia.blank_before &= !first;
        let start = self.peek_token().span.start;
        let opened = match self.peek() {
            TokenKind::If => {
                self.take();
                let condition = Some(self.expression()?);
                self.expect(TokenKind::Then, "'then'")?;
                Some(Block::If { branches: Vec::new(), condition })
            }
            TokenKind::When => return Err(self.unsupported_block("a 'when' block")),
            TokenKind::Name if self.at_word("cond") && self.peek_at(1) == TokenKind::Bar => {
                return Err(self.unsupported_block("a 'cond' block"));
            }
            TokenKind::Name if self.at_word("auto") && self.peek_at(1) == TokenKind::Semicolon => {
                let span = self.peek_token().span;
                return Err(self.unsupported(span, "'auto'"));
            }
            TokenKind::Name if self.at_word("frame") && self.peek_at(1) == TokenKind::OpenParen => {
                self.take();
                self.take();
                let names = self.names("the name of a variable")?;
                self.expect(TokenKind::CloseParen, "')'")?;
                Some(Block::FrameStart { names })
            }
            TokenKind::Name if self.at_word("automaton") && !self.starts_target(1) => {
                return self.automaton(stack, start, trivia);
            }
            _ => None,
        };
        if let Some(block) = opened {
            stack.push(Open { block, items: Vec::new(), start, trivia });
            return Ok(());
        }
        let kind = self.simple_item()?;
        let trivia = self.close_trivia(trivia);
        let span = self.span_from(start);
        let id = self.program.add_item(Item { kind, span, trivia });
        add_to(stack, id);
        Ok(())
    }

    /// What is inside cannot be told from what comes after: the rest of the body is skipped.
    fn unsupported_block(&mut self, block: &str) -> super::Stop {
        let span = self.peek_token().span;
        let stop = self.unsupported(span, block);
        while !matches!(self.peek(), TokenKind::Tel | TokenKind::End)
            && !self.peek().starts_declaration()
        {
            self.take();
        }
        stop
    }

    /// `else`, `elsif`, `fi`, `let` or `tel` of the block on top; was it one?
    fn block_continues(&mut self, stack: &mut Vec<Open>) -> Step<bool> {
        let kind = self.peek();
        let is_elsif = self.at_word("elsif") && !self.starts_indexed_target();
        let is_fi = self.at_word("fi") && !self.starts_target(1);
        let top = stack.last_mut().expect("invariant: the body is on the stack");
        match &mut top.block {
            Block::If { branches, condition } => {
                let in_else = condition.is_none();
                if !(is_fi || !in_else && (is_elsif || kind == TokenKind::Else)) {
                    return Ok(false);
                }
                self.take();
                if let Some(condition) = condition.take() {
                    branches.push(Branch { condition, items: std::mem::take(&mut top.items) });
                }
                if is_elsif {
                    *condition = Some(self.expression()?);
                    self.expect(TokenKind::Then, "'then'")?;
                } else if is_fi {
                    self.accept(TokenKind::Semicolon);
                    self.close_block(stack, in_else);
                }
                Ok(true)
            }
            Block::FrameStart { names } if kind == TokenKind::Let => {
                self.take();
                let initial = std::mem::take(&mut top.items);
                top.block = Block::FrameBody { names: std::mem::take(names), initial };
                Ok(true)
            }
            Block::FrameBody { .. } if kind == TokenKind::Tel => {
                self.take();
                self.accept(TokenKind::Semicolon);
                self.close_block(stack, false);
                Ok(true)
            }
            Block::State(_) if kind == TokenKind::Tel => {
                self.close_state(stack)?;
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    /// Makes an item of the block on top, whose last token has been taken.
    fn close_block(&mut self, stack: &mut Vec<Open>, has_else: bool) {
        let open = stack.pop().expect("invariant: a block is open");
        let kind = match open.block {
            Block::If { branches, .. } => ItemKind::If(branches, has_else.then_some(open.items)),
            Block::FrameBody { names, initial } => {
                ItemKind::Frame(Frame { names, initial, items: open.items })
            }
            _ => unreachable!("invariant: only these blocks close here"),
        };
        let trivia = self.close_compound(open.trivia);
        let span = self.span_from(open.start);
        let id = self.program.add_item(Item { kind, span, trivia });
        add_to(stack, id);
    }

    fn simple_item(&mut self) -> Step<ItemKind> {
        match self.peek() {
            TokenKind::Assert => {
                self.take();
                let condition = self.expression()?;
                self.end_equation("an assertion")?;
                Ok(ItemKind::Assert(condition))
            }
            TokenKind::PropertyPragma => self.property(PropertyNotation::Pragma),
            TokenKind::MainPragma => self.main_pragma(),
            TokenKind::IvcPragma => Ok(ItemKind::Ivc(self.name_pragma()?)),
            TokenKind::RealizablePragma => Ok(ItemKind::Realizable(self.name_pragma()?)),
            TokenKind::Name if self.at_word("check") && !self.starts_indexed_target() => {
                self.property(PropertyNotation::Check)
            }
            TokenKind::Name | TokenKind::OpenParen => self.equation(),
            _ => Err(self.expected(&["an equation", "'assert'", "'tel'"])),
        }
    }

    /// Does the token after a word make it the left side of an equation?
    pub(super) fn starts_target(&mut self, distance: usize) -> bool {
        matches!(
            self.peek_at(distance),
            TokenKind::Equal
                | TokenKind::Comma
                | TokenKind::OpenBracket
                | TokenKind::Dot
                | TokenKind::Assign
        )
    }

    /// The same where the word could also be followed by an array: is it `word[i] =`?
    fn starts_indexed_target(&mut self) -> bool {
        if self.peek_at(1) != TokenKind::OpenBracket {
            return self.starts_target(1);
        }
        let follows = [TokenKind::Equal, TokenKind::Comma, TokenKind::OpenBracket];
        self.peek_at(2) == TokenKind::Name
            && self.peek_at(3) == TokenKind::CloseBracket
            && follows.contains(&self.peek_at(4))
    }

    fn equation(&mut self) -> Step<ItemKind> {
        let call = self.peek() == TokenKind::Name
            && matches!(
                self.peek_at(1),
                TokenKind::OpenParen | TokenKind::OpenStatic | TokenKind::At
            );
        if call {
            // A call for its properties only.
            let value = self.expression()?;
            self.end_equation("a call")?;
            return Ok(ItemKind::Equation(Vec::new(), value));
        }
        let mut targets = Vec::new();
        if self.accept(TokenKind::OpenParen) {
            if self.peek() != TokenKind::CloseParen {
                self.targets(&mut targets)?;
            }
            self.expect(TokenKind::CloseParen, "')'")?;
        } else {
            self.targets(&mut targets)?;
        }
        if self.peek() != TokenKind::Equal {
            return Err(self.expected(&["'='"]));
        }
        self.take();
        let value = self.expression()?;
        self.end_equation("an equation")?;
        Ok(ItemKind::Equation(targets, value))
    }

    fn targets(&mut self, targets: &mut Vec<Target>) -> Step<()> {
        loop {
            let name = self.path("the name of a variable")?;
            let mut indices = Vec::new();
            while self.accept(TokenKind::OpenBracket) {
                indices.push(self.name("a name for the index")?);
                self.expect(TokenKind::CloseBracket, "']'")?;
            }
            targets.push(Target { name, indices });
            if !self.accept(TokenKind::Comma) {
                return Ok(());
            }
        }
    }

    pub(super) fn end_equation(&mut self, what: &str) -> Step<()> {
        if self.accept(TokenKind::Semicolon) {
            return Ok(());
        }
        let errors = self.errors;
        let stop = self.expected(&["an operator", "';'"]);
        if let Some(last) = self.diagnostics.last_mut().filter(|_| self.errors > errors) {
            last.help.get_or_insert_with(|| format!("{what} ends with ';'"));
        }
        Err(stop)
    }
}

pub(super) fn add_to(stack: &mut [Open], id: ItemId) {
    stack.last_mut().expect("invariant: the body is on the stack").items.push(id);
}
