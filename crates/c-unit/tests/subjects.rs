//! Real C files: everything in them is mapped, and random tests do the same on the executor and as machine code.
//!
//! The sources are fetched by `../shared/subjects/get`, into `../subjects` or into the directory that
//! `OBLIGATO_SUBJECTS` names, their list is `../shared/subjects/open.tsv` or what `OBLIGATO_SUBJECT_LIST` names; without them there is nothing to do here. `ONLY` narrows the run to functions with that in their name.

#![expect(clippy::unwrap_used, reason = "the functions around the tests are tests too")]

use std::path::{Path, PathBuf};
use std::{env, fs};

use obligato_c_unit::random::{Draw, draw_suite};
use obligato_c_unit::{GapReason, NativeOptions, Options, RunOptions, Unit};
use obligato_clang::{Flags, Limits, Source};
use obligato_execute::{Limits as RunLimits, SignedOverflow};
use obligato_model::{Criterion, Independence, Observability};

struct Subject {
    file: String,
    function: String,
    flags: Vec<String>,
}

#[expect(clippy::print_stdout, reason = "a test that is skipped says so")]
fn subjects() -> (PathBuf, Vec<Subject>) {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = env::var_os("OBLIGATO_SUBJECTS")
        .map_or_else(|| here.join("../../../subjects"), PathBuf::from);
    let list = env::var_os("OBLIGATO_SUBJECT_LIST")
        .map_or_else(|| here.join("../../../shared/subjects/open.tsv"), PathBuf::from);
    let (true, Ok(list)) = (root.is_dir(), fs::read_to_string(list)) else {
        println!("skipped: the subjects are not at ../subjects, and OBLIGATO_SUBJECTS names none");
        return (root, Vec::new());
    };
    let subjects = list.lines().skip(1).map(|line| {
        let columns: Vec<&str> = line.split('\t').collect();
        let flags = columns[3].split_whitespace().map(str::to_owned).collect();
        // The headers of this project are parts of one unit.
        let file =
            if columns[1].starts_with("opendbc") { "cfg/opendbc_unit.c" } else { columns[1] };
        Subject { file: file.to_owned(), function: columns[2].to_owned(), flags }
    });
    (root, subjects.collect())
}

fn examine(root: &Path, subject: &Subject) -> Vec<String> {
    let source = Source {
        file: subject.file.clone().into(),
        directory: root.to_owned(),
        flags: Flags::new(&subject.flags).unwrap(),
        limits: Limits::default(),
    };
    let options = Options { function: Some(subject.function.clone()), ..Options::default() };
    let unit = match Unit::load(&source, options) {
        Ok(unit) => unit,
        Err(error) => return vec![error.to_string()],
    };
    let mut problems = Vec::new();
    let unmapped = unit.gaps().iter().filter(|gap| matches!(gap.reason, GapReason::Unmapped(_)));
    problems.extend(unmapped.map(ToString::to_string));
    let interface = unit.interface(&subject.function).unwrap();
    let suite = draw_suite(&unit.variables(&interface), Draw { tests: 20, steps: 2, seed: 1 });
    let run = RunOptions {
        limits: RunLimits { steps: 1_000_000, ..RunLimits::default() },
        signed_overflow: SignedOverflow::Wraps,
        ..RunOptions::default()
    };
    let criteria = [
        Criterion::Mcdc(Independence::Masking),
        Criterion::Bvc,
        Criterion::Omcdc(Observability::Strict),
        Criterion::Omcdc(Observability::Tags),
    ];
    if let Err(error) = unit.measure(&interface, &suite, &criteria, run) {
        problems.push(error.to_string());
    }
    let native = NativeOptions { milliseconds: 1000, ..NativeOptions::default() };
    match unit.replay_natively(&interface, &suite, run, native) {
        Err(error) => problems.push(error.to_string()),
        Ok(replay) => {
            for (index, found) in replay.disagreements.iter().enumerate() {
                problems.extend(found.iter().take(2).map(|one| format!("t{}: {one}", index + 1)));
            }
        }
    }
    problems
}

#[test]
fn random_tests_of_real_functions_do_the_same_as_machine_code() {
    let (root, subjects) = subjects();
    let only = env::var("ONLY").unwrap_or_default();
    let mut all = 0;
    for subject in subjects.iter().filter(|subject| subject.function.contains(&only)) {
        let problems = examine(&root, subject);
        println!("{} {}: {} problems", subject.file, subject.function, problems.len());
        for problem in problems.iter().take(4) {
            println!("    {}", problem.lines().take(4).collect::<Vec<_>>().join("\n    "));
        }
        all += problems.len();
    }
    assert_eq!(all, 0);
}
