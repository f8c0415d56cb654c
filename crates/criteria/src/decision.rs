//! Decision coverage: each decision comes out both ways, wherever it stands
//! (the DO-178C reading, not only where it steers control).

use obligato_model::{DecisionId, Goal, Program, Shortfall, Verdict};

use crate::evidence::{Evidence, covered_by};

/// Two goals per decision.
pub fn plan(program: &Program) -> Vec<Goal> {
    (0..program.decisions().len())
        .flat_map(|index| [true, false].map(|value| Goal::Outcome(DecisionId::new(index), value)))
        .collect()
}

/// Covered by every test in which the decision came out so.
pub fn judge(evidence: &Evidence, goal: &Goal) -> Verdict {
    let Goal::Outcome(decision, value) = *goal else {
        unreachable!("invariant: planned here");
    };
    covered_by(evidence.tests_at(decision, |seen| seen.outcomes[usize::from(value)]), || {
        never_so(evidence, decision)
    })
}

/// Why a decision was never evaluated in some way.
pub fn never_so(evidence: &Evidence, decision: DecisionId) -> Shortfall {
    if evidence.reaches(decision) { Shortfall::NeverWithValue } else { Shortfall::NeverReached }
}
