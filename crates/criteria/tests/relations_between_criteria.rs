//! How the criteria relate, on random decisions and suites, and pair criteria
//! against a search over all pairs that applies the definitions directly.

#[allow(dead_code)]
mod harness;
#[allow(dead_code)]
mod reference;

use harness::{add_function, assess, evaluation};
use obligato_criteria::{Grounds, Vectors, collect, grounds};
use obligato_model::program::{NewCondition, NewDecision};
use obligato_model::{
    Assessment, DecisionId, Goal, Program, RecordedTest, Recording, Role, Span, TestId, Verdict,
    Watched,
};
use proptest::prelude::*;
use reference::{Expr, row_values};

fn small_tree() -> impl Strategy<Value = Expr> {
    reference::any_tree(8).prop_filter("up to 8", |expr| expr.conditions() <= 8)
}

fn program_of(expr: &Expr) -> Program {
    let mut program = Program::new();
    let function = add_function(&mut program, "f");
    let tree = expr.tree();
    let span = Span::of_line("d");
    let condition =
        |at| NewCondition { span, text: format!("c{at}"), constant: None, relation: None };
    let conditions = (0..tree.conditions()).map(condition).collect();
    let (text, role) = (tree.to_string(), Role::Control);
    program
        .add_decision(NewDecision { function, span, text, role, tree, conditions })
        .expect("a decision");
    program
}

fn record(program: &Program, rows: &[Vec<bool>]) -> Recording {
    let tests = rows.iter().enumerate().map(|(index, row)| RecordedTest {
        name: format!("t{index}"),
        events: evaluation(program, DecisionId::new(0), row),
    });
    Recording { watched: Watched::default(), tests: tests.collect() }
}

/// The halves covered.
fn halves(assessment: &Assessment) -> Vec<(usize, bool)> {
    let all = assessment.plan.obligations.iter().zip(&assessment.verdicts);
    all.filter(|(_, verdict)| matches!(verdict, Verdict::Covered { .. }))
        .filter_map(|(obligation, _)| match obligation.goal {
            Goal::Independence(condition, value) => Some((condition.index(), value)),
            _ => None,
        })
        .collect()
}

/// One evaluation for the search over pairs.
struct Seen {
    evaluated: Vec<usize>,
    values: Vec<bool>,
    outcome: bool,
    unmasked: Vec<usize>,
}

fn see(expr: &Expr, values: &[bool]) -> Seen {
    let (evaluated, outcome) = reference::evaluate(expr, values);
    let unmasked = reference::unmasked(expr, values);
    Seen { evaluated, values: values.to_vec(), outcome, unmasked }
}

/// Do two evaluations show `condition`, by the definition?
fn pair_shows(a: &Seen, b: &Seen, condition: usize, unique_cause: bool) -> bool {
    let decides = |seen: &Seen| seen.unmasked.contains(&condition);
    let others_agree = (0..a.values.len()).all(|other| {
        other == condition
            || !a.evaluated.contains(&other)
            || !b.evaluated.contains(&other)
            || a.values[other] == b.values[other]
    });
    decides(a)
        && decides(b)
        && a.values[condition] != b.values[condition]
        && a.outcome != b.outcome
        && (!unique_cause || others_agree)
}

/// Is one of the ways left with these tests?
fn stands(grounds: &Grounds, kept: &[usize]) -> bool {
    let shown = |tests: &Vec<TestId>| tests.iter().any(|test| kept.contains(&test.index()));
    grounds.ways.iter().any(|way| way.iter().all(shown))
}

