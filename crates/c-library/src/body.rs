//! The C bodies (`library.c`): text that goes behind a unit which calls a function, for engines that follow inputs.
//!
//! The executor computes with models of its own, which are quicker and find every runtime error. An engine that has to know
//! what a result depends on enters this code in their place
//! ([`Module::code_behind`](obligato_bytecode::Module::code_behind)).

use obligato_bytecode::BEHIND;

use crate::function::Body;
use crate::table::{find, functions};

const TEXT: &str = include_str!("library.c");

/// The C body of a function, on one line.
pub fn code_of(name: &str) -> Option<String> {
    match find(name)?.body {
        Body::Code => text_of(name),
        Body::Absent => None,
    }
}

/// The functions that have a C body.
pub fn names() -> Vec<&'static str> {
    functions().filter(|row| row.body == Body::Code).map(|row| row.name).collect()
}

fn text_of(name: &str) -> Option<String> {
    let head = format!("{BEHIND}{name}(");
    let text = texts()
        .find(|text| text.split_once(&head).is_some_and(|(before, _)| !before.contains('{')))?;
    Some(text.lines().map(str::trim).collect::<Vec<_>>().join(" "))
}

/// The functions of `library.c`, which stand between empty lines.
fn texts() -> impl Iterator<Item = &'static str> {
    TEXT.split("\n\n").filter(|text| !text.starts_with("/*"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The name that a text defines.
    fn defined(text: &'static str) -> &'static str {
        let (_, rest) = text.split_once(BEHIND).expect("a name with the prefix");
        rest.split_once('(').expect("parameters").0
    }

    #[test]
    fn every_row_with_code_has_a_text_that_defines_just_that_function() {
        for row in functions() {
            let definitions = texts().filter(|text| defined(text) == row.name).count();
            match row.body {
                Body::Absent => assert_eq!(definitions, 0, "the row of {} denies it", row.name),
                Body::Code => {
                    assert_eq!(definitions, 1, "{}", row.name);
                    let code = code_of(row.name).expect("the row promises it");
                    assert!(code.contains(&format!("{BEHIND}{}(", row.name)), "{code}");
                    assert_eq!(code.matches(BEHIND).count(), 1, "it stands by itself: {code}");
                    assert!(code.ends_with('}') && !code.contains('#'), "{code}");
                }
            }
        }
    }

    #[test]
    fn every_text_has_a_row() {
        for text in texts() {
            let row = find(defined(text));
            assert_eq!(row.map(|row| row.body), Some(Body::Code), "{text}");
        }
        assert_eq!(code_of("malloc"), None);
    }
}
