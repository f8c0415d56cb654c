//! Programs written as decision texts, and recordings made by evaluating them.

use obligato_criteria::{Vectors, collect, judge, plan};
use obligato_model::{
    Assessment, BoolTree, ConditionEvaluation, ConditionId, Criterion, DecisionId, Function,
    FunctionId, NewCondition, NewDecision, Program, RecordedEvent, RecordedTest, Recording,
    Relation, RelationOperator, Role, Signedness, Span, Type, Value, Verdict, Watched, tree,
};

/// A program with these decisions in one function.
pub fn program(decisions: &[&str]) -> Program {
    let mut program = Program::new();
    let function = add_function(&mut program, "f");
    for text in decisions {
        add_decision(&mut program, function, text);
    }
    program
}

pub fn add_function(program: &mut Program, name: &str) -> FunctionId {
    let file = program.add_file("unit.c");
    let span = Span::of_line(name);
    program.add_function(Function { name: name.to_owned(), file, span, entered: false })
}

pub fn add_decision(program: &mut Program, function: FunctionId, text: &str) -> DecisionId {
    let parsed = tree::parse(text).expect("a decision");
    let conditions = parsed.conditions.into_iter().map(|range| NewCondition {
        span: Span::of_line(text),
        text: text[range].to_owned(),
        constant: None,
        relation: None,
    });
    let conditions = conditions.collect();
    let text = text.to_owned();
    let span = Span::of_line(&text);
    let (role, tree) = (Role::Control, parsed.tree);
    program
        .add_decision(NewDecision { function, span, text, role, tree, conditions })
        .expect("a decision")
}

pub fn evaluated(condition: ConditionId, value: bool) -> RecordedEvent {
    RecordedEvent::Evaluated(ConditionEvaluation { condition, value, operands: None })
}

/// The events of evaluating one decision on these values.
pub fn evaluation(program: &Program, decision: DecisionId, values: &[bool]) -> Vec<RecordedEvent> {
    let row = program.decision(decision).tree.evaluate(values);
    let seen = row.evaluated().iter();
    seen.map(|at| evaluated(program.condition_at(decision, at), row.values().contains(at)))
        .collect()
}

/// `"TFT"` as values.
pub fn values(row: &str) -> Vec<bool> {
    row.chars().map(|letter| letter == 'T').collect()
}

/// One test per row, each evaluating the program's only decision once.
pub fn recording(program: &Program, rows: &[&str]) -> Recording {
    let tests = rows.iter().map(|row| RecordedTest {
        name: (*row).to_owned(),
        events: evaluation(program, DecisionId::new(0), &values(row)),
    });
    Recording { watched: Watched::default(), tests: tests.collect() }
}

pub fn assess(program: &Program, recording: &Recording, criteria: &[&str]) -> Assessment {
    let criteria: Vec<Criterion> =
        criteria.iter().map(|name| name.parse().expect("a criterion")).collect();
    let evidence = collect(program, recording, Vectors::Keep).expect("a consistent recording");
    judge(program, plan(program, &criteria), &evidence).expect("no refuted proof")
}

/// The texts of what is covered.
pub fn covered(assessment: &Assessment) -> Vec<&str> {
    with_verdict(assessment, |verdict| matches!(verdict, Verdict::Covered { .. }))
}

pub fn with_verdict(assessment: &Assessment, is: fn(&Verdict) -> bool) -> Vec<&str> {
    let all = assessment.plan.obligations.iter().zip(&assessment.verdicts);
    all.filter(|(_, verdict)| is(verdict)).map(|(obligation, _)| obligation.text.as_str()).collect()
}

/// Covered and total.
pub fn score(assessment: &Assessment) -> (usize, usize) {
    (covered(assessment).len(), assessment.verdicts.len())
}

/// `if (x >= 10)` on a C `int`.
pub fn comparison() -> Program {
    let mut program = Program::new();
    let function = add_function(&mut program, "SampleBVC");
    let text = "x >= 10".to_owned();
    let span = Span::of_line(&text);
    let relation = Relation {
        operator: RelationOperator::GreaterEqual,
        kind: Type::Machine(Signedness::Signed, 32),
        left: None,
        right: Some(Value::int(10)),
    };
    let relation = Some(relation);
    let condition = NewCondition { span, text: text.clone(), constant: None, relation };
    let (role, tree, conditions) = (Role::Control, BoolTree::single(), vec![condition]);
    program
        .add_decision(NewDecision { function, span, text, role, tree, conditions })
        .expect("a decision");
    program
}

/// The comparison `x >= y` of that program on two operands.
pub fn compared(x: i64, y: i64) -> ConditionEvaluation {
    let operands = Some(Box::new((Value::int(x), Value::int(y))));
    ConditionEvaluation { condition: ConditionId::new(0), value: x >= y, operands }
}
