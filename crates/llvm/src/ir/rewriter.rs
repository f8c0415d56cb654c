//! Changing a module: calls beside accesses, other functions and objects in the place of some.

use std::ffi::CString;

use llvm_sys::LLVMLinkage;
use llvm_sys::core::{
    LLVMAddFunction, LLVMBuildCall2, LLVMBuildIntCast2, LLVMBuildLoad2, LLVMBuildStore,
    LLVMConstGEP2, LLVMConstInt, LLVMCreateBuilderInContext, LLVMDeleteGlobal, LLVMDisposeBuilder,
    LLVMFunctionType, LLVMGetBasicBlockTerminator, LLVMGetFirstUse, LLVMGetIncomingBlock,
    LLVMGetNamedFunction, LLVMGetNamedGlobal, LLVMGetNamedGlobalAlias, LLVMGetNextInstruction,
    LLVMGetNumOperands, LLVMGetOperand, LLVMInt8TypeInContext, LLVMInt64TypeInContext,
    LLVMIsAPHINode, LLVMIsGlobalConstant, LLVMPointerTypeInContext, LLVMPositionBuilderBefore,
    LLVMReplaceAllUsesWith, LLVMSetCurrentDebugLocation2, LLVMSetGlobalConstant, LLVMSetLinkage,
    LLVMSetOperand, LLVMVoidTypeInContext,
};
use llvm_sys::debuginfo::LLVMInstructionGetDebugLoc;
use llvm_sys::prelude::{LLVMBuilderRef, LLVMTypeRef, LLVMValueRef};

use super::{Bitcode, Instruction, Value};

/// Changes a module that it has to itself.
#[derive(Debug)]
pub struct Rewriter<'b> {
    raw: LLVMBuilderRef,
    bitcode: &'b Bitcode,
    callee_type: LLVMTypeRef,
    word: LLVMTypeRef,
    byte: LLVMTypeRef,
}

/// Where a call goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Before the instruction.
    Before,
    /// Behind it.
    Behind,
}

/// How many bytes are accessed.
#[derive(Clone, Copy, Debug)]
pub enum Length<'b> {
    /// So many.
    Bytes(u64),
    /// As many as this integer says.
    Value(Value<'b>),
}

impl<'b> Rewriter<'b> {
    /// For a module.
    pub fn new(bitcode: &'b Bitcode) -> Self {
        // SAFETY: the context is alive, and everything made here belongs to it.
        unsafe {
            let context = bitcode.context();
            let word = LLVMInt64TypeInContext(context);
            let byte = LLVMInt8TypeInContext(context);
            let pointer = LLVMPointerTypeInContext(context, 0);
            let void = LLVMVoidTypeInContext(context);
            let callee_type = LLVMFunctionType(void, [pointer, word].as_mut_ptr(), 2, 0);
            let raw = LLVMCreateBuilderInContext(context);
            Self { raw, bitcode, callee_type, word, byte }
        }
    }

    /// Calls `void name(void *, unsigned long)` beside an access, with the address and the number of bytes.
    pub fn call_beside(
        &self,
        access: Instruction<'b>,
        side: Side,
        name: &str,
        address: Value<'b>,
        length: Length<'b>,
    ) {
        let name = CString::new(name).expect("invariant: names of hooks have no zero");
        // SAFETY: a living access to memory, which ends no block, so that an instruction follows it; the arguments are known there, and
        // have the types of the parameters, the length after a cast.
        unsafe {
            let mut callee = LLVMGetNamedFunction(self.bitcode.module(), name.as_ptr());
            if callee.is_null() {
                callee = LLVMAddFunction(self.bitcode.module(), name.as_ptr(), self.callee_type);
            }
            let place = match side {
                Side::Before => access.raw(),
                Side::Behind => LLVMGetNextInstruction(access.raw()),
            };
            LLVMPositionBuilderBefore(self.raw, place);
            LLVMSetCurrentDebugLocation2(self.raw, LLVMInstructionGetDebugLoc(access.raw()));
            let none = c"".as_ptr();
            let length = match length {
                Length::Bytes(bytes) => LLVMConstInt(self.word, bytes, 0),
                Length::Value(value) => {
                    LLVMBuildIntCast2(self.raw, value.raw(), self.word, 0, none)
                }
            };
            let mut arguments = [address.raw(), length];
            LLVMBuildCall2(self.raw, self.callee_type, callee, arguments.as_mut_ptr(), 2, none);
        }
    }

