//! What is said where a model has no variable of a name.

use obligato_lustre::lowering::Scalars;

use crate::error::Error;

/// So many variables are named where one was not found.
const MOST_NAMED: usize = 12;

/// The error that there is no such variable to do this with.
pub fn unknown(scalars: &Scalars<'_>, name: &str, path: &str, purpose: &str) -> Error {
    let last = name.split(['.', '[']).next_back().unwrap_or(name).to_lowercase();
    let written = scalars.all().filter(|(_, scalar)| scalar.written);
    let all: Vec<String> = written.map(|(name, _)| name).collect();
    let close = |known: &&String| known.to_lowercase().contains(&last);
    let mut named: Vec<&str> = all.iter().filter(close).map(String::as_str).collect();
    if named.is_empty() {
        named = all.iter().map(String::as_str).collect();
    }
    let more = if named.len() > MOST_NAMED { ", …" } else { "" };
    named.truncate(MOST_NAMED);
    Error::Input {
        message: format!("{path}: there is no variable '{name}' to {purpose}"),
        way_out: format!("there are {}{more}", named.join(", ")),
    }
}
