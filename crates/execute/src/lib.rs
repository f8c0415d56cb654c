//! The executor of C units: runs [bytecode](obligato_bytecode) on concrete values.
//!
//! An [`Executable`] is a module decoded once, with its [watch points](WatchPoint). A [`Machine`] runs it, call
//! after call: memory is byte-precise, a pointer that misses its object ends the run with a
//! [`Finding`], and so does everything else that C leaves undefined and that can be seen. Beside values
//! a [`Shadow`] may keep marks. Calls that leave the program go to models of the standard library, or to an
//! [`Environment`].
//!
//! Start reading at `step.rs`, the loop, and `memory.rs`.
#![allow(
    clippy::inline_always,
    reason = "what the loop executes must be in it, and the compiler alone decides otherwise"
)]
#![allow(
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    clippy::float_cmp,
    reason = "programs under test do all of that, and get what they ask for"
)]

mod call;
mod cast;
mod decode;
mod environment;
mod executable;
mod finding;
mod float;
mod forwarding;
mod frame;
mod instruction;
mod integer;
mod intrinsic;
mod libc;
mod limits;
mod machine;
mod memory;
mod promotion;
mod rare;
mod shade;
mod shadow;
mod step;
mod variadic;
mod watch;

pub use environment::{Environment, OutsideCall};
pub use executable::{Executable, ExecutableOptions, SignedOverflow, Variables};
pub use finding::{AccessKind, Class, Ending, ExecutionLimit, Finding, FindingKind, StackEntry};
pub use libc::{CharacterTable, initial_bytes, is_modelled};
pub use limits::ExecutionLimits;
pub use machine::Machine;
pub use memory::Memory;
pub use obligato_c_library::{Returns, returns};
pub use shadow::{Around, Marked, Shadow, Site};
pub use watch::{Moment, Observer, WatchId, WatchPoint};
