//! Suites of Lustre models, reduced and measured again: worked examples, and public models
//! with random tests.

#[path = "../../lustre-replay/tests/support/mod.rs"]
mod support;

use std::time::Duration;

use obligato_criteria::{Evidence, Vectors, grounds, judge, plan};
use obligato_lustre::lowering::Lowered;
use obligato_lustre_replay::Watch;
use obligato_model::{
    Assessment, Criterion, Independence, Observability, TestCase, TestId, Verdict, Watched,
};
use obligato_reduce::{Bounds, ExactBudget, Problem, exact, greedy, randomised};
use obligato_solver::Stop;
use support::{bool_tests, measure_with, model, models, random_tests};

const BUDGET: ExactBudget = ExactBudget::Conflicts(1_000);

/// The evidence and the verdicts of some tests of a suite.
fn assess(lowered: &Lowered, tests: &[TestCase], criteria: &[Criterion]) -> (Evidence, Assessment) {
    let vectors = Vectors::needed_by(criteria);
    let effects = vec![Observability::Strict];
    let watched = Watched { effects: effects.clone(), kills: Vec::new() };
    let watch = Watch { effects, vectors, ..Watch::outputs(lowered) };
    let mut evidence = Evidence::new(&lowered.program, watched, vectors);
    for measured in measure_with(lowered, tests, watch) {
        evidence.add(measured.evidence);
    }
    let plan = plan(&lowered.program, criteria);
    let assessment = judge(&lowered.program, plan, &evidence).expect("sound");
    (evidence, assessment)
}

fn covered(assessment: &Assessment) -> Vec<bool> {
    let covered = |verdict: &Verdict| matches!(verdict, Verdict::Covered { .. });
    assessment.verdicts.iter().map(covered).collect()
}

/// Reduces in all ways, checks that each keeps the coverage by measuring what is left, and
/// says how many tests greedy, random and exact keep.
fn reduce(lowered: &Lowered, tests: &[TestCase], criteria: &[Criterion]) -> [usize; 3] {
    let (evidence, before) = assess(lowered, tests, criteria);
    let problem = Problem::new(tests.len(), &grounds(&lowered.program, &before, &evidence));
    let (greedy, random) = (greedy::reduce(&problem), randomised::reduce(&problem, 1));
    let known = if random.len() < greedy.len() { &random } else { &greedy };
    let Bounds { kept, at_least } = exact::reduce(&problem, known, BUDGET, &Stop::never());
    let all = [greedy, random, kept];
    let again = |kept: Vec<TestId>| {
        let some: Vec<TestCase> = kept.iter().map(|test| tests[test.index()].clone()).collect();
        let (_, after) = assess(lowered, &some, criteria);
        assert_eq!(covered(&before), covered(&after), "{kept:?} of {criteria:?}");
        assert!(at_least <= kept.len());
        kept.len()
    };
    all.map(again)
}

const MASKING: Criterion = Criterion::Mcdc(Independence::Masking);
const UNIQUE_CAUSE: Criterion = Criterion::Mcdc(Independence::UniqueCause);

#[test]
fn halves_of_an_exclusive_or_are_kept_with_their_partners() {
    let lowered = model("node m(a, b: bool) returns (o: bool); let o = a xor b; tel");
    // Any two opposite rows have every value of every condition, unmasked, and show nothing.
    let tests = bool_tests(&["TT", "TF", "FT", "FF"]);
    let [_, _, fewest] = reduce(&lowered, &tests, &[MASKING]);
    assert_eq!(fewest, 3);
    let opposite = bool_tests(&["TF", "FT"]);
    assert_eq!(reduce(&lowered, &opposite, &[MASKING]), [0; 3], "nothing is covered");
}

#[test]
fn a_test_of_several_steps_may_hold_both_halves() {
    let lowered = model("node m(a, b: bool) returns (o: bool); let o = a xor b; tel");
    let tests = bool_tests(&["TT", "TF", "FT", "FF", "TF FF FT"]);
    let [greedy, _, fewest] = reduce(&lowered, &tests, &[MASKING]);
    assert_eq!((greedy, fewest), (1, 1));
}

#[test]
fn unique_cause_keeps_pairs_that_masking_does_not_need() {
    let lowered = model("node m(a, b, c: bool) returns (o: bool); let o = a and (b or c); tel");
    // Of a, only TTT and FTT agree in the others.
    let tests = bool_tests(&["TTF", "FTT", "TFF", "TFT", "TTT", "FFF"]);
    let [_, _, by_masking] = reduce(&lowered, &tests, &[MASKING]);
    let [_, _, by_unique_cause] = reduce(&lowered, &tests, &[UNIQUE_CAUSE]);
    assert_eq!((by_masking, by_unique_cause), (4, 5));
}

#[test]
fn no_tests_and_no_coverage_leave_nothing() {
    let lowered = model("node m(a, b: bool) returns (o: bool); let o = a and b; tel");
    assert_eq!(reduce(&lowered, &[], &[MASKING]), [0; 3]);
    let (evidence, before) = assess(&lowered, &[], &[MASKING]);
    let problem = Problem::new(0, &grounds(&lowered.program, &before, &evidence));
    assert!(problem.is_empty());
    let bounds = exact::reduce(&problem, &[], ExactBudget::Time(Duration::ZERO), &Stop::never());
    assert!(bounds.is_minimum(), "nothing is the least there is");
}

#[test]
fn public_models_keep_their_coverage() {
    let criteria = [MASKING, UNIQUE_CAUSE, Criterion::Bvc, Criterion::Omcdc(Observability::Strict)];
    let wanted = ["microwave.lus", "DockingExample.lus"];
    for (name, lowered) in models() {
        if !wanted.contains(&name.as_str()) {
            continue;
        }
        let tests = random_tests(&lowered, 300, 12, 5);
        let sets = criteria.chunks(1).chain([&criteria[..]]);
        for criteria in sets {
            let [greedy, random, fewest] = reduce(&lowered, &tests, criteria);
            assert!(fewest <= greedy && fewest <= random, "{name} {criteria:?}");
            assert!(fewest > 0 && greedy < 300, "{name} {criteria:?}");
        }
    }
}
