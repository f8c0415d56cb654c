//! Refutation over unbounded numbers, by z3.

use obligato_model::{Method, Undecided};
use obligato_prove::smt;

use super::{Effort, Proving};
use crate::campaign::ModelError;
use crate::event::EventId;
use crate::proofs::{BookedProof, ProofSystem};
use crate::targets::Effect;
use crate::unbounded::{self, UnboundedVerdict};

/// The most undecided answers of z3 in a round.
const MOST_UNDECIDED: usize = 4;

impl Proving<'_> {
    /// z3 reasons about unbounded numbers. So it refutes events that are reachable in the circuit only because numbers leave the
    /// encoding, and many that bit-level proofs take long for. It may spend as much as all other engines, unless it fails
    /// repeatedly. Events that it failed on least often come first, and of those the ones that no other engine can refute.
    pub(super) fn refute_with_numbers(
        &mut self,
        wanted: &[EventId],
        effort: Effort,
    ) -> Result<(), ModelError> {
        if self.shared.query.encoding.is_exact() {
            return Ok(());
        }
        let end = self.found.work.saturating_add(effort.all);
        let mut patience = MOST_UNDECIDED;
        for place in &self.in_turn(wanted) {
            if patience == 0 || self.is_over(end) {
                break;
            }
            let event = self.shared.events[*place];
            let effect =
                Effect::of(self.events.get(event)).filter(|_| self.shared.looks_ahead[*place]);
            let monitored = effect
                .as_ref()
                .map(|effect| effect.monitor(self.lowered, self.observed))
                .transpose()?;
            let (system, node) = match &monitored {
                Some(monitored) => (&monitored.system, monitored.happened),
                None => (&self.shared.system, self.shared.nodes[*place]),
            };
            let inputs = self.lowered.system.inputs.len();
            self.found.work += effort.query;
            match unbounded::decide(system, node, inputs, effort.query, &self.stop) {
                UnboundedVerdict::Never(method) => {
                    let system =
                        if effect.is_some() { ProofSystem::Alone } else { ProofSystem::Shared };
                    self.take_invariant(event, system, method);
                }
                UnboundedVerdict::Test(test) => self.found.tests.push(test),
                UnboundedVerdict::Undefined => {
                    *self.given_up.entry(*place).or_default() += 1;
                    let what = "a 'pre' that no '->' guards".to_owned();
                    self.found.undecided.push((event, Undecided::UndefinedFirst(what)));
                }
                UnboundedVerdict::Open(why) => {
                    patience -= 1;
                    *self.given_up.entry(*place).or_default() += 1;
                    self.found.undecided.extend(why.map(|why| (event, why.into())));
                }
            }
        }
        Ok(())
    }

    /// The places of events, in the order in which z3 gets them.
    fn in_turn(&self, wanted: &[EventId]) -> Vec<usize> {
        let places = wanted.iter().filter_map(|event| self.shared.place(*event));
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
