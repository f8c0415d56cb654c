//! Calls: who is called, with what, and what debug information says through them.

use std::ptr;

use llvm_sys::core::{
    LLVMGetArgOperand, LLVMGetCallSiteEnumAttribute, LLVMGetCalledFunctionType, LLVMGetCalledValue,
    LLVMGetEnumAttributeKindForName, LLVMGetEnumAttributeValue, LLVMGetInlineAsmAsmString,
    LLVMGetInlineAsmConstraintString, LLVMGetMDNodeNumOperands, LLVMGetMDNodeOperands,
    LLVMGetMDString, LLVMGetNumArgOperands, LLVMGetTypeAttributeValue, LLVMIsAMDNode,
    LLVMIsAMDString, LLVMIsAValueAsMetadata,
};
use llvm_sys::prelude::{LLVMAttributeRef, LLVMValueRef};

use super::Instruction;
use crate::ir::text::copy_text;
use crate::ir::{Kind, Opcode, Type, Value};

impl<'b> Instruction<'b> {
    /// Who is called.
    pub fn callee(self) -> Value<'b> {
        self.assert_one_of(CALLS);
        // SAFETY: a living call, here and below.
        Value::new(unsafe { LLVMGetCalledValue(self.raw()) })
    }

    /// As what the callee is called: a type of functions.
    pub fn called_type(self) -> Type<'b> {
        self.assert_one_of(CALLS);
        // SAFETY: as above.
        Type::new(unsafe { LLVMGetCalledFunctionType(self.raw()) })
    }

    /// What is handed over.
    pub fn arguments(self) -> impl Iterator<Item = Value<'b>> {
        self.assert_one_of(CALLS);
        // SAFETY: as above.
        let count = unsafe { LLVMGetNumArgOperands(self.raw()) };
        // SAFETY: as above, and there is such an argument.
        (0..count).map(move |index| Value::new(unsafe { LLVMGetArgOperand(self.raw(), index) }))
    }

    /// Of what type a copy is made for an argument (`byval`), and its alignment, 0 for the usual one.
    pub fn copied_argument(self, index: u32) -> Option<(Type<'b>, u32)> {
        let copied = self.argument_attribute(index, "byval")?;
        // SAFETY: `byval` is an attribute with a type.
        let copied = Type::new(unsafe { LLVMGetTypeAttributeValue(copied) });
        let alignment = self.argument_attribute(index, "align").map_or(0, |attribute| {
            // SAFETY: `align` is an attribute with a number.
            unsafe { LLVMGetEnumAttributeValue(attribute) as u32 }
        });
        Some((copied, alignment))
    }

    fn argument_attribute(self, index: u32, name: &str) -> Option<LLVMAttributeRef> {
        self.assert_one_of(CALLS);
        // SAFETY: as above; the name is as long as it says. Arguments count from 1 here.
        let attribute = unsafe {
            let kind = LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len());
            LLVMGetCallSiteEnumAttribute(self.raw(), index + 1, kind)
        };
        (!attribute.is_null()).then_some(attribute)
    }

    /// The name of an intrinsic that is called.
    pub fn called_intrinsic(self) -> Option<&'static str> {
        if self.opcode() == Opcode::LLVMCall { self.callee().intrinsic() } else { None }
    }

    /// Does it only say something about variables?
    pub fn is_debug_record(self) -> bool {
        self.called_intrinsic().is_some_and(|name| name.starts_with("llvm.dbg."))
    }

    /// The text and the constraints of inline assembly that is called.
    pub fn assembly(self) -> Option<(String, String)> {
        let callee = self.callee();
        if callee.kind() != Kind::Assembly {
            return None;
        }
        let mut length = 0;
        // SAFETY: alive, and inline assembly; the texts belong to the module.
        unsafe {
            let text = LLVMGetInlineAsmAsmString(callee.raw(), &raw mut length);
            let text = copy_text(text, length);
            let constraints = LLVMGetInlineAsmConstraintString(callee.raw(), &raw mut length);
            Some((text, copy_text(constraints, length)))
        }
    }

    /// Where a variable lies, and its name, if this is `llvm.dbg.declare`.
    pub fn declared_variable(self) -> Option<(Value<'b>, String)> {
        if self.called_intrinsic() != Some("llvm.dbg.declare") {
            return None;
        }
        let mut arguments = self.arguments();
        let (address, variable) = (arguments.next()?, arguments.next()?);
        // SAFETY: alive; LLVM says whether the first wraps a value and the second is a node, and a
        // node has as many operands as it says. The name is the second operand of a variable.
        unsafe {
            if LLVMIsAValueAsMetadata(address.raw()).is_null()
                || LLVMIsAMDNode(variable.raw()).is_null()
            {
                return None;
            }
            let address = *metadata_operands(address.raw()).first()?;
            let name = *metadata_operands(variable.raw()).get(1)?;
            if address.is_null() || name.is_null() || LLVMIsAMDString(name).is_null() {
                return None;
            }
            let mut length = 0;
            let start = LLVMGetMDString(name, &raw mut length);
            Some((Value::new(address), copy_text(start, length as usize)))
        }
    }
}

/// What is in a node of metadata; null where there is nothing.
///
/// # Safety
/// `node` is a living value that wraps metadata: a node or a value.
unsafe fn metadata_operands(node: LLVMValueRef) -> Vec<LLVMValueRef> {
    // SAFETY: says the caller; there is space for as many as LLVM says there are.
    unsafe {
        let count = LLVMGetMDNodeNumOperands(node) as usize;
        let mut operands = vec![ptr::null_mut(); count];
        LLVMGetMDNodeOperands(node, operands.as_mut_ptr());
        operands
    }
}

const CALLS: &[Opcode] = &[Opcode::LLVMCall, Opcode::LLVMInvoke, Opcode::LLVMCallBr];
