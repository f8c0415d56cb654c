//! Model checking of systems with unbounded integers and reals, on z3.
//!
//! [`SmtBmc`] is bounded model checking, [`induction()`] proves many goals unreachable at once by k-induction, and
//! [`invariant()`] lets Spacer find an inductive invariant for one goal, which is checked before it counts.
//!
//! What z3 cannot decide stays [`SmtOutcome::Unknown`], with a reason. A witness is a claim until the caller
//! replays it.
//!
//! Start reading at [`goal`], then `unrolling`, then [`bmc`], [`induction`](mod@induction), [`invariant`](mod@invariant),
//! [`certificate`].

use obligato_model::Value;
use obligato_solver::{Reason, SmtError, Stop};
use obligato_transition_system::System;

pub mod bmc;
pub mod certificate;
mod cone;
pub mod goal;
mod horn;
pub mod induction;
pub mod invariant;
#[cfg(test)]
mod sample;
mod term;
mod unrolling;

pub use bmc::{SmtBmc, SmtWitness};
use cone::Cone;
pub use cone::SmtProphecy;
pub use goal::Goal;
pub use induction::{SmtInduction, induction};
pub use invariant::invariant;
pub use unrolling::SmtStart;

/// Why there is no answer at all. An undecided goal is no error.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The session with z3 failed, or was stopped.
    #[error(transparent)]
    Solver(#[from] SmtError),
    /// A goal names a node or latch that is not there or has another sort.
    #[error("goal {0} does not fit the system")]
    Goal(usize),
    /// A state has not one value of the right sort for each latch.
    #[error("the state to start from does not fit the system")]
    State,
    /// The input or node of a prophecy does not exist or is not Boolean.
    #[error("prophecy {0} does not fit the system")]
    SmtProphecy(usize),
}

/// The result for a goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SmtOutcome {
    /// The last step of a run reaches the goal: the inputs of each step, as values of their types.
    Reached(Vec<Vec<Value>>),
    /// No run reaches it.
    Proved(SmtProof),
    /// Undecided, for this reason.
    Unknown(String),
}

/// A proof that a goal is unreachable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SmtProof {
    /// k-induction with this k.
    Induction(usize),
    /// The inductive invariant in this [certificate] excludes the goal.
    Invariant(String),
}

/// Limits of a session.
#[derive(Clone, Debug)]
pub struct SmtLimits {
    /// Work units of one query, z3's `rlimit`; a million is about a second.
    pub work: u64,
    /// Megabytes of memory of one session.
    pub memory: u32,
    /// Ends the session from outside.
    pub stop: Stop,
}

impl SmtLimits {
    /// A million units of work and as much memory as a session has.
    pub fn new(stop: &Stop) -> Self {
        Self { work: 1_000_000, memory: obligato_solver::Smt::MEMORY, stop: stop.clone() }
    }

    /// Why a query was not decided, in words.
    fn reason(&self, reason: &Reason, cone: &Cone) -> String {
        match reason {
            Reason::Limit if cone.is_nonlinear => {
                format!("{} units of solver work were spent on non-linear arithmetic", self.work)
            }
            Reason::Limit => format!("{} units of solver work were spent", self.work),
            Reason::Incomplete(_) if cone.is_nonlinear => "non-linear arithmetic".to_owned(),
            Reason::Incomplete(words) => format!("z3 cannot tell: {words}"),
        }
    }
}

fn check_goals(system: &System, goals: &[Goal]) -> Result<(), Error> {
    match goals.iter().position(|goal| !goal.is_sound(system)) {
        Some(wrong) => Err(Error::Goal(wrong)),
        None => Ok(()),
    }
}
