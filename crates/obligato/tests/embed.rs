//! The example project that embeds the library builds and says what the command says.

use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    let here = std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo says where the crate is");
    Path::new(&here).join("../..")
}

#[test]
fn a_project_of_its_own_generates_for_a_function_and_a_model() {
    let root = root();
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    // A build directory of its own: the other one is locked by whoever runs this test.
    let target = std::env::var_os("CARGO_TARGET_DIR")
        .map_or_else(|| root.join("target"), PathBuf::from)
        .join("embed");
    let output = Command::new(cargo)
        .args(["run", "--quiet", "--locked", "--manifest-path"])
        .arg(root.join("examples/embed/Cargo.toml"))
        .arg("--target-dir")
        .arg(target)
        .arg("--")
        .arg(root.join("examples/limiter.c"))
        .arg("limit")
        .arg(root.join("examples/cabin.lus"))
        .output()
        .expect("cargo runs");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let (function, model) = said.split_once("cabin: ").expect("the function comes first");
    assert!(function.starts_with("limit: 4 new tests\n"), "{said}");
    let count = |text: &str, verdict: &str| {
        text.lines().filter(|line| line.trim_start().starts_with(verdict)).count()
    };
    assert_eq!([count(function, "covered"), count(function, "uncoverable")], [13, 3], "{said}");
    assert_eq!(count(function, "unresolved") + count(model, "unresolved"), 0, "{said}");
    assert_eq!(count(model, "covered"), 28, "{said}");
}
