//! The stream of tokens that the parser reads, a few ahead of where it is.
//!
//! Comments are set aside and counted, so that the parser can tell which ones stand before
//! a token. Neither dialect nests comments: the first `*)` ends a `(*`.

use logos::Logos;

use super::TokenKind;
use crate::ast::Comment;
use crate::diagnostic::Diagnostic;
use crate::source::ByteSpan;

/// How far ahead the parser may look.
const AHEAD: usize = 5;

/// A quote without another one this soon is a mistake, not the start of a long string.
const MOST_LINES_OF_STRING: usize = 5;

/// What separates a token from the one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Lines {
    /// It is on the same line.
    Same,
    /// It is on a later line.
    Next,
    /// There is an empty line between them.
    Blank,
}

/// A token.
#[derive(Clone, Copy, Debug)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Where it is.
    pub span: ByteSpan,
    /// How many comments come before it in the file.
    pub comments: u32,
    /// What separates it from the token before it.
    pub lines: Lines,
}

/// Where a comment stands.
#[derive(Clone, Copy, Debug)]
pub struct SetAside {
    /// From its opening mark to its end.
    pub span: ByteSpan,
    /// Is there an empty line before it?
    pub blank_before: bool,
}

/// The stream of tokens.
pub struct Tokens<'t> {
    text: &'t str,
    lexer: logos::Lexer<'t, TokenKind>,
    ahead: [Token; AHEAD],
    filled: usize,
    /// Where the last token or comment ended.
    end: usize,
    comments: Vec<SetAside>,
    /// Did a comment without an end take the rest of the file?
    pub cut_short: bool,
    /// What was wrong with the text, to be fetched by the parser.
    pub problems: Vec<Diagnostic>,
}

impl<'t> Tokens<'t> {
    /// The tokens of a text, which has fewer than 2^32 bytes.
    pub fn new(text: &'t str) -> Self {
        let end = Token {
            kind: TokenKind::End,
            span: ByteSpan::default(),
            comments: 0,
            lines: Lines::Same,
        };
        let mut lexer = TokenKind::lexer(text);
        if text.starts_with('\u{feff}') {
            lexer.bump('\u{feff}'.len_utf8());
        }
        Self {
            text,
            lexer,
            ahead: [end; AHEAD],
            filled: 0,
            end: 0,
            comments: Vec::new(),
            cut_short: false,
            problems: Vec::new(),
        }
    }

    /// The token `distance` after the next one.
    pub fn peek(&mut self, distance: usize) -> Token {
        debug_assert!(distance < AHEAD, "the parser looks too far ahead");
        while self.filled <= distance {
            self.ahead[self.filled] = self.read();
            self.filled += 1;
        }
        self.ahead[distance]
    }

    /// Takes the next token; at the end, the end again.
    pub fn take(&mut self) -> Token {
        let token = self.peek(0);
        self.ahead.copy_within(1.., 0);
        self.filled -= 1;
        token
    }

