//! The phase that proves: what no test can show.
//!
//! First all open events together, by induction. Then by IC3: one proof that none of a group of events ever
//! happens, and where that is too much, one for each half of the group. What the system that all
//! share cannot refute, because an effect may be seen later for all that a step can know, is decided in
//! systems of its own: effects under the tag semantics share a tag there, those under the exact semantics have a
//! system each. Runs that turn up on the way are replayed, and what they show leaves the group.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use obligato_lustre::lowering::Lowered;
use obligato_model::{Method, Observability, TestCase};
use obligato_prove::certificate::{Bad, Certificate, fingerprint};
use obligato_prove::{Invariant, Run};
use obligato_replay::Meter;
use obligato_solver::Stop;
use obligato_system::{Error, NodeId};

use crate::asked::Asked;
use crate::campaign::CampaignError;
use crate::event::{EventId, Events};
use crate::ledger::happened;
use crate::monitor::{self, Decided, Known};
use crate::proofs::{self, BookedProof, ProofSystem};
use crate::prover::{Attempt, Prover};
use crate::targets::{Effect, Monitored, Tagged, tagged};

mod numbers;
mod outlook;
mod reachable;

use outlook::Watch;

/// Proves round after round.
#[derive(Debug)]
pub struct Proving<'a> {
    asked: &'a Asked,
    events: &'a Events,
    lowered: &'a Lowered,
    observed: &'a [NodeId],
    meter: Meter<'a>,
    prover: Prover<'a>,
    /// The events that the shared system cannot refute, by place.
    reachable: Vec<bool>,
    /// The effects that a tag reaches in the circuit but not in the model, by place.
    misled: BTreeSet<usize>,
    /// Runs of the circuit that tests have shown.
    runs: Vec<Run>,
    /// Where what latches hold can be seen, as far as that is known.
    watch: Watch,
    /// The events that were refuted in the shared system.
    excluded: Vec<EventId>,
    /// What was proved and found since the last [round](Self::refute) began.
    found: Proofs,
    stop: Stop,
}

/// What was proved, and found on the way.
#[derive(Debug, Default)]
pub struct Proofs {
    /// Events that never happen.
    pub refuted: Vec<(EventId, Method)>,
    /// Proofs in systems of their own.
    pub booked: Vec<BookedProof>,
    /// Tests that show something.
    pub tests: Vec<TestCase>,
    /// Events that a solver gave up on, and why.
    pub undecided: Vec<(EventId, String)>,
    /// Work done.
    pub work: u64,
    /// Time spent.
    pub time: Duration,
}

/// How much a round may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// On one question to a solver that searches for runs of several steps, or has numbers of any size.
    pub question: u64,
    /// On one proof.
    pub proof: u64,
    /// On all.
    pub all: u64,
}

impl<'a> Proving<'a> {
    /// Nothing proved yet. The meter replays what turns up.
    pub fn new(
        asked: &'a Asked,
        events: &'a Events,
        lowered: &'a Lowered,
        observed: &'a [NodeId],
        meter: Meter<'a>,
        stop: &Stop,
    ) -> Self {
        let prover = Prover::new(&asked.question, stop);
        let reachable = vec![false; asked.events.len()];
        Self {
            asked,
            events,
            lowered,
            observed,
            meter,
            prover,
            reachable,
            misled: BTreeSet::new(),
            runs: Vec::new(),
            watch: Watch::default(),
            excluded: Vec::new(),
            found: Proofs::default(),
            stop: stop.clone(),
        }
    }

    /// Refutes events together, by induction. What the shared system is known to reach is left out: it would only be
    /// carried along from one stretch to the next longer one.
    pub fn induct(&mut self, wanted: &[EventId], work: u64) -> Proofs {
        let (start, before) = (Instant::now(), self.prover.work);
        let places = wanted.iter().filter_map(|event| self.asked.place(*event));
        let places: Vec<usize> = places.filter(|at| !self.reachable[*at]).collect();
        let refuted = self.prover.induct(&places, work).into_iter();
        let refuted: Vec<(EventId, Method)> =
            refuted.map(|(place, method)| (self.asked.events[place], method)).collect();
        self.excluded.extend(refuted.iter().map(|(event, _)| *event));
        Proofs {
            refuted,
            work: self.prover.work - before,
            time: start.elapsed(),
            ..Proofs::default()
        }
    }

