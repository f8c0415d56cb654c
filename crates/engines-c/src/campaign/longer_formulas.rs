//! Formulas of several calls, for functions of which the transition system does not describe every call sequence: where static variables hold
//! addresses, or paths leave what the formula of a call describes.

use std::time::Instant;

use obligato_c_bmc::{EventAnswer, MergeLimits, Merged};
use obligato_campaign::Watcher;
use obligato_model::Bound;

use super::FunctionCampaign;
use super::call_sequences::Goal;
use crate::findings::FunctionError;
use crate::request::FunctionUnderTest;

/// The numbers of calls that are tried. A formula grows with each, and most states are a few calls away.
const NUMBERS_OF_CALLS: [usize; 5] = [2, 3, 4, 6, 8];

impl FunctionCampaign<'_, '_> {
    /// Searches for tests of several calls, shortest first. Gives the largest number of calls that was searched whole.
    pub(super) fn ask_longer_formulas(
        &mut self,
        goals: &mut [Goal],
        most_calls: usize,
        watcher: &mut dyn Watcher,
    ) -> Result<usize, FunctionError> {
        let FunctionUnderTest { unit, interface, .. } = self.request.subject;
        let mut searched = 1;
        for calls in NUMBERS_OF_CALLS.into_iter().filter(|calls| *calls <= most_calls) {
            if self.is_over() || !goals.iter().any(|goal| self.is_wanted(goal.event)) {
                break;
            }
            // Longer ones get a chance, too.
            let now = Instant::now();
            let half = |end: Instant| now + end.saturating_duration_since(now) / 2;
            let deadline = self.budget.stop().deadline().map(half);
            let whole = self.budget.stop().clone();
            let stop = deadline.map_or(whole, |deadline| self.budget.stop().by(deadline));
            let limits = MergeLimits { stop: stop.clone(), ..MergeLimits::default() };
            let Some(mut merged) = Merged::build(unit, interface, calls, &limits) else { break };
            let mut is_whole = true;
            for goal in goals.iter_mut() {
                if !self.is_wanted(goal.event) || self.ledger.limit_of(goal.event).is_some() {
                    continue;
                }
                if stop.is_due() || self.is_over() {
                    is_whole = false;
                    break;
                }
                watcher.watch(&self.status());
                self.statistics.merged += 1;
                let asked = self.ledger.events().get(goal.event).clone();
                tracing::debug!(event = ?asked, calls, "asks the formula of several calls");
                match self.find(&mut merged, &asked, calls) {
                    EventAnswer::Test(test) => {
                        let ran = self.execute_test(&test)?;
                        self.record_run(ran)?;
                    }
                    EventAnswer::NotWithinBounds(mut bounds) => {
                        bounds.retain(|bound| !matches!(bound, Bound::Steps(_)));
                        goal.others = bounds;
                    }
                    EventAnswer::Infeasible(_) => {}
                    EventAnswer::Unknown(_) => is_whole = false,
                }
            }
            if !is_whole {
                break;
            }
            searched = calls;
        }
        Ok(searched)
    }
}
