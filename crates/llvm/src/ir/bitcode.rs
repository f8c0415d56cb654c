//! A bitcode file in memory.

use std::ffi::{CStr, CString, c_char};
use std::marker::PhantomData;
use std::path::Path;
use std::{iter, ptr};

use llvm_sys::analysis::{LLVMVerifierFailureAction, LLVMVerifyModule};
#[expect(
    deprecated,
    reason = "the newer form of parsing reports errors by ending the process"
)]
use llvm_sys::bit_reader::LLVMParseBitcodeInContext;
use llvm_sys::bit_writer::LLVMWriteBitcodeToFile;
use llvm_sys::core::{
    LLVMContextCreate, LLVMContextDispose, LLVMCreateMemoryBufferWithMemoryRangeCopy,
    LLVMDisposeMemoryBuffer, LLVMDisposeModule, LLVMGetFirstFunction, LLVMGetFirstGlobal,
    LLVMGetFirstGlobalAlias, LLVMGetModuleInlineAsm, LLVMGetNextFunction, LLVMGetNextGlobal,
    LLVMGetNextGlobalAlias, LLVMGetTarget, LLVMSetIsNewDbgInfoFormat,
};
use llvm_sys::prelude::{LLVMContextRef, LLVMModuleRef};
use llvm_sys::target::LLVMGetModuleDataLayout;

use super::text::take_message;
use super::{Layout, Value};
use crate::Error;

/// A module of LLVM with the context it lives in.
#[derive(Debug)]
pub struct Bitcode {
    context: LLVMContextRef,
    module: LLVMModuleRef,
}

impl Bitcode {
    /// Parses and verifies bitcode.
    pub fn parse(bytes: &[u8]) -> Result<Self, Error> {
        // SAFETY: takes nothing; never null. From here on `bitcode` frees it.
        let context = unsafe { LLVMContextCreate() };
        let mut bitcode = Self { context, module: ptr::null_mut() };
        let name = c"bitcode".as_ptr();
        // SAFETY: the range is that of `bytes`, which is copied; the name is a constant.
        let buffer = unsafe {
            let start = bytes.as_ptr().cast::<c_char>();
            LLVMCreateMemoryBufferWithMemoryRangeCopy(start, bytes.len(), name)
        };
        let mut message = ptr::null_mut();
        // SAFETY: context and buffer were just made, and both targets are ours.
        #[expect(deprecated, reason = "see the import")]
        let failed = unsafe {
            LLVMParseBitcodeInContext(context, buffer, &raw mut bitcode.module, &raw mut message)
        };
        // SAFETY: the module was read in full, nothing refers to the buffer any more.
        unsafe { LLVMDisposeMemoryBuffer(buffer) };
        // SAFETY: null, or set by the parser.
        let message = unsafe { take_message(message) };
        if failed != 0 || bitcode.module.is_null() {
            bitcode.module = ptr::null_mut();
            return Err(Error::Bitcode(message));
        }
        bitcode.verify()?;
        Ok(bitcode)
    }

    /// What cannot be verified must not be asked anything: LLVM would not survive the answer.
    fn verify(&self) -> Result<(), Error> {
        let mut message = ptr::null_mut();
        let action = LLVMVerifierFailureAction::LLVMReturnStatusAction;
        // SAFETY: the module is alive as long as `self`.
        let failed = unsafe { LLVMVerifyModule(self.module, action, &raw mut message) };
        // SAFETY: set by the verifier.
        let message = unsafe { take_message(message) };
        if failed == 0 { Ok(()) } else { Err(Error::Bitcode(message)) }
    }

    /// Turns debug records into calls of `llvm.dbg.*`: the C interface of LLVM 19 shows only those.
    pub fn show_debug_records(&mut self) {
        // SAFETY: the module is alive, and nothing borrows from it, since `self` is borrowed mutably.
        unsafe { LLVMSetIsNewDbgInfoFormat(self.module, 0) };
    }

    /// Writes it as a file.
    pub fn write(&self, path: &Path) -> Result<(), Error> {
        let failure = || Error::Write { path: path.to_owned() };
        let text = path.to_str().ok_or_else(failure)?;
        let text = CString::new(text).map_err(|_| failure())?;
        // SAFETY: the module is alive, and the path ends with a zero.
        let status = unsafe { LLVMWriteBitcodeToFile(self.module, text.as_ptr()) };
        if status == 0 { Ok(()) } else { Err(failure()) }
    }

    /// The machine that it is for: a triple such as `x86_64-pc-linux-gnu`.
    pub fn target(&self) -> String {
        // SAFETY: the module is alive; the text belongs to it, ends with a zero, and is copied at once.
        let text = unsafe { CStr::from_ptr(LLVMGetTarget(self.module)) };
        text.to_string_lossy().into_owned()
    }

    /// Sizes and offsets of types.
    pub fn layout(&self) -> Layout<'_> {
        // SAFETY: the module is alive; the layout belongs to it and is not freed by us.
        Layout { raw: unsafe { LLVMGetModuleDataLayout(self.module) }, bitcode: PhantomData }
    }

    /// All functions in their order, intrinsics among them.
    pub fn functions(&self) -> impl Iterator<Item = Value<'_>> {
        // SAFETY: the module is alive.
        let first = unsafe { LLVMGetFirstFunction(self.module) };
        // SAFETY: each is a function of the module, which is alive.
        iter::successors(non_null(first), |raw| non_null(unsafe { LLVMGetNextFunction(*raw) }))
            .map(Value::new)
    }

    /// All global variables in their order.
    pub fn globals(&self) -> impl Iterator<Item = Value<'_>> {
        // SAFETY: the module is alive.
        let first = unsafe { LLVMGetFirstGlobal(self.module) };
        // SAFETY: each is a global variable of the module, which is alive.
        iter::successors(non_null(first), |raw| non_null(unsafe { LLVMGetNextGlobal(*raw) }))
            .map(Value::new)
    }

    /// The second names of functions and globals.
    pub fn aliases(&self) -> impl Iterator<Item = Value<'_>> {
        // SAFETY: the module is alive.
        let first = unsafe { LLVMGetFirstGlobalAlias(self.module) };
        // SAFETY: each is a second name of the module, which is alive.
        iter::successors(non_null(first), |raw| non_null(unsafe { LLVMGetNextGlobalAlias(*raw) }))
            .map(Value::new)
    }

    /// Is there assembly outside of functions?
    pub fn has_assembly(&self) -> bool {
        let mut length = 0;
        // SAFETY: the module is alive, and the text, which is not read, belongs to it.
        unsafe { LLVMGetModuleInlineAsm(self.module, &raw mut length) };
        length > 0
    }

    pub(super) fn context(&self) -> LLVMContextRef {
        self.context
    }

    pub(super) fn module(&self) -> LLVMModuleRef {
        self.module
    }
}

impl Drop for Bitcode {
    fn drop(&mut self) {
        // SAFETY: both are ours, and whoever borrows from `self` is gone.
        unsafe {
            if !self.module.is_null() {
                LLVMDisposeModule(self.module);
            }
            LLVMContextDispose(self.context);
        }
    }
}

/// LLVM ends its lists with null.
pub(super) fn non_null<T>(pointer: *mut T) -> Option<*mut T> {
    (!pointer.is_null()).then_some(pointer)
}
