//! Decision coverage: each decision comes out both ways, wherever it stands
//! (the DO-178C reading, not only where it steers control).

use obligato_model::{DecisionId, Goal, Program, Shortfall, Verdict};

use crate::evidence::Evidence;

/// Two goals per decision.
pub fn plan(program: &Program) -> Vec<Goal> {
    (0..program.decisions().len())
        .flat_map(|index| [true, false].map(|value| Goal::Outcome(DecisionId::new(index), value)))
        .collect()
}

/// Covered by every test in which the decision came out so.
pub fn judge(evidence: &Evidence, goal: &Goal) -> Verdict {
    let Goal::Outcome(decision, value) = goal else {
        unreachable!("invariant: planned here");
    };
    evidence.verdict(
        |test| {
            let seen = test.decisions.get(decision);
            seen.is_some_and(|seen| seen.outcomes[usize::from(*value)])
        },
        || {
            let reached = evidence.any(|test| test.decisions.contains_key(decision));
            if reached { Shortfall::NeverSo } else { Shortfall::NeverReached }
        },
    )
}
