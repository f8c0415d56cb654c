//! Random programs and recordings of them.

use std::collections::HashSet;

use obligato_model::program::{NewCondition, NewDecision};
use obligato_model::recording::ConditionEvaluation;
use obligato_model::{
    ArmId, BoolTree, Circuit, ConditionId, DecisionId, Exit, ExitId, Function, FunctionId, Integer,
    Mutant, MutantId, Observability, Operator, Program, Rational, RecordedEvent, RecordedTest,
    Recording, Relation, RelationOperator, Role, Span, Statement, StatementId, Strength,
    SuiteInterface, TreeBuilder, Watched,
};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

use super::{Seeds, name, names, number_type, seeds, span, value_of, variables};

/// A tree from a list of choices, as a stack machine.
fn tree(choices: &[u8]) -> BoolTree {
    let mut builder = TreeBuilder::new();
    let mut depth = 0;
    for choice in choices {
        match choice % 12 {
            0 if depth > 0 => builder.not().unwrap(),
            1 if depth > 2 => {
                builder.choose(Circuit::Short).unwrap();
                depth -= 2;
            }
            2 if depth > 2 => {
                builder.choose(Circuit::Full).unwrap();
                depth -= 2;
            }
            operator @ 3..=7 if depth > 1 => {
                builder.binary(OPERATORS[usize::from(operator) - 3]).unwrap();
                depth -= 1;
            }
            _ => {
                builder.condition();
                depth += 1;
            }
        }
    }
    if depth == 0 {
        builder.condition();
        depth = 1;
    }
    for _ in 1..depth {
        builder.binary(Operator::Or(Circuit::Short)).unwrap();
    }
    builder.finish().unwrap()
}

const OPERATORS: [Operator; 5] = [
    Operator::And(Circuit::Short),
    Operator::And(Circuit::Full),
    Operator::Xor,
    Operator::Equal,
    Operator::Implies,
];

fn relation() -> impl Strategy<Value = Relation> {
    use RelationOperator::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual};
    let operators = vec![Equal, NotEqual, Less, LessEqual, Greater, GreaterEqual];
    let operator = proptest::sample::select(operators);
    let operands = (option::of(seeds()), option::of(seeds()));
    (operator, number_type(), operands).prop_map(|(operator, kind, (left, right))| {
        let value = |(a, b): (Integer, u64)| value_of(&kind, &a, b);
        Relation { operator, left: left.map(value), right: right.map(value), kind: kind.clone() }
    })
}

fn new_condition() -> impl Strategy<Value = NewCondition> {
    let parts = (span(), name(), any::<Option<bool>>(), option::of(relation()));
    parts.prop_map(|(span, text, constant, relation)| {
        // What two constants give is not for the condition to say otherwise.
        let given = relation.as_ref().and_then(|relation| {
            let (left, right) = relation.left.as_ref().zip(relation.right.as_ref())?;
            Some(relation.operator.holds(left.compare(right)))
        });
        let constant = constant.map(|constant| given.unwrap_or(constant));
        NewCondition { span, text, constant, relation }
    })
}

type Elements = (
    (String, u8, Span, bool),
    Vec<(Span, String)>,
    Vec<(Span, String)>,
    Vec<(Span, String, bool, Vec<u8>, Vec<NewCondition>)>,
    Vec<(Span, String, Vec<(String, Span)>)>,
    Vec<(Span, String, String, String)>,
);

fn elements() -> impl Strategy<Value = Elements> {
    let choices = vec(any::<u8>(), 0..9);
    let conditions = vec(new_condition(), 9);
    let decision = (span(), name(), any::<bool>(), choices, conditions);
    (
        (name(), 0..3_u8, span(), any::<bool>()),
        vec((span(), name()), 0..3),
        vec((span(), name()), 0..3),
        vec(decision, 0..3),
        vec((span(), name(), vec((name(), span()), 0..3)), 0..3),
        vec((span(), name(), name(), name()), 0..3),
    )
}

/// A program. Files are added as functions name them, which is the order in which a
/// reader meets them.
pub fn program() -> impl Strategy<Value = Program> {
    let functions = vec(elements(), 0..4);
    let nesting = vec(any::<Option<u8>>(), 12);
    let parts = (variables(), variables(), 1..2000_u32, functions, nesting);
    parts.prop_map(|(inputs, outputs, step, functions, nesting)| {
        let mut program = Program::new();
        program.interface = SuiteInterface { inputs, outputs };
        program.real_step = Rational::from(1) / Rational::from(Integer::from(step));
        for elements in functions {
            add_function(&mut program, elements);
        }
        nest(&mut program, &nesting);
        program
    })
}

