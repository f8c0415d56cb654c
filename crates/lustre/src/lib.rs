//! Lustre models: from a syntax tree to decisions, transition systems and mutants.
//!
//! [`analyse`] checks a program that `obligato-lustre-syntax` has parsed and makes a [`Model`] of
//! it; [`inline()`] replaces intermediate Boolean variables by their definitions;
//! [`lower`](lowering::lower) makes a transition system of a model, and [`mutation`] its mutants.
//!
//! Reading order: [`analysis`], [`inline`](mod@inline), [`lowering`], [`mutation`], [`flat`].

pub mod analysis;
pub mod flat;
pub mod inline;
pub mod lowering;
pub mod mutation;

pub use analysis::{Model, Options, analyse};
pub use inline::{Inlined, inline};
