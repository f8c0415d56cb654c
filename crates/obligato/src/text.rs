//! Small texts for messages: control characters escaped, long lines and values cut, counted nouns.

use obligato_model::Value;
use obligato_store::text_of;

/// No more characters of a value than this are written.
const LONGEST_VALUE: usize = 40;

/// The text without line breaks and terminal controls, which are spelled out: names and texts of
/// files may hold anything, and neither a log reader nor a terminal should see them raw.
pub fn printable(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_control() {
            line.extend(character.escape_default());
        } else {
            line.push(character);
        }
    }
    line
}

/// A source text on one line, cut in its middle if it is too wide: names often differ in their
/// ends.
pub fn abridged(text: &str, widest: usize) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let length = line.chars().count();
    if length <= widest {
        return line;
    }
    let tail = widest / 3;
    let head = line.chars().take(widest - 1 - tail);
    head.chain(['…']).chain(line.chars().skip(length - tail)).collect()
}

/// A value as text; of a number that nobody reads to its end, the start and the length.
pub fn abridged_value(value: &Value) -> String {
    let text = text_of(value);
    let length = text.chars().count();
    if length <= LONGEST_VALUE {
        return text;
    }
    let start: String = text.chars().take(LONGEST_VALUE / 2).collect();
    format!("{start}… ({length} characters)")
}

/// A number of things: `1 test`, `2 tests`.
pub fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wide_source_text_keeps_its_ends() {
        assert_eq!(abridged("a  and\n b", 7), "a and b");
        assert_eq!(abridged("one and another", 10), "one an…her");
        assert_eq!(abridged("äöüäöü", 4), "äö…ü");
    }
}
