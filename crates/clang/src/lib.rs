//! The door to clang: what a C file says, as plain data.
//!
//! The file is preprocessed first, and that text is both parsed and compiled, so that every token has a place
//! of its own, also inside macros, and the places of the syntax are those of the bitcode's debug
//! information. Places in the text lead back to the user's files.

mod assembler_names;
mod compile;
mod complaint;
mod database;
mod error;
mod flags;
mod header_search;
#[expect(unsafe_code, reason = "libclang is not written in Rust")]
mod libclang;
mod origin;
mod parse;
mod process;
mod source;
mod source_file;
mod syntax;
mod text;
mod tokens;
mod tree;
mod types;

pub use compile::Compiler;
pub use database::Database;
pub use error::ClangError;
pub use flags::Flags;
pub use header_search::HeaderSearch;
pub use origin::Location;
pub use parse::BooleanOperators;
pub use process::{Limit, Limits};
pub use source::Source;
pub use source_file::SourceFile;
pub use syntax::{
    ArrayParameter, Callable, Code, Condition, Decision, DecisionIndex, Due, Exit, FixedAddress,
    Function, Given, Label, Leaf, Parameter, Statement, Stretch, Switch, Syntax, Variable,
};
pub use text::Text;
pub use types::{CType, Enumerator, Field, FloatFormat, TypeId, Types};
