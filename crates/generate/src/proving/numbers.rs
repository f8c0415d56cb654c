//! Refuting with numbers of any size.

use obligato_model::Method;
use obligato_prove::smt;

use super::{Effort, Proving};
use crate::campaign::CampaignError;
use crate::event::EventId;
use crate::numbers::{self, Numbered};
use crate::proofs::{BookedProof, ProofSystem};
use crate::targets::Effect;

impl Proving<'_> {
    /// Events to which the circuit has a run but the model has not, for a number has left the encoding on the
    /// way; and those that are open because numbers take long to get there. z3 knows numbers of any size.
    pub(super) fn refute_with_numbers(
        &mut self,
        places: &[usize],
        effort: Effort,
    ) -> Result<(), CampaignError> {
        if self.asked.question.encoding.is_exact() {
            return Ok(());
        }
        for place in places {
            if self.is_over(effort) {
                break;
            }
            let event = self.asked.events[*place];
            let effect =
                Effect::of(self.events.get(event)).filter(|_| self.asked.looks_ahead[*place]);
            let monitored = effect
                .as_ref()
                .map(|effect| effect.monitor(self.lowered, self.observed))
                .transpose()?;
            let (system, node) = match &monitored {
                Some(monitored) => (&monitored.system, monitored.happened),
                None => (&self.asked.system, self.asked.nodes[*place]),
            };
            let inputs = self.lowered.system.inputs.len();
            self.found.work += effort.proof;
            match numbers::decide(system, node, inputs, effort.question, &self.stop) {
                Numbered::Never(method) => {
                    let system =
                        if effect.is_some() { ProofSystem::Alone } else { ProofSystem::Shared };
                    self.take_invariant(event, system, method);
                }
                Numbered::Test(test) => self.found.tests.push(test),
                Numbered::Open(why) => {
                    self.found.undecided.extend(why.map(|why| (event, why)));
                }
            }
        }
        Ok(())
    }

    fn take_invariant(&mut self, event: EventId, system: ProofSystem, method: smt::Method) {
        let known = match method {
            smt::Method::Invariant(certificate) => {
                let events = vec![event.index()];
                self.found.booked.push(BookedProof { system, events, certificate });
                Method::Invariant
            }
            smt::Method::Induction(k) => Method::Induction(u32::try_from(k).unwrap_or(u32::MAX)),
        };
        self.found.refuted.push((event, known));
    }
}
