//! Bounded model checking of C units: a function with its callees as one formula, paths joined, loops unwound, over several steps.
//!
//! [`Merged::build`] executes a function symbolically on all inputs at once; [`Merged::find`] then answers for each event with one
//! query to an incremental SAT solver: a model is a test, and if the query is unsatisfiable and no cut is feasible, the event
//! is infeasible.
//!
//! Start reading at [`engine`], then `state.rs`, `flow.rs` (the order of basic blocks), `guard.rs` (state joins), `bytes.rs` and `access.rs`
//! (memory), and `events.rs` (from visits of watch points to events).

mod access;
mod block;
pub mod boundary;
mod bounds;
mod bytes;
mod call;
mod call_system;
mod cut;
mod decision;
mod edges;
pub mod engine;
mod events;
mod flow;
mod guard;
mod initial;
mod intrinsic;
mod library;
mod locale;
mod memory;
mod merged;
mod outside;
mod pointer;
mod points;
mod printing;
mod setup;
mod state;
mod steps;
mod strings;
mod stub_effects;
mod twin;
mod unknown;
mod volatile;

pub use call_system::{CallCircuit, CallSystem, CallTarget, ClaimedCalls, Reading};
pub use cut::{Cut, Reason, RuntimeErrorSite};
pub use engine::MergeLimits;
pub use merged::{EventAnswer, Merged};
