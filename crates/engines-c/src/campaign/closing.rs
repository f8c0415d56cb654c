//! What is done about what the search leaves open: effects, conclusions, runtime errors.

use obligato_campaign::{EventId, Phase, Watcher};
use obligato_concolic::Place;
use obligato_model::{Method, Proof};
use obligato_symbolic::assumptions;
use rustc_hash::FxHashMap;

use super::{FunctionCampaign, MOST_TRIES};
use crate::findings::FunctionError;
use crate::request::FunctionUnderTest;
use crate::twins::effect_of;

impl FunctionCampaign<'_, '_> {
    pub(super) fn refute(&mut self, proofs: Vec<(EventId, Proof)>) -> Result<(), FunctionError> {
        tracing::debug!(events = proofs.len(), "refuted");
        self.ledger.refute(proofs).map_err(|event| {
            FunctionError::Contradiction(format!("{:?}", self.ledger.events().get(event)))
        })
    }

    /// Looks for inputs that show effects which are still wanted; true if something came of it.
    pub(super) fn show_effects(
        &mut self,
        watcher: &mut dyn Watcher,
    ) -> Result<bool, FunctionError> {
        if !self.request.phases.contains(&Phase::Effects) {
            return Ok(false);
        }
        let program = self.request.subject.unit.program();
        let before = self.tests.len();
        for event in self.ledger.wanted().to_vec() {
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
            for assignment in self.promising.of(effect.0, effect.1) {
                if !self.ledger.wanted().contains(&event) {
                    break;
                }
                let Some(twins) = self.bench.twins(&assignment, effect)? else { continue };
                let differs = self.bench.terms().any(twins.differences);
                let mut constraints = self.bench.inputs.constraints().to_vec();
                constraints.extend(twins.paths);
                constraints.push(differs);
                if let Some(found) = self.ask(&constraints, &assignment) {
                    let ran = self.execute(found)?;
                    self.absorb(ran);
                    watcher.watch(&self.status());
                }
            }
        }
        self.set_goals();
        Ok(self.tests.len() > before)
    }

    /// If all paths that could matter were seen, what is still wanted never happens.
    pub(super) fn conclude(&mut self) -> Result<(), FunctionError> {
        self.spent = self.spent();
        let over = self.spent.is_some();
        let complete = self.pool.is_empty() && self.obstacles.is_empty() && !over && self.runs > 0;
        self.statistics.exhausted = complete;
        tracing::info!(complete, obstacles = ?self.obstacles, "search ended");
        if !complete {
            return Ok(());
        }
        let program = self.request.subject.unit.program();
        let FunctionUnderTest { unit, interface, .. } = self.request.subject;
        let assumptions = assumptions(unit, interface, &self.bench.inputs);
        let proof = Proof { method: Method::Exploration, assumptions };
        let refuted: Vec<(EventId, Proof)> = self
            .ledger
            .wanted()
            .iter()
            .filter(|id| {
                let event = self.ledger.events().get(**id);
                let seen = !self.map.blocks(program, event).is_empty();
                // A boundary or an effect needs the condition to have the value at all.
                let effect = effect_of(program, &self.ledger, **id);
                seen && effect.is_none_or(|effect| !self.taken.contains(&effect))
            })
            .map(|id| (*id, proof.clone()))
            .collect();
        self.refute(refuted)
    }

    /// Searches for inputs that lead to undefined behaviour, at each place a few times.
    pub(super) fn search_for_runtime_errors(
        &mut self,
        watcher: &mut dyn Watcher,
    ) -> Result<(), FunctionError> {
        if !self.into_errors.is_empty() {
            self.enter(Phase::RuntimeErrors, watcher);
        }
        let mut tries: FxHashMap<Place, u32> = FxHashMap::default();
        while let Some(candidate) = self.into_errors.pop_front() {
            if self.is_over() {
                break;
            }
            let mut errors = self.errors.iter();
            let known = errors.any(|error| self.place_of(&error.finding) == Some(candidate.place));
            let count = tries.entry(candidate.place).or_default();
            if known || *count >= MOST_TRIES {
                continue;
            }
            *count += 1;
            let obstacles = self.obstacles.len();
            self.try_candidate(&candidate)?;
            // That no runtime error was found says nothing about what is covered.
            self.obstacles.truncate(obstacles);
        }
        Ok(())
    }
}
