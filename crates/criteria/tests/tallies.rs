//! A tally finds what a collector finds, although it is told far less: on random decisions, and runs in which evaluations are
//! nested in calls, abandoned and begun anew.

#[allow(dead_code)]
mod harness;
#[allow(dead_code)]
mod reference;

use harness::{add_decision, evaluated};
use obligato_criteria::evidence::TestEvidence;
use obligato_criteria::{Collector, Contradiction, EvidenceTally, Vectors};
use obligato_model::program::{NewCondition, NewDecision};
use obligato_model::{
    DecisionId, Exit, ExitId, Function, FunctionId, Program, RecordedEvent, Role, Span, Watched,
};
use proptest::prelude::*;
use reference::Expr;

struct Unit {
    program: Program,
    function: FunctionId,
    exit: ExitId,
}

fn unit() -> Unit {
    let mut program = Program::new();
    let file = program.add_file("unit.c");
    let span = Span::of_line("return");
    let function =
        program.add_function(Function { name: "f".to_owned(), file, span, entered: true });
    let exit = program.add_exit(Exit { function, span, text: "return".to_owned() });
    Unit { program, function, exit }
}

fn add_expression(unit: &mut Unit, expr: &Expr) {
    let tree = expr.tree();
    let span = Span::of_line("d");
    let condition =
        |at| NewCondition { span, text: format!("c{at}"), constant: None, relation: None };
    let conditions = (0..tree.conditions()).map(condition).collect();
    let (function, text, role) = (unit.function, tree.to_string(), Role::Control);
    unit.program
        .add_decision(NewDecision { function, span, text, role, tree, conditions })
        .expect("a decision");
}

fn small_tree() -> impl Strategy<Value = Expr> {
    reference::any_tree(8).prop_filter("up to 8", |expr| expr.conditions() <= 8)
}

/// What a run does next; the number says to which decision or value.
#[derive(Clone, Copy, Debug)]
enum Act {
    /// Evaluates what is due in a decision.
    Evaluate(usize, bool),
    /// Gives up the evaluation of a decision.
    Abandon(usize),
    Call,
    Return,
}

fn any_act() -> impl Strategy<Value = Act> {
    prop_oneof![
        12 => (0_usize..3, any::<bool>()).prop_map(|(at, value)| Act::Evaluate(at, value)),
        1 => (0_usize..3).prop_map(Act::Abandon),
        1 => Just(Act::Call),
        1 => Just(Act::Return),
    ]
}

/// Per decision, the conditions evaluated so far in a call, with their values.
type Call = Vec<Vec<(usize, bool)>>;

/// The condition that is due after these; none if they end the decision.
fn due(unit: &Unit, decision: DecisionId, evaluated: &[(usize, bool)]) -> Option<usize> {
    let tree = &unit.program.decision(decision).tree;
    let mut values = vec![false; tree.conditions()];
    for (at, value) in evaluated {
        values[*at] = *value;
    }
    let row = tree.evaluate(&values);
    row.evaluated().iter().find(|at| evaluated.iter().all(|(known, _)| known != at))
}

/// Tells both of a run, and gives what each has found.
fn tell(unit: &Unit, acts: &[Act], vectors: Vectors) -> [Result<TestEvidence, Contradiction>; 2] {
    let program = &unit.program;
    let mut collector = Collector::new(program, &Watched::default(), vectors);
    let mut tally = EvidenceTally::new(program, &Watched::default(), vectors, |_| None);
    collector.begin("t");
    tally.begin("t");
    let decisions = program.decisions().len();
    let mut calls: Vec<Call> = vec![vec![Vec::new(); decisions]];
    collector.take(&RecordedEvent::Entered(unit.function)).expect("an entry");
    for act in acts {
        let depth = calls.len() as u32;
        let call = calls.last_mut().expect("a call");
        match *act {
            Act::Evaluate(at, value) => {
                let decision = DecisionId::new(at % decisions);
                let running = &mut call[decision.index()];
                let ordinal = due(unit, decision, running).unwrap_or_else(|| {
                    running.clear();
                    0
                });
                running.push((ordinal, value));
                let condition = program.condition_at(decision, ordinal);
                collector.take(&evaluated(condition, value)).expect("in order");
                if tally.is_counted(decision) {
                    tally.count(condition, [u64::from(!value), u64::from(value)]);
                } else {
                    tally.evaluate(decision, ordinal as u32, depth, value);
                }
            }
            Act::Abandon(at) => call[at % decisions].clear(),
            Act::Call => {
                collector.take(&RecordedEvent::Entered(unit.function)).expect("an entry");
                calls.push(vec![Vec::new(); decisions]);
            }
            Act::Return if calls.len() > 1 => {
                collector.take(&RecordedEvent::Left(unit.exit)).expect("an exit");
                calls.pop();
            }
            Act::Return => {}
        }
    }
    [collector.finish(), tally.finish()]
}

