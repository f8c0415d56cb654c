//! C text to bitcode, for all tests that need some.

use std::path::Path;
use std::process::Command;

/// Is there a compiler to make bitcode with? Says so if not.
pub fn clang_is_there() -> bool {
    obligato_test_support::is_installed("clang-19")
}

/// Compiles a C file as the product does: nothing runs between clang and us.
pub fn compile(source: &Path, target: &Path, more: &[&str]) {
    let output = Command::new("clang-19")
        .args(["-O0", "-g", "-Xclang", "-disable-llvm-passes", "-Xclang", "-disable-O0-optnone"])
        .args(["-w", "-emit-llvm", "-c"])
        .args(more)
        .arg("-o")
        .arg(target)
        .arg(source)
        .output()
        .expect("clang-19 starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
