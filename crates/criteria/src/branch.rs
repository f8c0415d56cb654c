//! Branch coverage: each outcome of each decision that steers control, and each
//! arm of each `switch`, the implicit default included.

use obligato_model::{ArmId, DecisionId, Goal, Program, Role, Shortfall, Verdict};

use crate::decision;
use crate::evidence::{Evidence, covered_by};

/// One goal per outcome of a control decision and per `switch` arm.
pub fn plan(program: &Program) -> Vec<Goal> {
    let outcomes = decision::plan(program).into_iter().filter(|goal| match goal {
        Goal::Outcome(decision, _) => steers(program, *decision),
        _ => false,
    });
    let arms = (0..program.arms().len()).map(|index| Goal::Switch(ArmId::new(index)));
    outcomes.chain(arms).collect()
}

fn steers(program: &Program, decision: DecisionId) -> bool {
    program.decision(decision).role == Role::Control
}

/// Covered by every test that goes that way.
pub fn judge(program: &Program, evidence: &Evidence, goal: &Goal) -> Verdict {
    let Goal::Switch(arm) = goal else {
        return decision::judge(evidence, goal);
    };
    covered_by(evidence.tests_where(|test| test.switched.contains(arm.index())), || {
        let siblings = program.switches()[program.arms()[arm.index()].switch].arms.clone();
        let reached = evidence.any(|test| siblings.clone().any(|arm| test.switched.contains(arm)));
        if reached { Shortfall::NeverWithValue } else { Shortfall::NeverReached }
    })
}
