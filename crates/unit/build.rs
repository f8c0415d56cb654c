//! Compiles the program that runs tests as machine code, once and for all: it is the same for every unit.

use std::env;
use std::path::PathBuf;
use std::process::Command;

const SOURCE: &str = "src/native/harness.c";

fn main() {
    println!("cargo::rerun-if-changed={SOURCE}");
    let output = PathBuf::from(env::var_os("OUT_DIR").expect("cargo says where")).join("harness");
    let mut problems: Vec<String> = Vec::new();
    for compiler in ["clang-19", "cc"] {
        let built = Command::new(compiler)
            .args(["-w", "-O1", "-rdynamic", SOURCE, "-o"])
            .arg(&output)
            .arg("-ldl")
            .output();
        match built {
            Ok(built) if built.status.success() => return,
            Ok(built) => problems.push(String::from_utf8_lossy(&built.stderr).into_owned()),
            Err(error) => problems.push(format!("{compiler}: {error}")),
        }
    }
    panic!("{SOURCE} cannot be compiled:\n{}", problems.join("\n"));
}
