//! Bounded model checking of the whole function, one query per open goal.
//!
//! A formula may be too large for the solver. So it gets half of the time that is left, then concolic search continues, and
//! when that has ended, the formula gets the rest.

use std::time::Instant;

use obligato_c_bmc::{Cut, EventAnswer, MergeLimits, Merged};
use obligato_campaign::{Event, EventId, Phase, Watcher};
use obligato_concolic::search::Goals;
use obligato_model::{Bound, Limit, Observability, Undecided};
use rustc_hash::FxHashSet;

use super::FunctionCampaign;
use crate::call_targets::CallTargets;
use crate::findings::FunctionError;
use crate::request::FunctionUnderTest;

/// The formula of a function, and the events that were queried.
pub(super) struct Formula<'u> {
    merged: Merged<'u>,
    asked: FxHashSet<EventId>,
}

/// How much of the remaining time a phase may spend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Share {
    /// Half of it.
    Half,
    /// All of it.
    All,
}

impl<'u> FunctionCampaign<'_, 'u> {
    /// Builds the formula of all paths, if a goal is open.
    pub(super) fn merge_paths(&self) -> Option<Formula<'u>> {
        let FunctionUnderTest { unit, interface, steps, .. } = self.request.subject;
        if self.ledger.open_events().is_empty() || self.is_over() {
            return None;
        }
        let limits = MergeLimits { stop: self.budget.stop().clone(), ..MergeLimits::default() };
        let merged = Merged::build(unit, interface, steps, &limits)?;
        Some(Formula { merged, asked: FxHashSet::default() })
    }

    /// Queries every open goal that was not queried before.
    pub(super) fn ask_formula(
        &mut self,
        formula: &mut Formula<'u>,
        share: Share,
        watcher: &mut dyn Watcher,
    ) -> Result<(), FunctionError> {
        self.enter(Phase::Bmc, watcher);
        let now = Instant::now();
        let half = |end: Instant| now + end.saturating_duration_since(now) / 2;
        let deadline = self.budget.stop().deadline().filter(|_| share == Share::Half).map(half);
        let stop = deadline
            .map_or_else(|| self.budget.stop().clone(), |deadline| self.budget.stop().by(deadline));
        formula.merged.end_with(&stop);
        for event in self.ledger.open_events().to_vec() {
            if self.is_over() || stop.is_due() {
                break;
            }
            if self.ledger.open_events().binary_search(&event).is_err()
                || !formula.asked.insert(event)
            {
                continue;
            }
            watcher.watch(&self.status());
            self.statistics.merged += 1;
            let asked = self.ledger.events().get(event).clone();
            tracing::debug!(event = ?asked, "asks the formula");
            match self.find(&mut formula.merged, &asked, self.request.subject.steps) {
                EventAnswer::Test(test) => {
                    let ran = self.execute_test(&test)?;
                    self.record_run(ran)?;
                    if self.ledger.open_events().binary_search(&event).is_ok() {
                        self.ledger.note_limit(event, Undecided::NotReproduced);
                    }
                }
                EventAnswer::Infeasible(proof) => {
                    self.refuted_by_formula.push(event);
                    self.refute(vec![(event, proof)])?;
                }
                EventAnswer::NotWithinBounds(bounds) if bounds.iter().any(is_of_engine) => {
                    self.ledger.note_limit(event, Limit::NotWithinBounds(bounds));
                }
                EventAnswer::NotWithinBounds(bounds) => self.ledger.refute_within(event, bounds),
                // It is queried again in the second share of the time.
                EventAnswer::Unknown(_) if stop.is_due() && share == Share::Half => {
                    formula.asked.remove(&event);
                }
                EventAnswer::Unknown(why) => self.ledger.note_limit(event, why),
            }
        }
        self.set_goals();
        self.reassess();
        Ok(())
    }

    /// A test or a proof for an event, of a formula of so many steps. The formula has no tags; but a condition that never shows in its decision propagates none.
    pub(super) fn find(&self, merged: &mut Merged<'_>, event: &Event, steps: usize) -> EventAnswer {
        let program = self.request.subject.unit.program();
        let goals = Goals::new(&self.graph, self.map.blocks(program, event).to_vec(), false);
        let matters =
            |cut: &Cut| cut.step as usize + 1 < steps || self.targets().leads_to(&goals, cut);
        let (semantics, condition, value) = match event {
            Event::Observed(semantics, condition, value) => (semantics, *condition, *value),
            Event::ObservedBoundary(semantics, condition, ordinal)
                if *semantics != Observability::Exact =>
            {
                let boundary = Event::Boundary(*condition, *ordinal);
                return refuted_or_untold(merged.find_despite_cuts(&boundary, &matters));
            }
            _ => return merged.find_despite_cuts(event, &matters),
        };
        if *semantics == Observability::Exact {
            return merged.find(event);
        }
        let [one, other] = [true, false].map(|outcome| {
            merged.find_despite_cuts(&Event::Shown { condition, value, outcome }, &matters)
        });
        refuted_or_untold(both_refuted(one, other))
    }

    /// Where events can happen in the code.
    pub(super) fn targets(&self) -> CallTargets<'_> {
        CallTargets { unit: self.request.subject.unit, graph: &self.graph, map: &self.map }
    }
}

/// The refutation of two events, if both are refuted.
fn both_refuted(one: EventAnswer, other: EventAnswer) -> EventAnswer {
    match (one, other) {
        (EventAnswer::Infeasible(_), other) => other,
        (one, EventAnswer::Infeasible(_)) => one,
        (EventAnswer::NotWithinBounds(mut bounds), EventAnswer::NotWithinBounds(more)) => {
            bounds.extend(more);
            bounds.sort();
            bounds.dedup();
            EventAnswer::NotWithinBounds(bounds)
        }
        (EventAnswer::NotWithinBounds(_), answer) | (answer, _) => answer,
    }
}

/// What a refuted cause says of its effect under tags; whatever else is found says nothing.
fn refuted_or_untold(cause: EventAnswer) -> EventAnswer {
    match cause {
        EventAnswer::Infeasible(_) | EventAnswer::NotWithinBounds(_) => cause,
        EventAnswer::Test(_) | EventAnswer::Unknown(_) => {
            EventAnswer::Unknown(Undecided::NoProofOfTags)
        }
    }
}

/// Is it a bound of the formula alone? Concolic search goes beyond it.
fn is_of_engine(bound: &Bound) -> bool {
    matches!(bound, Bound::Unwinding(_) | Bound::CallDepth(_))
}
