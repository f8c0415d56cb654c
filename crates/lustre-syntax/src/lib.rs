//! The syntax of Lustre as Kind 2 and JKind write it: tokens, syntax tree, parser, printer.
//!
//! [`parse`] reads a file into a [`SyntaxTree`], [`print()`] writes it back in one canonical
//! layout, comments included. Errors and warnings are [`Diagnostic`]s with byte spans; a
//! [`Source`] turns those into lines and columns.
//!
//! Where the two dialects differ, [`ast::operator`] and [`token`] say what is chosen. The parser
//! refuses what neither the tree nor later stages can hold, with a message that names it; it
//! never skips anything silently.
//!
//! The tree says what is written, not what it means: types, clocks and decisions are the work of
//! `obligato-lustre`.
//!
//! Reading order: [`ast`], [`parser`], [`printer`].

pub mod ast;
pub mod diagnostic;
pub mod literal;
pub mod parser;
pub mod printer;
pub mod source;
pub mod text;
pub mod token;

pub use ast::SyntaxTree;
pub use diagnostic::{Diagnostic, Severity};
pub use parser::{Parsed, parse};
pub use printer::print;
pub use source::{ByteSpan, Source};
