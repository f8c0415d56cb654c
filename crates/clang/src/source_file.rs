//! The user's files as they are written, for what a preprocessed text does not say: where the use of a macro
//! ends, what stood there before macros were expanded, and columns in characters.

use std::fs;
use std::path::Path;

use obligato_model::Position;

/// One of the files that a text is made of.
#[derive(Debug)]
pub struct SourceFile {
    /// As the compiler names it.
    pub name: String,
    /// Is it a header of the system?
    pub system: bool,
    /// Its lines; none if it is the system's, or cannot be read, which happens when `#line` names what does not exist.
    lines: Vec<Vec<u8>>,
}

/// Larger files are told of in the words of the preprocessor.
const LARGEST: u64 = 64 << 20;
/// A use of a macro, and a stretch whose words are told, may have this many lines.
const LONGEST: u32 = 2000;

impl SourceFile {
    pub(crate) fn read(name: &str, directory: &Path, system: bool) -> Self {
        let content = if system { None } else { read_plain(&directory.join(name)) };
        let lines = content.map_or(Vec::new(), |bytes| {
            bytes.split(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect()
        });
        Self { name: name.to_owned(), system, lines }
    }

    fn line(&self, number: u32) -> &[u8] {
        self.lines.get((number as usize).saturating_sub(1)).map_or(b"", Vec::as_slice)
    }

    /// The same position with its column in characters in place of bytes.
    pub(crate) fn in_characters(&self, position: Position) -> Position {
        let bytes = self.line(position.line);
        let before = &bytes[..bytes.len().min(position.column.saturating_sub(1) as usize)];
        let inner = before.iter().filter(|&&byte| byte & 0xC0 == 0x80).count() as u32;
        Position { line: position.line, column: position.column - inner }
    }

    /// What is written between two positions, without comments and with single blanks; `None` if that is nothing.
    pub(crate) fn between(&self, start: Position, end: Position) -> Option<String> {
        if end.line as usize > self.lines.len() {
            return None;
        }
        let mut scanner = Scanner::new(self, start);
        let mut words: Vec<u8> = Vec::new();
        while scanner.position < end && scanner.position.line - start.line < LONGEST {
            let from = scanner.position;
            scanner.skip_blanks();
            if scanner.position >= end {
                break;
            }
            if scanner.position != from && !words.is_empty() {
                words.push(b' ');
            }
            words.extend(scanner.take_piece());
        }
        let complete = !words.is_empty() && scanner.position >= end;
        complete.then(|| String::from_utf8_lossy(&words).into_owned())
    }
}

/// The content of a file; `#line` may name a device or a pipe, which are not read.
fn read_plain(path: &Path) -> Option<Vec<u8>> {
    let is_plain = fs::metadata(path).is_ok_and(|file| file.is_file() && file.len() <= LARGEST);
    is_plain.then(|| fs::read(path).ok())?
}

/// Walks through a file.
pub(crate) struct Scanner<'a> {
    file: &'a SourceFile,
    position: Position,
}

impl<'a> Scanner<'a> {
    pub fn new(file: &'a SourceFile, position: Position) -> Self {
        Self { file, position }
    }

    pub fn position(&self) -> Position {
        self.position
    }

    pub fn byte(&self) -> Option<u8> {
        self.rest().first().copied()
    }

    fn rest(&self) -> &'a [u8] {
        let line = self.file.line(self.position.line);
        line.get(self.position.column as usize - 1..).unwrap_or_default()
    }

    fn next_line(&mut self) {
        self.position = Position { line: self.position.line + 1, column: 1 };
    }

    pub fn skip_name(&mut self) {
        let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80;
        while self.byte().is_some_and(is_part) {
            self.position.column += 1;
        }
    }

    /// Skips blanks, line ends and comments.
    pub fn skip_blanks(&mut self) {
        let last = self.position.line.saturating_add(LONGEST);
        let mut in_comment = false;
        while self.position.line < last {
            match self.rest() {
                [b'*', b'/', ..] if in_comment => {
                    in_comment = false;
                    self.position.column += 2;
                }
                [_, ..] if in_comment => self.position.column += 1,
                [b'/', b'*', ..] => {
                    in_comment = true;
                    self.position.column += 2;
                }
                [] | [b'/', b'/', ..] | [b'\\'] | [b'\\', b'\r'] => self.next_line(),
                [byte, ..] if byte.is_ascii_whitespace() => self.position.column += 1,
                _ => return,
            }
        }
    }

    /// Takes a string, a character constant, or one byte.
    fn take_piece(&mut self) -> &'a [u8] {
        let rest = self.rest();
        let length = match rest.first() {
            Some(&quote @ (b'"' | b'\'')) => literal_length(rest, quote),
            _ => rest.len().min(1),
        };
        self.position.column += length as u32;
        &rest[..length]
    }

    /// Skips from an opening parenthesis past its closing one, if there is one.
    pub fn skip_parentheses(&mut self) -> bool {
        let last = self.position.line.saturating_add(LONGEST);
        let mut depth = 0_u32;
        while self.position.line < last {
            self.skip_blanks();
            match self.take_piece() {
                b"(" => depth += 1,
                b")" if depth <= 1 => return depth == 1,
                b")" => depth -= 1,
                _ => {}
            }
        }
        false
    }
}

/// The length of a literal that a line starts with; one that does not end there goes to the line's end.
fn literal_length(line: &[u8], quote: u8) -> usize {
    let mut bytes = line.iter().enumerate().skip(1);
    while let Some((index, &byte)) = bytes.next() {
        match byte {
            b'\\' => drop(bytes.next()),
            _ if byte == quote => return index + 1,
            _ => {}
        }
    }
    line.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(text: &str) -> SourceFile {
        let lines = text.split('\n').map(|line| line.as_bytes().to_vec()).collect();
        SourceFile { name: "f.c".to_owned(), system: false, lines }
    }

    fn at(line: u32, column: u32) -> Position {
        Position { line, column }
    }

    #[test]
    fn words_are_told_without_comments_and_with_single_blanks() {
        let file = file("a  /* why */ &&\n  \"x  /* y\" // end\n  == b)");
        assert_eq!(file.between(at(1, 1), at(3, 7)).as_deref(), Some("a && \"x  /* y\" == b"));
        assert_eq!(file.between(at(3, 3), at(9, 1)), None);
    }

    #[test]
    fn the_arguments_of_a_macro_end_at_their_parenthesis() {
        let file = file("MAX(a, f(')', \")\"),\n  /* ) */ b) + 1");
        let mut scanner = Scanner::new(&file, at(1, 4));
        assert!(scanner.skip_parentheses());
        assert_eq!(scanner.position(), at(2, 13));
    }
}
