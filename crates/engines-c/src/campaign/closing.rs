//! After the search: effects from twin runs, exhaustive exploration, runtime errors.

use obligato_campaign::{EventId, Phase, Watcher};
use obligato_concolic::CodeLocation;
use obligato_model::verdict::Names;
use obligato_model::{Bound, NotFollowed, Proof, RunLimit, Undecided};
use obligato_symbolic::bounds;
use rustc_hash::FxHashMap;

use super::{FunctionCampaign, MOST_TRIES_PER_LOCATION};
use crate::findings::FunctionError;
use crate::request::FunctionUnderTest;
use crate::twins::effect_of;

/// What other threads may change at any time.
const ATOMIC_OBJECTS: &str = "atomic objects";

impl FunctionCampaign<'_, '_> {
    /// Takes over proofs. Engines know one thread only, so where there are atomic objects a proof holds within that bound.
    pub(super) fn refute(&mut self, proofs: Vec<(EventId, Proof)>) -> Result<(), FunctionError> {
        tracing::debug!(events = proofs.len(), "refuted");
        if self.request.subject.unit.has_atomics() {
            let bound = Names::new([ATOMIC_OBJECTS]).map(Bound::VolatileMemory);
            for (event, _) in proofs {
                self.ledger.refute_within(event, bound.clone().into_iter().collect());
            }
            return Ok(());
        }
        let mut claimed = Vec::with_capacity(proofs.len());
        for (event, proof) in proofs {
            match self.entered_by_others(event) {
                Some(bound) => self.ledger.refute_within(event, vec![bound]),
                None => claimed.push((event, proof)),
            }
        }
        self.ledger.refute(claimed).map_err(|event| {
            FunctionError::Contradiction(format!("{:?}", self.ledger.events().get(event)))
        })
    }

    /// The bound on what happens in a function that others can call, since the unit hands its address out: a callback runs in other ways, too.
    fn entered_by_others(&self, event: EventId) -> Option<Bound> {
        let FunctionUnderTest { unit, interface, .. } = self.request.subject;
        let program = unit.program();
        let function = self.ledger.events().get(event).function(program)?;
        let name = &program.function(function).name;
        let is_handed_out = interface.handed_out.contains(name);
        is_handed_out.then(|| Bound::Other(format!("no calls of '{name}' by others")))
    }

    /// Searches for inputs that make open effects observable; true if a new test was made.
    pub(super) fn show_effects(
        &mut self,
        watcher: &mut dyn Watcher,
    ) -> Result<bool, FunctionError> {
        if !self.request.phases.contains(&Phase::Effects) {
            return Ok(false);
        }
        let program = self.request.subject.unit.program();
        let before = self.tests.len();
        for event in self.ledger.open_events().to_vec() {
            if self.is_over() {
                return Ok(false);
            }
            let effect = effect_of(program, &self.ledger, event);
            let Some(effect) = effect.filter(|_| self.exhausted_effects.insert(event)) else {
                continue;
            };
            if self.phase != Phase::Effects {
                self.enter(Phase::Effects, watcher);
            }
            for assignment in self.effect_seeds.of(effect) {
                if !self.ledger.open_events().contains(&event) {
                    break;
                }
                let Some(twins) = self.runner.twins(&assignment, effect)? else { continue };
                let differs = self.runner.terms().any(twins.differences);
                let mut constraints = self.runner.inputs.constraints_of_search();
                constraints.extend(twins.paths);
                constraints.push(differs);
                if let Some(found) = self.ask(&constraints, &assignment) {
                    let ran = self.execute(found)?;
                    self.record_run(ran)?;
                    watcher.watch(&self.status());
                }
            }
        }
        self.set_goals();
        Ok(self.tests.len() > before)
    }

    /// If the exploration of relevant paths is exhaustive, no test within the bounds covers the open goals. Only the formula tells which
    /// of the bounds matter, so this is no proof.
    pub(super) fn conclude(&mut self) {
        let FunctionUnderTest { unit, interface, .. } = self.request.subject;
        // Whether a function outside writes is no branch of a path, so paths do not show all of what it may do.
        let chooses = interface.inputs.iter().any(|cell| cell.given.is_some());
        if chooses && !self.ledger.open_events().is_empty() {
            let what = "which of the writes of functions outside come together".to_owned();
            self.obstacle(Undecided::NotFollowed(NotFollowed::Other(what)).into());
        }
        if !self.cut_off.is_empty() {
            self.obstacle(Undecided::RunEnded(RunLimit::Operations).into());
        }
        self.spent = self.spent();
        let over = self.spent.is_some();
        let explored = self.pool.is_empty() && self.cut_off.is_empty();
        let complete = explored && self.obstacles.is_empty() && !over && self.runs > 0;
        self.statistics.exhausted = complete;
        tracing::info!(complete, obstacles = ?self.obstacles, "search ended");
        if !complete {
            return;
        }
        let program = self.request.subject.unit.program();
        let bounds = bounds(unit, interface, &self.runner.inputs);
        let refuted: Vec<EventId> = self
            .ledger
            .open_events()
            .iter()
            .filter(|id| {
                let event = self.ledger.events().get(**id);
                let seen = !self.map.blocks(program, event).is_empty();
                // A boundary or an effect needs the condition to have the value at all.
                let effect = effect_of(program, &self.ledger, **id);
                seen && effect.is_none_or(|effect| !self.taken.contains(&effect))
            })
            .copied()
            .collect();
        for event in refuted {
            let bounds = bounds.iter().cloned().chain(self.entered_by_others(event));
            self.ledger.refute_within(event, bounds.collect());
        }
    }

    /// Searches for inputs that lead to undefined behaviour, a few times at each operation.
    pub(super) fn search_for_runtime_errors(
        &mut self,
        watcher: &mut dyn Watcher,
    ) -> Result<(), FunctionError> {
        if !self.runtime_error_candidates.is_empty() {
            self.enter(Phase::RuntimeErrors, watcher);
        }
        let mut tries: FxHashMap<CodeLocation, u32> = FxHashMap::default();
        while let Some(candidate) = self.runtime_error_candidates.pop_front() {
            if self.is_over() {
                break;
            }
            let mut errors = self.errors.iter();
            let known =
                errors.any(|error| self.location_of(&error.finding) == Some(candidate.location));
            let count = tries.entry(candidate.location).or_default();
            if known || *count >= MOST_TRIES_PER_LOCATION {
                continue;
            }
            *count += 1;
            let obstacles = self.obstacles.len();
            self.try_candidate(&candidate)?;
            // Limits met in the search for runtime errors do not weaken the verdicts on coverage.
            self.obstacles.truncate(obstacles);
        }
        Ok(())
    }
}
