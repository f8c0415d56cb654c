//! The smallest front end: decisions written as text, over the columns of a suite.
//!
//! A decisions file has one decision per line; blank lines and lines that start
//! with `#` are ignored. [`obligato_model::tree`] says how the Boolean structure is
//! written. A condition is `true`, `false`, the name of a Boolean column, or a
//! comparison of two operands, each the name of a column or a number:
//!
//! ```text
//! # doors may open
//! stopped && (speed == 0 || [speed <= crawl])
//! ```
//!
//! [`Formulas::parse`] reads the text, [`Formulas::bind`] holds it against the
//! typed inputs of a suite and gives a [`Program`](obligato_model::Program), and
//! [`BoundFormulas::replay`] evaluates it on every step of every test.
//!
//! Reading order: [`formulas`], then [`bind`], then [`replay`].

pub mod bind;
pub mod columns;
mod condition;
mod equalities;
mod error;
pub mod formulas;
pub mod replay;

pub use bind::BoundFormulas;
pub use columns::{Column, Use};
pub use equalities::is_number;
pub use error::{FormulaError, Reason};
pub use formulas::{COMMAND_LINE, Formulas};
pub use replay::ReplayError;
