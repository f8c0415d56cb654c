//! The tokens of a file after preprocessing, with the places where they were written.
//!
//! `clang -dump-tokens` says of every token where it stands in the user's files or, if a macro made it, where the
//! macro is used and where the token itself is written: in an argument of the macro or in its definition.
//! One line each: `greater '>'  [LeadingSpace]  Loc=<f.c:11:11 <Spelling=f.c:2:23>>`.

use obligato_model::Position;
use rustc_hash::FxHashMap;

/// A place in one of the user's files; columns count bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// The file, as an index into [`Tokens::files`].
    pub file: u32,
    /// Where in it.
    pub position: Position,
}

/// A token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Token<'a> {
    /// How it is written.
    pub spelling: &'a [u8],
    /// Where it stands, or where the outermost macro is used that made it.
    pub used: Place,
    /// Where it is written, if a macro made it.
    pub written: Option<Place>,
}

/// All tokens of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tokens<'a> {
    /// In order.
    pub all: Vec<Token<'a>>,
    /// The files they come from.
    pub files: Vec<String>,
}

/// Reads what `clang -dump-tokens` printed; `None` if that is not what this is.
pub(crate) fn read_tokens(dump: &[u8]) -> Option<Tokens<'_>> {
    let mut reader = Reader::default();
    let mut start = 0;
    while start < dump.len() {
        let mut end = line_end(dump, start);
        // A token that was written over several lines is shown as it was written too.
        while !dump[start..end].ends_with(b">") && end < dump.len() {
            end = line_end(dump, end + 1);
        }
        let record = &dump[start..end];
        start = end + 1;
        if record.starts_with(b"eof '") {
            return Some(reader.tokens);
        }
        reader.record(record)?;
    }
    None
}

fn line_end(bytes: &[u8], from: usize) -> usize {
    let rest = bytes.get(from..).unwrap_or_default();
    rest.iter().position(|&byte| byte == b'\n').map_or(bytes.len(), |length| from + length)
}

#[derive(Default)]
struct Reader<'a> {
    tokens: Tokens<'a>,
    files: FxHashMap<&'a [u8], u32>,
}

const LOCATION: &[u8] = b"\tLoc=<";
const SPELLING: &[u8] = b" <Spelling=";

impl<'a> Reader<'a> {
    fn record(&mut self, record: &'a [u8]) -> Option<()> {
        let location = find_last(record, LOCATION)?;
        let opening = record.iter().position(|&byte| byte == b'\'')?;
        let closing = find_last(&record[..location], b"'\t")?;
        let spelling = record.get(opening + 1..closing)?;
        let places = record[location + LOCATION.len()..].strip_suffix(b">")?;
        let (used, written) = match find_last(places, SPELLING) {
            Some(at) => {
                let written = places[at + SPELLING.len()..].strip_suffix(b">")?;
                (&places[..at], Some(self.place(written)?))
            }
            None => (places, None),
        };
        let used = self.place(used)?;
        self.tokens.all.push(Token { spelling, used, written });
        Some(())
    }

    /// Reads `file:line:column`.
    fn place(&mut self, text: &'a [u8]) -> Option<Place> {
        let mut parts = text.rsplitn(3, |&byte| byte == b':');
        let mut number = || std::str::from_utf8(parts.next()?).ok()?.parse().ok();
        let column = number()?;
        let line = number()?;
        let name = parts.next()?;
        let files = &mut self.tokens.files;
        let file = *self.files.entry(name).or_insert_with(|| {
            files.push(String::from_utf8_lossy(name).into_owned());
            (files.len() - 1) as u32
        });
        Some(Place { file, position: Position { line, column } })
    }
}

fn find_last(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes.windows(wanted.len()).rposition(|window| window == wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(file: u32, line: u32, column: u32) -> Place {
        Place { file, position: Position { line, column } }
    }

    #[test]
    fn a_token_of_a_macro_has_the_place_of_its_use_and_its_own() {
        let dump = b"greater '>'\t [LeadingSpace]\tLoc=<f.c:11:9 <Spelling=a b.h:2:23>>\neof ''\t\tLoc=<f.c:15:2>\n";
        let tokens = read_tokens(dump).unwrap();
        assert_eq!(tokens.files, ["a b.h", "f.c"]);
        let [token] = tokens.all.as_slice() else { panic!("{tokens:?}") };
        assert_eq!(token.spelling, b">");
        assert_eq!((token.used, token.written), (place(1, 11, 9), Some(place(0, 2, 23))));
    }

    #[test]
    fn a_token_over_two_lines_is_one() {
        let dump = b"string_literal '\"x'y\"'\t [UnClean='\"x'\\\ny\"']\tLoc=<f.c:1:2>\neof ''\t\tLoc=<f.c:1:1>\n";
        let tokens = read_tokens(dump).unwrap();
        let [token] = tokens.all.as_slice() else { panic!("{tokens:?}") };
        assert_eq!(token.spelling, b"\"x'y\"");
    }

    #[test]
    fn a_text_that_breaks_off_is_no_dump() {
        assert_eq!(read_tokens(b""), None);
        assert_eq!(read_tokens(b"semi ';'\t\tLoc=<f.c:1:2>\n"), None);
        assert_eq!(read_tokens(b"anything\n"), None);
    }
}
