//! Do we and clang say the same about the same tests?
//!
//! Decisions are told by their places in the preprocessed text, in which every token has its own.

use std::collections::BTreeMap;

use obligato_c_unit::{RunOptions, Unit};
use obligato_clang::{BooleanOperators, Decision, Source, Syntax, Text};
use obligato_criteria::{judge, plan};
use obligato_model::{
    Circuit, ConditionId, Criterion, DecisionId, Goal, Independence, Node, Operator, Position,
    Program, RecordedEvent, Span, Verdict,
};

use crate::coverage::{Coverage, measure};
use crate::replay::write_tests;
use crate::suite::{Rows, suite_for};

const MASKING: Criterion = Criterion::Mcdc(Independence::Masking);
const UNIQUE_CAUSE: Criterion = Criterion::Mcdc(Independence::UniqueCause);

/// How a suite looks to both.
#[derive(Debug, Default)]
pub struct Comparison {
    /// What they do not agree about.
    pub problems: Vec<String>,
    /// Conditions of which MC/DC was compared, and how many of them are covered.
    pub conditions: usize,
    /// How many of those are covered.
    pub covered: usize,
    /// Conditions of which the numbers of outcomes were compared.
    pub branches: usize,
    /// Decisions that clang has no MC/DC for, with the reason.
    pub dropped: Vec<(String, String)>,
}

/// What we say about a condition.
#[derive(Clone, Copy, Debug, Default)]
struct Ours {
    taken: [u64; 2],
    unique_cause: [bool; 2],
    masking: [bool; 2],
}

/// Measures a suite both ways; clang compiles with these flags.
pub fn compare(
    source: &Source,
    unit: &Unit,
    function: &str,
    rows: &Rows,
    flags: &[&str],
) -> Comparison {
    let interface = unit.interface(function).unwrap();
    let text = Text::read(source).unwrap();
    let syntax = Syntax::parse(&text, BooleanOperators::default()).unwrap();
    let tests = write_tests(&syntax, &interface, rows);
    let theirs = measure(text.bytes(), &tests, rows.len(), flags);
    let ours = measure_here(unit, function, rows);
    let lines = Lines(text.bytes().split(|byte| *byte == b'\n').collect());
    let program = unit.program();
    let mut comparison = Comparison::default();
    let emitted = |name: &str| program.functions().iter().any(|one| one.name == name);
    let functions = syntax.functions.iter().filter(|function| emitted(&function.name));
    let mut first = 0;
    for function in functions {
        let mut measured = Vec::new();
        for (index, decision) in function.decisions.iter().enumerate() {
            let id = DecisionId::new(first + index);
            let conditions = 0..decision.conditions.len();
            let ours: Vec<Ours> =
                conditions.map(|ordinal| ours[&program.condition_at(id, ordinal)]).collect();
            measured.push(comparison.add(
                &lines,
                program,
                Compared { id, decision, ours: &ours },
                &theirs,
            ));
            if measured[index] {
                continue;
            }
            let outer = decision.nested_in.is_some_and(|(outer, _)| !measured[outer.0]);
            let reason = reason(&lines, decision, &theirs, outer);
            comparison.dropped.push((program.decision(id).text.clone(), reason));
        }
        first += function.decisions.len();
    }
    assert_eq!(first, program.decisions().len());
    comparison
}

/// Runs the suite on the executor.
fn measure_here(unit: &Unit, function: &str, rows: &Rows) -> BTreeMap<ConditionId, Ours> {
    let interface = unit.interface(function).unwrap();
    let suite = suite_for(unit, &interface, rows);
    let criteria = [MASKING, UNIQUE_CAUSE];
    let measured = unit.measure(&interface, &suite, &criteria, RunOptions::default()).unwrap();
    let plan = plan(unit.program(), &criteria);
    let assessment = judge(unit.program(), plan, &measured.evidence).unwrap();
    let mut ours: BTreeMap<ConditionId, Ours> = BTreeMap::new();
    for (obligation, verdict) in assessment.plan.obligations.iter().zip(&assessment.verdicts) {
        let Goal::Independence(condition, value) = obligation.goal else { continue };
        let covered = matches!(verdict, Verdict::Covered { .. });
        let entry = ours.entry(condition).or_default();
        let halves = if obligation.criterion == MASKING {
            &mut entry.masking
        } else {
            &mut entry.unique_cause
        };
        halves[usize::from(value)] = covered;
    }
    let (recording, _) = unit.record(&interface, &suite, RunOptions::default()).unwrap();
    for event in recording.tests.iter().flat_map(|test| &test.events) {
        if let RecordedEvent::Evaluated(evaluation) = event {
            let entry = ours.entry(evaluation.condition).or_default();
            entry.taken[usize::from(evaluation.value)] += 1;
        }
    }
    ours
}

/// A decision with what we have found, by condition.
struct Compared<'a> {
    id: DecisionId,
    decision: &'a Decision,
    ours: &'a [Ours],
}

