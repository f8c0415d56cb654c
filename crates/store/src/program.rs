//! Programs: `obligato-program` documents, for programs that no front end of ours
//! reads and for recordings made elsewhere.
//!
//! The elements of a document are numbered by their order in it, and those numbers
//! are the ids of the [`Program`] read. A program whose elements are not in the
//! order of its functions cannot be printed: its numbers would change.

use std::path::Path;

use obligato_model::{Program, RelationOperator, Role};

use crate::error::StoreError;
use crate::file;
use crate::json::words::Words;

mod check;
mod print;
mod read;

pub use print::print;
pub use read::parse;

/// What a program document calls itself.
pub const FORMAT: &str = "obligato-program";

/// Loads a program document.
pub fn load(path: &Path) -> Result<Program, StoreError> {
    parse(&file::read(path)?).map_err(|error| error.in_file(path))
}

/// Saves a program document.
pub fn save(path: &Path, program: &Program) -> Result<(), StoreError> {
    let text = print(program).map_err(|error| error.in_file(path))?;
    file::write(path, text.as_bytes())
}

const ROLES: Words<Role> =
    Words { what: "role", all: &[("control", Role::Control), ("value", Role::Value)] };

const OPERATORS: Words<RelationOperator> = Words {
    what: "operator",
    all: &[
        ("==", RelationOperator::Equal),
        ("!=", RelationOperator::NotEqual),
        ("<", RelationOperator::Less),
        ("<=", RelationOperator::LessEqual),
        (">", RelationOperator::Greater),
        (">=", RelationOperator::GreaterEqual),
    ],
};

#[cfg(test)]
mod tests;
