//! Statement coverage: each statement is executed.

use obligato_model::{Goal, Program, Shortfall, StatementId, Verdict};

use crate::evidence::{Evidence, covered_by};

/// One goal per statement.
pub fn plan(program: &Program) -> Vec<Goal> {
    (0..program.statements().len()).map(|index| Goal::Execute(StatementId::new(index))).collect()
}

/// Covered by every test that executes it.
pub fn judge(evidence: &Evidence, goal: &Goal) -> Verdict {
    let Goal::Execute(statement) = goal else {
        unreachable!("invariant: planned here");
    };
    covered_by(evidence.tests_where(|test| test.executed.contains(statement.index())), || {
        Shortfall::NeverReached
    })
}
