//! An independent witness: clang's own MC/DC, where it measures a decision at all, agrees with ours on the
//! same tests.

#![expect(clippy::unwrap_used, reason = "the functions around the tests are tests too")]

mod support;

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use obligato_criteria::{judge, plan};
use obligato_model::{Criterion, Goal, Independence, Verdict};
use obligato_unit::{Options, RunOptions, Unit};
use support::{Rows, corpus, read_suite, source, suite_for};

/// Where the tools are that read what an instrumented program leaves.
const TOOLS: &str = "/usr/lib/llvm-19/bin";

/// Files whose functions take numbers alone.
const FILES: &[&str] = &["control.c", "values.c", "nested.c", "full.c", "recursion.c"];

/// Line and column of a decision, and whether each of its conditions is shown.
type Shown = ((u32, u32), Vec<bool>);

fn call(function: &str, parameters: &[String], step: &[(String, String)]) -> String {
    let arguments = parameters.iter().map(|name| {
        let given = step.iter().find(|(known, _)| known == name);
        match given.map(|(_, value)| value.as_str()) {
            Some("true") => "1".to_owned(),
            Some("false") | None => "0".to_owned(),
            Some("nan") => "__builtin_nan(\"\")".to_owned(),
            Some(value) => value.to_owned(),
        }
    });
    format!("{function}({});", arguments.collect::<Vec<_>>().join(", "))
}

/// What clang shows of a file with these tests; `None` if its runtime or its tools are not installed.
fn witness(file: &str, calls: &str, directory: &Path) -> Option<Vec<Shown>> {
    let run = |program: String, arguments: &[&str]| {
        let mut command = Command::new(program);
        command.args(arguments).current_dir(directory);
        command.env("LLVM_PROFILE_FILE", "raw").output().ok()
    };
    let text = fs::read_to_string(corpus().join(file)).unwrap();
    fs::write(directory.join(file), format!("{text}\nint main(void) {{ {calls} return 0; }}\n"))
        .unwrap();
    let flags = ["-w", "-fprofile-instr-generate", "-fcoverage-mapping", "-fcoverage-mcdc"];
    let built = run("clang-19".to_owned(), &[&flags[..], &[file, "-o", "program"]].concat())?;
    if !built.status.success() {
        return None;
    }
    run("./program".to_owned(), &[])
        .or_else(|| run(directory.join("program").display().to_string(), &[]))?;
    run(format!("{TOOLS}/llvm-profdata"), &["merge", "raw", "-o", "merged"])?;
    let exported =
        run(format!("{TOOLS}/llvm-cov"), &["export", "program", "-instr-profile=merged"])?;
    let json = String::from_utf8(exported.stdout).ok()?;
    let (_, records) = json.split_once("\"mcdc_records\":[")?;
    let (records, _) = records.split_once("]]]")?;
    let read = |record: &str| {
        let (numbers, values) = record.trim_start_matches([',', '[']).split_once('[')?;
        let numbers: Vec<u32> = numbers.split(',').filter_map(|word| word.parse().ok()).collect();
        let values = values.split(',').map(|word| word == "true").collect();
        Some(((numbers[0], numbers[1]), values))
    };
    records.split("]]").map(read).collect()
}

/// What we show of it.
fn shown(file: &str, function: &str, tests: &Rows) -> Vec<Shown> {
    let unit = Unit::load(&source(file), Options::default()).unwrap();
    let interface = unit.interface(function).unwrap();
    let suite = suite_for(&unit, &interface, tests);
    let criteria = [Criterion::Mcdc(Independence::UniqueCause)];
    let measured = unit.measure(&interface, &suite, &criteria, RunOptions::default()).unwrap();
    let program = unit.program();
    let assessment = judge(program, plan(program, &criteria), &measured.evidence).unwrap();
    let mut covered = vec![true; program.conditions().len()];
    for (obligation, verdict) in assessment.plan.obligations.iter().zip(&assessment.verdicts) {
        if let Goal::Independence(condition, _) = obligation.goal {
            covered[condition.index()] &= matches!(verdict, Verdict::Covered { .. });
        }
    }
    let mut shown = Vec::new();
    for decision in program.decisions() {
        // clang's decision begins with itself, or with its first condition where something is around it.
        let first = decision.first_condition.index();
        let own = covered[first..first + decision.tree.conditions()].to_vec();
        for start in [decision.span.start, program.conditions()[first].span.start] {
            shown.push(((start.line, start.column), own.clone()));
        }
    }
    shown
}

#[test]
fn clang_s_own_mcdc_agrees_where_it_measures() {
    let mut compared = 0;
    for file in FILES {
        let (function, tests) = read_suite(&fs::read_to_string(corpus().join(file)).unwrap());
        let ours = shown(file, &function, &tests);
        let unit = Unit::load(&source(file), Options::default()).unwrap();
        let interface = unit.interface(&function).unwrap();
        let count = interface.arguments.len();
        let parameters: Vec<String> =
            interface.inputs[..count].iter().map(|cell| cell.name.clone()).collect();
        let mut calls = String::new();
        for step in tests.iter().flatten() {
            let _ = write!(calls, "{}", call(&function, &parameters, step));
        }
        let directory = tempfile::tempdir().unwrap();
        let Some(theirs) = witness(file, &calls, directory.path()) else { continue };
        for (place, values) in theirs {
            let fits = |shown: &&Shown| shown.0 == place && shown.1.len() == values.len();
            let same: Vec<&Shown> = ours.iter().filter(fits).collect();
            assert!(!same.is_empty(), "{file}: no decision at {place:?} among {ours:?}");
            assert!(
                same.iter().any(|(_, own)| *own == values),
                "{file}: {place:?} {values:?} {same:?}"
            );
            compared += 1;
        }
    }
    assert!(compared == 0 || compared >= 10, "only {compared} decisions were compared");
}