    /// Tries to refute events by IC3.
    pub fn refute(&mut self, wanted: &[EventId], effort: Effort) -> Result<Proofs, CampaignError> {
        let start = Instant::now();
        let excluded = self.look_out(wanted, effort)?;
        let wanted: Vec<EventId> =
            wanted.iter().copied().filter(|event| !excluded.contains(event)).collect();
        let place = |event: &EventId| self.asked.place(*event);
        let together: Vec<usize> =
            wanted.iter().filter_map(place).filter(|at| !self.reachable[*at]).collect();
        let ahead = together.iter().copied().filter(|at| self.asked.looks_ahead[*at]);
        self.find_reachable(&ahead.collect::<Vec<usize>>(), effort);
        let left = together.into_iter().filter(|at| !self.reachable[*at]);
        self.refute_together(left.collect(), effort);
        for semantics in [Observability::Strict, Observability::Tags] {
            let of = |event: &EventId| Effect::of(self.events.get(*event));
            let apart = wanted.iter().copied().filter(|event| {
                of(event).is_some_and(|effect| effect.semantics == semantics)
                    && self.asked.place(*event).is_some_and(|at| self.reachable[at])
            });
            self.refute_tagged(apart.collect(), semantics, effort)?;
        }
        for event in wanted.iter().filter(|event| self.asked.place(**event).is_none()) {
            self.refute_alone(*event, effort)?;
        }
        let refuted: BTreeSet<EventId> =
            self.found.refuted.iter().map(|(event, _)| *event).collect();
        let open = wanted.iter().filter(|event| !refuted.contains(event));
        let places = open
            .filter_map(|event| self.asked.place(*event))
            .filter(|at| self.misled.contains(at) || !self.asked.looks_ahead[*at]);
        self.refute_with_numbers(&places.collect::<Vec<usize>>(), effort)?;
        self.found.time = start.elapsed();
        Ok(std::mem::take(&mut self.found))
    }

    /// Is all work done that is allowed, or was it stopped?
    fn is_over(&self, effort: Effort) -> bool {
        self.found.work >= effort.all || self.stop.is_due()
    }

    /// Groups in the system that all share.
    fn refute_together(&mut self, all: Vec<usize>, effort: Effort) {
        let mut groups = vec![all];
        while let Some(mut group) = groups.pop() {
            if group.is_empty() || self.is_over(effort) {
                continue;
            }
            let before = self.prover.work;
            let attempt = self.prover.refute(&group, effort.proof);
            self.found.work += self.prover.work - before;
            match attempt {
                Attempt::Refuted(method) => {
                    let events = group.iter().map(|place| self.asked.events[*place]);
                    self.excluded.extend(events.clone());
                    self.found.refuted.extend(events.map(|event| (event, method)));
                }
                Attempt::Reached(run) => {
                    let size = group.len();
                    self.mark_reachable(run.clone());
                    let is_plain = |at: &usize| !self.asked.looks_ahead[*at];
                    if group.iter().any(|at| self.reachable[*at] && is_plain(at)) {
                        self.found.tests.push(self.asked.question.test(&run));
                    }
                    group.retain(|at| !self.reachable[*at]);
                    if group.len() < size {
                        groups.push(group);
                    }
                }
                Attempt::Open => groups.extend(halves(&group)),
            }
        }
    }

