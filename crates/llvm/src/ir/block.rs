//! Blocks of instructions.

use std::iter;
use std::marker::PhantomData;

use llvm_sys::core::{LLVMGetFirstInstruction, LLVMGetNextInstruction};
use llvm_sys::prelude::LLVMBasicBlockRef;

use super::bitcode::non_null;
use super::{Bitcode, Instruction};

/// A block of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Block<'b> {
    raw: LLVMBasicBlockRef,
    bitcode: PhantomData<&'b Bitcode>,
}

impl<'b> Block<'b> {
    /// `raw` is a block of the module that lives for `'b`.
    pub(super) fn new(raw: LLVMBasicBlockRef) -> Self {
        Self { raw, bitcode: PhantomData }
    }

    /// Its instructions in their order.
    pub fn instructions(self) -> impl Iterator<Item = Instruction<'b>> {
        // SAFETY: alive.
        let first = unsafe { LLVMGetFirstInstruction(self.raw) };
        // SAFETY: each is an instruction of a living block.
        iter::successors(non_null(first), |raw| non_null(unsafe { LLVMGetNextInstruction(*raw) }))
            .map(Instruction::new)
    }
}
