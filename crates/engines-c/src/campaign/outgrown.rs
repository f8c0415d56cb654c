//! Paths that end because an object of the harness is too small: what only larger ones show is no matter for a formula over these.

use obligato_execute::FindingKind;
use obligato_model::Bound;

use super::FunctionCampaign;

impl FunctionCampaign<'_, '_> {
    /// Has every path that there is been followed, goals are open, and did paths end because an object is too small? Then larger objects
    /// are the way on, and a formula over the small ones is wasted.
    pub(super) fn is_too_narrow(&mut self) -> bool {
        let is_dry = self.pool.is_empty() && self.cut_off.is_empty() && !self.goals.is_empty();
        let is_open = self.request.subject.may_yield && is_dry && !self.is_over();
        self.yielded = is_open && !self.outgrown().is_empty();
        self.yielded
    }

    /// The sizes of inputs behind whose ends runs have read or written.
    pub(super) fn outgrown(&self) -> Vec<Bound> {
        let mut outgrown: Vec<Bound> = Vec::new();
        for error in &self.errors {
            let FindingKind::OutOfBounds { offset: 0.., object, .. } = error.finding.kind else {
                continue;
            };
            let objects = self.request.subject.interface.objects.iter();
            let extents = objects.filter(|one| one.size == object).filter_map(|one| {
                let is_chosen =
                    |bound: &&Bound| matches!(bound, Bound::Elements(_) | Bound::Structures(_));
                one.extent.as_ref().filter(is_chosen)
            });
            for extent in extents {
                if !outgrown.contains(extent) {
                    outgrown.push(extent.clone());
                }
            }
        }
        outgrown
    }
}
