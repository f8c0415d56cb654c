//! Counting finds what events show: the whole corpus with its own tests and random ones, measured both ways.

#![expect(clippy::unwrap_used, reason = "the functions around the tests are tests too")]

#[allow(dead_code, unused_imports, reason = "each test uses what it needs")]
mod support;

use std::fs;

use obligato_c_unit::random::{Draw, draw_suite, hold_constants};
use obligato_c_unit::{LoadOptions, RunOptions, Unit};
use obligato_criteria::evidence::TestEvidence;
use obligato_criteria::{Evidence, Vectors, collect, judge, plan};
use obligato_execute::ExecutionLimits;
use obligato_model::{Criterion, Independence, Suite};
use support::{corpus, corpus_files, read_suite, source, suite_for, without_long_tests};

/// None of them asks for operands, so all of this is counted.
const CRITERIA: &[Criterion] = &[
    Criterion::Statement,
    Criterion::Branch,
    Criterion::EntryExit,
    Criterion::Decision,
    Criterion::Condition,
    Criterion::Cdc,
    Criterion::Mcc,
    Criterion::Mcdc(Independence::Masking),
    Criterion::Mcdc(Independence::UniqueCause),
];

fn assert_same(counted: &TestEvidence, recorded: &TestEvidence, what: &str) {
    assert_eq!(counted.name, recorded.name);
    assert_eq!(counted.decisions, recorded.decisions, "{what}, {}", counted.name);
    let sets = |test: &TestEvidence| {
        [&test.entered, &test.left, &test.executed, &test.switched].map(Clone::clone)
    };
    assert_eq!(sets(counted), sets(recorded), "{what}, {}", counted.name);
}

/// Measures a suite both ways; gives how many decisions were reached.
fn compare(unit: &Unit, function: &str, suite: &Suite, what: &str) -> usize {
    let interface = unit.interface(function).unwrap();
    let limits = ExecutionLimits { steps: 100_000, ..ExecutionLimits::default() };
    let options = RunOptions { limits, ..RunOptions::default() };
    let mut suite = suite.clone();
    hold_constants(&interface, &mut suite);
    let suite = &without_long_tests(unit, &interface, &suite, options);
    let counted = unit.measure(&interface, suite, CRITERIA, options).unwrap();
    let (recording, runs) = unit.record(&interface, suite, options).unwrap();
    let recorded = collect(unit.program(), &recording, Vectors::Keep).unwrap();
    for (counted, recorded) in counted.runs.iter().zip(&runs) {
        assert_eq!((&counted.steps, &counted.ending), (&recorded.steps, &recorded.ending));
    }
    let tests = counted.evidence.tests().iter().zip(recorded.tests());
    tests.clone().for_each(|(counted, recorded)| assert_same(counted, recorded, what));
    assert_eq!(counted.evidence.tests().len(), recorded.tests().len());
    for criterion in CRITERIA {
        let alone = unit.measure(&interface, suite, &[*criterion], options).unwrap().evidence;
        let verdicts = |evidence: &Evidence| {
            let planned = plan(unit.program(), &[*criterion]);
            judge(unit.program(), planned, evidence).unwrap().verdicts
        };
        assert_eq!(verdicts(&alone), verdicts(&recorded), "{what}: {criterion} by itself");
    }
    tests.map(|(counted, _)| counted.decisions.len()).sum()
}

#[test]
fn counts_and_events_give_the_same_evidence() {
    let mut reached = 0;
    for name in &corpus_files() {
        let (function, tests) = read_suite(&fs::read_to_string(corpus().join(name)).unwrap());
        let unit = Unit::load(&source(name), LoadOptions::default()).unwrap();
        let interface = unit.interface(&function).unwrap();
        reached += compare(&unit, &function, &suite_for(&unit, &interface, &tests), name);
        for function in unit.functions() {
            let interface = unit.interface(function).unwrap();
            let draw = Draw { tests: 20, steps: 2, seed: 7 };
            let suite = draw_suite(&unit.variables(&interface), draw);
            reached += compare(&unit, function, &suite, name);
        }
    }
    assert!(reached > 1000, "{reached} decisions are too few to say anything");
}
