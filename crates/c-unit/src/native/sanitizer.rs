//! Runtime errors that do not trap: clang's sanitizers confirm them.
//!
//! An overflow of signed numbers or a read beyond an array does not end a program by itself. The unit is compiled once more,
//! with checks, and every test that has such a runtime error runs by itself; the report of the sanitizers has to be that error.

use std::path::{Path, PathBuf};
use std::process::Command;

use obligato_clang::Compiler;
use obligato_execute::{Finding, FindingKind, Variables};
use obligato_model::Suite;

use super::protocol::{NativeEnding, Protocol};
use super::{NativeError, NativeTest, signal_of, write_program};
use crate::interface::Interface;
use crate::measure::Watches;
use crate::suite::{RunError, RunOptions, scripts};
use crate::unit::Unit;

/// The program that runs tests, with sanitizers; empty if there are none.
const HARNESS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/sanitized"));

/// The checks. One that the executor does not make must not end a run before its runtime error.
const FLAGS: [&str; 8] = [
    "-shared",
    "-fPIC",
    "-O0",
    "-g1",
    "-Wl,-Bsymbolic",
    "-fsanitize=address,undefined,pointer-subtract,float-cast-overflow",
    "-fno-sanitize=alignment,function,object-size,pointer-overflow",
    "-fno-sanitize-recover=all",
];

/// Who confirms a runtime error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Confirmation {
    /// The machine ended the run with a signal that fits.
    Signal,
    /// A sanitizer reports it: `address` or `undefined`.
    Sanitizer(&'static str),
    /// Neither shows it, or there are no sanitizers.
    None,
}

impl Unit {
    /// Tells for each runtime error, in the order of the tests that have them, who confirms it besides the executor. Those that
    /// a signal ends have to be compared with native runs before; `trapped` says of each test whether a signal ended it there.
    pub fn confirm_runtime_errors(
        &self,
        interface: &Interface,
        suite: &Suite,
        findings: &[&Finding],
        trapped: &[bool],
        milliseconds: u64,
    ) -> Result<Vec<Confirmation>, NativeError> {
        let scripts = scripts(interface, suite).map_err(RunError::from)?;
        let mut checked: Option<(PathBuf, PathBuf)> = None;
        let mut confirmed = Vec::with_capacity(findings.len());
        for (index, (finding, script)) in findings.iter().zip(&scripts).enumerate() {
            let is_trapped = trapped.get(index).copied().unwrap_or(false);
            if signal_of(&finding.kind).is_some() && is_trapped {
                confirmed.push(Confirmation::Signal);
                continue;
            }
            if HARNESS.is_empty() {
                confirmed.push(Confirmation::None);
                continue;
            }
            let (harness, library) = match &checked {
                Some(built) => built,
                None => checked.insert(self.build_checked()?),
            };
            let protocol = Protocol { interface, driver: &self.driver, milliseconds };
            let log = self.directory.path().join("report");
            remove_reports(&log);
            let mut command = Command::new(harness);
            let place = log.display();
            command
                .env("ASAN_OPTIONS", format!("log_path={place}:{ADDRESS}"))
                .env("UBSAN_OPTIONS", format!("log_path={place}:halt_on_error=1"));
            let options = RunOptions::default();
            let executable =
                self.executable(&Watches::default(), options, Variables::InRegisters)?;
            let run = self.runner(&executable, interface, options, (), ())?.run(script);
            let one = [NativeTest::new(script, &run)];
            let runs = self.run_with(command, library, &protocol, &one)?;
            let report = reports(&log);
            let signal = runs.first().and_then(|run| match run.ending {
                NativeEnding::Signal(signal) => Some(signal),
                _ => None,
            });
            confirmed.push(judge(finding, &report, signal));
        }
        Ok(confirmed)
    }

    fn build_checked(&self) -> Result<(PathBuf, PathBuf), NativeError> {
        let harness = self.directory.path().join("sanitized");
        write_program(&harness, HARNESS)?;
        let directory = self.directory.path();
        let opaque: Vec<String> = self.driver.linker_flags().collect();
        let flags: Vec<&str> = FLAGS.into_iter().chain(opaque.iter().map(String::as_str)).collect();
        let library =
            self.text.build(Compiler::Clang, &flags, &["unit.i"], "checked.so", directory)?;
        Ok((harness, library))
    }
}