    /// Lets every use of a function be one of another, but for the uses in the code of some functions. False if the module lacks one
    /// of them.
    pub fn replace_function(&self, function: &str, other: &str, kept: &[Value<'b>]) -> bool {
        let (Some(function), Some(other)) = (self.function(function), self.function(other)) else {
            return false;
        };
        let uses = kept.iter().flat_map(|kept| uses_in(*kept, function));
        let own: Vec<(LLVMValueRef, u32)> = uses.collect();
        // SAFETY: both are living functions, whose addresses have the same type; an operand that was the first one may be it again.
        unsafe {
            LLVMReplaceAllUsesWith(function.raw(), other.raw());
            for (instruction, operand) in own {
                LLVMSetOperand(instruction, operand, function.raw());
            }
        }
        true
    }

    /// Lets every use of a function or global in the code of some functions be what a global pointer holds there. False if the module lacks one of
    /// the two, or nothing uses the function.
    pub fn read_in_place(&self, function: &str, pointer: &str, readers: &[Value<'b>]) -> bool {
        let Some(function) = self.symbol(function) else { return false };
        let Ok(name) = CString::new(pointer) else { return false };
        let uses = readers.iter().flat_map(|user| uses_in(*user, function));
        let uses: Vec<(LLVMValueRef, u32)> = uses.collect();
        // SAFETY: the module is alive; a load before a living instruction, or at the end of the block that a phi comes from, gives a value
        // that is known where the operand is, and has its type.
        unsafe {
            let pointer = LLVMGetNamedGlobal(self.bitcode.module(), name.as_ptr());
            if pointer.is_null() {
                return false;
            }
            let kind = LLVMPointerTypeInContext(self.bitcode.context(), 0);
            for (instruction, operand) in &uses {
                let place = if LLVMIsAPHINode(*instruction).is_null() {
                    *instruction
                } else {
                    LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(*instruction, *operand))
                };
                LLVMPositionBuilderBefore(self.raw, place);
                LLVMSetCurrentDebugLocation2(self.raw, LLVMInstructionGetDebugLoc(place));
                let value = LLVMBuildLoad2(self.raw, kind, pointer, c"".as_ptr());
                LLVMSetOperand(*instruction, *operand, value);
            }
        }
        !uses.is_empty()
    }

    /// Lets every use of a constant address be one of the address so many bytes behind the start of a global. False if the
    /// module has no such global.
    pub fn replace_address(&self, address: Value<'b>, global: &str, offset: u64) -> bool {
        let name = CString::new(global).expect("invariant: names of registers have no zero");
        // SAFETY: the module is alive; both are constants of the type of pointers.
        unsafe {
            let global = LLVMGetNamedGlobal(self.bitcode.module(), name.as_ptr());
            if global.is_null() {
                return false;
            }
            let replacement = if offset == 0 {
                global
            } else {
                let mut index = [LLVMConstInt(self.word, offset, 0)];
                LLVMConstGEP2(self.byte, global, index.as_mut_ptr(), 1)
            };
            LLVMReplaceAllUsesWith(address.raw(), replacement);
        }
        true
    }

    /// Lets a constant global be one that can be written. False if it can be already.
    pub fn make_variable(&self, global: &str) -> bool {
        let Ok(name) = CString::new(global) else { return false };
        // SAFETY: the module is alive, and the name ends with a zero.
        unsafe {
            let global = LLVMGetNamedGlobal(self.bitcode.module(), name.as_ptr());
            let is_constant = !global.is_null() && LLVMIsGlobalConstant(global) != 0;
            if is_constant {
                LLVMSetGlobalConstant(global, 0);
            }
            is_constant
        }
    }

    /// Takes out a global that nothing mentions. False if there is none.
    pub fn leave_out(&self, global: &str) -> bool {
        let Ok(name) = CString::new(global) else { return false };
        // SAFETY: the module is alive, the name ends with a zero, and no instruction uses the global.
        unsafe {
            let global = LLVMGetNamedGlobal(self.bitcode.module(), name.as_ptr());
            let is_unused = !global.is_null() && LLVMGetFirstUse(global).is_null();
            if is_unused {
                LLVMDeleteGlobal(global);
            }
            is_unused
        }
    }

    /// Lets other units find a global by its name. False if there is none.
    pub fn export(&self, global: &str) -> bool {
        let Ok(name) = CString::new(global) else { return false };
        // SAFETY: the module is alive, and the name ends with a zero.
        unsafe {
            let global = LLVMGetNamedGlobal(self.bitcode.module(), name.as_ptr());
            if !global.is_null() {
                LLVMSetLinkage(global, LLVMLinkage::LLVMExternalLinkage);
            }
            !global.is_null()
        }
    }

    fn global(&self, name: &str) -> Option<Value<'b>> {
        let name = CString::new(name).ok()?;
        // SAFETY: the module is alive, and the name ends with a zero.
        let raw = unsafe { LLVMGetNamedGlobal(self.bitcode.module(), name.as_ptr()) };
        super::bitcode::non_null(raw).map(Value::new)
    }

