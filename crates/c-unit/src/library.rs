//! The standard library as code: text that goes behind a unit which calls it, for engines that follow inputs (`library.c`).
//!
//! The executor computes with functions of its own, which are quicker and know every fault. An engine that has to know what a result
//! depends on enters this code in their place ([`Module::code_behind`](obligato_bytecode::Module::code_behind)).

use obligato_bytecode::BEHIND;

const TEXT: &str = include_str!("library.c");

/// The code of a function of the standard library, on one line.
pub fn code_of(name: &str) -> Option<String> {
    let head = format!("{BEHIND}{name}(");
    let mut functions = TEXT.split("\n\n").filter(|text| !text.starts_with("/*"));
    let text = functions
        .find(|text| text.split_once(&head).is_some_and(|(before, _)| !before.contains('{')))?;
    Some(text.lines().map(str::trim).collect::<Vec<_>>().join(" "))
}

/// The functions that there is code for.
pub fn names() -> Vec<&'static str> {
    let name =
        |text: &'static str| text.split_once(BEHIND)?.1.split_once('(').map(|(name, _)| name);
    TEXT.split("\n\n").filter(|text| !text.starts_with("/*")).filter_map(name).collect()
}
