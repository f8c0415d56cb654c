//! Whether terms can hold.
//!
//! A [`Solver`] is asked about the constraints of a path through a program, again and again: the cheapest source of an answer
//! comes first (the inputs the path came from, earlier models and refutations, ranges), and only what is left goes to a
//! [`Blaster`], which makes clauses of terms for a SAT solver. Every model is checked by evaluation before anyone sees it.
//!
//! Start reading at [`ask`], then [`blaster`]; `gates` makes clauses of the gates that the bit-blaster builds
//! words of, and `float` builds IEEE floats of such words.

pub mod ask;
pub mod blaster;
mod bounds;
mod cache;
mod float;
mod gates;
mod slice;

pub use ask::{Answer, Question, Solver, Statistics};
pub use blaster::Blaster;
