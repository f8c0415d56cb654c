//! C units as one formula: a function with all it calls, all its paths merged, its loops unrolled, for several steps.
//!
//! [`Merged::build`] runs a function on all inputs at once; [`Merged::find`] then answers for each event with one
//! question to an incremental SAT solver: a model is a test, and if there is none and nothing was cut off, no test
//! makes the event happen.
//!
//! Start reading at [`engine`], then `state.rs`, `flow.rs` (the order of basic blocks), `guard.rs` (how paths meet), `bytes.rs` and `access.rs`
//! (memory), and `events.rs` (from what was passed to what is asked).

mod access;
mod block;
pub mod boundary;
mod bytes;
mod call;
mod decision;
pub mod engine;
mod events;
mod flow;
mod guard;
mod library;
mod memory;
mod merged;
mod outside;
mod pointer;
mod points;
mod printing;
mod state;
mod steps;
mod strings;
mod twin;

pub use engine::{Cut, Fault, Limits};
pub use merged::{Found, Merged};
