//! What is done about what the search leaves open: effects, conclusions, faults.

use obligato_campaign::EventId;
use obligato_concolic::Place;
use obligato_model::{Method, Proof};
use obligato_symbolic::assumptions;
use rustc_hash::FxHashMap;

use super::{Campaign, MOST_HUNTS};
use crate::outcome::CampaignError;
use crate::request::{Phase, Request, Status};
use crate::twins::effect_of;

impl Campaign<'_, '_> {
    pub(super) fn refute(&mut self, proofs: Vec<(EventId, Proof)>) -> Result<(), CampaignError> {
        tracing::debug!(events = proofs.len(), "refuted");
        self.ledger.refute(proofs).map_err(|event| {
            CampaignError::Contradiction(format!("{:?}", self.ledger.events().get(event)))
        })
    }

    /// Looks for inputs that show effects which are still wanted; true if something came of it.
    pub(super) fn show_effects(
        &mut self,
        watch: &mut dyn FnMut(Status),
    ) -> Result<bool, CampaignError> {
        let program = self.request.unit.program();
        let before = self.tests.len();
        for event in self.ledger.wanted().to_vec() {
            if self.is_over() {
                return Ok(false);
            }
            let effect = effect_of(program, &self.ledger, event);
            let Some(effect) = effect.filter(|_| self.barren.insert(event)) else { continue };
            if self.phase != Phase::Effects {
                self.enter(Phase::Effects, watch);
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
                    watch(self.status());
                }
            }
        }
        self.set_goals();
        Ok(self.tests.len() > before)
    }

    /// If all paths that could matter were seen, what is still wanted never happens.
    pub(super) fn conclude(&mut self) -> Result<(), CampaignError> {
        self.spent = self.spent();
        let complete =
            self.pool.is_empty() && self.obstacles.is_empty() && !self.is_over() && self.runs > 0;
        self.statistics.exhausted = complete;
        tracing::info!(complete, obstacles = ?self.obstacles, "search ended");
        if !complete {
            return Ok(());
        }
        let program = self.request.unit.program();
        let Request { unit, interface, .. } = *self.request;
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

    /// Looks for inputs that lead to faults, at each place a few times.
    pub(super) fn hunt(&mut self, watch: &mut dyn FnMut(Status)) -> Result<(), CampaignError> {
        if !self.hunts.is_empty() {
            self.enter(Phase::Faults, watch);
        }
        let mut tries: FxHashMap<Place, u32> = FxHashMap::default();
        while let Some(candidate) = self.hunts.pop_front() {
            if self.is_over() {
                break;
            }
            let mut faults = self.faults.iter();
            let known = faults.any(|fault| self.place_of(&fault.finding) == Some(candidate.place));
            let count = tries.entry(candidate.place).or_default();
            if known || *count >= MOST_HUNTS {
                continue;
            }
            *count += 1;
            let obstacles = self.obstacles.len();
            self.try_candidate(&candidate)?;
            // That a fault was not found says nothing about what is covered.
            self.obstacles.truncate(obstacles);
        }
        Ok(())
    }
}
