//! Real C files: everything in them is mapped, and random tests do the same on the executor and as machine code.
//!
//! Where the sources come from is said in `obligato_test_support::subjects`; without them there is nothing to do here. `ONLY` narrows the run to functions with that in their name.

#![expect(clippy::unwrap_used, reason = "the functions around the tests are tests too")]

use std::env;
use std::path::Path;

use obligato_c_unit::random::{Draw, draw_suite, hold_constants};
use obligato_c_unit::{GapReason, LoadOptions, NativeOptions, RunOptions, Unit};
use obligato_clang::{Flags, Limits, Source};
use obligato_execute::{ExecutionLimits as RunLimits, SignedOverflow};
use obligato_model::{Criterion, Independence, Observability};
use obligato_test_support::subjects::{self, Subject};

fn examine(root: &Path, subject: &Subject) -> Vec<String> {
    let source = Source {
        file: subject.file.clone().into(),
        directory: root.to_owned(),
        flags: Flags::new(&subject.flags).unwrap(),
        limits: Limits::default(),
    };
    let options =
        LoadOptions { function: Some(subject.function.clone()), ..LoadOptions::default() };
    let unit = match Unit::load(&source, options) {
        Ok(unit) => unit,
        Err(error) => return vec![error.to_string()],
    };
    let mut problems = Vec::new();
    let unmapped = unit.gaps().iter().filter(|gap| matches!(gap.reason, GapReason::Unmapped(_)));
    problems.extend(unmapped.map(ToString::to_string));
    let interface = unit.interface(&subject.function).unwrap();
    let mut suite = draw_suite(&unit.variables(&interface), Draw { tests: 20, steps: 2, seed: 1 });
    hold_constants(&interface, &mut suite);
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
    let (root, subjects) = (subjects::root(), subjects::listed());
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
