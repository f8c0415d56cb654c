//! The proof phase as an engine: first an induction over all open events, then rounds of refutations.

use std::sync::Arc;

use obligato_campaign::{EventId, Phase};
use obligato_model::Step;

use crate::campaign::ModelError;
use crate::engine::{Board, Engine, Setting, Slice};
use crate::proofs::BookedProof;
use crate::proving::{Effort, Proofs, Proving};
use crate::shared_query::SharedQuery;

/// Work on all proofs of a round for that on one query,
const QUERIES: u64 = 32;
/// which is no less than this: a question with hardly any effort has an answer that says nothing.
const LEAST_QUERY: u64 = 1_000;
/// Units of work on one proof for one conflict on a query. So a round tries many proofs before any gets more.
const PROOF_WORK: u64 = 2;
/// The most work on the induction over all open events.
const INDUCTION: u64 = 200_000;
/// An induction that did not come to its end is tried again with so many times the work.
const INDUCTION_GROWTH: u64 = 4;
/// What so many tests and states show of what may be seen is not refuted one by one.
const MOST_TESTS: usize = 1_000;
const MOST_STATES: usize = 100;

/// Proofs as an engine.
pub(crate) struct ProvingEngine<'c> {
    setting: Setting<'c>,
    proving: Option<Proving<'c>>,
    /// The least work of the next induction; nothing once one came to its end.
    induction: Option<u64>,
    /// How many tests and states of the board it knows.
    learned: [usize; 2],
    /// How many clauses the others know.
    published: usize,
}

impl<'c> ProvingEngine<'c> {
    /// Proofs that have not begun.
    pub fn new(setting: Setting<'c>) -> Self {
        Self { setting, proving: None, induction: Some(0), learned: [0; 2], published: 0 }
    }

    fn start(&self, shared: &'c SharedQuery) -> Proving<'c> {
        let Setting { lowered, observed, events, stop, .. } = self.setting;
        Proving::new(shared, events, lowered, observed, self.setting.meter(), stop)
    }

    /// What the board has besides what is known already.
    fn news(&mut self, board: &Board<'_>) -> Vec<Vec<Step>> {
        let [tests, states] = self.learned;
        let new_tests = board.tests.iter().take(MOST_TESTS).skip(tests);
        let new_states = board.states.iter().take(MOST_STATES).skip(states);
        let news = new_tests.chain(new_states).map(|steps| Vec::clone(steps)).collect();
        self.learned = [board.tests.len(), board.states.len()];
        news
    }

    /// One step of the phase.
    fn advance(
        &mut self,
        proving: &mut Proving<'c>,
        open: &[EventId],
        work: u64,
    ) -> Result<Proofs, ModelError> {
        if self.induction.is_some_and(|least| work >= least) {
            let proofs = proving.induct(open, work.min(INDUCTION))?;
            let is_over = proofs.work < work.min(INDUCTION) || work >= INDUCTION;
            self.induction = (!is_over).then(|| work.saturating_mul(INDUCTION_GROWTH));
            return Ok(proofs);
        }
        let query = (work / QUERIES).max(LEAST_QUERY);
        // Where little is open, it gets all there is.
        let share = work / (open.len() as u64 * 2).max(1);
        let effort =
            Effort { query, proof: query.saturating_mul(PROOF_WORK).max(share), all: work };
        tracing::debug!(open = open.len(), ?effort, "round");
        proving.refute(open, effort)
    }
}

impl<'c> Engine<'c> for ProvingEngine<'c> {
    fn phase(&self) -> Phase {
        Phase::Prove
    }

    fn slice(&mut self, board: Board<'c>, work: u64) -> Result<Slice, ModelError> {
        let shared = self.setting.shared()?;
        let mut proving = self.proving.take().unwrap_or_else(|| self.start(shared));
        let news = self.news(&board);
        if shared.later_inputs > 0 {
            proving.learn_from(&news);
        }
        let is_round = self.induction.is_none_or(|least| work < least);
        let proofs = self.advance(&mut proving, board.ledger.open_events(), work)?;
        let found = !proofs.refuted.is_empty() || !proofs.tests.is_empty();
        let mut slice = Slice { work: proofs.work, ..Slice::default() };
        slice.has_ended = is_round && proofs.work == 0 && !found && self.induction.is_none();
        slice.proofs = proofs;
        let clauses = proving.known().clauses.len();
        if clauses > self.published {
            self.published = clauses;
            slice.known = Some(Arc::new(proving.known().clone()));
        }
        self.proving = Some(proving);
        Ok(slice)
    }

    fn shared_proof(self: Box<Self>) -> Option<BookedProof> {
        self.proving.and_then(Proving::shared_proof)
    }
}
