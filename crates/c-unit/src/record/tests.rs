//! Tests of how folded conditions are put back.

use obligato_model::tree::parse;
use obligato_model::{FileId, Function, NewCondition, NewDecision, Role, Span};

use super::*;

/// A program of one function with one decision, of which some conditions are folded.
fn fixture(text: &str, folded: &[Option<bool>]) -> (Program, Folded) {
    let mut program = Program::new();
    let span = Span::of_line(text);
    program.add_file("f.c");
    let name = "f".to_owned();
    let function =
        program.add_function(Function { name, file: FileId::new(0), span, entered: true });
    let tree = parse(text).unwrap().tree;
    let conditions = folded.iter().map(|constant| NewCondition {
        span,
        text: String::new(),
        constant: *constant,
        relation: None,
    });
    let conditions = conditions.collect();
    let (text, role) = (text.to_owned(), Role::Control);
    program.add_decision(NewDecision { function, span, text, role, tree, conditions }).unwrap();
    (program, Folded(vec![Some(folded.to_vec())]))
}

/// What is recorded when these conditions are seen.
fn recorded(text: &str, folded: &[Option<bool>], seen: &[(usize, bool)]) -> Vec<(usize, bool)> {
    let (program, folded) = fixture(text, folded);
    let mut recorder = Recorder::new(&program, &folded);
    let mut events = Vec::new();
    for (condition, value) in seen {
        let meaning = Meaning::Evaluate(ConditionId::new(*condition));
        recorder.pass(&meaning, u64::from(*value), &[], |event| match event {
            RecordedEvent::Evaluated(evaluation) => {
                events.push((evaluation.condition.index(), evaluation.value));
            }
            other => panic!("{other:?}"),
        });
    }
    events
}

#[test]
fn folded_conditions_come_where_they_are_due_and_only_there() {
    let last = [None, Some(true)];
    assert_eq!(recorded("a && b", &last, &[(0, true)]), [(0, true), (1, true)]);
    assert_eq!(recorded("a && b", &last, &[(0, false)]), [(0, false)]);
    let first = [Some(false), None];
    assert_eq!(recorded("a || b", &first, &[(1, true)]), [(0, false), (1, true)]);
    let between = [None, Some(true), None];
    let seen = [(0, true), (2, false)];
    let expected = [(0, true), (1, true), (2, false)];
    assert_eq!(recorded("a && b && c", &between, &seen), expected);
}

#[test]
fn each_evaluation_has_its_own_folded_conditions() {
    let seen = [(1, true), (1, false), (1, true)];
    let expected = [(0, true), (1, true), (0, true), (1, false), (0, true), (1, true)];
    assert_eq!(recorded("a && b", &[Some(true), None], &seen), expected);
}

#[test]
fn a_decision_of_which_nothing_is_left_is_evaluated_when_it_is_passed() {
    let (program, folded) = fixture("a || b", &[Some(true), Some(false)]);
    let mut recorder = Recorder::new(&program, &folded);
    let mut count = 0;
    recorder.pass(&Meaning::Pass(DecisionId::new(0)), 0, &[], |_| count += 1);
    assert_eq!(count, 1);
}
