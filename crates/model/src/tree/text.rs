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

use std::fmt;
use std::ops::Range;

use super::{BoolTree, Circuit, Node, NodeId, Operator, TreeBuilder};

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

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token {
    Condition,
    Not,
    Binary(Operator, u8),
    Open,
    Close,
    Question,
    Colon,
    If,
    Then,
    Else,
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

const IMPLIES: u8 = 1;

/// Reads a tree.
pub fn parse(text: &str) -> Result<ParsedTree, TreeSyntaxError> {
    let mut parser = Parser::default();
    let mut lexer = Lexer { text, at: 0, after_bang: false };
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

struct Lexer<'a> {
    text: &'a str,
    at: usize,
    /// Was the last token a `!`?
    after_bang: bool,
}

/// Longest first, so that `<=` is never read as `<`.
const COMPARISONS: [&str; 8] = ["<=", ">=", "<>", "==", "!=", "<", ">", "="];

impl Lexer<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn skip_space(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start().len();
    }

    fn next_token(&mut self) -> Result<Option<(Token, Range<usize>)>, TreeSyntaxError> {
        self.skip_space();
        let start = self.at;
        let after_bang = std::mem::take(&mut self.after_bang);
        if self.rest().is_empty() {
            return Ok(None);
        }
        if let Some(inside) = self.rest().strip_prefix('[') {
            let length = inside.find(']').ok_or_else(|| error(start, "this '[' has no ']'"))?;
            if inside[..length].trim().is_empty() {
                return Err(error(start, "there is no condition in these brackets"));
            }
            self.at += length + 2;
            return Ok(Some((Token::Condition, start + 1..start + 1 + length)));
        }
        if let Some(symbol) = self.symbol() {
            self.after_bang = &self.text[start..self.at] == "!";
            return Ok(Some((symbol, start..self.at)));
        }
        let Some(word) = self.word() else {
            let found: String = self.rest().chars().take(1).collect();
            return Err(error(start, format!("'{found}' means nothing in a decision")));
        };
        let keyword = match &self.text[word.clone()] {
            "and" => Token::Binary(Operator::And(Circuit::Full), 3),
            "or" => Token::Binary(Operator::Or(Circuit::Full), 2),
            "xor" => Token::Binary(Operator::Xor, 2),
            "not" => Token::Not,
            "if" => Token::If,
            "then" => Token::Then,
            "else" => Token::Else,
            _ => {
                let condition = self.comparison(word.clone());
                if after_bang && condition != word {
                    // C reads `!x < 1` as `(!x) < 1`, Lustre as the negation of `x < 1`.
                    return Err(error(word.start, "put the comparison after '!' in parentheses"));
                }
                return Ok(Some((Token::Condition, condition)));
            }
        };
        Ok(Some((keyword, word)))
    }

    fn symbol(&mut self) -> Option<Token> {
        let symbols = [
            ("&&", Token::Binary(Operator::And(Circuit::Short), 3)),
            ("||", Token::Binary(Operator::Or(Circuit::Short), 2)),
            ("=>", Token::Binary(Operator::Implies, IMPLIES)),
            ("==", Token::Binary(Operator::Equal, 7)),
            ("!=", Token::Binary(Operator::Xor, 7)),
            ("<>", Token::Binary(Operator::Xor, 7)),
            ("=", Token::Binary(Operator::Equal, 7)),
            ("&", Token::Binary(Operator::And(Circuit::Full), 6)),
            ("^", Token::Binary(Operator::Xor, 5)),
            ("|", Token::Binary(Operator::Or(Circuit::Full), 4)),
            ("!", Token::Not),
            ("(", Token::Open),
            (")", Token::Close),
            ("?", Token::Question),
            (":", Token::Colon),
        ];
        let (spelling, token) =
            symbols.into_iter().find(|(spelling, _)| self.rest().starts_with(spelling))?;
        self.at += spelling.len();
        Some(token)
    }

    /// A name or a number, perhaps negative.
    fn word(&mut self) -> Option<Range<usize>> {
        let start = self.at;
        let rest = self.rest();
        let sign = usize::from(rest.starts_with('-'));
        let length = rest[sign..]
            .find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.')))
            .unwrap_or(rest.len() - sign);
        let is_negative_name =
            sign == 1 && !rest[1..].starts_with(|first: char| first.is_ascii_digit());
        if length == 0 || is_negative_name {
            return None;
        }
        self.at += sign + length;
        Some(start..self.at)
    }

    /// Extends the word just read to a comparison, if one follows.
    fn comparison(&mut self, left: Range<usize>) -> Range<usize> {
        let back = self.at;
        self.skip_space();
        let operator = COMPARISONS
            .into_iter()
            .find(|spelling| self.rest().starts_with(spelling) && !self.rest().starts_with("=>"));
        if let Some(operator) = operator {
            self.at += operator.len();
            self.skip_space();
            if let Some(right) = self.word() {
                let ordered = matches!(operator, "<" | "<=" | ">" | ">=");
                let numeric =
                    [&left, &right].into_iter().any(|word| is_number(&self.text[word.clone()]));
                if ordered || numeric {
                    return left.start..right.end;
                }
            }
        }
        self.at = back;
        left
    }
}

