//! Functions, variables and their second names: where they are declared, and what the linker may do to them.

use llvm_sys::LLVMLinkage;
use llvm_sys::core::{
    LLVMDisposeValueMetadataEntries, LLVMGetLinkage, LLVMGlobalCopyAllMetadata, LLVMSetValueName2,
    LLVMValueMetadataEntriesGetMetadata,
};
use llvm_sys::debuginfo::{
    LLVMDIGlobalVariableExpressionGetVariable, LLVMDIVariableGetLine, LLVMGetMetadataKind,
    LLVMMetadataKind,
};
use llvm_sys::prelude::LLVMMetadataRef;

use super::{Kind, Value};

impl Value<'_> {
    /// The line on which debug information says that a global is declared.
    pub fn declared_line(self) -> Option<u32> {
        assert!(self.kind() == Kind::Global, "it is a global");
        let mut count = 0;
        // SAFETY: alive, and a global; each entry read is one of those counted, and all are given back. What they refer to belongs to
        // the context.
        unsafe {
            let entries = LLVMGlobalCopyAllMetadata(self.raw(), &raw mut count);
            let attached =
                (0..count as u32).map(|at| LLVMValueMetadataEntriesGetMetadata(entries, at));
            let line = attached
                .filter(|node| is_described_variable(*node))
                .map(|node| LLVMDIVariableGetLine(LLVMDIGlobalVariableExpressionGetVariable(node)));
            let line = line.collect::<Vec<_>>().first().copied();
            LLVMDisposeValueMetadataEntries(entries);
            line
        }
    }

    /// Gives a global another name, with a number behind it if another one has that.
    pub fn rename(self, name: &str) {
        assert!(self.kind() == Kind::Global, "it is a global");
        // SAFETY: alive; the name is as long as said.
        unsafe { LLVMSetValueName2(self.raw(), name.as_ptr().cast(), name.len()) };
    }

    /// May another definition, or none, take the place of this function, global or second name when programs are linked?
    pub fn is_weak(self) -> bool {
        let is_symbol = matches!(self.kind(), Kind::Function | Kind::Global | Kind::Alias);
        // SAFETY: alive, and a symbol.
        is_symbol
            && matches!(
                unsafe { LLVMGetLinkage(self.raw()) },
                LLVMLinkage::LLVMExternalWeakLinkage
                    | LLVMLinkage::LLVMWeakAnyLinkage
                    | LLVMLinkage::LLVMWeakODRLinkage
            )
    }
}

/// Does debug information describe a global variable here?
fn is_described_variable(node: LLVMMetadataRef) -> bool {
    // SAFETY: a living node.
    let kind = unsafe { LLVMGetMetadataKind(node) };
    matches!(kind, LLVMMetadataKind::LLVMDIGlobalVariableExpressionMetadataKind)
}
