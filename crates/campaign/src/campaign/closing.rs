//! What is done about what the search leaves open: all paths asked together, effects, conclusions, faults.

use std::collections::VecDeque;

use obligato_concolic::Place;
use obligato_ledger::{Event, EventId};
use obligato_merge::{Cut, Found, Limits, Merged};
use obligato_model::{Method, Observability, Proof};
use obligato_search::Goals;
use obligato_symbolic::assumptions;
use rustc_hash::FxHashMap;

use super::{Campaign, MOST_HUNTS};
use crate::outcome::CampaignError;
use crate::request::{Request, Status};
use crate::twins::effect_of;

impl Campaign<'_, '_> {
    /// Asks the formula of the whole function, all paths merged, for everything that is still wanted.
    pub(super) fn ask_merged(
        &mut self,
        watch: &mut dyn FnMut(Status),
    ) -> Result<(), CampaignError> {
        let Request { unit, interface, steps, .. } = *self.request;
        let mut open: VecDeque<EventId> = self.ledger.wanted().to_vec().into();
        if open.is_empty() || self.is_over() {
            return Ok(());
        }
        let limits = Limits { stop: self.stop.clone(), ..Limits::default() };
        let Some(mut merged) = Merged::build(unit, interface, steps, &limits) else {
            return Ok(());
        };
        while let Some(event) = open.pop_front() {
            if self.is_over() {
                break;
            }
            if self.ledger.wanted().binary_search(&event).is_err() {
                continue;
            }
            watch(self.status());
            self.statistics.merged += 1;
            let asked = self.ledger.events().get(event).clone();
            match self.find(&mut merged, &asked) {
                Found::Test(test) => {
                    let ran = self.execute_test(&test)?;
                    self.absorb(ran);
                    if self.ledger.wanted().binary_search(&event).is_ok() {
                        let why = "the inputs that were found do not show it when they are run";
                        self.ledger.doubt(event, why.to_owned());
                    }
                }
                Found::Never(proof) => self.refute(vec![(event, proof)])?,
                Found::Unknown(why) => self.ledger.doubt(event, why),
            }
        }
        self.set_goals();
        self.renew();
        Ok(())
    }

    /// A test or a proof for an event. The formula knows nothing of tags; but what is never shown has no tag that anyone could see.
    fn find(&self, merged: &mut Merged<'_>, event: &Event) -> Found {
        let program = self.request.unit.program();
        let goals = Goals::new(&self.graph, self.map.blocks(program, event).to_vec(), false);
        let matters = |cut: &Cut| self.leads_to(&goals, cut);
        let (semantics, condition, value) = match event {
            Event::Observed(semantics, condition, value) => (semantics, *condition, *value),
            Event::ObservedBoundary(semantics, condition, ordinal)
                if *semantics != Observability::Exact =>
            {
                let boundary = Event::Boundary(*condition, *ordinal);
                return match merged.find_if_followed(&boundary, &matters) {
                    Found::Never(proof) => Found::Never(proof),
                    _ => Found::Unknown(NO_TAGS.to_owned()),
                };
            }
            _ => return merged.find_if_followed(event, &matters),
        };
        if *semantics == Observability::Exact {
            return merged.find(event);
        }
        let mut proofs = [true, false]
            .map(|outcome| {
                merged.find_if_followed(&Event::Shown { condition, value, outcome }, &matters)
            })
            .into_iter();
        match (proofs.next(), proofs.next()) {
            (Some(Found::Never(proof)), Some(Found::Never(_))) => Found::Never(proof),
            _ => Found::Unknown(NO_TAGS.to_owned()),
        }
    }

    /// May one of the goals be reached by a run that was not followed beyond this cut?
    fn leads_to(&self, goals: &Goals, cut: &Cut) -> bool {
        let place = |(function, operation)| Place { function, operation };
        let Some(block) = self.graph.block_of(place((cut.function, cut.operation))) else {
            return true;
        };
        let callers = cut.callers.iter().map(|from| place(*from));
        // A jump out of a function may go on anywhere.
        let jumps = || self.request.unit.module().functions.iter().any(|one| is_jump(&one.name));
        cut.step as usize + 1 < self.request.steps
            || goals.reachable(&self.graph, block, callers)
            || jumps()
    }

    pub(super) fn refute(&mut self, proofs: Vec<(EventId, Proof)>) -> Result<(), CampaignError> {
        self.ledger.refute(proofs).map_err(|event| {
            CampaignError::Contradiction(format!("{:?}", self.ledger.events().get(event)))
        })
    }

    /// Looks for inputs that show effects which are still wanted; true if something came of it.
    pub(super) fn show_effects(&mut self) -> Result<bool, CampaignError> {
        let program = self.request.unit.program();
        let before = self.tests.len();
        for event in self.ledger.wanted().to_vec() {
            if self.is_over() {
                return Ok(false);
            }
            let effect = effect_of(program, &self.ledger, event);
            let Some(effect) = effect.filter(|_| self.barren.insert(event)) else { continue };
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
    pub(super) fn hunt(&mut self) -> Result<(), CampaignError> {
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

/// Is it a function to which others jump back?
fn is_jump(name: &str) -> bool {
    name.contains("setjmp")
}

const NO_TAGS: &str = "no run shows its effect, and no proof of tags is known for C";
