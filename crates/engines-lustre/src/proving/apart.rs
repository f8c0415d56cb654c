//! Effects that the shared system does not refute, in systems of their own.
//!
//! Under the tag semantics a group of effects shares a tag; under the exact semantics each has its own product. What such a
//! proof says of the model itself helps all later proofs.

use obligato_model::{Method, Observability};

use super::{Effort, Proving};
use crate::campaign::ModelError;
use crate::event::EventId;
use crate::monitor::{self, Decided, Known, MonitorResult};
use crate::proofs::{BookedProof, ProofSystem};
use crate::targets::{Effect, Monitored, Tagged, tagged};

impl Proving<'_> {
    /// Groups that share a tag, under these semantics.
    pub(super) fn refute_tagged(
        &mut self,
        wanted: &[EventId],
        semantics: Observability,
        effort: Effort,
    ) -> Result<(), ModelError> {
        let alike = wanted.iter().copied().filter(|event| {
            let effect = Effect::of(self.events.get(*event));
            let place = self.shared.place(*event);
            effect.is_some_and(|effect| effect.semantics == semantics)
                && place.is_some_and(|at| !self.misled.contains(&at))
        });
        let alike: Vec<EventId> = alike.collect();
        let mut groups = self.tagged.remove(semantics.name()).unwrap_or_default();
        groups.begin(&alike);
        while !self.is_over(effort.all)
            && let Some(mut group) = groups.take()
        {
            let effects = group.iter().filter_map(|event| Effect::of(self.events.get(*event)));
            let effects: Vec<Effect> = effects.collect();
            let Tagged { monitored, .. } =
                tagged(&effects, semantics, self.lowered, self.observed)?;
            match self.decide(&monitored, effort)? {
                Decided::Never(certificate) => {
                    self.take_certificate(ProofSystem::Tagged(semantics), &group, certificate);
                }
                Decided::Test(test) => {
                    let shown = self.shown(&test, &group)?;
                    if !shown.is_empty() {
                        group.retain(|event| !shown.contains(event));
                        self.found.tests.push(test);
                        groups.put_back(group);
                    } else if let [only] = group.as_slice() {
                        // A number has left the encoding on the way.
                        self.misled.extend(self.shared.place(*only));
                    } else {
                        groups.cut(&group);
                    }
                }
                Decided::Open => groups.cut(&group),
            }
        }
        self.tagged.insert(semantics.name(), groups);
        Ok(())
    }

    /// Events that share no system, each in one of its own; those first that were left open least often.
    pub(super) fn refute_alone(
        &mut self,
        wanted: &[EventId],
        effort: Effort,
    ) -> Result<(), ModelError> {
        let alone = wanted.iter().copied().filter(|event| self.shared.place(*event).is_none());
        let mut alone: Vec<EventId> = alone.collect();
        alone.sort_by_key(|event| self.left_alone.get(event).copied().unwrap_or_default());
        for event in alone {
            let Some(effect) = Effect::of(self.events.get(event)) else { continue };
            if self.is_over(effort.all) {
                break;
            }
            let monitored = effect.monitor(self.lowered, self.observed)?;
            match self.decide(&monitored, effort)? {
                Decided::Never(certificate) => {
                    self.take_certificate(ProofSystem::Alone, &[event], certificate);
                }
                Decided::Test(test) => self.found.tests.push(test),
                Decided::Open => *self.left_alone.entry(event).or_default() += 1,
            }
        }
        Ok(())
    }

    fn decide(&mut self, monitored: &Monitored, effort: Effort) -> Result<Decided, ModelError> {
        let invariant = self.known_of_states(effort.all);
        let known = Known { query: &self.shared.query, invariant: &invariant };
        let inputs = self.lowered.system.inputs.len();
        let MonitorResult { decided, learned, work } =
            monitor::decide(monitored, inputs, known, effort.proof, &self.stop)?;
        let before = self.prover.work;
        self.prover.know(&learned, effort.proof);
        self.found.work += work + self.prover.work - before;
        Ok(decided)
    }

    /// Takes a proof in a system of its own.
    pub(super) fn take_certificate(
        &mut self,
        system: ProofSystem,
        events: &[EventId],
        certificate: String,
    ) {
        self.found.refuted.extend(events.iter().map(|event| (*event, Method::Invariant)));
        let events = events.iter().map(|event| event.index()).collect();
        self.found.booked.push(BookedProof { system, events, certificate });
    }
}
