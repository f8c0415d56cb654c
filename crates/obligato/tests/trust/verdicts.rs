//! The verdicts of obligato for a unit, held against what its twin did.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use obligato::campaign::Budget;
use obligato::generate::{GenerateRequest, Generated, Generation, Unobserved, generate};
use obligato::judging::JudgingOptions;
use obligato::subject::SubjectOptions;
use obligato::{Criterion, Stop};
use obligato_model::{ArmId, Goal, Independence, Program, Span, Verdict};

use crate::marked::Marked;
use crate::oracle::Observed;

pub const CRITERIA: [Criterion; 5] = [
    Criterion::Statement,
    Criterion::Branch,
    Criterion::Decision,
    Criterion::Condition,
    Criterion::Mcdc(Independence::Masking),
];

/// How the verdicts for a unit stand to what happened.
#[derive(Default, Debug)]
pub struct Compared {
    /// Verdicts that are wrong, and what is missing, one sentence each.
    pub wrong: Vec<String>,
    /// Obligations that happened and are covered.
    pub covered: usize,
    /// Obligations that never happened and are uncoverable.
    pub uncoverable: usize,
    /// Obligations that happened and are unresolved.
    pub missed: Vec<String>,
    /// Obligations that never happened and are unresolved.
    pub unproved: Vec<String>,
}

/// How obligato is asked.
#[derive(Clone, Copy)]
pub struct Asked {
    pub work: u64,
    /// Are tests run as machine code as well?
    pub native: bool,
    /// Is the result stored in [`STORE`]?
    pub stored: bool,
}

/// The file of a function, in its directory.
pub const UNIT: &str = "unit.c";
/// The directory of its result.
pub const STORE: &str = "store";

/// Generates for a function of plain C.
pub fn verdicts(
    text: &str,
    function: &str,
    directory: &Path,
    asked: Asked,
) -> Result<Generated, String> {
    let file = directory.join(UNIT);
    fs::write(&file, text).expect("a scratch file can be written");
    let mut subject = SubjectOptions::new(file).with_function(function);
    subject.unit.no_native = !asked.native;
    let mut judging = JudgingOptions::new(CRITERIA);
    judging.store = asked.stored.then(|| directory.join(STORE));
    let request = GenerateRequest {
        budget: Budget::Work(asked.work),
        ..GenerateRequest::new(subject, judging)
    };
    match generate(&request, &Stop::never(), &mut Unobserved) {
        Ok(Generation::One(generated)) => Ok(*generated),
        Ok(Generation::Each(_)) => panic!("one function was named"),
        Err(error) => Err(error.to_string()),
    }
}

/// Compares verdicts with what happened.
pub fn compare(generated: &Generated, marked: &Marked, observed: &Observed) -> Compared {
    let mut compared = Compared::default();
    let program = &generated.program;
    let mut asked: Vec<[usize; 2]> = vec![[0; 2]; marked.conditions.len()];
    let assessed = generated.assessment.plan.obligations.iter().zip(&generated.assessment.verdicts);
    for (obligation, verdict) in assessed {
        let Some(happened) =
            happened(program, &obligation.goal, marked, observed, &mut compared.wrong)
        else {
            continue;
        };
        if let Goal::Value(condition, value) = obligation.goal {
            let span = program.condition(condition).span;
            if let Some(at) = marked.conditions.iter().position(|one| *one == span) {
                asked[at][usize::from(value)] += 1;
            }
        }
        let said = format!(
            "{} {}: {} ({})",
            obligation.span.start,
            obligation.criterion,
            obligation.text,
            words(verdict)
        );
        match verdict {
            Verdict::Covered { .. } if happened || !observed.complete => compared.covered += 1,
            Verdict::Uncoverable(_) if !happened => compared.uncoverable += 1,
            Verdict::Covered { .. } => compared.wrong.push(format!("never happens: {said}")),
            Verdict::Uncoverable(_) => compared.wrong.push(format!("happens: {said}")),
            _ if happened => compared.missed.push(said),
            _ => compared.unproved.push(said),
        }
    }
    for (span, counts) in marked.conditions.iter().zip(&asked) {
        if *counts != [1, 1] {
            compared
                .wrong
                .push(format!("{span}: a condition without its two obligations: {counts:?}"));
        }
    }
    compared
}

/// Has what the goal asks happened? None if its place is of a kind that is not marked.
fn happened(
    program: &Program,
    goal: &Goal,
    marked: &Marked,
    observed: &Observed,
    wrong: &mut Vec<String>,
) -> Option<bool> {
    let mut missing = |what: &str, span: Span, text: &str| {
        wrong.push(format!("{span}: {what} '{text}' is not marked"));
    };
    match *goal {
        Goal::Value(id, value) => {
            let condition = program.condition(id);
            let at = marked.conditions.iter().position(|one| *one == condition.span);
            if at.is_none() {
                missing("condition", condition.span, &condition.text);
            }
            Some(observed.took(at?, value))
        }
        Goal::Outcome(id, value) => {
            let decision = program.decision(id);
            let at = marked.decisions.iter().position(|one| one.span == decision.span);
            if at.is_none() {
                missing("decision", decision.span, &decision.text);
            }
            Some(observed.came_out(at?, value))
        }
        Goal::Independence(id, value) => {
            let condition = program.condition(id);
            let at = marked.conditions.iter().position(|one| *one == condition.span)?;
            let (number, decision) = marked
                .decisions
                .iter()
                .enumerate()
                .find(|(_, one)| one.conditions.contains(&at))?;
            let ordinal = decision.conditions.iter().position(|one| *one == at)?;
            Some(observed.showed(number, decision, ordinal, value))
        }
        Goal::Execute(id) => statement_at(marked, program.statements()[id.index()].span)
            .map(|at| observed.executed(at)),
        Goal::Leave(id) => {
            statement_at(marked, program.exits()[id.index()].span).map(|at| observed.left(at))
        }
        Goal::Switch(id) => switched(program, id, marked, observed),
        _ => None,
    }
}

fn statement_at(marked: &Marked, span: Span) -> Option<usize> {
    marked.statements.iter().position(|one| one.start == span.start)
}

/// Only numbers as labels are understood here.
fn switched(program: &Program, id: ArmId, marked: &Marked, observed: &Observed) -> Option<bool> {
    let switch = &program.switches()[program.arms()[id.index()].switch];
    let at = marked
        .switches
        .iter()
        .position(|one| switch.span.start <= one.start && one.end <= switch.span.end)?;
    let label = |text: &str| match text.strip_prefix("case ") {
        Some(label) => label.trim().parse().ok().map(Some),
        None => Some(None),
    };
    let labels: Option<Vec<Option<i64>>> =
        program.arms()[switch.arms.clone()].iter().map(|arm| label(&arm.label)).collect();
    let labels: Vec<i64> = labels?.into_iter().flatten().collect();
    Some(observed.went_to(at, label(&program.arms()[id.index()].label)?, &labels))
}

/// A verdict with its reasons.
fn words(verdict: &Verdict) -> String {
    let mut words = verdict.name().to_owned();
    let _ = match verdict {
        Verdict::Uncoverable(proof) => {
            let assumptions: Vec<String> =
                proof.assumptions.iter().map(ToString::to_string).collect();
            write!(words, ": {}, {}", proof.method, assumptions.join(", "))
        }
        Verdict::Unresolved(limit) => write!(words, ": {limit}"),
        _ => Ok(()),
    };
    words
}
