//! Observable boundary values: the obligations of boundary-value coverage, each
//! met by an evaluation whose effect reached an observed output.

use obligato_model::{Goal, Limit, Observability, Program, Shortfall, Verdict};

use crate::bvc;
use crate::evidence::{Evidence, unwatched_effects};

/// The goals of boundary-value coverage.
pub fn plan(program: &Program) -> Vec<Goal> {
    bvc::plan(program)
}

/// Covered by every test in which such an evaluation's effect got out.
pub fn judge(
    program: &Program,
    evidence: &Evidence,
    semantics: Observability,
    goal: &Goal,
) -> Verdict {
    let Goal::Boundary(condition, boundary) = *goal else {
        unreachable!("invariant: planned here");
    };
    if let Some(verdict) = unwatched_effects(evidence, semantics) {
        return verdict;
    }
    let ordinal = bvc::ordinal(program, condition, boundary);
    let verdict = bvc::judge_by(program, evidence, condition, |test| {
        let observed = test.observed(semantics);
        observed.is_some_and(|observed| observed.boundaries.contains(condition, ordinal))
    });
    let met = evidence.any(|test| test.boundaries.contains(condition, ordinal));
    match verdict {
        Verdict::Unresolved(Limit::Suite(_)) if met => {
            Verdict::Unresolved(Limit::Suite(Shortfall::NeverObserved))
        }
        verdict => verdict,
    }
}
