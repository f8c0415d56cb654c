//! Random C programs, where Debian's csmith and libcsmith-dev are installed: each loads, passes the verifier, and has
//! nothing that is not supported.

mod support;

use std::fs;
use std::path::Path;
use std::process::Command;

use obligato_bytecode::check;
use obligato_llvm::load;
use support::{clang_is_there, compile};

/// How many programs; `CSMITH_PROGRAMS` asks for more.
const PROGRAMS: u64 = 5;

#[test]
fn random_programs_load_completely() {
    if !clang_is_there() {
        return;
    }
    let header = Path::new("/usr/include/csmith/csmith.h");
    if Command::new("csmith").arg("--version").current_dir(std::env::temp_dir()).output().is_err()
        || !header.exists()
    {
        eprintln!("skipped: csmith and libcsmith-dev are not installed");
        return;
    }
    let asked = std::env::var("CSMITH_PROGRAMS").ok().and_then(|text| text.parse().ok());
    let directory = tempfile::tempdir().expect("a temporary directory");
    let at = |name: &str| directory.path().join(name);
    for seed in 1..=asked.unwrap_or(PROGRAMS) {
        let seed = seed.to_string();
        let written = Command::new("csmith")
            .args(["--seed", &seed, "--float", "--inline-function"])
            // It leaves a file behind where it runs.
            .current_dir(directory.path())
            .output()
            .expect("csmith starts");
        fs::write(at("unit.c"), written.stdout).expect("writable");
        compile(&at("unit.c"), &at("unit.bc"), &["-I/usr/include/csmith"]);
        let module = load(&at("unit.bc")).expect("it loads").module;
        assert_eq!(check(&module), Ok(()), "seed {seed}");
        let notes: Vec<_> = module.functions.iter().flat_map(|function| &function.notes).collect();
        assert!(notes.is_empty(), "seed {seed}: {notes:?}");
    }
}
