//! The door to clang: what a C file says, as plain data.
//!
//! The file is preprocessed first, and that text is both parsed and compiled, so that every token has a place
//! of its own, also inside macros, and the places of the syntax are those of the bitcode's debug
//! information. Places in the text lead back to the user's files.

mod syntax;
mod types;

pub use syntax::{
    Callable, Condition, Decision, DecisionIndex, Exit, Function, Label, Leaf, Parameter,
    Statement, Stretch, Switch, Syntax, Variable,
};
pub use types::{CType, Enumerator, Field, FloatFormat, TypeId, Types};
