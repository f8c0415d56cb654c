//! The tokens of a tree as text.

use std::ops::Range;

use super::super::{Circuit, Operator};
use super::{TreeSyntaxError, error};

/// A token; operators with how tightly they bind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token {
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

/// How tightly an implication binds.
pub(super) const IMPLIES: u8 = 1;

/// Cuts a text into tokens.
pub(super) struct Lexer<'a> {
    text: &'a str,
    at: usize,
    /// Was the last token a `!`?
    after_bang: bool,
}

/// Longest first, so that `<=` is never read as `<`.
const COMPARISONS: [&str; 8] = ["<=", ">=", "<>", "==", "!=", "<", ">", "="];

impl<'a> Lexer<'a> {
    /// At the start of a text.
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, at: 0, after_bang: false }
    }

    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn skip_space(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start().len();
    }

    pub(super) fn next_token(&mut self) -> Result<Option<(Token, Range<usize>)>, TreeSyntaxError> {
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
