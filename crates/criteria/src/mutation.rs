//! Mutation: each mutant is told from the original, by an observed output
//! (strong) or by the state right after the mutated statement (weak).

use obligato_model::{Goal, MutantId, Program, Shortfall, Strength, Verdict};

use crate::evidence::{Evidence, covered_by, unwatched};

/// One goal per mutant.
pub fn plan(program: &Program) -> Vec<Goal> {
    (0..program.mutants().len()).map(|index| Goal::Kill(MutantId::new(index))).collect()
}

/// Covered by every test that kills it.
pub fn judge(evidence: &Evidence, strength: Strength, goal: &Goal) -> Verdict {
    let Goal::Kill(mutant) = goal else {
        unreachable!("invariant: planned here");
    };
    let watched = &evidence.watched.kills;
    // Whoever looks for strong kills has found some of the weak ones, but not all.
    if !watched.contains(&strength) {
        let found = evidence.tests_where(|test| test.kills(mutant.index(), strength));
        return if found.is_empty() {
            unwatched(&format!("{} kills", strength.name()))
        } else {
            Verdict::Covered { tests: found, pair: None }
        };
    }
    covered_by(evidence.tests_where(|test| test.kills(mutant.index(), strength)), || {
        let weakly = evidence.any(|test| test.kills(mutant.index(), Strength::Weak));
        if weakly { Shortfall::NeverObserved } else { Shortfall::Survived }
    })
}
