//! From places in the text back to the user's files.
//!
//! A token that is written in the file, or in an argument of a macro, has the place where it is written. What comes
//! out of a macro's definition stands where the macro is used, and the place in the definition is told as
//! well: two conditions of one macro share the first but not the second.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use obligato_model::{Position, Span};

use crate::Text;
use crate::tokens::{Place, Token};

/// One of the files that a text is made of.
#[derive(Debug)]
pub struct SourceFile {
    /// As the compiler names it.
    pub name: String,
    /// Is it a header of the system?
    pub system: bool,
    path: PathBuf,
    /// Its lines; none if it cannot be read, which happens when `#line` names what does not exist.
    lines: OnceLock<Vec<Vec<u8>>>,
}

/// A stretch of a text in the user's files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// The file, as an index into [`Text::files`].
    pub file: usize,
    /// The stretch, or the use of the macro that made it; columns count characters.
    pub span: Span,
    /// Where it starts in the definition of that macro: the file and the position.
    pub definition: Option<(usize, Position)>,
}

/// Where the tokens of a text come from.
#[derive(Debug)]
pub(crate) struct Origins {
    files: Vec<SourceFile>,
    /// Per token, where it is used and where it is written.
    tokens: Vec<(Place, Option<Place>)>,
}

/// A use of a macro, with its arguments, may have this many lines before it is cut short.
const LONGEST_USE: usize = 2000;

impl SourceFile {
    pub(crate) fn new(name: &str, directory: &Path, system: bool) -> Self {
        let path = directory.join(name);
        Self { name: name.to_owned(), system, path, lines: OnceLock::new() }
    }

    fn line(&self, number: u32) -> &[u8] {
        let lines = self.lines.get_or_init(|| {
            let bytes = std::fs::read(&self.path).unwrap_or_default();
            bytes.split(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect()
        });
        lines.get((number as usize).saturating_sub(1)).map_or(b"", Vec::as_slice)
    }

    /// The same position with its column in characters in place of bytes.
    fn in_characters(&self, position: Position) -> Position {
        let bytes = self.line(position.line);
        let before = &bytes[..bytes.len().min(position.column.saturating_sub(1) as usize)];
        let inner = before.iter().filter(|&&byte| byte & 0xC0 == 0x80).count() as u32;
        Position { line: position.line, column: position.column - inner }
    }
}

impl Origins {
    pub(crate) fn new(files: Vec<SourceFile>, tokens: &[Token<'_>]) -> Self {
        let tokens = tokens.iter().map(|token| (token.used, token.written)).collect();
        Self { files, tokens }
    }

    /// Where a token stands for the user, and where a macro defines it.
    fn of(&self, token: usize) -> (Place, Option<Place>) {
        let (used, written) = self.tokens[token];
        match written {
            // A definition comes before its uses, so what is written behind the macro's name is an argument.
            Some(place) if place.file == used.file && place.position > used.position => {
                (place, None)
            }
            Some(place) => (used, Some(place)),
            None => (used, None),
        }
    }

    /// Do two tokens come from the same use of a macro?
    fn same_use(&self, one: usize, other: usize) -> bool {
        self.tokens[one].0 == self.tokens[other].0
    }

    /// Where the use of a macro ends of which `token` is a part.
    fn end_of_use(&self, token: usize) -> Position {
        let (used, _) = self.tokens[token];
        let file = &self.files[used.file as usize];
        let behind = self.tokens[token..].iter().find(|(place, _)| *place != used);
        let mut scanner = Scanner { file, position: used.position };
        scanner.skip_name();
        let name_end = scanner.position;
        scanner.skip_blanks();
        // The parenthesis belongs to the macro unless it is a token of the text itself.
        let is_token = behind.is_some_and(|(place, _)| place.position == scanner.position);
        let arguments = scanner.byte() == Some(b'(') && !is_token;
        if arguments && scanner.skip_parentheses() { scanner.position } else { name_end }
    }
}

impl Text {
    /// The files that the text is made of.
    pub fn files(&self) -> &[SourceFile] {
        &self.origins().files
    }

    /// Where a stretch of the text stands in the user's files; `None` for what is not in any, such as text added to it.
    pub fn locate(&self, span: Span) -> Option<Location> {
        let tokens =
            self.token_from(self.offset(span.start))..self.token_from(self.offset(span.end));
        if tokens.is_empty() || tokens.end > self.token_count() {
            return None;
        }
        self.locate_tokens(tokens)
    }

    fn locate_tokens(&self, tokens: Range<usize>) -> Option<Location> {
        let origins = self.origins();
        let last_token = tokens.end - 1;
        let (first, definition) = origins.of(tokens.start);
        let (last, in_macro) = origins.of(last_token);
        let length = self.spelling(last_token).len() as u32;
        let file = origins.files.get(first.file as usize)?;
        let mut end = match in_macro {
            Some(_) => origins.end_of_use(last_token),
            None => Position { column: last.position.column + length, ..last.position },
        };
        if last.file != first.file || end < first.position {
            end = first.position;
        }
        Some(Location {
            file: first.file as usize,
            span: Span { start: file.in_characters(first.position), end: file.in_characters(end) },
            // What starts in a macro and goes on behind it is not a part of the macro.
            definition: definition.filter(|_| origins.same_use(tokens.start, last_token)).map(
                |place| {
                    let file = &origins.files[place.file as usize];
                    (place.file as usize, file.in_characters(place.position))
                },
            ),
        })
    }
}

/// Walks through a user's file.
struct Scanner<'a> {
    file: &'a SourceFile,
    position: Position,
}

impl Scanner<'_> {
    fn byte(&self) -> Option<u8> {
        self.file.line(self.position.line).get(self.position.column as usize - 1).copied()
    }

    fn skip_name(&mut self) {
        while self
            .byte()
            .is_some_and(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80)
        {
            self.position.column += 1;
        }
    }

    /// Skips blanks and line ends.
    fn skip_blanks(&mut self) {
        let last = self.position.line.saturating_add(LONGEST_USE as u32);
        while self.position.line < last {
            match self.byte() {
                Some(byte) if byte.is_ascii_whitespace() || byte == b'\\' => {
                    self.position.column += 1;
                }
                None => self.position = Position { line: self.position.line + 1, column: 1 },
                Some(_) => return,
            }
        }
    }

    /// Skips from an opening parenthesis past its closing one, if there is one.
    fn skip_parentheses(&mut self) -> bool {
        let last = self.position.line.saturating_add(LONGEST_USE as u32);
        let (mut depth, mut quote) = (0_u32, None);
        while self.position.line < last {
            let Some(byte) = self.byte() else {
                self.position = Position { line: self.position.line + 1, column: 1 };
                quote = None;
                continue;
            };
            self.position.column += 1;
            match (quote, byte) {
                (Some(_), b'\\') => self.position.column += 1,
                (Some(open), _) if byte == open => quote = None,
                (None, b'"' | b'\'') => quote = Some(byte),
                (None, b'(') => depth += 1,
                (None, b')') if depth == 1 => return true,
                (None, b')') => depth -= 1,
                _ => {}
            }
        }
        false
    }
}