    fn function(&self, name: &str) -> Option<Value<'b>> {
        let name = CString::new(name).ok()?;
        // SAFETY: the module is alive, and the name ends with a zero.
        let raw = unsafe { LLVMGetNamedFunction(self.bitcode.module(), name.as_ptr()) };
        super::bitcode::non_null(raw).map(Value::new)
    }

    fn second_name(&self, name: &str) -> Option<Value<'b>> {
        // SAFETY: the module is alive, and the name is as long as said.
        let raw = unsafe {
            LLVMGetNamedGlobalAlias(self.bitcode.module(), name.as_ptr().cast(), name.len())
        };
        super::bitcode::non_null(raw).map(Value::new)
    }

    /// A function, global, or second name of one.
    pub fn symbol(&self, name: &str) -> Option<Value<'b>> {
        self.function(name).or_else(|| self.global(name)).or_else(|| self.second_name(name))
    }

    /// Lets a function begin with writing what a global pointer holds so many bytes behind the start of a global, which may not be
    /// constant then. False if the module lacks the function or the pointer.
    pub fn write_first(
        &self,
        function: &str,
        pointer: &str,
        global: Value<'b>,
        offset: u64,
    ) -> bool {
        let (Some(function), Some(pointer)) = (self.function(function), self.global(pointer))
        else {
            return false;
        };
        let Some(place) = function.blocks().flat_map(super::Block::instructions).next() else {
            return false;
        };
        // SAFETY: a load and a store before a living instruction; the pointer holds an address, and the global has room for one there.
        unsafe {
            let kind = LLVMPointerTypeInContext(self.bitcode.context(), 0);
            LLVMPositionBuilderBefore(self.raw, place.raw());
            LLVMSetCurrentDebugLocation2(self.raw, LLVMInstructionGetDebugLoc(place.raw()));
            let value = LLVMBuildLoad2(self.raw, kind, pointer.raw(), c"".as_ptr());
            let mut index = [LLVMConstInt(self.word, offset, 0)];
            let to = LLVMConstGEP2(self.byte, global.raw(), index.as_mut_ptr(), 1);
            LLVMBuildStore(self.raw, value, to);
            LLVMSetGlobalConstant(global.raw(), 0);
        }
        true
    }
}

/// The operands in the code of a function that are this value.
fn uses_in<'b>(function: Value<'b>, used: Value<'b>) -> Vec<(LLVMValueRef, u32)> {
    let mut found = Vec::new();
    for instruction in function.blocks().flat_map(super::Block::instructions) {
        let raw = instruction.raw();
        // SAFETY: a living instruction, and it has that operand.
        unsafe {
            for operand in 0..u32::try_from(LLVMGetNumOperands(raw)).unwrap_or(0) {
                if LLVMGetOperand(raw, operand) == used.raw() {
                    found.push((raw, operand));
                }
            }
        }
    }
    found
}

impl Drop for Rewriter<'_> {
    fn drop(&mut self) {
        // SAFETY: ours, and used by nobody else.
        unsafe { LLVMDisposeBuilder(self.raw) };
    }
}
