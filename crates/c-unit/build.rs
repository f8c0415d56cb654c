//! Compiles the program that runs tests as machine code, once and for all: it is the same for every unit.
//!
//! A second build of it has clang's sanitizers. Without their runtime it is an empty file, and no fault is confirmed that needs them.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

const SOURCE: &str = "src/native/harness.c";

fn main() {
    println!("cargo::rerun-if-changed={SOURCE}");
    println!("cargo::rerun-if-changed=build.rs");
    let directory = PathBuf::from(env::var_os("OUT_DIR").expect("cargo says where"));
    let plain = directory.join("harness");
    let built = compile("clang-19", &[], &plain)
        .or_else(|first| compile("cc", &[], &plain).map_err(|second| format!("{first}\n{second}")));
    if let Err(problems) = built {
        panic!("{SOURCE} cannot be compiled:\n{problems}");
    }
    let sanitized = directory.join("sanitized");
    let flags = ["-s", "-DSANITIZED", "-fsanitize=address,undefined"];
    if compile("clang-19", &flags, &sanitized).is_err() {
        println!(
            "cargo::warning=faults are not confirmed by sanitizers: install libclang-rt-19-dev"
        );
        std::fs::write(&sanitized, []).expect("cargo lets us write there");
    }
}

fn compile(compiler: &str, flags: &[&str], output: &Path) -> Result<(), String> {
    let built = Command::new(compiler)
        .args(["-w", "-O1", "-rdynamic"])
        .args(flags)
        .args([SOURCE, "-o"])
        .arg(output)
        .arg("-ldl")
        .output();
    match built {
        Ok(built) if built.status.success() => Ok(()),
        Ok(built) => Err(String::from_utf8_lossy(&built.stderr).into_owned()),
        Err(error) => Err(format!("{compiler}: {error}")),
    }
}
