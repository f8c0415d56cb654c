//! The bit-blaster: arithmetic on words, as gates on single bits.
//!
//! Each algorithm is written once over [`Gates`]. And-inverter graphs of synchronous models and the clauses of a SAT
//! solver for C implement it; each folds constants and shares equal gates in its own way.
//!
//! Start reading at [`gates`]. [`Words`] computes modulo 2^length, as C's machine words do. A [`SignedWord`] is exact:
//! it grows with its value, as the integers of models do.

#[cfg(test)]
mod evaluator;
pub mod gates;
mod signed_word;
mod words;

pub use gates::{Gates, InputGates};
pub use signed_word::{SignedWord, signed_bits};
pub use words::{Words, complement, joined, stages};
