//! The door to LLVM: unoptimised bitcode becomes compact programs.
//!
//! [`load()`] reads a bitcode file and answers with a [`Module`](obligato_bytecode::Module) that says the same, one
//! operation for one instruction, and with [`Origins`]: which instruction each register belongs to.
//! [`observe()`] writes a copy of the bitcode that reports chosen values while it runs as machine code, its variables zero at first,
//! so that the executor can be compared with the machine. [`redirect()`] lets code ask its environment where it accesses what the environment
//! changes: `volatile` objects, fixed addresses, the heap.
//!
//! Nothing is optimised. The walk through the file: `symbols.rs` numbers functions and globals, and so fixes all
//! addresses; `constants.rs` folds initial values and operands; `lowering.rs` goes through each function.
//! All unsafe code is in `ir.rs` and below.
//!
//! Undefined values that stand in the bitcode itself (`undef`, `poison`) are zero.

mod constants;
mod element_pointer;
mod error;
#[expect(unsafe_code, reason = "LLVM is not written in Rust")]
mod ir;
mod load;
mod lowering;
mod observe;
mod parts;
mod redirect;
mod symbols;
mod writer;

pub use error::Error;
pub use load::{Loaded, Origin, Origins, load, load_bytes};
pub use observe::{Observation, observe};
pub use redirect::{Links, NamedLocal, Redirection, Region, redirect};
