//! Adding to a module: the one place that changes bitcode.

use std::marker::PhantomData;

use llvm_sys::core::{
    LLVMAddFunction, LLVMBuildBitCast, LLVMBuildCall2, LLVMBuildExtractValue, LLVMBuildIntCast2,
    LLVMBuildLShr, LLVMBuildMemSet, LLVMBuildMul, LLVMBuildPtrToInt, LLVMBuildTrunc, LLVMBuildZExt,
    LLVMConstInt, LLVMCreateBuilderInContext, LLVMDisposeBuilder, LLVMFunctionType,
    LLVMGetNamedFunction, LLVMGetNextInstruction, LLVMInt8TypeInContext, LLVMInt32TypeInContext,
    LLVMInt64TypeInContext, LLVMIsAPHINode, LLVMPositionBuilderBefore,
    LLVMSetCurrentDebugLocation2, LLVMVoidTypeInContext,
};
use llvm_sys::debuginfo::LLVMInstructionGetDebugLoc;
use llvm_sys::prelude::{LLVMBuilderRef, LLVMTypeRef, LLVMValueRef};

use super::{Bitcode, Instruction, Shape, Value};

/// Adds calls of one function `void name(i32, i64)`.
#[derive(Debug)]
pub struct Builder<'b> {
    raw: LLVMBuilderRef,
    callee: LLVMValueRef,
    callee_type: LLVMTypeRef,
    number: LLVMTypeRef,
    word: LLVMTypeRef,
    byte: LLVMTypeRef,
    bitcode: PhantomData<&'b Bitcode>,
}

impl<'b> Builder<'b> {
    /// Declares the function in the module, unless it is there.
    pub fn new(bitcode: &'b Bitcode, name: &std::ffi::CStr) -> Self {
        // SAFETY: context and module are alive, everything made here belongs to them, and the name ends
        // with a zero.
        unsafe {
            let context = bitcode.context();
            let number = LLVMInt32TypeInContext(context);
            let word = LLVMInt64TypeInContext(context);
            let byte = LLVMInt8TypeInContext(context);
            let void = LLVMVoidTypeInContext(context);
            let callee_type = LLVMFunctionType(void, [number, word].as_mut_ptr(), 2, 0);
            let mut callee = LLVMGetNamedFunction(bitcode.module(), name.as_ptr());
            if callee.is_null() {
                callee = LLVMAddFunction(bitcode.module(), name.as_ptr(), callee_type);
            }
            let raw = LLVMCreateBuilderInContext(context);
            Self { raw, callee, callee_type, number, word, byte, bitcode: PhantomData }
        }
    }

    /// Calls the function with a number and a part of the value of an instruction, just behind it; what a branch tests
    /// is handed over before it. False if the value cannot be handed over as a word.
    pub fn call_behind(&self, instruction: Instruction<'b>, part: u32, number: u32) -> bool {
        let known = instruction.known_test();
        // SAFETY: a living instruction; a phi is followed by other instructions, and all phis of a
        // block stay together. What has a value does not end a block in bitcode that we are asked about.
        unsafe {
            let mut next = match known {
                Some(_) => instruction.raw(),
                None => LLVMGetNextInstruction(instruction.raw()),
            };
            if !LLVMIsAPHINode(instruction.raw()).is_null() {
                while !next.is_null() && !LLVMIsAPHINode(next).is_null() {
                    next = LLVMGetNextInstruction(next);
                }
            }
            if next.is_null() {
                return false;
            }
            LLVMPositionBuilderBefore(self.raw, next);
            LLVMSetCurrentDebugLocation2(self.raw, LLVMInstructionGetDebugLoc(instruction.raw()));
        }
        let value = known.unwrap_or(instruction.value());
        let Some(word) = self.word_of(value, part) else { return false };
        // SAFETY: the builder stands before an instruction, and the arguments are those of the type.
        unsafe {
            let number = LLVMConstInt(self.number, u64::from(number), 0);
            let mut arguments = [number, word];
            let (callee, name) = (self.callee, c"".as_ptr());
            LLVMBuildCall2(self.raw, self.callee_type, callee, arguments.as_mut_ptr(), 2, name);
        }
        true
    }

    /// Fills what an `alloca` reserves with zeros, just behind it; so many bytes for each of its elements.
    pub fn fill_behind(&self, reserved: Instruction<'b>, size: u64) {
        // SAFETY: a living `alloca`, which other instructions follow; its number of elements is an integer, which is cast to the type
        // that it is multiplied in, and the builder stands where all of it is known.
        unsafe {
            LLVMPositionBuilderBefore(self.raw, LLVMGetNextInstruction(reserved.raw()));
            LLVMSetCurrentDebugLocation2(self.raw, LLVMInstructionGetDebugLoc(reserved.raw()));
            let (count, name) = (reserved.operand(0).raw(), c"".as_ptr());
            let count = LLVMBuildIntCast2(self.raw, count, self.word, 0, name);
            let bytes = LLVMBuildMul(self.raw, count, LLVMConstInt(self.word, size, 0), name);
            let zero = LLVMConstInt(self.byte, 0, 0);
            LLVMBuildMemSet(self.raw, reserved.raw(), zero, bytes, reserved.alignment().max(1));
        }
    }

    /// A part of a value as a word, its upper bits clear.
    fn word_of(&self, value: Value<'b>, part: u32) -> Option<LLVMValueRef> {
        let (raw, name) = (value.raw(), c"".as_ptr());
        // SAFETY: the builder stands where the value is known, and each cast is one that LLVM allows
        // between these types.
        unsafe {
            match (value.type_().shape(), part) {
                (Shape::Integer(64), 0) => Some(raw),
                (Shape::Integer(0..64), 0) => Some(LLVMBuildZExt(self.raw, raw, self.word, name)),
                (Shape::Integer(65..=128), 0) => {
                    Some(LLVMBuildTrunc(self.raw, raw, self.word, name))
                }
                (Shape::Integer(65..=128), 1) => {
                    let distance = LLVMConstInt(value.type_().raw(), 64, 0);
                    let high = LLVMBuildLShr(self.raw, raw, distance, name);
                    Some(LLVMBuildTrunc(self.raw, high, self.word, name))
                }
                (Shape::Pointer, 0) => Some(LLVMBuildPtrToInt(self.raw, raw, self.word, name)),
                (Shape::Double, 0) => Some(LLVMBuildBitCast(self.raw, raw, self.word, name)),
                (Shape::Single, 0) => {
                    let bits = LLVMBuildBitCast(self.raw, raw, self.number, name);
                    Some(LLVMBuildZExt(self.raw, bits, self.word, name))
                }
                // Such as a comparison with what an atomic exchange found.
                (Shape::Structure(fields), part) if part < fields => {
                    let fields = |field| value.type_().field(field).shape();
                    let is_part =
                        |field| matches!(fields(field), Shape::Integer(..=64) | Shape::Pointer);
                    // Each field before it takes one register, so that the part is the field.
                    if !(0..=part).all(is_part) {
                        return None;
                    }
                    let field = LLVMBuildExtractValue(self.raw, raw, part, name);
                    self.word_of(Value::new(field), 0)
                }
                _ => None,
            }
        }
    }
}

impl Drop for Builder<'_> {
    fn drop(&mut self) {
        // SAFETY: ours, and used by nobody else.
        unsafe { LLVMDisposeBuilder(self.raw) };
    }
}
