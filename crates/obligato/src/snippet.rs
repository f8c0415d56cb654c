//! A line of source with a caret below what is wrong with it.

use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::path::Path;

use obligato_store::Place;

/// Stands for what is left out of a line.
const CUT: char = '…';
/// Stands for a control character without a picture.
const UNKNOWN: char = '\u{fffd}';
/// No more characters of a line than this are shown.
const WIDEST: usize = 100;
/// So many of them stand before the caret where the line has to be cut.
const BEFORE: usize = 60;

/// The line at `place` with a caret below its column, from the file read once more; nothing if
/// the place is not known to the column or is not in a plain file: what comes out of a pipe comes
/// out of it once.
pub fn snippet_at(place: &Place) -> String {
    let (Some(path), Some(line), Some(column)) = (&place.path, place.line, place.column) else {
        return String::new();
    };
    read_line(path, line).map_or_else(String::new, |text| snippet(&text, column))
}

/// The line at `number`, from 1, without what ends it and without the mark that some editors put
/// at the start of a file.
fn read_line(path: &Path, number: usize) -> Option<String> {
    let file = File::open(path).ok().filter(|file| file.metadata().is_ok_and(|it| it.is_file()))?;
    let mut reader = BufReader::new(file);
    for _ in 1..number {
        reader.skip_until(b'\n').ok().filter(|skipped| *skipped > 0)?;
    }
    let mut bytes = Vec::new();
    reader.read_until(b'\n', &mut bytes).ok()?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let text = text.trim_end_matches(['\n', '\r']);
    Some(if number == 1 { text.trim_start_matches('\u{feff}') } else { text }.to_owned())
}

/// `line`, and a caret below its character at `column`, counted from 1. Two lines, or none if
/// there is nothing to show.
pub fn snippet(line: &str, column: usize) -> String {
    if line.trim().is_empty() {
        return String::new();
    }
    let at = column.saturating_sub(1);
    let length = line.chars().count();
    let skipped = if length > WIDEST { at.saturating_sub(BEFORE) } else { 0 };
    let mut shown: Vec<char> = line.chars().skip(skipped).take(WIDEST).map(visible).collect();
    if let Some(first) = shown.first_mut().filter(|_| skipped > 0) {
        *first = CUT;
    }
    if let Some(last) = shown.last_mut().filter(|_| skipped + WIDEST < length) {
        *last = CUT;
    }
    let shown: String = shown.into_iter().collect();
    let caret = " ".repeat(at - skipped) + "^";
    format!("  {}\n  {caret}\n", shown.trim_end())
}

/// One visible character for each, or the caret would not stand below what it means.
fn visible(character: char) -> char {
    match character {
        '\t' => ' ',
        '\0'..'\u{20}' => char::from_u32(0x2400 + u32::from(character)).unwrap_or(UNKNOWN),
        '\u{7f}' => '\u{2421}',
        _ if character.is_control() => UNKNOWN,
        _ => character,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_caret_stands_below_the_character() {
        assert_eq!(snippet("a && (b", 6), "  a && (b\n       ^\n");
        assert_eq!(snippet("\tä &", 5), "   ä &\n      ^\n");
    }

    #[test]
    fn a_long_line_is_cut_around_the_caret() {
        for after in ["", &" || b".repeat(1000)] {
            let line = "a && ".repeat(1000) + "#" + after;
            let text = snippet(&line, 5001);
            let [shown, caret] = text.lines().collect::<Vec<_>>()[..] else { panic!("{text}") };
            assert_eq!(shown.chars().nth(caret.len() - 1), Some('#'));
            assert!(shown.chars().count() <= WIDEST + 2);
            assert!(shown.starts_with("  …"), "{shown}");
            assert_eq!(shown.ends_with('…'), !after.is_empty(), "{shown}");
        }
    }

    #[test]
    fn control_characters_are_made_visible() {
        assert_eq!(snippet("a\u{1b}[31m\0\u{7f}\u{9b}#", 9), "  a␛[31m␀␡\u{fffd}#\n          ^\n");
    }

    fn place(path: &Path, line: usize, column: usize) -> Place {
        Place { path: Some(path.to_owned()), line: Some(line), column: Some(column) }
    }

    #[test]
    fn a_line_is_read_again_from_its_file() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("file");
        std::fs::write(&path, "\u{feff}first\r\nsecond \u{e4}#\n").unwrap();
        assert_eq!(snippet_at(&place(&path, 1, 2)), "  first\n   ^\n");
        assert_eq!(snippet_at(&place(&path, 2, 9)), "  second ä#\n          ^\n");
        assert_eq!(snippet_at(&place(&path, 3, 1)), "");
        assert_eq!(snippet_at(&place(&path, 9, 1)), "");
        assert_eq!(snippet_at(&Place { line: None, ..place(&path, 1, 1) }), "");
        std::fs::write(&path, b"a \xff b").unwrap();
        assert_eq!(snippet_at(&place(&path, 1, 3)), "  a \u{fffd} b\n    ^\n");
        assert_eq!(snippet_at(&place(directory.path(), 1, 1)), "");
        assert_eq!(snippet_at(&place(Path::new("/no/such"), 1, 1)), "");
        assert_eq!(snippet_at(&place(Path::new("/dev/zero"), 1, 1)), "");
    }

    #[test]
    fn an_empty_line_is_not_shown() {
        assert_eq!(snippet("", 1), "");
    }
}