impl Comparison {
    /// Compares one decision. Does clang measure its MC/DC?
    fn add(
        &mut self,
        lines: &Lines<'_>,
        program: &Program,
        Compared { id, decision, ours }: Compared<'_>,
        theirs: &Coverage,
    ) -> bool {
        let (span, said) = (program.decision(id).span, &program.decision(id).text);
        let record = record_of(decision, theirs);
        for (index, (condition, ours)) in decision.conditions.iter().zip(ours).enumerate() {
            let known = program.condition(program.condition_at(id, index));
            let name = format!("{span} `{said}`, condition {} `{}`", index + 1, known.text);
            let implied = (0..2).all(|half| !ours.unique_cause[half] || ours.masking[half]);
            if !implied {
                self.problems.push(format!("{name}: unique cause without masking: {ours:?}"));
            }
            let branch = branch_of(lines, condition.stretch.span, theirs);
            // clang counts nothing where it has folded a constant.
            if let (Some(taken), None) = (branch, known.constant) {
                self.branches += 1;
                if taken != ours.taken {
                    self.problems.push(format!("{name}: [false, true] clang {taken:?} {ours:?}"));
                }
            }
            if let Some(record) = record {
                self.conditions += 1;
                self.covered += usize::from(record[index]);
                if ours.unique_cause != [record[index]; 2] {
                    self.problems.push(format!("{name}: clang {} {ours:?}", record[index]));
                }
            }
        }
        record.is_some()
    }
}

/// The record of a decision: the smallest that holds all its conditions, if it has as many.
fn record_of<'c>(decision: &Decision, theirs: &'c Coverage) -> Option<&'c Vec<bool>> {
    let conditions = &decision.conditions;
    let (first, last) = (conditions.first()?.stretch.span, conditions.last()?.stretch.span);
    let whole = Span { start: first.start, end: last.end };
    let holding = theirs.decisions.iter().filter(|(span, _)| holds(*span, whole));
    // Of two that hold it, the smaller one starts later or ends earlier.
    let record = holding.reduce(|one, other| if holds(one.0, other.0) { other } else { one })?;
    // A larger one around a single condition is that of another decision.
    let own = record.1.len() == conditions.len() && conditions.len() > 1;
    own.then_some(&record.1)
}

fn holds(outer: Span, inner: Span) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

/// The lines of the text.
struct Lines<'t>(Vec<&'t [u8]>);

impl Lines<'_> {
    fn between(&self, start: Position, end: Position) -> String {
        let mut found = Vec::new();
        for line in start.line..=end.line {
            let bytes = self.0[line as usize - 1];
            let from = if line == start.line { start.column as usize - 1 } else { 0 };
            let to = if line == end.line { end.column as usize - 1 } else { bytes.len() };
            found.extend_from_slice(&bytes[from..to]);
        }
        String::from_utf8_lossy(&found).replace("__builtin_expect", "").replace(' ', "")
    }
}

/// How often the branch on a condition was false and true. clang's may be larger by what only wraps it, and
/// by an odd number of `!` the other way round.
fn branch_of(lines: &Lines<'_>, condition: Span, theirs: &Coverage) -> Option<[u64; 2]> {
    let mut around = theirs.branches.iter().filter(|(span, _)| holds(*span, condition));
    around.find_map(|(span, taken)| {
        let before = lines.between(span.start, condition.start);
        let after = lines.between(condition.end, span.end);
        let wraps = opens(&before) && after.chars().all(|one| matches!(one, ')' | ',' | '0'..='9'));
        let turned = before.matches('!').count() % 2 == 1;
        wraps.then(|| if turned { [taken[1], taken[0]] } else { *taken })
    })
}

fn opens(text: &str) -> bool {
    text.chars().all(|one| matches!(one, '(' | '!'))
}

/// Why clang has no MC/DC for a decision.
fn reason(lines: &Lines<'_>, decision: &Decision, theirs: &Coverage, in_dropped: bool) -> String {
    let span = decision.stretch.span;
    let refused = theirs.refused.iter().find(|(at, _)| {
        let inside = span.start <= *at && *at < span.end;
        inside || (*at < span.start && opens(&lines.between(*at, span.start)))
    });
    let full = decision.tree.nodes().iter().any(|node| match node {
        Node::Binary(operator, ..) => {
            !matches!(operator, Operator::And(Circuit::Short) | Operator::Or(Circuit::Short))
        }
        _ => false,
    });
    let chooses = decision.tree.nodes().iter().any(|node| matches!(node, Node::Choose(..)));
    if decision.conditions.len() == 1 {
        "one condition".to_owned()
    } else if in_dropped {
        "inside of a decision that is dropped".to_owned()
    } else if let Some((_, said)) = refused {
        said.clone()
    } else if full {
        "operators without short circuit".to_owned()
    } else if chooses {
        "a choice of Booleans".to_owned()
    } else {
        "no reason is known".to_owned()
    }
}
