//! Runs to goals that are known to be reachable in so many steps, or not at all.

use obligato_model::{Rational, Signedness, Type};
use obligato_transition_system::{Binary, Machine, Unary};

use super::super::sample::{Sketch, equals, limits, random_system, reached_at_random, reaches};
use super::*;

/// All runs of at most so many steps, each replayed.
fn runs(system: &System, goals: &[Goal], start: &SmtStart, most: usize) -> Option<Vec<SmtWitness>> {
    let mut search = SmtBmc::new(system, goals, &[], start.clone(), &limits()?).unwrap();
    let mut runs = Vec::new();
    while let Some(run) = search.next_run(most).unwrap() {
        for goal in &run.reached {
            let replayed =
                *start != SmtStart::Initial || reaches(system, &goals[*goal], &run.inputs);
            assert!(replayed, "{:?} is not reached by {:?}", goals[*goal], run.inputs);
        }
        runs.push(run);
    }
    for goal in search.open() {
        assert_eq!(search.undecided(goal), None);
    }
    Some(runs)
}

fn lengths(runs: &[SmtWitness]) -> Vec<(usize, &[usize])> {
    runs.iter().map(|run| (run.inputs.len(), &*run.reached)).collect()
}

#[test]
fn shortest_runs_come_first_and_serve_all_goals_they_reach() {
    let mut sketch = Sketch::default();
    let when = sketch.input(Type::Bool);
    let counter = sketch.counter(0, 2, Some(when));
    let goals: Vec<Goal> = [6, 2, 5].map(|value| equals(&mut sketch, counter, value)).into();
    let above = Goal::Above(0, Value::int(5));
    let goals = [goals, vec![above]].concat();
    let system = sketch.finish();
    let Some(runs) = runs(&system, &goals, &SmtStart::Initial, 6) else { return };
    assert_eq!(lengths(&runs), [(2, &[1][..]), (4, &[0, 3])]);
}

#[test]
fn a_search_can_start_in_any_given_state() {
    let mut sketch = Sketch::default();
    let counter = sketch.counter(0, -2, None);
    let goal = equals(&mut sketch, counter, -13);
    let system = sketch.finish();
    let from = |value: i64| SmtStart::State(vec![Value::int(value)]);
    let goals = [goal];
    let Some(found) = runs(&system, &goals, &from(-9), 9) else { return };
    assert_eq!(lengths(&found), [(3, &[0][..])]);
    assert_eq!(runs(&system, &goals, &from(-15), 9), Some(Vec::new()));
    let wrong = SmtBmc::new(&system, &goals, &[], SmtStart::State(Vec::new()), &limits().unwrap());
    assert_eq!(wrong.err(), Some(Error::State));
}

#[test]
fn reals_are_exact() {
    let mut sketch = Sketch::default();
    let sum = sketch.latch(Type::Real, Value::Real(Rational::ZERO));
    let (third, two) = (sketch.real(1, 3), sketch.real(2, 1));
    let more = sketch.binary(Binary::Add, sum, third);
    sketch.next(sum, more);
    let goal = Goal::Node(sketch.binary(Binary::Equal, sum, two));
    let system = sketch.finish();
    let Some(runs) = runs(&system, &[goal], &SmtStart::Initial, 9) else { return };
    assert_eq!(lengths(&runs), [(7, &[0][..])]);
}

#[test]
fn inputs_keep_to_their_types_and_to_the_assumptions_in_every_step() {
    let mut sketch = Sketch::default();
    let level = sketch.input(Type::Subrange((-2).into(), 5.into()));
    let names = ["Red", "Green"].map(str::to_owned).to_vec();
    let colour = sketch.input(Type::Enumeration(names));
    let unused = sketch.input(Type::Subrange(3.into(), 4.into()));
    let last = sketch.latch(Type::Int, Value::int(0));
    sketch.next(last, level);
    let goals = [
        equals(&mut sketch, level, 6),
        equals(&mut sketch, colour, 2),
        equals(&mut sketch, last, 5),
        equals(&mut sketch, colour, 1),
    ];
    let four = sketch.int(4);
    let low = sketch.binary(Binary::LessEqual, level, four);
    sketch.assume(low);
    let system = sketch.finish();
    let Some(runs) = runs(&system, &goals, &SmtStart::Initial, 3) else { return };
    assert_eq!(lengths(&runs), [(1, &[3][..])]);
    assert_eq!(runs[0].inputs[0][1], Value::Symbol("Green".to_owned()));
    assert_eq!(runs[0].inputs[0][system.inputs.len() - 1], Value::int(3), "{unused}");
}

#[test]
fn quotients_round_as_the_evaluator_says_and_by_zero_are_zero() {
    let mut sketch = Sketch::default();
    let (a, b) = (sketch.input(Type::Int), sketch.input(Type::Int));
    let quotient = sketch.binary(Binary::Div, a, b);
    let rest = sketch.binary(Binary::Mod, a, b);
    let (minus_seven, minus_three, zero) = (sketch.int(-7), sketch.int(-3), sketch.int(0));
    let known = sketch.binary(Binary::Equal, a, minus_seven);
    let by_three = sketch.binary(Binary::Equal, b, minus_three);
    let by_zero = sketch.binary(Binary::Equal, b, zero);
    let mut goal = |divisor, value, of| {
        let value = sketch.int(value);
        let equal = sketch.binary(Binary::Equal, of, value);
        let both = sketch.binary(Binary::And, known, divisor);
        Goal::Node(sketch.binary(Binary::And, both, equal))
    };
    let goals = [
        goal(by_three, 3, quotient),
        goal(by_three, 2, rest),
        goal(by_zero, 0, quotient),
        goal(by_three, 2, quotient),
        goal(by_zero, 1, rest),
    ];
    let system = sketch.finish();
    let Some(runs) = runs(&system, &goals, &SmtStart::Initial, 1) else { return };
    let mut reached: Vec<usize> = runs.into_iter().flat_map(|run| run.reached).collect();
    reached.sort_unstable();
    assert_eq!(reached, [0, 1, 2]);
}

