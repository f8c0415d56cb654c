//! How far a campaign has come, for whoever watches it.

use crate::ledger::{Ledger, Standing};
use crate::phase::Phase;

/// How far a campaign has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Status {
    /// What it is doing.
    pub phase: Phase,
    /// All obligations.
    pub obligations: usize,
    /// Those that tests cover.
    pub covered: usize,
    /// Those that are proved uncoverable.
    pub uncoverable: usize,
    /// Tests made so far.
    pub tests: usize,
    /// How deep the search is, where it has a depth.
    pub depth: Option<usize>,
    /// How a search over paths stands, where there is one.
    pub paths: Option<Paths>,
}

/// How a search over paths stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Paths {
    /// Runs so far.
    pub runs: u64,
    /// Candidates that wait.
    pub waiting: usize,
}

impl Status {
    /// What a ledger says of a campaign that has made so many tests.
    pub fn new(ledger: &Ledger<'_>, phase: Phase, tests: usize) -> Self {
        let (mut covered, mut uncoverable) = (0, 0);
        for obligation in 0..ledger.len() {
            match ledger.standing(obligation) {
                Standing::Covered => covered += 1,
                Standing::Refuted(_) | Standing::Settled => uncoverable += 1,
                Standing::NotWithinBounds(_) | Standing::Open | Standing::Unsupported(_) => {}
            }
        }
        let obligations = ledger.len();
        Self { phase, obligations, covered, uncoverable, tests, depth: None, paths: None }
    }

    /// Those that are still open.
    pub fn open(&self) -> usize {
        self.obligations - self.covered - self.uncoverable
    }
}

/// Is told how far a campaign has come, whenever that changes.
pub trait Watcher {
    /// So far.
    fn watch(&mut self, status: &Status);
}

impl<F: FnMut(&Status)> Watcher for F {
    fn watch(&mut self, status: &Status) {
        self(status);
    }
}