fn is_number(word: &str) -> bool {
    word.trim_start_matches('-').starts_with(|first: char| first.is_ascii_digit())
}

/// What is still to be printed.
enum Piece {
    Tree(NodeId),
    Text(&'static str),
}

impl fmt::Display for BoolTree {
    /// Prints the shape over `c1`, `c2`, …; [`parse`] reads it back.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut todo = vec![Piece::Tree(self.root())];
        while let Some(piece) = todo.pop() {
            let id = match piece {
                Piece::Text(text) => {
                    f.write_str(text)?;
                    continue;
                }
                Piece::Tree(id) => id,
            };
            let start = todo.len();
            match self.node(id) {
                Node::Condition(condition) => write!(f, "c{}", condition + 1)?,
                Node::Not(operand) => {
                    todo.push(Piece::Text("!"));
                    self.enclose(operand, None, &mut todo);
                }
                Node::Binary(operator, left, right) => {
                    self.enclose(left, Some(operator), &mut todo);
                    todo.push(Piece::Text(spelling(operator)));
                    self.enclose(right, None, &mut todo);
                }
                Node::Choose(circuit, test, then, otherwise) => {
                    let [before, middle, last] = match circuit {
                        Circuit::Short => ["", " ? ", " : "],
                        Circuit::Full => ["if ", " then ", " else "],
                    };
                    for (text, operand) in [(before, test), (middle, then), (last, otherwise)] {
                        todo.push(Piece::Text(text));
                        self.enclose(operand, None, &mut todo);
                    }
                }
            }
            todo[start..].reverse();
        }
        Ok(())
    }
}

impl BoolTree {
    /// Pushes the pieces of an operand, in parentheses unless it is a condition,
    /// a negation, or a left operand that groups by itself.
    fn enclose(&self, id: NodeId, grouping: Option<Operator>, todo: &mut Vec<Piece>) {
        let bare = match self.node(id) {
            Node::Condition(_) | Node::Not(_) => true,
            Node::Binary(Operator::Implies, ..) | Node::Choose(..) => false,
            Node::Binary(operator, ..) => Some(operator) == grouping,
        };
        if bare {
            todo.push(Piece::Tree(id));
        } else {
            todo.extend([Piece::Text("("), Piece::Tree(id), Piece::Text(")")]);
        }
    }
}

fn spelling(operator: Operator) -> &'static str {
    match operator {
        Operator::And(Circuit::Short) => " && ",
        Operator::And(Circuit::Full) => " and ",
        Operator::Or(Circuit::Short) => " || ",
        Operator::Or(Circuit::Full) => " or ",
        Operator::Xor => " xor ",
        Operator::Equal => " = ",
        Operator::Implies => " => ",
    }
}
