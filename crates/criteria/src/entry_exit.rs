//! Entry and exit points: each function is entered, and left through each of
//! its returns. DO-178C counts this into MC/DC.

use obligato_model::{ExitId, FunctionId, Goal, Program, Shortfall, Verdict};

use crate::evidence::{Evidence, covered_by};

/// One goal per entry and per return.
pub fn plan(program: &Program) -> Vec<Goal> {
    let functions = program.functions().iter().enumerate();
    let entries = functions
        .filter(|(_, function)| function.entered)
        .map(|(index, _)| Goal::Enter(FunctionId::new(index)));
    let exits = (0..program.exits().len()).map(|index| Goal::Leave(ExitId::new(index)));
    entries.chain(exits).collect()
}

/// Covered by every test that goes in or out there.
pub fn judge(program: &Program, evidence: &Evidence, goal: &Goal) -> Verdict {
    match goal {
        Goal::Enter(function) => {
            covered_by(evidence.tests_where(|test| test.entered.contains(function.index())), || {
                Shortfall::NeverReached
            })
        }
        Goal::Leave(exit) => {
            covered_by(evidence.tests_where(|test| test.left.contains(exit.index())), || {
                let function = program.exits()[exit.index()].function;
                let entered = evidence.any(|test| test.entered.contains(function.index()));
                if entered { Shortfall::NeverWithValue } else { Shortfall::NeverReached }
            })
        }
        _ => unreachable!("invariant: planned here"),
    }
}
