//! Satisfiability of bit-vector and floating-point terms.
//!
//! A [`BvSolver`] answers many queries about path conditions. The cheapest layer comes first (the inputs of the run, cached
//! models and unsat cores, ranges); only the rest goes to a [`Blaster`], which bit-blasts terms to clauses of a SAT solver. Every
//! model is checked by evaluation before it is returned.
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
mod term_bits;

pub use ask::{BvSolver, Query, QueryAnswer, SolverStatistics};
pub use blaster::Blaster;
pub use term_bits::TermBits;
