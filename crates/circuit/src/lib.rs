//! Transition systems of single bits, and the way there from systems of words.
//!
//! A [`Circuit`] is an and-inverter graph with latches: what SAT-based engines work on. An
//! [`Encoding`] is a system as a circuit: numbers are words of as few bits as their ranges allow,
//! and a flag says where a number that nothing bounds has left its word.
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
pub use encode::{EncodeError, Encoding, LatchPort, Options, Order, Port};
pub use simulation::Simulation;