fn add_function(program: &mut Program, elements: Elements) {
    let ((name, file, span, entered), exits, statements, decisions, switches, mutants) = elements;
    let file = program.add_file(&format!("file{file}.c"));
    if program.functions().iter().any(|other| other.name == name && other.file == file) {
        return;
    }
    let function = program.add_function(Function { name, file, span, entered });
    for (span, text) in exits {
        program.add_exit(Exit { function, span, text });
    }
    for (span, text) in statements {
        program.add_statement(Statement { function, span, text });
    }
    for (span, text, is_control, choices, mut conditions) in decisions {
        let tree = tree(&choices);
        conditions.truncate(tree.conditions());
        let role = if is_control { Role::Control } else { Role::Value };
        program.add_decision(NewDecision { function, span, text, role, tree, conditions }).unwrap();
    }
    for (span, text, mut arms) in switches {
        let mut labels = HashSet::new();
        arms.retain(|(label, _)| labels.insert(label.split_whitespace().collect::<String>()));
        program.add_switch(function, span, text, arms);
    }
    for (span, operator, original, replacement) in mutants {
        program.add_mutant(Mutant { function, span, operator, original, replacement });
    }
}

/// Nests decisions in conditions of other ones: of later ones for even programs, of
/// earlier ones for odd ones, so that no cycle arises.
fn nest(program: &mut Program, nesting: &[Option<u8>]) {
    let decisions = program.decisions().len();
    for (index, choice) in (0..decisions).zip(nesting) {
        let others = if decisions.is_multiple_of(2) { index + 1..decisions } else { 0..index };
        if let (Some(choice), false) = (choice, others.is_empty()) {
            let other = DecisionId::new(others.start + usize::from(*choice) % others.len());
            let ordinal = usize::from(*choice) % program.decision(other).tree.conditions();
            let condition = program.condition_at(other, ordinal);
            program.nest(DecisionId::new(index), condition);
        }
    }
}

fn watched() -> impl Strategy<Value = Watched> {
    use Observability::{Exact, Strict, Tags};
    let effects = proptest::sample::subsequence(vec![Tags, Exact, Strict], 0..=3);
    let kills = proptest::sample::subsequence(vec![Strength::Weak, Strength::Strong], 0..=2);
    (effects, kills).prop_map(|(effects, kills)| Watched { effects, kills })
}

/// A program and a recording of it.
pub fn recording() -> impl Strategy<Value = (Program, Recording)> {
    let event = (any::<u8>(), any::<u16>(), any::<bool>(), option::of((seeds(), seeds())));
    let tests = (names(0..4), vec(vec(event, 0..30), 4));
    (program(), tests, watched()).prop_map(|(program, (names, events), watched)| {
        let tests = names.into_iter().zip(events).map(|(name, choices)| {
            let events = choices.into_iter().filter_map(|(kind, index, value, operands)| {
                event_of(&program, kind, usize::from(index), value, operands)
            });
            let events = events.filter(|event| match event {
                RecordedEvent::Observed(_, semantics) => watched.effects.contains(semantics),
                RecordedEvent::Killed(_, strength) => watched.kills.contains(strength),
                _ => true,
            });
            RecordedTest { name, events: events.collect() }
        });
        let recording = Recording { tests: tests.collect(), watched: watched.clone() };
        (program, recording)
    })
}

fn event_of(
    program: &Program,
    kind: u8,
    index: usize,
    value: bool,
    operands: Option<(Seeds, Seeds)>,
) -> Option<RecordedEvent> {
    let within = |count: usize| index.checked_rem(count);
    let evaluation = || {
        let condition = ConditionId::new(within(program.conditions().len())?);
        let relation = program.condition(condition).relation.as_ref();
        let operands = relation.zip(operands).map(|(relation, (left, right))| {
            let value = |(a, b): Seeds| value_of(&relation.kind, &a, b);
            Box::new((value(left), value(right)))
        });
        Some(ConditionEvaluation { condition, value, operands })
    };
    match kind % 8 {
        0 => {
            within(program.functions().len()).map(|at| RecordedEvent::Entered(FunctionId::new(at)))
        }
        1 => within(program.exits().len()).map(|at| RecordedEvent::Left(ExitId::new(at))),
        2 => within(program.statements().len())
            .map(|at| RecordedEvent::Executed(StatementId::new(at))),
        3 => within(program.arms().len()).map(|at| RecordedEvent::Switched(ArmId::new(at))),
        4 => {
            let strength = if value { Strength::Weak } else { Strength::Strong };
            let mutant = within(program.mutants().len());
            mutant.map(|at| RecordedEvent::Killed(MutantId::new(at), strength))
        }
        5 => {
            use Observability::{Exact, Strict, Tags};
            let observability = [Exact, Strict, Tags][index % 3];
            evaluation().map(|evaluation| RecordedEvent::Observed(evaluation, observability))
        }
        _ => evaluation().map(RecordedEvent::Evaluated),
    }
}
