//! Goals that need an invariant, and claims that are none.

use obligato_model::{Type, Value};
use obligato_transition_system::{Binary, NodeId};

use super::super::sample::{Sketch, equals, limits, random_system, reached_at_random, reaches};
use super::*;

/// Two counters, one twice as fast; is the slow one ahead? The difference never falls below 0.
fn race(sketch: &mut Sketch) -> (NodeId, Goal) {
    let when = sketch.input(Type::Bool);
    let slow = sketch.counter(0, 1, Some(when));
    let fast = sketch.counter(0, 2, Some(when));
    (slow, Goal::Node(sketch.binary(Binary::Less, fast, slow)))
}

#[test]
fn an_invariant_is_found_and_named_after_the_latches() {
    let mut sketch = Sketch::default();
    let (_, goal) = race(&mut sketch);
    let _unrelated = sketch.counter(3, 3, None);
    let system = sketch.finish();
    let Some(limits) = limits() else { return };
    let outcome = invariant(&system, &goal, 0, &limits).unwrap();
    let SmtOutcome::Proved(SmtProof::Invariant(text)) = outcome else { panic!("{outcome:?}") };
    let start = "obligato-invariant 1\nargument 0 latch2\nargument 1 latch3\n(define-fun inv (";
    assert!(text.starts_with(start), "{text}");
}

#[test]
fn a_goal_that_can_be_reached_comes_with_a_run_if_it_is_short_enough() {
    let mut sketch = Sketch::default();
    let (slow, _) = race(&mut sketch);
    let goal = equals(&mut sketch, slow, 3);
    let system = sketch.finish();
    let Some(limits) = limits() else { return };
    let SmtOutcome::Reached(run) = invariant(&system, &goal, 4, &limits).unwrap() else { panic!() };
    assert!(run.len() == 4 && reaches(&system, &goal, &run));
    let short = invariant(&system, &goal, 3, &limits).unwrap();
    let words = "z3 says it is reached, but not within 3 steps";
    assert_eq!(short, SmtOutcome::Unknown(words.to_owned()));
}

#[test]
fn a_goal_without_memory_needs_no_latches() {
    let mut sketch = Sketch::default();
    let level = sketch.input(Type::Subrange(0.into(), 3.into()));
    let goals = [equals(&mut sketch, level, 4), equals(&mut sketch, level, 3)];
    let never = Goal::Node(sketch.builder.graph().bool(false));
    let system = sketch.finish();
    let Some(limits) = limits() else { return };
    for goal in [&goals[0], &never] {
        let outcome = invariant(&system, goal, 1, &limits).unwrap();
        assert!(matches!(outcome, SmtOutcome::Proved(SmtProof::Invariant(_))), "{outcome:?}");
    }
    let outcome = invariant(&system, &goals[1], 1, &limits).unwrap();
    assert_eq!(outcome, SmtOutcome::Reached(vec![vec![Value::int(3)]]));
}

#[test]
fn on_random_systems_outcomes_agree_with_runs() {
    let Some(mut limits) = limits() else { return };
    limits.work = 50_000;
    let (mut proved, mut found) = (0, 0);
    for seed in 200..212 {
        let (system, booleans) = random_system(seed, 30);
        let seen = reached_at_random(&system, &booleans, 6, seed);
        for (node, seen) in booleans.into_iter().zip(seen).take(8) {
            let goal = Goal::Node(node);
            match invariant(&system, &goal, 3, &limits).unwrap() {
                SmtOutcome::Proved(_) => {
                    assert!(!seen, "seed {seed}: node {node} can be reached");
                    proved += 1;
                }
                SmtOutcome::Reached(run) => {
                    assert!(reaches(&system, &goal, &run), "seed {seed}: node {node}");
                    found += 1;
                }
                SmtOutcome::Unknown(_) => {}
            }
        }
    }
    assert!(proved > 5 && found > 20, "{proved} proved, {found} found");
}
