//! Checks that the workspace keeps its own rules, run as tests with all the others.
//!
//! Each check takes the root of a source tree and returns the problems it finds, one sentence each;
//! none means the rule is kept. Each has a unit test on a tiny made-up tree that breaks the rule, so
//! that no check passes merely because it cannot fail. `tests/workspace.rs` runs them on this
//! workspace.
//!
//! - [`direction`]: which of our crates may use which;
//! - [`doors`]: which of our crates may name which foreign crate;
//! - [`architecture`]: paths named in ARCHITECTURE.md exist;
//! - [`sources`]: how Rust files open, how long they are, how they are called;
//! - [`documents`]: what README.md and CHANGELOG.md must say, and that links lead somewhere;
//! - [`verdicts`]: who makes verdicts.

pub mod architecture;
pub mod direction;
pub mod documents;
pub mod doors;
pub mod sources;
pub mod verdicts;
mod workspace;

#[cfg(test)]
mod fake_tree;

use std::fs;
use std::path::Path;

/// The text of a file, or the problem that it cannot be read.
fn read(root: &Path, file: impl AsRef<Path>) -> Result<String, String> {
    let file = file.as_ref();
    fs::read_to_string(root.join(file)).map_err(|error| format!("{}: {error}", file.display()))
}
