//! Names that the assembler knows objects and functions by, as in `int count __asm__("_count");`.
//!
//! They say with what a program is linked, and nothing of what the unit does. Without them, each function and object is known by its name in C, in the
//! syntax, the bitcode and the machine code alike. Headers of the system keep theirs: these choose among the variants of functions of the library.

use std::ops::Range;

/// The words that such a name starts with.
const KEYWORDS: [&[u8]; 3] = [b"asm", b"__asm", b"__asm__"];

/// Overwrites the names at file scope with blanks. Tokens are ranges of the text; `is_kept` tells of one by its position whether it stays.
pub(crate) fn blank_assembler_names(
    text: &mut [u8],
    tokens: &[(u32, u32)],
    is_kept: impl Fn(usize) -> bool,
) {
    let mut braces = 0_usize;
    let mut found: Vec<Range<usize>> = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        match spelling(text, *token) {
            b"{" => braces += 1,
            b"}" => braces = braces.saturating_sub(1),
            word if braces == 0 && KEYWORDS.contains(&word) && !is_kept(index) => {
                // Behind `;` or `}` it is a piece of assembly of its own.
                let before = index.checked_sub(1).map(|before| spelling(text, tokens[before]));
                let ends = before.is_some_and(ends_declarator);
                found.extend(
                    last_of_name(text, tokens, index)
                        .filter(|_| ends)
                        .map(|last| token.0 as usize..tokens[last].1 as usize),
                );
            }
            _ => {}
        }
    }
    for range in found {
        for byte in text[range].iter_mut().filter(|byte| **byte != b'\n') {
            *byte = b' ';
        }
    }
}

fn spelling(text: &[u8], (start, end): (u32, u32)) -> &[u8] {
    &text[start as usize..end as usize]
}

/// Can a declarator end with this token?
fn ends_declarator(token: &[u8]) -> bool {
    let is_word = token.first().is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'_');
    is_word || matches!(token, b")" | b"]")
}

/// The last token of `asm ( "name" … )` that starts here.
fn last_of_name(text: &[u8], tokens: &[(u32, u32)], start: usize) -> Option<usize> {
    let is = |index: usize, wanted: &[u8]| {
        tokens.get(index).is_some_and(|token| spelling(text, *token) == wanted)
    };
    let mut at = start + 1;
    if !is(at, b"(") {
        return None;
    }
    at += 1;
    while tokens.get(at).is_some_and(|token| spelling(text, *token).starts_with(b"\"")) {
        at += 1;
    }
    (at > start + 2 && is(at, b")")).then_some(at)
}