    /// Groups that share a tag.
    fn refute_tagged(
        &mut self,
        all: Vec<EventId>,
        semantics: Observability,
        effort: Effort,
    ) -> Result<(), CampaignError> {
        let mut groups = vec![all];
        while let Some(mut group) = groups.pop() {
            if group.is_empty() || self.is_over(effort) {
                continue;
            }
            let effects = group.iter().filter_map(|event| Effect::of(self.events.get(*event)));
            let effects: Vec<Effect> = effects.collect();
            let Tagged { monitored, .. } =
                tagged(&effects, semantics, self.lowered, self.observed)?;
            match self.decide(&monitored, effort)? {
                Decided::Never(certificate) => {
                    self.take_certificate(ProofSystem::Tagged(semantics), &group, certificate);
                }
                Decided::Test(test) => {
                    let size = group.len();
                    let shown = self.shown(&test, &group)?;
                    group.retain(|event| !shown.contains(event));
                    if group.len() < size {
                        self.found.tests.push(test);
                        groups.push(group);
                    } else {
                        // A number has left the encoding on the way.
                        let place = |event: &EventId| self.asked.place(*event);
                        if let [only] = group.as_slice() {
                            self.misled.extend(place(only));
                        }
                        groups.extend(halves(&group));
                    }
                }
                Decided::Open => groups.extend(halves(&group)),
            }
        }
        Ok(())
    }

    /// One event in a system of its own.
    fn refute_alone(&mut self, event: EventId, effort: Effort) -> Result<(), CampaignError> {
        let Some(effect) = Effect::of(self.events.get(event)) else { return Ok(()) };
        if self.is_over(effort) {
            return Ok(());
        }
        let monitored = effect.monitor(self.lowered, self.observed)?;
        match self.decide(&monitored, effort)? {
            Decided::Never(certificate) => {
                self.take_certificate(ProofSystem::Alone, &[event], certificate);
            }
            Decided::Test(test) => self.found.tests.push(test),
            Decided::Open => {}
        }
        Ok(())
    }

    fn decide(&mut self, monitored: &Monitored, effort: Effort) -> Result<Decided, CampaignError> {
        let known = Known { question: &self.asked.question, invariant: &self.prover.known };
        let inputs = self.lowered.system.inputs.len();
        let (decided, done) =
            monitor::decide(monitored, inputs, Some(known), effort.proof, &self.stop)?;
        self.found.work += done;
        Ok(decided)
    }

    fn take_certificate(&mut self, system: ProofSystem, events: &[EventId], certificate: String) {
        self.found.refuted.extend(events.iter().map(|event| (*event, Method::Invariant)));
        let events = events.iter().map(|event| event.index()).collect();
        self.found.booked.push(BookedProof { system, events, certificate });
    }

    /// What is known to hold always in the shared system.
    pub fn known(&self) -> &Invariant {
        &self.prover.known
    }

    /// One proof of all that was refuted in the shared system, if anything was.
    pub fn shared_proof(mut self) -> Option<BookedProof> {
        self.excluded.sort_unstable();
        self.excluded.dedup();
        let question = &self.asked.question;
        let bad = |event: &EventId| {
            let name = format!("event {}", event.index());
            self.asked.place(*event).map(|place| Bad { name, lit: question.lits[place] })
        };
        let bads: Vec<Bad> = self.excluded.iter().filter_map(bad).collect();
        let circuit = fingerprint(&question.encoding.circuit);
        let certificate = Certificate { circuit, bads, invariant: self.prover.known };
        (!self.excluded.is_empty()).then(|| BookedProof {
            system: ProofSystem::Shared,
            events: self.excluded.iter().map(|event| event.index()).collect(),
            certificate: proofs::print(&certificate, question, &self.lowered.system),
        })
    }

    /// The events that a replay of a test shows.
    fn shown(&mut self, test: &TestCase, events: &[EventId]) -> Result<Vec<EventId>, Error> {
        let measured = self.meter.measure(std::slice::from_ref(test))?;
        let program = &self.lowered.program;
        let shown = |event: &EventId| {
            let event = self.events.get(*event);
            measured.iter().any(|test| happened(program, event, &test.evidence))
        };
        Ok(events.iter().copied().filter(shown).collect())
    }
}

/// Both halves of a group that has more than one member.
fn halves<T: Clone>(group: &[T]) -> Vec<Vec<T>> {
    if group.len() < 2 {
        return Vec::new();
    }
    let (first, second) = group.split_at(group.len() / 2);
    vec![second.to_vec(), first.to_vec()]
}
