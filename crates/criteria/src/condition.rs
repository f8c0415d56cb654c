//! Condition coverage: each condition takes both values.

use obligato_model::{ConditionId, Goal, Program, Shortfall, Verdict};

use crate::evidence::Evidence;

/// Two goals per condition.
pub fn plan(program: &Program) -> Vec<Goal> {
    (0..program.conditions().len())
        .flat_map(|index| [true, false].map(|value| Goal::Value(ConditionId::new(index), value)))
        .collect()
}

/// Covered by every test in which the condition had the value.
pub fn judge(program: &Program, evidence: &Evidence, goal: &Goal) -> Verdict {
    let Goal::Value(condition, value) = goal else {
        unreachable!("invariant: planned here");
    };
    evidence.verdict(
        |test| test.took(program, *condition, *value),
        || never_taken(program, evidence, *condition),
    )
}

/// Why a value of a condition was never taken.
pub fn never_taken(program: &Program, evidence: &Evidence, condition: ConditionId) -> Shortfall {
    let reached = evidence.any(|test| test.evaluated(program, condition));
    if reached { Shortfall::NeverSo } else { Shortfall::NeverReached }
}
