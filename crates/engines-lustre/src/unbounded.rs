//! Decisions over unbounded numbers, on z3: for targets that the circuit reaches only by runs in which a
//! number leaves the encoding.

use std::time::{Duration, Instant};

use obligato_model::{SolverLimit, TestCase, Value};
use obligato_prove::smt;
use obligato_solver::Stop;
use obligato_transition_system::{NodeId, System};

/// z3's work units for one of ours.
const Z3_UNITS: u64 = 1_000;
/// z3 does not count all of its work, so time has to end it too.
const MOST_TIME: Duration = Duration::from_secs(20);
/// The longest runs that z3 searches.
const MOST_STEPS: usize = 20;

/// The result for a target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UnboundedVerdict {
    /// It is unreachable, by this proof.
    Never(smt::SmtProof),
    /// This test reaches it, to be confirmed by replay.
    Test(TestCase),
    /// It is reachable, but only with other values of what nothing defines than replays take.
    Undefined,
    /// Undecided, with the reason unless it was stopped: the budget did not suffice, or z3 is not installed.
    Open(Option<SolverLimit>),
}

/// Decides whether a Boolean of a system, whose first `model_inputs` inputs are the model's, is reachable.
pub fn decide(
    system: &System,
    node: NodeId,
    model_inputs: usize,
    work: u64,
    stop: &Stop,
) -> UnboundedVerdict {
    let limits = smt::SmtLimits {
        work: work.saturating_mul(Z3_UNITS),
        stop: stop.by(Instant::now() + MOST_TIME),
        ..smt::SmtLimits::new(stop)
    };
    let goal = smt::Goal::Node(node);
    let outcome = match smt::invariant(system, &goal, MOST_STEPS, &limits) {
        // A run that needs other values of what nothing defines than replays take is no test.
        Ok(smt::SmtOutcome::Reached(_)) if !is_defined(system) => {
            match smt::invariant(&system.with_defaults(), &goal, MOST_STEPS, &limits) {
                Ok(smt::SmtOutcome::Proved(_)) => return UnboundedVerdict::Undefined,
                outcome => outcome,
            }
        }
        outcome => outcome,
    };
    match outcome {
        Ok(smt::SmtOutcome::Proved(method)) => UnboundedVerdict::Never(method),
        Ok(smt::SmtOutcome::Reached(inputs)) => {
            let own = |values: Vec<Value>| values.into_iter().take(model_inputs).map(Some);
            let steps = inputs.into_iter().map(|values| own(values).collect()).collect();
            UnboundedVerdict::Test(TestCase { name: String::new(), steps })
        }
        Ok(smt::SmtOutcome::Unknown(why)) => UnboundedVerdict::Open(Some(SolverLimit::Words(why))),
        // That there is no z3, say; but what was stopped has not failed.
        Err(error) => {
            let why = || SolverLimit::Words(error.to_string());
            UnboundedVerdict::Open((!stop.is_due()).then(why))
        }
    }
}

fn is_defined(system: &System) -> bool {
    !(0..system.latches.len()).any(|latch| system.is_undefined(latch))
}