    /// The text of a span.
    pub fn text(&self, span: ByteSpan) -> &'t str {
        &self.text[span.start as usize..span.end as usize]
    }

    /// The comment with this number.
    pub fn comment(&self, number: u32) -> SetAside {
        self.comments[number as usize]
    }

    /// What it says.
    pub fn comment_text(&self, number: u32) -> Comment {
        Comment(self.text(self.comment(number).span).trim_end().into())
    }

    /// How many comments have been read, some perhaps ahead of the parser.
    pub fn comment_count(&self) -> u32 {
        u32::try_from(self.comments.len()).expect("invariant: fewer comments than bytes")
    }

    fn read(&mut self) -> Token {
        let mut lines = Lines::Same;
        loop {
            let found = self.lexer.next();
            let range = self.lexer.span();
            if found.is_none() {
                lines = lines.max(self.gap(self.text.len()));
                return self.token(TokenKind::End, self.text.len(), self.text.len(), lines);
            }
            lines = lines.max(self.gap(range.start));
            let kind = match found {
                Some(Ok(kind)) => kind,
                _ => TokenKind::Unknown,
            };
            let kind = match kind {
                TokenKind::LineMark => self.line_mark(range.start),
                TokenKind::BlockMark => self.block_mark(range.start),
                TokenKind::String => Some(self.string(range.start)),
                TokenKind::Unknown => Some(self.unknown(range.start)),
                TokenKind::Int => Some(self.integer()),
                other => Some(other),
            };
            self.end = self.lexer.span().end;
            if let Some(kind) = kind {
                return self.token(kind, range.start, self.end, lines);
            }
        }
    }

    /// An integer, or a real such as `1.`, after which neither a digit nor a name may stand.
    fn integer(&mut self) -> TokenKind {
        let decimal = self.lexer.slice().bytes().all(|byte| byte.is_ascii_digit());
        let mut rest = self.lexer.remainder().bytes();
        let point = decimal && rest.next() == Some(b'.');
        let follows = |byte: u8| byte.is_ascii_alphanumeric() || b"._~%".contains(&byte);
        if !point || rest.next().is_some_and(follows) {
            return TokenKind::Int;
        }
        self.lexer.bump(1);
        TokenKind::Real
    }

    fn token(&self, kind: TokenKind, start: usize, end: usize, lines: Lines) -> Token {
        Token { kind, span: span(start, end), comments: self.comment_count(), lines }
    }

    /// What separates the last token or comment from what starts here.
    fn gap(&self, start: usize) -> Lines {
        let newlines = self.text.as_bytes()[self.end.min(start)..start].iter();
        match newlines.filter(|byte| **byte == b'\n').take(2).count() {
            0 => Lines::Same,
            1 => Lines::Next,
            _ => Lines::Blank,
        }
    }

    /// `--` or `//`: a pragma, or a comment to the end of the line.
    fn line_mark(&mut self, start: usize) -> Option<TokenKind> {
        let rest = self.lexer.remainder();
        if self.text.as_bytes()[start] == b'-' && rest.starts_with(['%', '!', '@']) {
            if let Some((kind, length)) = pragma(rest) {
                self.lexer.bump(length);
                return Some(kind);
            }
            let word = 1 + rest[1..].find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(0);
            // `--!x` and `--%` alone are comments like any other.
            if word > 1 && !rest.starts_with('!') {
                let mark = span(start, start + 2 + word);
                let text = format!("'{}' is not known and is read as a comment", self.text(mark));
                self.problems.push(Diagnostic::warning(mark, text));
            }
        }
        let length = rest.find('\n').unwrap_or(rest.len());
        self.lexer.bump(length);
        self.keep(start);
        None
    }

    /// `(*` or `/*`: a contract, a pragma, or a comment to its closing mark.
    fn block_mark(&mut self, start: usize) -> Option<TokenKind> {
        const CONTRACT: &str = "@contract";
        let rest = self.lexer.remainder();
        if rest.starts_with(CONTRACT) {
            self.lexer.bump(CONTRACT.len());
            return Some(TokenKind::OpenContract);
        }
        if let Some((kind, length)) = pragma(rest) {
            self.lexer.bump(length);
            return Some(kind);
        }
        let close = if self.text.as_bytes()[start] == b'(' { "*)" } else { "*/" };
        if let Some(length) = rest.find(close) {
            self.lexer.bump(length + close.len());
            self.keep(start);
        } else {
            let mark = span(start, start + 2);
            let text = format!("this comment has no '{close}'");
            self.problems.push(Diagnostic::error(mark, text));
            self.lexer.bump(rest.len());
            self.cut_short = true;
        }
        None
    }

    /// `"`: a string, which may go on for a few lines.
    fn string(&mut self, start: usize) -> TokenKind {
        let rest = self.lexer.remainder();
        let mut escaped = false;
        let mut lines = 0;
        for (index, byte) in rest.bytes().enumerate() {
            match byte {
                b'\n' if lines == MOST_LINES_OF_STRING => break,
                b'\n' => lines += 1,
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b'"' => {
                    self.lexer.bump(index + 1);
                    return TokenKind::String;
                }
                _ => {}
            }
        }
        let length = rest.find('\n').unwrap_or(rest.len());
        self.lexer.bump(length);
        let text = "this string has no closing '\"'";
        self.problems.push(Diagnostic::error(span(start, start + 1), text));
        TokenKind::String
    }

    /// A run of characters that mean nothing, as one token.
    fn unknown(&mut self, start: usize) -> TokenKind {
        let rest = self.lexer.remainder();
        let means_nothing = |c: char| !(c.is_ascii_graphic() || c.is_ascii_whitespace());
        let length = rest.find(|c: char| !means_nothing(c)).unwrap_or(rest.len());
        self.lexer.bump(length);
        let place = span(start, start + self.lexer.span().len());
        let first = self.text(place).chars().next().unwrap_or(char::REPLACEMENT_CHARACTER);
        let shown = if first.is_control() || first.is_whitespace() {
            format!("the character U+{:04X} means nothing here", u32::from(first))
        } else {
            format!("the character '{first}' means nothing here")
        };
        let mut problem = Diagnostic::error(place, shown);
        if first.is_alphabetic() {
            problem =
                problem.with_help("names have the letters a to z and A to Z, digits, '_' and '~'");
        }
        self.problems.push(problem);
        TokenKind::Unknown
    }

    /// Sets aside the comment that has just been read.
    fn keep(&mut self, start: usize) {
        let place = span(start, self.lexer.span().end);
        let blank_before = self.gap(start) == Lines::Blank;
        self.comments.push(SetAside { span: place, blank_before });
    }
}

fn span(start: usize, end: usize) -> ByteSpan {
    let narrow = |n| u32::try_from(n).expect("invariant: the size of the text is limited");
    ByteSpan::new(narrow(start), narrow(end))
}

/// The pragma at the start of `rest`, after `--`, `(*` or `/*`, and its length.
fn pragma(rest: &str) -> Option<(TokenKind, usize)> {
    const PRAGMAS: [(&str, TokenKind); 4] = [
        ("PROPERTY", TokenKind::PropertyPragma),
        ("MAIN", TokenKind::MainPragma),
        ("IVC", TokenKind::IvcPragma),
        ("REALIZABLE", TokenKind::RealizablePragma),
    ];
    let word = rest.strip_prefix(['%', '!'])?;
    let length = word.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
    let length = length.unwrap_or(word.len());
    let (_, kind) = PRAGMAS.into_iter().find(|(name, _)| *name == &word[..length])?;
    Some((kind, length + 1))
}

#[cfg(test)]
mod tests;
