//! Deciding with numbers of any size, on z3: what a circuit has a run to, but the system may not, because a
//! number has left the encoding on the way.

use std::time::{Duration, Instant};

use obligato_model::{SolverLimit, TestCase, Value};
use obligato_prove::smt;
use obligato_solver::Stop;
use obligato_transition_system::{NodeId, System};

/// z3's units of work for one of ours.
const Z3_UNITS: u64 = 1_000;
/// z3 does not count all of its work, so time has to end it too.
const MOST_TIME: Duration = Duration::from_secs(20);
/// z3 looks for runs of so many steps.
const MOST_STEPS: usize = 20;

/// What became of a Boolean.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Numbered {
    /// It never holds, shown in this way.
    Never(smt::SmtProof),
    /// It holds in this test, if a replay says so too.
    Test(TestCase),
    /// Neither is known, and why unless it was stopped: the work was not enough, or there is no z3 here.
    Open(Option<SolverLimit>),
}

/// Decides whether a Boolean of a system, of which so many inputs are the model's own, ever holds, with so
/// much work.
pub fn decide(
    system: &System,
    node: NodeId,
    model_inputs: usize,
    work: u64,
    stop: &Stop,
) -> Numbered {
    let limits = smt::SmtLimits {
        work: work.saturating_mul(Z3_UNITS),
        stop: stop.by(Instant::now() + MOST_TIME),
        ..smt::SmtLimits::new(stop)
    };
    match smt::invariant(system, &smt::Goal::Node(node), MOST_STEPS, &limits) {
        Ok(smt::SmtOutcome::Proved(method)) => Numbered::Never(method),
        Ok(smt::SmtOutcome::Reached(inputs)) => {
            let own = |values: Vec<Value>| values.into_iter().take(model_inputs).map(Some);
            let steps = inputs.into_iter().map(|values| own(values).collect()).collect();
            Numbered::Test(TestCase { name: String::new(), steps })
        }
        Ok(smt::SmtOutcome::Unknown(why)) => Numbered::Open(Some(SolverLimit::Words(why))),
        // That there is no z3, say; but what was stopped has not failed.
        Err(error) => {
            Numbered::Open((!stop.is_due()).then(|| SolverLimit::Words(error.to_string())))
        }
    }
}
