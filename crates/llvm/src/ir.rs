//! The only unsafe code: LLVM's C interface behind types that cannot be misused.
//!
//! [`Bitcode`] owns a context and a module. Everything else is a pointer into it with its lifetime:
//! a [`Type`], a [`Value`], an [`Instruction`], a [`Block`], and can be copied freely. LLVM does not
//! check what it is asked, so methods here check first, and panic when this crate (never the bitcode) asks
//! an instruction for what only another kind of instruction has.
//!
//! LLVM's values are only read here, but for [`Builder`] and [`Rewriter`], which change a module they have to themselves.

mod bitcode;
mod block;
mod builder;
mod global;
mod instruction;
mod rewriter;
mod text;
mod types;
mod value;

pub use bitcode::Bitcode;
pub use block::Block;
pub use builder::Builder;
pub use instruction::Instruction;
pub use rewriter::{Length, Rewriter, Side};
pub use types::{Layout, Shape, Type};
pub use value::{Kind, Value};

pub use llvm_sys::{
    LLVMAtomicRMWBinOp as AtomicOperator, LLVMIntPredicate as IntegerPredicate,
    LLVMOpcode as Opcode,
};
