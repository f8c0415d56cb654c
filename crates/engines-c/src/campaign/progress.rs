//! How far a campaign for a C function has come: its status, its phases, and the work it has spent.

use obligato_campaign::{Paths, Phase, RunningPhase, Standing, Status, Watcher};
use obligato_model::Limit;

use super::FunctionCampaign;
use crate::findings::ProgressPoint;

/// A run costs as much as so many conflicts.
const RUN: u64 = 10;

impl FunctionCampaign<'_, '_> {
    pub(super) fn covered(&self) -> usize {
        let standing = |index: &usize| self.ledger.standing(*index) == Standing::Covered;
        (0..self.ledger.len()).filter(standing).count()
    }

    pub(super) fn note_progress(&mut self) {
        let point = ProgressPoint { runs: self.runs, covered: self.covered() };
        tracing::debug!(run = point.runs, covered = point.covered, "progress");
        self.statistics.progress.push(point);
    }

    /// Switches to another phase.
    pub(super) fn enter(&mut self, phase: Phase, watcher: &mut dyn Watcher) {
        if self.phase != phase {
            self.end_phase();
            self.phase = phase;
            self.begun = RunningPhase::begin(self.status(), self.work());
            tracing::info!(
                ?phase,
                run = self.runs,
                open = self.ledger.open_events().len(),
                "phase"
            );
        }
        watcher.watch(&self.status());
    }

    /// Adds the work since the present phase began to its report.
    pub(super) fn end_phase(&mut self) {
        let (status, work) = (self.status(), self.work());
        self.reports.end(&self.begun, &status, work);
    }

    pub(super) fn status(&self) -> Status {
        let paths = Paths { runs: self.runs, waiting: self.pool.len() };
        let status = Status::new(&self.ledger, self.phase, self.tests.len());
        Status { paths: Some(paths), ..status }
    }

    pub(super) fn is_over(&self) -> bool {
        self.budget.is_empty() || self.work() >= self.budget.left()
    }

    /// The budget that is spent: there may be other obstacles, but more of it would help first.
    pub(super) fn spent(&self) -> Option<Limit> {
        let mut budget = self.budget.clone();
        budget.spend(self.work());
        budget.is_empty().then(|| budget.limit())
    }

    pub(super) fn work(&self) -> u64 {
        self.runs * RUN + self.solver.statistics().conflicts + self.sequence_work
    }
}
