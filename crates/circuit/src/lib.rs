//! Transition systems of single bits, and the way there from systems of words.
//!
//! A [`Circuit`] is an and-inverter graph with latches: what SAT-based engines work on.
//!
//! Start reading at [`circuit`].

pub mod circuit;

pub use circuit::{Circuit, Gate, GateId, LatchBit, Lit};