proptest! {
    #[test]
    fn a_tally_finds_what_a_collector_finds(
        trees in proptest::collection::vec(small_tree(), 1..3),
        acts in proptest::collection::vec(any_act(), 0..200),
        keep in any::<bool>(),
    ) {
        let mut unit = unit();
        for tree in &trees {
            add_expression(&mut unit, tree);
        }
        let vectors = if keep { Vectors::Keep } else { Vectors::Drop };
        let [collected, tallied] = tell(&unit, &acts, vectors);
        prop_assert_eq!(collected.expect("in order").decisions, tallied.expect("in order").decisions);
    }
}

#[test]
fn chains_are_counted_and_mixed_decisions_are_followed() {
    let mut unit = unit();
    let texts =
        ["a", "a && b && c", "a || b || !c", "!(a && b)", "a && b || c", "a ^ b", "a ? b : c"];
    let decisions: Vec<DecisionId> =
        texts.iter().map(|text| add_decision(&mut unit.program, unit.function, text)).collect();
    let tally = EvidenceTally::new(&unit.program, &Watched::default(), Vectors::Drop, |_| None);
    let counted: Vec<bool> = decisions.iter().map(|decision| tally.is_counted(*decision)).collect();
    assert_eq!(counted, [true, true, true, true, false, false, true]);
}

#[test]
fn a_condition_that_is_evaluated_more_often_than_it_is_due_is_a_contradiction() {
    let mut unit = unit();
    let decision = add_decision(&mut unit.program, unit.function, "a && b");
    let (a, b) = (unit.program.condition_at(decision, 0), unit.program.condition_at(decision, 1));
    let mut tally = EvidenceTally::new(&unit.program, &Watched::default(), Vectors::Drop, |_| None);
    tally.begin("t");
    tally.count(a, [3, 2]);
    tally.count(b, [1, 1]);
    assert_eq!(tally.finish().expect("in order").decisions.len(), 1);
    tally.count(a, [3, 2]);
    tally.count(b, [2, 1]);
    let wrong = tally.finish().expect_err("b was evaluated three times, a was true twice");
    assert!(wrong.to_string().contains("condition 2 of `a && b` cannot come here"), "{wrong}");
    tally.count(b, [1, 0]);
    assert!(tally.finish().is_err());
}

#[test]
fn a_followed_condition_that_is_not_due_is_a_contradiction() {
    let mut unit = unit();
    let decision = add_decision(&mut unit.program, unit.function, "a && b || c");
    let mut tally = EvidenceTally::new(&unit.program, &Watched::default(), Vectors::Drop, |_| None);
    tally.begin("t");
    tally.evaluate(decision, 0, 1, true);
    tally.evaluate(decision, 2, 1, true);
    let wrong = tally.finish().expect_err("b is due");
    assert!(wrong.to_string().contains("condition 2 is due"), "{wrong}");
}

#[test]
fn many_ways_are_given_up_but_not_what_they_have_shown() {
    let mut unit = unit();
    let names: Vec<String> = (0..18).map(|at| format!("x{at}")).collect();
    let decision = add_decision(&mut unit.program, unit.function, &names.join(" ^ "));
    let mut tally = EvidenceTally::new(&unit.program, &Watched::default(), Vectors::Drop, |_| None);
    tally.begin("t");
    for row in 0_u32..1 << 16 {
        for ordinal in 0..18 {
            tally.evaluate(decision, ordinal, 1, row >> ordinal & 1 == 1);
        }
    }
    let test = tally.finish().expect("in order");
    let seen = test.decision(decision).expect("reached");
    let values = |ordinal: usize| [seen.took(ordinal, false), seen.took(ordinal, true)];
    assert!((0..16).all(|ordinal| values(ordinal) == [true, true]));
    assert!((16..18).all(|ordinal| values(ordinal) == [true, false]));
}
