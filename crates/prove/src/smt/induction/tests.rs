//! Goals that are inductive by themselves, only together, only over several steps, or not at all.

use obligato_model::{Rational, Type};
use obligato_transition_system::{Binary, NodeId, Unary};

use super::super::sample::{Sketch, equals, limits, random_system, reached_at_random, reaches};
use super::*;

const PROVED: fn(usize) -> SmtOutcome = |steps| SmtOutcome::Proved(SmtProof::Induction(steps));

/// A counter that goes back to 0 after `top`.
fn wrapping_counter(sketch: &mut Sketch, top: i64) -> NodeId {
    let counter = sketch.latch(Type::Int, Value::int(0));
    let (one, top, zero) = (sketch.int(1), sketch.int(top), sketch.int(0));
    let more = sketch.binary(Binary::Add, counter, one);
    let at_top = sketch.binary(Binary::Equal, counter, top);
    let next = sketch.ite(at_top, zero, more);
    sketch.next(counter, next);
    counter
}

#[test]
fn goals_that_exclude_each_other_are_proved_together() {
    let mut sketch = Sketch::default();
    let [a, b] = [1, 2].map(|first| sketch.latch(Type::Int, Value::int(first)));
    sketch.next(a, b);
    sketch.next(b, a);
    let goals = [Goal::Above(0, Value::int(5)), Goal::Above(1, Value::int(5))];
    let system = sketch.finish();
    let Some(limits) = limits() else { return };
    assert_eq!(induction(&system, &goals, 1, &limits).unwrap(), [PROVED(1), PROVED(1)]);
    let alone = induction(&system, &goals[..1], 1, &limits).unwrap();
    assert_eq!(alone, [SmtOutcome::Unknown("it is not inductive over 1 steps".to_owned())]);
    assert_eq!(induction(&system, &goals[..1], 2, &limits).unwrap(), [PROVED(2)]);
}

#[test]
fn a_bound_that_was_seen_serves_as_a_lemma_and_a_wrong_one_does_no_harm() {
    let mut sketch = Sketch::default();
    let counter = wrapping_counter(&mut sketch, 10);
    let far = equals(&mut sketch, counter, 100);
    let near = equals(&mut sketch, counter, 2);
    let system = sketch.finish();
    let bounds = [7, 10].map(|bound| Goal::Above(0, Value::int(bound)));
    let goals = [vec![far, near], bounds.into()].concat();
    let Some(limits) = limits() else { return };
    let outcomes = induction(&system, &goals, 9, &limits).unwrap();
    assert_eq!([&outcomes[0], &outcomes[3]], [&PROVED(1); 2]);
    for (goal, length) in [(1, 3), (2, 9)] {
        let SmtOutcome::Reached(run) = &outcomes[goal] else { panic!("{:?}", outcomes[goal]) };
        assert_eq!(run.len(), length);
        assert!(reaches(&system, &goals[goal], run));
    }
}

#[test]
fn what_was_proved_earlier_helps_later() {
    let mut sketch = Sketch::default();
    let when = sketch.input(Type::Bool);
    let counter = wrapping_counter(&mut sketch, 3);
    let three = sketch.int(3);
    let at_top = sketch.binary(Binary::Equal, counter, three);
    // It takes as many steps as the alarm is delayed to see that none gets in.
    let alarm = sketch.binary(Binary::Less, three, counter);
    let mut delayed = sketch.binary(Binary::And, when, alarm);
    for _ in 0..3 {
        let latch = sketch.latch(Type::Bool, Value::Bool(false));
        sketch.next(latch, delayed);
        delayed = latch;
    }
    let not_top = sketch.unary(Unary::Not, at_top);
    let goals = [Goal::Node(delayed), Goal::Above(0, Value::int(3)), Goal::Node(not_top)];
    let system = sketch.finish();
    let Some(limits) = limits() else { return };
    let outcomes = induction(&system, &goals, 9, &limits).unwrap();
    assert_eq!(outcomes[..2], [PROVED(3), PROVED(1)]);
    assert!(matches!(&outcomes[2], SmtOutcome::Reached(run) if run.len() == 1));
}

#[test]
fn assumptions_of_the_model_are_assumed_in_every_step() {
    let mut sketch = Sketch::default();
    let by = sketch.input(Type::Real);
    let sum = sketch.latch(Type::Real, Value::Real(Rational::ZERO));
    let more = sketch.binary(Binary::Add, sum, by);
    sketch.next(sum, more);
    let zero = sketch.real(0, 1);
    let negative = Goal::Node(sketch.binary(Binary::Less, sum, zero));
    let grows = sketch.binary(Binary::LessEqual, zero, by);
    sketch.assume(grows);
    let system = sketch.finish();
    let Some(limits) = limits() else { return };
    assert_eq!(induction(&system, &[negative], 1, &limits).unwrap(), [PROVED(1)]);
}

#[test]
fn a_stop_leaves_the_rest_unknown() {
    let mut sketch = Sketch::default();
    let counter = wrapping_counter(&mut sketch, 10);
    let goals = [equals(&mut sketch, counter, 100)];
    let system = sketch.finish();
    let Some(limits) = limits() else { return };
    limits.stop.request();
    let outcomes = induction(&system, &goals, 9, &limits).unwrap();
    assert_eq!(outcomes, [SmtOutcome::Unknown("'z3' was stopped".to_owned())]);
}

#[test]
fn on_random_systems_nothing_that_happens_is_proved_impossible() {
    let Some(mut limits) = limits() else { return };
    limits.work = 100_000;
    let mut proved = 0;
    for seed in 100..125 {
        let (system, booleans) = random_system(seed, 40);
        let goals: Vec<Goal> = booleans.iter().map(|node| Goal::Node(*node)).collect();
        let seen = reached_at_random(&system, &booleans, 6, seed);
        let outcomes = induction(&system, &goals, 2, &limits).unwrap();
        for (goal, outcome) in outcomes.iter().enumerate() {
            match outcome {
                SmtOutcome::Proved(_) => {
                    assert!(!seen[goal], "seed {seed}: goal {goal} can be reached");
                    proved += 1;
                }
                SmtOutcome::Reached(run) => assert!(reaches(&system, &goals[goal], run)),
                SmtOutcome::Unknown(_) => {}
            }
        }
    }
    assert!(proved > 30, "{proved} proved");
}
