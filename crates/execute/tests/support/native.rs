//! The same C text as bytecode and as machine code.
#![allow(dead_code, reason = "each test uses a part of it")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use obligato_bytecode::Module;
use obligato_execute::{
    Ending, Executable, ExecutableOptions, ExecutionLimits, Machine, SignedOverflow, Variables,
};

/// Is there a compiler? Says so if not.
pub fn clang_is_there() -> bool {
    obligato_test_support::is_installed("clang-19")
}

fn clang(arguments: &[&str], source: &Path, target: &Path) {
    let output = Command::new("clang-19")
        .args(["-O0", "-w"])
        .args(arguments)
        .arg("-o")
        .arg(target)
        .arg(source)
        .arg("-lm")
        .output()
        .expect("clang-19 starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// The text as bytecode.
pub fn load(source: &Path, directory: &Path, more: &[&str]) -> Module {
    let bitcode = directory.join("unit.bc");
    let mut arguments =
        vec!["-g", "-Xclang", "-disable-llvm-passes", "-Xclang", "-disable-O0-optnone"];
    arguments.extend(["-emit-llvm", "-c"]);
    arguments.extend(more);
    clang(&arguments, source, &bitcode);
    obligato_llvm::load(&bitcode).expect("bitcode that can be read").module
}

/// The text as machine code.
pub fn build(source: &Path, directory: &Path, more: &[&str]) -> PathBuf {
    let program = directory.join("unit");
    clang(more, source, &program);
    program
}

/// Runs machine code for at most some seconds. `None`: it did not end.
pub fn run_native(program: &Path, seconds: &str) -> Option<Output> {
    let output =
        Command::new("timeout").arg(seconds).arg(program).output().expect("timeout starts");
    (output.status.code() != Some(124)).then_some(output)
}

/// How a run of `main` ended and what it printed.
#[derive(Debug, PartialEq, Eq)]
pub struct Outcome {
    pub status: Result<i32, String>,
    pub output: Vec<u8>,
}

pub fn execute_main(module: &Module, variables: Variables, limits: ExecutionLimits) -> Outcome {
    let options = ExecutableOptions { variables, signed_overflow: SignedOverflow::Found };
    let program = Executable::new(module, &[], options).expect("well-formed");
    let mut machine = Machine::new(&program, limits, (), (), ());
    let main = module.function_named("main").expect("a main function");
    // `argc`, and no names behind it.
    let arguments = &[1, 0][..module.function(main).signature.parameters as usize];
    let status = match machine.call(main, arguments) {
        Ok(results) => Ok(i32::from(results[0] as u8)),
        Err(Ending::Exit(status)) => Ok(status & 0xff),
        Err(Ending::Finding(finding)) => Err(format!("{} at {:?}", finding.kind, finding.stack)),
    };
    Outcome { status, output: machine.output().to_vec() }
}
