//! A line of source with a caret below what is wrong with it.

/// No more characters of a line than this are shown.
const WIDEST: usize = 100;
/// So many of them stand before the caret where the line has to be cut.
const BEFORE: usize = 60;

/// `line`, and a caret below its character at `column`, counted from 1. Two lines, or none if
/// there is nothing to show.
pub fn snippet(line: &str, column: usize) -> String {
    if line.trim().is_empty() {
        return String::new();
    }
    let at = column.saturating_sub(1);
    let skipped = if line.chars().count() > WIDEST { at.saturating_sub(BEFORE) } else { 0 };
    // One column per character, or the caret would not stand below it.
    let one = |c: char| if c.is_control() { ' ' } else { c };
    let shown: String = line.chars().skip(skipped).take(WIDEST).map(one).collect();
    let caret = " ".repeat(at - skipped) + "^";
    format!("  {}\n  {caret}\n", shown.trim_end())
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
        let line = "a && ".repeat(1000) + "#";
        let text = snippet(&line, 5001);
        let [shown, caret] = text.lines().collect::<Vec<_>>()[..] else { panic!("{text}") };
        assert_eq!(shown.chars().nth(caret.len() - 1), Some('#'));
        assert!(shown.len() <= WIDEST + 2);
    }

    #[test]
    fn an_empty_line_is_not_shown() {
        assert_eq!(snippet("", 1), "");
    }
}
