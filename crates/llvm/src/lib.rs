//! The door to LLVM: unoptimised bitcode becomes compact programs.
//!
//! [`load`] reads a bitcode file and answers with a [`Module`](obligato_bytecode::Module) that says the same, one
//! operation for one instruction, and with [`Origins`]: which instruction each register belongs to.
//! [`observe`] writes a copy of the bitcode that reports chosen values while it runs as machine code, so that the executor
//! can be compared with the machine.
//!
//! Nothing is optimised. The walk through the file: [`symbols`] numbers functions and globals, and so fixes all
//! addresses; [`constants`] folds initial values and operands; [`lowering`] goes through each function.
//! All unsafe code is in [`ir`].
//!
//! Undefined values that stand in the bitcode itself (`undef`, `poison`) are zero.

mod constants;
mod element_pointer;
mod error;
mod ir;
mod load;
mod lowering;
mod observe;
mod parts;
mod symbols;
mod writer;

pub use error::Error;
pub use load::{Loaded, Origin, Origins, load, load_bytes};
pub use observe::{Observation, observe};
