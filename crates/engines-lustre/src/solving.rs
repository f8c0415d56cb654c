//! The complete phase: bounded search from the initial state, for all open events together.

use obligato_campaign::{Ledger, Phase};
use obligato_prove::bmc::BmcOutcome;
use obligato_prove::{Bmc, Start};

use crate::campaign::ModelError;
use crate::engine::{Board, Engine, Setting, Slice};
use crate::proofs::BookedProof;
use crate::shared_query::SharedQuery;
use crate::stepping::close_settled;
use crate::workbench::Workbench;

/// The largest depth of the search.
const DEEPEST: usize = 120;
/// A run that was found in units of work, besides its conflicts: easy ones take none.
const RUN_WORK: u64 = 10;

/// Bounded search as an engine.
pub(crate) struct CompleteEngine<'c> {
    setting: Setting<'c>,
    bench: Workbench<'c, 'c>,
    search: Option<Bmc<'c>>,
    /// Does the search know an invariant?
    is_informed: bool,
}

impl<'c> CompleteEngine<'c> {
    /// A search that has not begun.
    pub fn new(setting: Setting<'c>, ledger: Ledger<'c>) -> Result<Self, ModelError> {
        let bench = Workbench::new(setting.meter(), setting.lowered, ledger)?;
        Ok(Self { setting, bench, search: None, is_informed: false })
    }

    /// The search, begun anew at its depth when the first invariant is known, which makes it faster.
    fn search(&mut self, shared: &'c SharedQuery, board: &Board<'c>) -> Bmc<'c> {
        let is_news = !self.is_informed && !board.known.clauses.is_empty();
        let before = self.search.take();
        if let Some(search) = before {
            if !is_news {
                return search;
            }
            self.is_informed = true;
            return begin(shared, board, search.depth(), self.setting);
        }
        self.is_informed = is_news;
        begin(shared, board, 0, self.setting)
    }
}

fn begin<'c>(
    shared: &'c SharedQuery,
    board: &Board<'c>,
    depth: usize,
    setting: Setting<'c>,
) -> Bmc<'c> {
    let mut search = shared.query.search(Start::Initial, &board.known, setting.stop);
    for lit in &shared.query.lits {
        search.add_target(*lit);
    }
    // What is open is known not to happen before.
    (0..depth).for_each(|_| search.deepen());
    search
}

impl<'c> Engine<'c> for CompleteEngine<'c> {
    fn phase(&self) -> Phase {
        Phase::Complete
    }

    fn slice(&mut self, board: Board<'c>, work: u64) -> Result<Slice, ModelError> {
        let mut slice = Slice::default();
        let shared = self.setting.shared()?;
        let mut search = self.search(shared, &board);
        self.bench.ledger = board.ledger;
        let (before, mut runs) = (search.conflicts(), 0);
        close_settled(shared, &mut search, self.bench.ledger.open_events());
        loop {
            slice.work = search.conflicts() - before + runs * RUN_WORK;
            if slice.work >= work || self.setting.stop.is_due() {
                break;
            }
            match search.next(DEEPEST, work - slice.work) {
                BmcOutcome::Found(found) => {
                    tracing::debug!(depth = search.depth(), "search found a run");
                    let test = shared.query.test(&found.run);
                    self.bench.try_out(Phase::Complete, &[test])?;
                    close_settled(shared, &mut search, self.bench.ledger.open_events());
                    runs += 1;
                }
                BmcOutcome::Exhausted => {
                    slice.has_ended = true;
                    break;
                }
                BmcOutcome::OutOfBudget => break,
            }
        }
        slice.work = search.conflicts() - before + runs * RUN_WORK;
        slice.depth = Some(search.depth());
        self.search = Some(search);
        self.bench.hand_over(&mut slice);
        Ok(slice)
    }

    fn shared_proof(self: Box<Self>) -> Option<BookedProof> {
        None
    }
}
