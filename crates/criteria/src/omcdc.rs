//! Observable MC/DC (Whalen et al., section II): the obligations of MC/DC, each
//! met when the effect of the condition having that value reaches an observed
//! output. Which effects do is the replay's to say, under one of three
//! semantics; here they are counted.
//!
//! The halves stand alone whatever the operators are: that an output changed
//! when the condition was forced is already the comparison of two runs.

use obligato_model::{ConditionId, Goal, Observability, Program, Shortfall, Verdict};

use crate::evidence::{Evidence, covered_by, unwatched_effects};
use crate::mcdc;

/// Two goals per condition.
pub fn plan(program: &Program) -> Vec<Goal> {
    (0..program.conditions().len())
        .flat_map(|index| {
            [true, false].map(|value| Goal::Independence(ConditionId::new(index), value))
        })
        .collect()
}

/// Covered by every test in which the effect got out.
pub fn judge(
    program: &Program,
    evidence: &Evidence,
    semantics: Observability,
    goal: &Goal,
) -> Verdict {
    let Goal::Independence(condition, value) = *goal else {
        unreachable!("invariant: planned here");
    };
    if let Some(verdict) = unwatched_effects(evidence, semantics) {
        return verdict;
    }
    let tests = evidence.tests_where(|test| {
        test.observed(semantics).is_some_and(|observed| {
            observed.conditions[usize::from(value)].contains(condition.index())
        })
    });
    covered_by(tests, || match mcdc::shortfall(program, evidence, condition, value) {
        Shortfall::NoPartner => Shortfall::NeverObserved,
        earlier => earlier,
    })
}
