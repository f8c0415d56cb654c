//! The words and pragmas of a RIF file.

use crate::error::{Place, StoreError};
use crate::source::Source;

/// What stands at a byte of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token<'a> {
    /// A value.
    Word(usize, &'a str),
    /// A value in quotes, without them.
    Quoted(usize, &'a str),
    /// What starts with `#`.
    Pragma(usize, Pragma<'a>),
}

/// A pragma that is understood; all others are comments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pragma<'a> {
    /// The inputs are these.
    Inputs(&'a str),
    /// The outputs are these.
    Outputs(&'a str),
    /// A step begins.
    Step,
    /// The values to come are outputs.
    Outs,
    /// A test of this name begins.
    Name(&'a str),
    /// The next step is the first one again.
    Reset,
    /// Nothing more comes.
    Quit,
}

/// The tokens of a file.
pub struct Tokens<'a> {
    source: Source<'a>,
    offset: usize,
}

impl<'a> Tokens<'a> {
    pub fn new(source: Source<'a>) -> Self {
        Self { source, offset: 0 }
    }

    /// Where the next token is looked for.
    pub fn position(&self) -> usize {
        self.offset
    }

    /// Nothing more is looked for.
    pub fn stop(&mut self) {
        self.offset = self.source.0.len();
    }

    /// A complaint about what stands at a byte.
    pub fn invalid(&self, at: usize, reason: impl Into<String>) -> StoreError {
        StoreError::Invalid { place: self.place(at), reason: reason.into() }
    }

    /// A complaint about what stands at a part of the file.
    pub fn invalid_part(&self, part: &str, reason: impl Into<String>) -> StoreError {
        self.invalid(self.source.offset_of(part), reason)
    }

    fn place(&self, at: usize) -> Place {
        self.source.place(at)
    }

    fn syntax(&self, at: usize, reason: &str) -> StoreError {
        StoreError::Syntax { place: self.place(at), reason: reason.to_owned() }
    }

    /// The next token.
    pub fn next(&mut self) -> Result<Option<Token<'a>>, StoreError> {
        loop {
            let rest = &self.source.0[self.offset..];
            let blank = rest.len() - rest.trim_start().len();
            self.offset += blank;
            let (at, rest) = (self.offset, &rest[blank..]);
            let Some(first) = rest.chars().next() else { return Ok(None) };
            match first {
                '#' => {
                    if let Some(pragma) = self.pragma(at, rest)? {
                        return Ok(Some(Token::Pragma(at, pragma)));
                    }
                }
                '"' => {
                    let end =
                        rest[1..].find(['"', '\n']).filter(|end| rest[1 + end..].starts_with('"'));
                    let end = end.ok_or_else(|| {
                        self.syntax(at, "this quoted value does not end on its line")
                    })?;
                    self.offset += end + 2;
                    return Ok(Some(Token::Quoted(at, &rest[1..=end])));
                }
                _ => {
                    let ends = |c: char| c.is_whitespace() || c == '#' || c == '"';
                    let length = rest.find(ends).unwrap_or(rest.len());
                    self.offset += length;
                    return Ok(Some(Token::Word(at, &rest[..length])));
                }
            }
        }
    }

    /// The pragma at `at`, where `rest` starts; nothing if it is a comment.
    fn pragma(&mut self, at: usize, rest: &'a str) -> Result<Option<Pragma<'a>>, StoreError> {
        let (body, length) = if let Some(inside) = rest.strip_prefix("#@") {
            let end = inside.find("@#");
            let end = end.ok_or_else(|| self.syntax(at, "this '#@' has no '@#'"))?;
            (&inside[..end], end + 4)
        } else {
            let line = rest.split('\n').next().unwrap_or(rest);
            (&line[1..], line.len())
        };
        let name_length = body.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(body.len());
        let (name, list) = body.split_at(name_length);
        // Values may follow these on their line.
        let short = at + 1 + name_length;
        let (pragma, end) = match name {
            "inputs" => (Pragma::Inputs(list), at + length),
            "outputs" => (Pragma::Outputs(list), at + length),
            "step" => (Pragma::Step, at + length),
            "outs" => (Pragma::Outs, short),
            "test" if !list.trim().is_empty() => (Pragma::Name(list.trim()), at + length),
            "reset" => (Pragma::Reset, short),
            "quit" | "end" => (Pragma::Quit, at + length),
            _ => {
                self.offset = at + length;
                return Ok(None);
            }
        };
        self.offset = end;
        Ok(Some(pragma))
    }
}
