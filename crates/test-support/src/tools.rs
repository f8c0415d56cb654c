//! Programs that a machine may lack.

use std::process::Command;

/// Can a program be started? Says that a test is skipped if not.
#[expect(clippy::print_stderr, reason = "a test that did not run says so")]
pub fn is_installed(program: &str) -> bool {
    let there = Command::new(program).arg("--version").output().is_ok();
    if !there {
        eprintln!("skipped: {program} is not installed");
    }
    there
}
