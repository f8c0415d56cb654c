//! Texts that LLVM hands out.

use std::ffi::{CStr, c_char};
use std::slice;

use llvm_sys::core::LLVMDisposeMessage;

/// Takes over a message that LLVM allocated.
///
/// # Safety
/// `message` is null, or a string that ends with a zero and is to be given back by `LLVMDisposeMessage`.
pub unsafe fn take_message(message: *mut c_char) -> String {
    if message.is_null() {
        return String::new();
    }
    // SAFETY: not null, and so a string that ends with a zero, says the caller.
    let text = unsafe { CStr::from_ptr(message) }.to_string_lossy().into_owned();
    // SAFETY: allocated by LLVM, says the caller; copied above and not used again.
    unsafe { LLVMDisposeMessage(message) };
    text
}

/// Copies a text that LLVM keeps.
///
/// # Safety
/// `start` is null, or points to `length` bytes.
pub unsafe fn copy_text(start: *const c_char, length: usize) -> String {
    if start.is_null() {
        return String::new();
    }
    // SAFETY: not null, and so as many bytes, says the caller.
    let bytes = unsafe { slice::from_raw_parts(start.cast::<u8>(), length) };
    String::from_utf8_lossy(bytes).into_owned()
}
