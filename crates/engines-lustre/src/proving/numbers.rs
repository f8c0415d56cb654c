//! Refuting with numbers of any size.

use obligato_model::Method;
use obligato_prove::smt;

use super::{Effort, Proving};
use crate::campaign::CampaignError;
use crate::event::EventId;
use crate::numbers::{self, Numbered};
use crate::proofs::{BookedProof, ProofSystem};
use crate::targets::Effect;

/// z3 may give up so often in a round.
const PATIENCE: usize = 4;

impl Proving<'_> {
    /// z3 knows numbers of any size, and reasons about them as such. So it refutes what numbers that leave the encoding make look
    /// possible, and much of what a circuit takes long to show bit by bit. It may do as much as all others, unless it gets
    /// nowhere. What it has given up on least often comes first, and of that what nobody else can refute.
    pub(super) fn refute_with_numbers(
        &mut self,
        wanted: &[EventId],
        effort: Effort,
    ) -> Result<(), CampaignError> {
        if self.asked.question.encoding.is_exact() {
            return Ok(());
        }
        let end = self.found.work.saturating_add(effort.all);
        let mut patience = PATIENCE;
        for place in &self.in_turn(wanted) {
            if patience == 0 || self.is_over(end) {
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
            self.found.work += effort.question;
            match numbers::decide(system, node, inputs, effort.question, &self.stop) {
                Numbered::Never(method) => {
                    let system =
                        if effect.is_some() { ProofSystem::Alone } else { ProofSystem::Shared };
                    self.take_invariant(event, system, method);
                }
                Numbered::Test(test) => self.found.tests.push(test),
                Numbered::Open(why) => {
                    patience -= 1;
                    *self.given_up.entry(*place).or_default() += 1;
                    self.found.undecided.extend(why.map(|why| (event, why)));
                }
            }
        }
        Ok(())
    }

    /// The places of events, in the order in which z3 gets them.
    fn in_turn(&self, wanted: &[EventId]) -> Vec<usize> {
        let places = wanted.iter().filter_map(|event| self.asked.place(*event));
        let mut places: Vec<usize> = places.collect();
        places.sort_by_key(|at| {
            let given_up = self.given_up.get(at).copied().unwrap_or_default();
            (given_up, !self.misled.contains(at), *at)
        });
        places
    }

    fn take_invariant(&mut self, event: EventId, system: ProofSystem, method: smt::SmtProof) {
        let known = match method {
            smt::SmtProof::Invariant(certificate) => {
                let events = vec![event.index()];
                self.found.booked.push(BookedProof { system, events, certificate });
                Method::Invariant
            }
            smt::SmtProof::Induction(k) => Method::Induction(u32::try_from(k).unwrap_or(u32::MAX)),
        };
        self.found.refuted.push((event, known));
    }
}
