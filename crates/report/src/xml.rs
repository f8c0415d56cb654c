//! XML: escapes, and nothing else.

use std::fmt::Write;

/// Text or the value of an attribute. Characters that XML 1.0 cannot hold at all become U+FFFD.
pub fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            '\n' | '\r' | '\t' => {
                write!(safe, "&#{};", u32::from(character))
                    .expect("invariant: a string takes all text");
            }
            '\0'..='\x1f' | '\u{fffe}' | '\u{ffff}' => safe.push('\u{fffd}'),
            other => safe.push(other),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_brackets_and_control_characters_are_escaped() {
        assert_eq!(
            escaped("a<b> & \"c\" 'd'\n\u{1}é"),
            "a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;&#10;\u{fffd}é"
        );
    }
}
