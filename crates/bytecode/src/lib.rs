//! C units as compact programs: plain data, made once from unoptimised bitcode and
//! run by the executor.
//!
//! A [`Module`] says what the bitcode says, one operation for one operation, in a shape
//! that is quick to run: code is flat, every operand is a register, constants lie in
//! registers of their own, values of several parts (structures, vectors) are spread over
//! neighbouring registers, and addresses of objects are fixed. Nothing is optimised and nothing
//! is inserted, so every operation keeps the place in the text that it came from.

mod access;
mod address;
mod check;
mod display;
mod function;
mod module;
mod operation;

pub use access::{Access, registers_of_width};
pub use address::{Address, ObjectId};
pub use check::{Flaw, check};
pub use function::{Block, Function, FunctionType, Local, Signature};
pub use module::{BEHIND, CodeId, Global, GlobalId, LINKED, Module};
pub use operation::{
    Argument, Arm, ArmKey, Binary, Callee, Cast, Comparison, FloatBinary, FloatComparison,
    FloatUnary, FloatWidth, Intrinsic, List, Operation, Overflow, Register, StopKind, Target,
    Unary,
};
