//! Engines over systems with unbounded integers and reals, on z3.
//!
//! [`Search`] looks for runs, [`induction()`] proves many goals unreachable at once, and [`invariant()`]
//! lets Spacer find an inductive invariant for one goal, which is checked before it counts.
//!
//! What z3 cannot decide stays [`Outcome::Unknown`], with a reason. A run that was found is a claim
//! until somebody replays it; what replays it is not here.
//!
//! Start reading at [`goal`], then `unrolling`, then [`search`], [`induction`](mod@induction), [`invariant`](mod@invariant),
//! [`certificate`].

use obligato_model::Value;
use obligato_solver::{Reason, SmtError, Stop};
use obligato_transition_system::System;

pub mod certificate;
mod cone;
pub mod goal;
mod horn;
pub mod induction;
pub mod invariant;
#[cfg(test)]
mod sample;
pub mod search;
mod term;
mod unrolling;

use cone::Cone;
pub use cone::Tie;
pub use goal::Goal;
pub use induction::{Induction, induction};
pub use invariant::invariant;
pub use search::{Run, Search};
pub use unrolling::Start;

/// Why there is no answer at all. What is merely undecided is no error.
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
    /// A tie's input or node is not there or no Boolean.
    #[error("tie {0} does not fit the system")]
    Tie(usize),
}

/// What became of a goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// A run gets there in its last step: the inputs of each step, as values of their types.
    Reached(Vec<Vec<Value>>),
    /// No run gets there.
    Proved(Method),
    /// Neither is known, because of this.
    Unknown(String),
}

/// How it was proved that no run gets to a goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Method {
    /// No run gets there in fewer steps than this, and none from so many steps without it.
    Induction(usize),
    /// What this [certificate] defines over the latches is true initially, is kept by every step, and
    /// excludes the goal.
    Invariant(String),
}

/// How much may be spent.
#[derive(Clone, Debug)]
pub struct Limits {
    /// On one query, in z3's resource units; a million is about a second.
    pub work: u64,
    /// Megabytes of memory of one session.
    pub memory: u32,
    /// When to end in any case.
    pub stop: Stop,
}

impl Limits {
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
