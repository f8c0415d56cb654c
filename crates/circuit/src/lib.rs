//! Bit-level transition systems, and the encoding of word-level systems as such.
//!
//! A [`Circuit`] is an and-inverter graph with latches: the input of SAT-based engines. An
//! [`Encoding`] bit-blasts a system: numbers are words of as few bits as their ranges allow,
//! and a flag marks an unbounded number that has overflowed its word.
//!
//! Start reading at [`circuit`], then [`encode`].

pub mod aiger;
pub mod circuit;
mod classes;
mod decode;
pub mod encode;
mod grid;
mod interval;
mod outside;
mod ranges;
pub mod simulation;
mod word;

pub use circuit::{Circuit, Gate, GateId, LatchBit, Lit};
pub use encode::{EncodeError, Encoding, EncodingOptions, LatchPort, Order, Port};
pub use simulation::Simulation;