/// The obligations covered, by their places in the plan.
fn places(assessment: &Assessment) -> Vec<usize> {
    let covered =
        |(at, verdict): (usize, &Verdict)| matches!(verdict, Verdict::Covered { .. }).then_some(at);
    assessment.verdicts.iter().enumerate().filter_map(covered).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn what_stays_covered_without_some_tests_follows_from_the_grounds(
        expr in small_tree(),
        rows in proptest::collection::vec(any::<u32>(), 0..24),
        kept in any::<u32>(),
    ) {
        let conditions = expr.conditions();
        let program = program_of(&expr);
        let tests = rows.chunks(2).enumerate().map(|(index, rows)| {
            let rows = rows.iter().map(|row| row_values(conditions, *row));
            let events = rows.flat_map(|row| evaluation(&program, DecisionId::new(0), &row));
            RecordedTest { name: format!("t{index}"), events: events.collect() }
        });
        let whole = Recording { watched: Watched::default(), tests: tests.collect() };
        let kept: Vec<usize> = (0..whole.tests.len()).filter(|at| kept >> at & 1 == 1).collect();
        let tests = kept.iter().map(|at| whole.tests[*at].clone()).collect();
        let part = Recording { watched: Watched::default(), tests };
        let criteria = ["decision", "mcc", "mcdc", "mcdc:unique-cause"];
        let before = assess(&program, &whole, &criteria);
        let after = assess(&program, &part, &criteria);
        let evidence = collect(&program, &whole, Vectors::Keep).expect("consistent");
        let grounds = grounds(&program, &before, &evidence);
        let covered = places(&before);
        prop_assert_eq!(grounds.len(), covered.len());
        let standing = covered.into_iter().zip(&grounds).filter(|(_, grounds)| stands(grounds, &kept));
        prop_assert_eq!(standing.map(|(at, _)| at).collect::<Vec<_>>(), places(&after));
    }

    #[test]
    fn pairs_are_those_of_the_definition(
        expr in small_tree(),
        rows in proptest::collection::vec(any::<u32>(), 0..24),
    ) {
        let conditions = expr.conditions();
        let rows: Vec<Vec<bool>> = rows.into_iter().map(|row| row_values(conditions, row)).collect();
        let seen: Vec<Seen> = rows.iter().map(|row| see(&expr, row)).collect();
        let program = program_of(&expr);
        let recording = record(&program, &rows);
        for (criterion, unique_cause) in [("mcdc:masking", false), ("mcdc:unique-cause", true)] {
            let assessment = assess(&program, &recording, &[criterion]);
            let all = assessment.plan.obligations.iter().zip(&assessment.verdicts);
            for (obligation, verdict) in all {
                let Goal::Independence(condition, value) = obligation.goal else { continue };
                let at = condition.index();
                let exists = seen.iter().any(|a| {
                    a.values[at] == value && seen.iter().any(|b| pair_shows(a, b, at, unique_cause))
                });
                match verdict {
                    Verdict::Covered { tests, pair: Some(pair) } => {
                        let (a, b) = (&seen[pair.with_true.index()], &seen[pair.with_false.index()]);
                        prop_assert!(pair_shows(a, b, at, unique_cause) && a.values[at]);
                        for test in tests {
                            let half = &seen[test.index()];
                            prop_assert!(half.values[at] == value);
                            prop_assert!(seen.iter().any(|b| pair_shows(half, b, at, unique_cause)));
                        }
                    }
                    // A half alone: only with masking, and its outcome must follow from its value.
                    Verdict::Covered { pair: None, .. } => {
                        prop_assert!(!unique_cause && !exists);
                        prop_assert!(value_fixes_outcome(&expr, at));
                    }
                    _ => prop_assert!(!exists, "{} {criterion} {at} {value}", expr.tree()),
                }
            }
        }
    }

    #[test]
    fn unique_cause_is_masking_and_mcdc_is_condition_and_decision_coverage(
        expr in small_tree(),
        rows in proptest::collection::vec(any::<u32>(), 0..40),
    ) {
        let conditions = expr.conditions();
        let rows: Vec<Vec<bool>> = rows.into_iter().map(|row| row_values(conditions, row)).collect();
        let program = program_of(&expr);
        let recording = record(&program, &rows);
        let masking = assess(&program, &recording, &["mcdc"]);
        let unique = assess(&program, &recording, &["mcdc:unique-cause"]);
        let shown = halves(&masking);
        prop_assert!(halves(&unique).iter().all(|half| shown.contains(half)));
        if shown.len() == conditions * 2 {
            let both = assess(&program, &recording, &["cdc"]);
            prop_assert_eq!(harness::score(&both), (conditions * 2 + 2, conditions * 2 + 2));
        }
        let all_vectors = assess(&program, &recording, &["mcc"]);
        if harness::score(&all_vectors).0 == all_vectors.verdicts.len() {
            prop_assert_eq!(shown.len(), conditions * 2, "every vector, so every pair: {}", expr.tree());
        }
    }
}

/// By brute force: over all rows, does an unmasked value always give the same outcome?
fn value_fixes_outcome(expr: &Expr, condition: usize) -> bool {
    let conditions = expr.conditions();
    let outcomes = |value: bool| {
        let mut seen = [false; 2];
        for row in 0..1_u32 << conditions {
            let values = row_values(conditions, row);
            let row = see(expr, &values);
            if row.values[condition] == value && row.unmasked.contains(&condition) {
                seen[usize::from(row.outcome)] = true;
            }
        }
        seen
    };
    outcomes(true) != [true, true] && outcomes(false) != [true, true]
}

#[test]
fn exclusive_or_on_opposite_rows_shows_nothing() {
    let program = harness::program(&["a xor b"]);
    let recording = harness::recording(&program, &["TF", "FT"]);
    assert_eq!(harness::score(&assess(&program, &recording, &["mcdc"])), (0, 4));
    let more = harness::recording(&program, &["TF", "FT", "TT"]);
    assert_eq!(harness::score(&assess(&program, &more, &["mcdc"])), (4, 4));
}
