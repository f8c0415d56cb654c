//! The text of an expression on one line.
//!
//! An expression of the file has the text that is written there, parentheses
//! included; an expression that a pass has built is printed. Keys of obligations are
//! made from these texts, so both must stay as they are.

use crate::ast::{ExprId, SyntaxTree};
use crate::printer::print_line;

/// A longer text is cut: of decisions nested thousands deep each contains the next.
const LONGEST: usize = 1000;
/// Only so many bytes are examined; comments may take some of the room.
pub const MOST_EXAMINED: usize = 16 * LONGEST;

impl SyntaxTree {
    /// The text of an expression, without comments and line breaks. `bytes` is the file that
    /// was parsed.
    pub fn expr_text(&self, id: ExprId, bytes: &[u8]) -> String {
        if self.is_rewritten(id) {
            // More than is shown, so that the cut shows.
            return collapsed(print_line(self, id, 2 * LONGEST).as_bytes());
        }
        let span = self.expr_span(id);
        let range = span.start as usize..(span.end as usize).min(bytes.len());
        collapsed(bytes.get(range).unwrap_or_default())
    }
}

/// The text on one line: comments left out, white space collapsed.
pub fn collapsed(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(MOST_EXAMINED)]);
    let mut rest = &text[..];
    let mut found = String::new();
    let mut gap = false;
    while let Some(first) = rest.chars().next() {
        let comment_end = [("--", "\n"), ("/*", "*/"), ("(*", "*)")]
            .iter()
            .find(|(open, _)| rest.starts_with(open))
            .map(|(_, close)| rest[2..].find(close).map_or(rest.len(), |at| at + 2 + close.len()));
        let skipped = comment_end.or_else(|| first.is_whitespace().then(|| first.len_utf8()));
        if let Some(skipped) = skipped {
            gap = true;
            rest = &rest[skipped..];
            continue;
        }
        if gap && !found.is_empty() {
            found.push(' ');
        }
        gap = false;
        found.push(first);
        if found.len() > LONGEST {
            found.push('…');
            break;
        }
        rest = &rest[first.len_utf8()..];
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_shown_on_one_line_without_comments() {
        assert_eq!(collapsed(b"a  and\n\t-- why\n b /* or */ or (* not *) c"), "a and b or c");
        assert_eq!(collapsed(b"x - -y"), "x - -y");
    }
}
