//! Refuting with numbers of any size.

use std::time::{Duration, Instant};

use obligato_model::{Method, TestCase, Value};
use obligato_prove::smt;

use super::{Effort, Proving};
use crate::campaign::CampaignError;
use crate::event::EventId;
use crate::proofs::{BookedProof, ProofSystem};
use crate::targets::Effect;

/// z3's units of work for one of ours.
const Z3_UNITS: u64 = 1_000;
/// z3 does not count all of its work, so time has to end it too.
const MOST_Z3: Duration = Duration::from_secs(20);
/// z3 looks for runs of so many steps.
const MOST_Z3_STEPS: usize = 20;

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
            let limits = smt::Limits {
                work: effort.proof.saturating_mul(Z3_UNITS),
                stop: self.stop.by(Instant::now() + MOST_Z3),
                ..smt::Limits::new(&self.stop)
            };
            self.found.work += effort.proof;
            match smt::invariant(system, &smt::Goal::Node(node), MOST_Z3_STEPS, &limits) {
                Ok(smt::Outcome::Proved(method)) => {
                    let system =
                        if effect.is_some() { ProofSystem::Alone } else { ProofSystem::Shared };
                    self.take_invariant(event, system, method);
                }
                Ok(smt::Outcome::Reached(inputs)) => {
                    let model = self.lowered.system.inputs.len();
                    let step =
                        |values: Vec<Value>| values.into_iter().take(model).map(Some).collect();
                    let steps = inputs.into_iter().map(step).collect();
                    self.found.tests.push(TestCase { name: String::new(), steps });
                }
                Ok(smt::Outcome::Unknown(why)) => self.found.undecided.push((event, why)),
                // That there is no z3, say; but what was stopped has not failed.
                Err(error) if !self.stop.is_due() => {
                    self.found.undecided.push((event, error.to_string()));
                }
                Err(_) => {}
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
