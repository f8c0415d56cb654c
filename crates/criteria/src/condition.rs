//! Condition coverage: each condition takes both values.

use obligato_model::{ConditionId, Goal, Program, Shortfall, Verdict};

use crate::evidence::{Evidence, covered_by};

/// Two goals per condition.
pub fn plan(program: &Program) -> Vec<Goal> {
    (0..program.conditions().len())
        .flat_map(|index| [true, false].map(|value| Goal::Value(ConditionId::new(index), value)))
        .collect()
}

/// Covered by every test in which the condition had the value.
pub fn judge(program: &Program, evidence: &Evidence, goal: &Goal) -> Verdict {
    let Goal::Value(condition, value) = *goal else {
        unreachable!("invariant: planned here");
    };
    let home = program.condition(condition);
    covered_by(evidence.tests_at(home.decision, |seen| seen.took(home.ordinal, value)), || {
        never_taken(program, evidence, condition)
    })
}

/// Why a value of a condition was never taken.
pub fn never_taken(program: &Program, evidence: &Evidence, condition: ConditionId) -> Shortfall {
    let home = program.condition(condition);
    let evaluated = evidence
        .of_decision(home.decision)
        .any(|(_, seen)| seen.took(home.ordinal, false) || seen.took(home.ordinal, true));
    if evaluated { Shortfall::NeverWithValue } else { Shortfall::NeverReached }
}
