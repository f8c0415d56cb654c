//! libclang behind safe calls: nothing else names it.
//!
//! The library is loaded when it is first needed, so the binary starts without it. Cursors and types borrow from the
//! translation unit, which outlives them.

use std::ffi::{CStr, CString, c_int};
use std::path::PathBuf;
use std::ptr;
use std::sync::{Arc, OnceLock};

use clang_sys::{
    CXError_Success, CXIndex, CXString, CXTranslationUnit, CXUnsavedFile, SharedLibrary,
};

mod cursor;
mod kind;
mod types;

pub(crate) use cursor::{Below, Constant, Cursor};
pub(crate) use kind::{BinaryKind, Kind, TypeKind, UnaryKind};
pub(crate) use types::Type;

use crate::ClangError;
use crate::source::CLANG;

macro_rules! ask {
    ($name:ident ( $($argument:expr),* )) => {
        // SAFETY: cursors and types borrow from a translation unit that is alive, on a thread that loaded the library.
        unsafe { clang_sys::$name($($argument),*) }
    };
}
use ask;

/// A parsed text.
pub(crate) struct TranslationUnit {
    index: CXIndex,
    unit: CXTranslationUnit,
}

/// The name under which the text is parsed.
const FILE: &CStr = c"unit.i";

/// Finds and opens the library, if nobody has, so that whoever needs it need not wait.
pub(crate) fn prepare() {
    library();
}

fn library() -> &'static Result<Arc<SharedLibrary>, String> {
    static LIBRARY: OnceLock<Result<Arc<SharedLibrary>, String>> = OnceLock::new();
    LIBRARY.get_or_init(|| {
        if std::env::var_os(PATH).is_none()
            && let Some(path) = beside_compiler()
        {
            // SAFETY: Rust reads the environment under a lock. Of what is not Rust, only libclang and LLVM read it, and no
            // thread has come so far as to use them: all wait here.
            unsafe { std::env::set_var(PATH, path) };
        }
        clang_sys::load_manually().map(Arc::new)
    })
}

/// Where to look for the library.
const PATH: &str = "LIBCLANG_PATH";

/// The library that came with the compiler on the `PATH`. Without it, thousands of files are looked at to find one.
fn beside_compiler() -> Option<PathBuf> {
    let directories = std::env::var_os("PATH")?;
    let mut programs = std::env::split_paths(&directories).map(|directory| directory.join(CLANG));
    let compiler = programs.find(|path| path.is_file())?.canonicalize().ok()?;
    let libraries = compiler.parent()?.parent()?.join("lib");
    let names = ["libclang-19.so.19", "libclang-19.so.1", "libclang-19.so", "libclang.so"];
    names.map(|name| libraries.join(name)).into_iter().find(|path| path.exists())
}

/// Makes the library available on this thread.
fn load() -> Result<(), ClangError> {
    if clang_sys::is_loaded() {
        return Ok(());
    }
    match library() {
        Ok(library) => {
            clang_sys::set_library(Some(Arc::clone(library)));
            check_version()
        }
        Err(problem) => Err(ClangError::Missing {
            what: format!("libclang 19 ({})", problem.trim_end()),
            package: "libclang-19-dev",
        }),
    }
}

fn check_version() -> Result<(), ClangError> {
    // SAFETY: the library is loaded on this thread, and the function takes nothing.
    let version = text_of(unsafe { clang_sys::clang_getClangVersion() });
    if version.contains("version 19.") {
        return Ok(());
    }
    let what =
        format!("libclang 19 (found {version}; LIBCLANG_PATH names the directory to look in)");
    Err(ClangError::Missing { what, package: "libclang-19-dev" })
}

impl TranslationUnit {
    /// Parses preprocessed text.
    pub fn parse(text: &[u8], flags: &[String]) -> Result<Self, ClangError> {
        load()?;
        let mut arguments: Vec<CString> = Vec::new();
        for flag in flags.iter().map(String::as_str).chain(["-x", "cpp-output", "-w"]) {
            let flag = CString::new(flag)
                .map_err(|_| ClangError::Input("a flag has a NUL byte in it".to_owned()))?;
            arguments.push(flag);
        }
        let count = c_int::try_from(arguments.len())
            .map_err(|_| ClangError::Input("there are too many flags".to_owned()))?;
        let pointers: Vec<_> = arguments.iter().map(|argument| argument.as_ptr()).collect();
        let mut file = CXUnsavedFile {
            Filename: FILE.as_ptr(),
            Contents: text.as_ptr().cast(),
            Length: text.len() as _,
        };
        let mut unit = ptr::null_mut();
        // SAFETY: all pointers are to values that live past the call, with the lengths told. The library copies what it keeps.
        let (index, outcome) = unsafe {
            let index = clang_sys::clang_createIndex(0, 0);
            let outcome = clang_sys::clang_parseTranslationUnit2(
                index,
                FILE.as_ptr(),
                pointers.as_ptr(),
                count,
                &raw mut file,
                1,
                clang_sys::CXTranslationUnit_None,
                &raw mut unit,
            );
            (index, outcome)
        };
        let parsed = Self { index, unit };
        if outcome != CXError_Success || unit.is_null() {
            return Err(ClangError::Internal(format!(
                "libclang could not parse the text (code {outcome})"
            )));
        }
        parsed.refuse_errors()?;
        Ok(parsed)
    }

    /// The first error in the text, if there is one.
    fn refuse_errors(&self) -> Result<(), ClangError> {
        // SAFETY: the unit is alive, and diagnostics are disposed of once.
        unsafe {
            for number in 0..clang_sys::clang_getNumDiagnostics(self.unit) {
                let diagnostic = clang_sys::clang_getDiagnostic(self.unit, number);
                let severity = clang_sys::clang_getDiagnosticSeverity(diagnostic);
                let options = clang_sys::clang_defaultDiagnosticDisplayOptions();
                let message = text_of(clang_sys::clang_formatDiagnostic(diagnostic, options));
                clang_sys::clang_disposeDiagnostic(diagnostic);
                if severity >= clang_sys::CXDiagnostic_Error {
                    return Err(ClangError::Internal(format!(
                        "libclang refuses the text: {message}"
                    )));
                }
            }
        }
        Ok(())
    }

    /// The declarations of the text.
    pub fn declarations(&self) -> Vec<Cursor<'_>> {
        // SAFETY: the unit is alive.
        Cursor::of(unsafe { clang_sys::clang_getTranslationUnitCursor(self.unit) }).children()
    }
}

impl Drop for TranslationUnit {
    fn drop(&mut self) {
        // SAFETY: both were made by `parse` and are disposed of once; nothing that borrows from them is left.
        unsafe {
            if !self.unit.is_null() {
                clang_sys::clang_disposeTranslationUnit(self.unit);
            }
            clang_sys::clang_disposeIndex(self.index);
        }
    }
}

/// The compiler that the library belongs to, with its version. A text was parsed on this thread before.
pub(crate) fn version(_parsed: &TranslationUnit) -> String {
    text_of(ask!(clang_getClangVersion()))
}

fn text_of(string: CXString) -> String {
    // SAFETY: the string was just handed out by the library and is disposed of once, after it was copied.
    unsafe {
        let pointer = clang_sys::clang_getCString(string);
        let text = if pointer.is_null() {
            String::new()
        } else {
            CStr::from_ptr(pointer).to_string_lossy().into_owned()
        };
        clang_sys::clang_disposeString(string);
        text
    }
}
