//! Condition/decision coverage: both of its parts.

use obligato_model::{Goal, Program, Verdict};

use crate::{condition, decision, evidence::Evidence};

/// The goals of decision and of condition coverage.
pub fn plan(program: &Program) -> Vec<Goal> {
    let mut goals = decision::plan(program);
    goals.extend(condition::plan(program));
    goals
}

/// Judged as its part is.
pub fn judge(program: &Program, evidence: &Evidence, goal: &Goal) -> Verdict {
    match goal {
        Goal::Outcome(..) => decision::judge(evidence, goal),
        _ => condition::judge(program, evidence, goal),
    }
}