#[test]
fn machine_integers_wrap_around() {
    let mut sketch = Sketch::default();
    let byte = Machine::new(Signedness::Signed, 8).unwrap();
    let counter = sketch.latch(Type::Machine(Signedness::Signed, 8), Value::int(125));
    let one = sketch.builder.graph().constant(Sort::Machine(byte), Value::int(1)).unwrap();
    let more = sketch.binary(Binary::Add, counter, one);
    sketch.next(counter, more);
    let number = sketch.unary(Unary::MachineToInt, counter);
    let goals = [
        equals(&mut sketch, number, -127),
        equals(&mut sketch, number, 128),
        Goal::Below(0, Value::int(-100)),
    ];
    let system = sketch.finish();
    let Some(runs) = runs(&system, &goals, &SmtStart::Initial, 6) else { return };
    assert_eq!(lengths(&runs), [(4, &[2][..]), (5, &[0])]);
}

#[test]
fn a_tied_input_tells_what_comes_later_and_is_false_at_the_end() {
    let mut sketch = Sketch::default();
    let later = sketch.input(Type::Bool);
    let counter = sketch.counter(0, 1, None);
    let Goal::Node(three) = equals(&mut sketch, counter, 3) else { unreachable!() };
    let Goal::Node(one) = equals(&mut sketch, counter, 1) else { unreachable!() };
    // Seen from step 1 on, but only in runs that get to step 3.
    let seen = sketch.binary(Binary::Or, three, later);
    let goal = Goal::Node(sketch.binary(Binary::And, one, seen));
    let system = sketch.finish();
    let Some(limits) = limits() else { return };
    let prophecies = [SmtProphecy { input: 0, node: seen }];
    let mut search =
        SmtBmc::new(&system, &[goal], &prophecies, SmtStart::Initial, &limits).unwrap();
    let run = search.next_run(9).unwrap().unwrap();
    let told: Vec<Value> = run.inputs.into_iter().flatten().collect();
    assert_eq!(told, [true, true, true, false].map(Value::Bool));
    let wrong = [SmtProphecy { input: 1, node: seen }];
    let refused = SmtBmc::new(&system, &[], &wrong, SmtStart::Initial, &limits);
    assert_eq!(refused.err(), Some(Error::SmtProphecy(0)));
}

#[test]
fn what_z3_cannot_tell_is_undecided_with_a_reason_and_does_not_hide_the_rest() {
    let mut sketch = Sketch::default();
    let [x, y] = [0; 2].map(|_| sketch.input(Type::Int));
    let squares = [x, y].map(|of| sketch.binary(Binary::Multiply, of, of));
    let cube = sketch.binary(Binary::Multiply, squares[1], y);
    let seven = sketch.int(7);
    let sum = sketch.binary(Binary::Add, cube, seven);
    // No square is a cube and seven, as Lebesgue has shown; z3 does not know.
    let hard = Goal::Node(sketch.binary(Binary::Equal, squares[0], sum));
    let easy = equals(&mut sketch, x, 4);
    let system = sketch.finish();
    let Some(mut limits) = limits() else { return };
    limits.work = 20_000;
    let goals = [hard, easy];
    let mut search = SmtBmc::new(&system, &goals, &[], SmtStart::Initial, &limits).unwrap();
    assert_eq!(search.next_run(1).unwrap().unwrap().reached, [1]);
    assert_eq!(search.next_run(1).unwrap(), None);
    let (steps, reason) = search.undecided(0).unwrap();
    let expected = "20000 units of solver work were spent on non-linear arithmetic";
    assert_eq!((*steps, &**reason), (1, expected));
}

#[test]
fn a_goal_that_is_no_boolean_is_refused() {
    let mut sketch = Sketch::default();
    let number = sketch.input(Type::Int);
    let goals = [equals(&mut sketch, number, 1), Goal::Node(number)];
    let system = sketch.finish();
    let Some(limits) = limits() else { return };
    let refused = SmtBmc::new(&system, &goals, &[], SmtStart::Initial, &limits);
    assert_eq!(refused.err(), Some(Error::Goal(1)));
}

#[test]
fn on_random_systems_every_run_is_real_and_nothing_reachable_is_excluded() {
    let Some(mut limits) = limits() else { return };
    limits.work = 200_000;
    let (mut found, mut excluded) = (0, 0);
    for seed in 0..40 {
        let (system, booleans) = random_system(seed, 40);
        let seen = reached_at_random(&system, &booleans, 2, seed);
        let goals: Vec<Goal> = booleans.iter().map(|node| Goal::Node(*node)).collect();
        let mut search = SmtBmc::new(&system, &goals, &[], SmtStart::Initial, &limits).unwrap();
        while let Some(run) = search.next_run(2).unwrap() {
            for goal in run.reached {
                assert!(reaches(&system, &goals[goal], &run.inputs), "seed {seed}, goal {goal}");
                found += 1;
            }
        }
        for goal in search.open().filter(|goal| search.undecided(*goal).is_none()) {
            assert!(!seen[goal], "seed {seed}: goal {goal} can be reached");
            excluded += 1;
        }
    }
    assert!(found > 100 && excluded > 50, "{found} found, {excluded} excluded");
}
