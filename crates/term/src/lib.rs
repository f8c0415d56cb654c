//! Terms over machine words.
//!
//! A [`Term`] is a word of 1 to 128 bits that depends on [variables](VariableId). Booleans are words of one bit, floats
//! are the bits of IEEE numbers. [`Terms`] holds all of them, each once: equal terms have equal ids, children
//! have smaller ids than their parents, and what can be simplified is simplified when it is built. [`Values`] computes what a term
//! is worth when the variables are given.
//!
//! Operations are total, as in SMT-LIB: a division by zero gives all ones, a shift by too much gives nothing
//! but sign bits or zeros. Who translates a program asks about such cases separately.
//!
//! Start reading at [`node`], then `terms.rs`; `meaning.rs` says what each operation computes.
#![allow(
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    clippy::cast_possible_wrap,
    clippy::float_cmp,
    reason = "operations of machines do all of that"
)]

mod evaluate;
mod floats;
mod meaning;
pub mod node;
mod simplify;
mod terms;

pub use evaluate::{Assignment, Scratch, Values};
pub use meaning::{mask, signed};
pub use node::{BinaryOp, FloatFormat, FloatOp, Node, Rounding, Term, UnaryOp, VariableId};
pub use terms::Terms;
