//! Lustre models, as Kind 2 and JKind write them: tokens, syntax tree, parser, printer.
//!
//! [`parse`] reads a file into a [`Program`], [`print()`] writes it back in one canonical
//! layout, comments included. What is wrong with a file comes as [`Diagnostic`]s with byte
//! spans; a [`Source`] turns those into lines and columns.
//!
//! Where the two dialects differ, [`ast::operator`] and [`token`] say what is chosen. What
//! neither the tree nor later stages can hold is refused with a message that names it,
//! never skipped.
//!
//! [`analyse`] makes a [`Model`] of a program; [`inline()`] makes of that the program with
//! its intermediate Boolean variables replaced by their definitions.
//!
//! Reading order: [`ast`], [`parser`], [`printer`], [`analysis`], [`inline`](mod@inline), [`lowering`],
//! [`mutation`].

pub mod analysis;
pub mod ast;
pub mod diagnostic;
pub mod flat;
pub mod inline;
mod literal;
pub mod lowering;
pub mod mutation;
pub mod parser;
pub mod printer;
pub mod source;
mod text;
pub mod token;

pub use analysis::{Model, Options, analyse};
pub use ast::Program;
pub use diagnostic::{Diagnostic, Severity};
pub use inline::{Inlined, inline};
pub use parser::{Parsed, parse};
pub use printer::print;
pub use source::{ByteSpan, Source};
