//! What covers a goal, as C over what an evaluation of its decision has noted.

use obligato_c_unit::annotation::{MOST_NOTED, NotedNames};
use obligato_criteria::{marking, mcc, mcdc};
use obligato_model::{Condition, DecisionId, Evaluation, Goal, Program};

/// An event at the end of the evaluation of a decision.
pub(super) struct AssertedEvent {
    /// The decision.
    pub(super) decision: DecisionId,
    /// An expression of C that holds when the event occurs.
    pub(super) expression: String,
}

/// Decisions with more evaluations are not listed.
const MOST_EVALUATIONS: u128 = 4096;

/// The event that covers a goal, or why no assertion speaks of it.
pub(super) fn event(program: &Program, goal: &Goal) -> Result<AssertedEvent, &'static str> {
    let (decision, expression) = match goal {
        Goal::Outcome(decision, value) => {
            let outcome = NotedNames::of(*decision).outcome;
            (*decision, format!("{outcome} == {}", u8::from(*value)))
        }
        Goal::Value(condition, value) => {
            let Condition { decision, ordinal, .. } = *program.condition(*condition);
            let NotedNames { seen, held, .. } = NotedNames::of(decision);
            let took = format!("({held} >> {ordinal} & 1) == {}", u8::from(*value));
            (decision, format!("({seen} >> {ordinal} & 1) && {took}"))
        }
        Goal::Vector(decision, evaluation) => (*decision, equals(*decision, evaluation)),
        Goal::Independence(condition, value) => {
            let Condition { decision, ordinal, .. } = *program.condition(*condition);
            (decision, decides(program, decision, ordinal, *value)?)
        }
        _ => return Err("no evaluation of a decision shows it"),
    };
    let conditions = program.conditions_of(decision);
    if conditions.len() > MOST_NOTED {
        return Err("its decision has too many conditions");
    }
    if conditions.iter().all(|one| one.constant.is_some()) {
        return Err("its decision is a constant");
    }
    Ok(AssertedEvent { decision, expression })
}

/// The decision was evaluated exactly so.
fn equals(decision: DecisionId, evaluation: &Evaluation) -> String {
    let NotedNames { seen, held, .. } = NotedNames::of(decision);
    let word = |value: Option<bool>, bit: usize| u64::from(value == Some(true)) << bit;
    let (mut evaluated, mut values) = (0_u64, 0_u64);
    for condition in 0..evaluation.conditions().min(MOST_NOTED) {
        let value = evaluation.value(condition);
        evaluated |= word(value.map(|_| true), condition);
        values |= word(value, condition);
    }
    format!("{seen} == {evaluated:#x}ul && {held} == {values:#x}ul")
}

/// The condition has the value and is not masked: one of the evaluations in which that is so.
fn decides(
    program: &Program,
    decision: DecisionId,
    ordinal: usize,
    value: bool,
) -> Result<String, &'static str> {
    let tree = &program.decision(decision).tree;
    if !mcdc::fixing_the_outcome(tree).contains(ordinal) {
        return Err("its two halves go together");
    }
    if mcc::count(tree) > MOST_EVALUATIONS {
        return Err("its decision has too many evaluations");
    }
    let constants = program.constants_of(decision);
    let shows = |evaluation: &Evaluation| {
        let unmasked = marking::unmasked(tree, &constants, evaluation);
        evaluation.value(ordinal) == Some(value)
            && unmasked.is_some_and(|unmasked| unmasked.contains(ordinal))
    };
    let all = mcc::list(tree).into_iter().filter(shows);
    let all: Vec<String> = all.map(|one| format!("({})", equals(decision, &one))).collect();
    if all.is_empty() { Err("its decision rules it out") } else { Ok(all.join(" || ")) }
}
