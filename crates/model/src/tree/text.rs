//! Boolean trees as text, in one grammar that takes C's and Lustre's spellings.
//!
//! From loosest to tightest:
//!
//! | operators | meaning |
//! | --- | --- |
//! | `c ? t : e`, `if c then t else e` | choice; the first skips the other arm |
//! | `=>` | implication |
//! | `\|\|`, `or`, `xor` | disjunction, exclusive or; `\|\|` short-circuits |
//! | `&&`, `and` | conjunction; `&&` short-circuits |
//! | `\|`, `^`, `&` | C's full disjunction, exclusive or, full conjunction, each tighter than the last |
//! | `==`, `=`, `!=`, `<>` | equality, exclusive or |
//! | `!`, `not` | negation |
//!
//! A condition is a word (`a`, `v.ready`, `c3`), a comparison `x < y`, `<=`, `>`
//! or `>=` of two words, a comparison with `==`, `=`, `!=` or `<>` one side of
//! which is a number, or anything at all in square brackets: `[x == y] && ok`.
//!
//! The parser keeps its own stack of pending operators, so nesting is limited
//! by memory alone.

use std::ops::Range;

use super::{BoolTree, Circuit, Operator, TreeBuilder};

mod lexer;
mod print;

use lexer::{IMPLIES, Lexer, Token};

/// A tree read from text, with where each condition stands in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParsedTree {
    /// The shape.
    pub tree: BoolTree,
    /// Per condition, its bytes in the text, without the square brackets.
    pub conditions: Vec<Range<usize>>,
}

/// A text that is no Boolean tree.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct TreeSyntaxError {
    /// The byte of the text where reading stopped.
    pub offset: usize,
    /// What was expected or found there.
    pub reason: String,
}

/// What waits on the stack for its last operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pending {
    Not,
    Binary(Operator, u8),
    /// `test ? then :`, its otherwise being read.
    Colon,
    /// `if test then then else`, its otherwise being read.
    Else,
    Open,
    Question,
    If,
    Then,
}

/// Reads a tree.
pub fn parse(text: &str) -> Result<ParsedTree, TreeSyntaxError> {
    let mut parser = Parser::default();
    let mut lexer = Lexer::new(text);
    while let Some((token, range)) = lexer.next_token()? {
        parser.take(token, range)?;
    }
    parser.finish(text.len())
}

#[derive(Default)]
struct Parser {
    builder: TreeBuilder,
    conditions: Vec<Range<usize>>,
    pending: Vec<(Pending, usize)>,
    /// Has an operand just ended, so that an operator must follow?
    after_operand: bool,
}

impl Parser {
    fn take(&mut self, token: Token, range: Range<usize>) -> Result<(), TreeSyntaxError> {
        let offset = range.start;
        let starts_operand =
            matches!(token, Token::Condition | Token::Not | Token::Open | Token::If);
        if starts_operand == self.after_operand {
            let expected = if self.after_operand { "an operator" } else { "a condition" };
            return Err(error(offset, format!("expected {expected} here")));
        }
        match token {
            Token::Condition => {
                self.builder.condition();
                self.conditions.push(range);
                self.after_operand = true;
            }
            Token::Not => self.pending.push((Pending::Not, offset)),
            Token::Open => self.pending.push((Pending::Open, offset)),
            Token::If => self.pending.push((Pending::If, offset)),
            Token::Binary(operator, strength) => {
                self.reduce_while(|pending| match pending {
                    Pending::Not => true,
                    // Implication groups to the right, all others to the left.
                    Pending::Binary(_, other) => {
                        other > strength || other == strength && strength != IMPLIES
                    }
                    _ => false,
                });
                self.pending.push((Pending::Binary(operator, strength), offset));
                self.after_operand = false;
            }
            Token::Question => {
                self.reduce_while(|pending| matches!(pending, Pending::Not | Pending::Binary(..)));
                self.pending.push((Pending::Question, offset));
                self.after_operand = false;
            }
            Token::Close => {
                self.close(Pending::Open, offset, "this closes no parenthesis")?;
            }
            Token::Colon => {
                self.close(Pending::Question, offset, "this ':' belongs to no '?'")?;
                self.continue_with(Pending::Colon, offset);
            }
            Token::Then => {
                self.close(Pending::If, offset, "this 'then' belongs to no 'if'")?;
                self.continue_with(Pending::Then, offset);
            }
            Token::Else => {
                self.close(Pending::Then, offset, "this 'else' belongs to no 'then'")?;
                self.continue_with(Pending::Else, offset);
            }
        }
        Ok(())
    }

    fn continue_with(&mut self, pending: Pending, offset: usize) {
        self.pending.push((pending, offset));
        self.after_operand = false;
    }

    /// Reduces up to the nearest `opening` and removes it.
    fn close(
        &mut self,
        opening: Pending,
        offset: usize,
        otherwise: &str,
    ) -> Result<(), TreeSyntaxError> {
        self.reduce_while(is_complete);
        match self.pending.pop() {
            Some((pending, _)) if pending == opening => Ok(()),
            _ => Err(error(offset, otherwise)),
        }
    }

    fn reduce_while(&mut self, reducible: impl Fn(Pending) -> bool) {
        while let Some(&(pending, _)) = self.pending.last() {
            if !reducible(pending) {
                return;
            }
            self.pending.pop();
            let built = match pending {
                Pending::Not => self.builder.not(),
                Pending::Binary(operator, _) => self.builder.binary(operator),
                Pending::Colon => self.builder.choose(Circuit::Short),
                Pending::Else => self.builder.choose(Circuit::Full),
                Pending::Open | Pending::Question | Pending::If | Pending::Then => Ok(()),
            };
            built.expect("invariant: an operator waits only for its last operand");
        }
    }

    fn finish(mut self, end: usize) -> Result<ParsedTree, TreeSyntaxError> {
        if !self.after_operand {
            return Err(error(end, "expected a condition here, not the end"));
        }
        self.reduce_while(is_complete);
        if let Some(&(pending, offset)) = self.pending.last() {
            let reason = match pending {
                Pending::Question => "this '?' has no ':'",
                Pending::If => "this 'if' has no 'then'",
                Pending::Then => "this 'then' has no 'else'",
                _ => "this parenthesis is never closed",
            };
            return Err(error(offset, reason));
        }
        let tree = self.builder.finish().expect("invariant: one operand is left");
        Ok(ParsedTree { tree, conditions: self.conditions })
    }
}

/// Does `pending` have all its operands once one has just ended?
fn is_complete(pending: Pending) -> bool {
    matches!(pending, Pending::Not | Pending::Binary(..) | Pending::Colon | Pending::Else)
}

fn error(offset: usize, reason: impl Into<String>) -> TreeSyntaxError {
    TreeSyntaxError { offset, reason: reason.into() }
}