/// Does the report of a sanitizer match the runtime error?
fn judge(finding: &Finding, report: &str, signal: Option<i32>) -> Confirmation {
    const SEGMENT: i32 = 11;
    let has = |signs: &[&str]| signs.iter().any(|sign| report.contains(sign));
    let undefined = |signs: &[&str]| {
        // Its reports name the line; the same kind of runtime error elsewhere is another one.
        let lines = report.lines().filter(|line| line.contains(": runtime error: "));
        let here = lines.filter(|line| {
            let mut stack = finding.stack.iter().filter_map(|place| place.position);
            stack.any(|at| line.contains(&format!("unit.i:{}:", at.line)))
        });
        let fits = |line: &str| signs.iter().any(|sign| line.contains(sign));
        if { here }.any(fits) { Confirmation::Sanitizer("undefined") } else { Confirmation::None }
    };
    let address = |fits: bool| {
        if fits { Confirmation::Sanitizer("address") } else { Confirmation::None }
    };
    match &finding.kind {
        FindingKind::SignedOverflow { .. } => {
            undefined(&["signed integer overflow", "cannot be represented", "left shift of"])
        }
        FindingKind::DivisionByZero => undefined(&["division by zero", "cannot be represented"]),
        FindingKind::ShiftOutOfRange { .. } => undefined(&["shift exponent"]),
        FindingKind::FloatOutOfRange { .. } => {
            undefined(&["outside the range of representable values"])
        }
        FindingKind::NullDereference { .. } => match signal {
            Some(SEGMENT) => Confirmation::Signal,
            _ => undefined(&["null pointer"]),
        },
        FindingKind::Unreachable => undefined(&["unreachable", "without returning a value"]),
        FindingKind::OutOfBounds { .. } => match undefined(&["out of bounds"]) {
            Confirmation::None => address(has(&["buffer-overflow", "buffer-underflow"])),
            seen => seen,
        },
        FindingKind::UseAfterFree { .. } => address(has(&["heap-use-after-free"])),
        FindingKind::UseAfterReturn { .. } => {
            address(has(&["stack-use-after-return", "stack-use-after-scope"]))
        }
        FindingKind::DoubleFree { .. } => address(has(&["double-free"])),
        FindingKind::InvalidFree { .. } => address(has(&["bad-free", "not malloc()-ed"])),
        FindingKind::PointersApart => address(has(&["invalid-pointer-pair"])),
        FindingKind::OverlappingCopy { .. } => address(has(&["param-overlap"])),
        FindingKind::WildPointer { .. }
        | FindingKind::WildCall { .. }
        | FindingKind::ConstantWrite { .. } => match signal {
            Some(SEGMENT) => Confirmation::Signal,
            _ => address(has(&["SEGV", "wild"])),
        },
        _ => Confirmation::None,
    }
}

/// Reports go to files, without names of functions, which take long to find.
const ADDRESS: &str = "detect_invalid_pointer_pairs=2:detect_leaks=0:symbolize=0:detect_stack_use_after_return=1:halt_on_error=1:allocator_may_return_null=1";

/// The files that sanitizers have written, one for each process.
fn report_files(log: &Path) -> Vec<PathBuf> {
    let (Some(directory), Some(name)) = (log.parent(), log.file_name()) else { return Vec::new() };
    let start = format!("{}.", name.to_string_lossy());
    let entries = std::fs::read_dir(directory).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries
        .filter(|entry| entry.file_name().to_string_lossy().starts_with(&start))
        .map(|entry| entry.path())
        .collect();
    files.sort();
    files
}

fn reports(log: &Path) -> String {
    let texts = report_files(log).into_iter().filter_map(|file| std::fs::read(file).ok());
    texts.map(|text| String::from_utf8_lossy(&text).into_owned()).collect()
}

fn remove_reports(log: &Path) {
    for file in report_files(log) {
        // One that stays is read again, and is of the same unit.
        let _ = std::fs::remove_file(file);
    }
}
