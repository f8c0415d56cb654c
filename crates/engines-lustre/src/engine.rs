//! What the engines of a campaign have in common: each works in slices, on what is open when a slice begins.
//!
//! An engine keeps the state of its search from slice to slice and knows nothing of the others but what is on the [`Board`].
//! It ends a slice after about as many units of work as it is given, or when the stop of its [`Setting`] is due.

use std::sync::{Arc, OnceLock};

use obligato_campaign::{EventId, Events, Ledger, Phase};
use obligato_lustre::lowering::Lowered;
use obligato_lustre_replay::{Compiled, Measurement, Meter};
use obligato_model::{Limit, Step, TestCase};
use obligato_prove::Invariant;
use obligato_solver::Stop;
use obligato_transition_system::NodeId;

use crate::campaign::ModelError;
use crate::proofs::BookedProof;
use crate::proving::Proofs;
use crate::shared_query::SharedQuery;
use crate::undefined::UndefinedRun;

/// An engine at work.
pub(crate) trait Engine<'c>: Send {
    /// The phase under whose name its work is reported.
    fn phase(&self) -> Phase;

    /// Works on what is open, for about so many units of work.
    fn slice(&mut self, board: Board<'c>, work: u64) -> Result<Slice, ModelError>;

    /// A proof of what it refuted in the shared system, if anything.
    fn shared_proof(self: Box<Self>) -> Option<BookedProof>;
}

/// What is known when a slice begins.
#[derive(Clone, Debug)]
pub(crate) struct Board<'c> {
    /// What is open.
    pub ledger: Ledger<'c>,
    /// The steps of the tests that were kept, in the order in which they were.
    pub tests: Vec<Arc<Vec<Step>>>,
    /// Steps that lead to states which random tests rarely reach, in the order in which they were found.
    pub states: Vec<Arc<Vec<Step>>>,
    /// What is proved of the shared system.
    pub known: Arc<Invariant>,
}

/// What a slice came to.
#[derive(Debug, Default)]
pub(crate) struct Slice {
    /// Tests that show open events, as far as the engine knows.
    pub tests: Vec<TestCase>,
    /// Refutations, and what stands in the way of others.
    pub proofs: Proofs,
    /// Runs to open events that need other values of what nothing defines than replays take.
    pub undefined: Vec<(EventId, UndefinedRun)>,
    /// What stands in the way of open events.
    pub limits: Vec<(EventId, Limit)>,
    /// More for the states of the board.
    pub states: Vec<Arc<Vec<Step>>>,
    /// What is proved of the shared system, if more than before.
    pub known: Option<Arc<Invariant>>,
    /// The work that was done.
    pub work: u64,
    /// How deep the search is, where it has a depth.
    pub depth: Option<usize>,
    /// Would another slice do nothing, as long as the board stays as it is?
    pub has_ended: bool,
}

/// What all engines of a campaign work on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Setting<'c> {
    pub lowered: &'c Lowered,
    pub observed: &'c [NodeId],
    pub events: &'c Events,
    pub measurement: &'c Measurement<'c>,
    pub compiled: &'c Compiled<'c>,
    /// The events as a query to solvers, made by the first engine that asks for it.
    pub shared: &'c OnceLock<Result<SharedQuery, ModelError>>,
    pub stop: &'c Stop,
}

impl<'c> Setting<'c> {
    /// The events as a query to solvers.
    pub fn shared(&self) -> Result<&'c SharedQuery, ModelError> {
        let make = || SharedQuery::new(self.lowered, self.observed, self.events);
        self.shared.get_or_init(make).as_ref().map_err(ModelError::clone)
    }

    /// A meter for the replays of an engine.
    pub fn meter(&self) -> Meter<'c> {
        Meter::new(self.measurement, self.compiled)
    }
}
