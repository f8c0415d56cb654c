//! The phase that proves: what no test can show.
//!
//! First all open events together, by induction. Then by IC3: one proof that none of a group of events ever
//! happens, and where that is too much, one for each half of the group. What the system that all
//! share cannot refute, because an effect may be seen later for all that a step can know, is decided in
//! systems of its own: effects under the tag semantics share a tag there, those under the exact semantics have a
//! system each. Runs that turn up on the way are replayed, and what they show leaves the group.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use obligato_lustre::lowering::Lowered;
use obligato_lustre_replay::Meter;
use obligato_model::{Method, Observability, SolverLimit, TestCase};
use obligato_prove::certificate::{Bad, Certificate, fingerprint};
use obligato_prove::{Invariant, Run};
use obligato_solver::Stop;
use obligato_transition_system::{Error, NodeId};

use crate::asked::Asked;
use crate::campaign::CampaignError;
use crate::event::{EventId, Events};
use crate::ledger::happened;
use crate::proofs::{self, BookedProof, ProofSystem};
use crate::prover::{Attempt, Prover};

mod apart;
mod groups;
mod numbers;
mod observability;
mod reachable;

use groups::Groups;
use observability::ObservabilityState;

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
    /// How often z3 has given up on events, by place.
    given_up: BTreeMap<usize, usize>,
    /// What the shared system may refute.
    together: Groups,
    /// By the name of their semantics: effects that share a tag.
    tagged: BTreeMap<&'static str, Groups>,
    /// How often events in systems of their own were left open.
    left_alone: BTreeMap<EventId, usize>,
    /// Runs of the circuit that tests have shown.
    runs: Vec<Run>,
    /// Where what latches hold can be seen, as far as that is known.
    observability: ObservabilityState,
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
    pub undecided: Vec<(EventId, SolverLimit)>,
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
            given_up: BTreeMap::new(),
            together: Groups::default(),
            tagged: BTreeMap::new(),
            left_alone: BTreeMap::new(),
            runs: Vec::new(),
            observability: ObservabilityState::default(),
            excluded: Vec::new(),
            found: Proofs::default(),
            stop: stop.clone(),
        }
    }

    /// Refutes events together, by induction, forwards and then backwards. What the shared system is known to reach is left out of
    /// the first: it would only be carried along from one round to the next.
    pub fn induct(&mut self, wanted: &[EventId], work: u64) -> Result<Proofs, CampaignError> {
        let (start, before) = (Instant::now(), self.prover.work);
        let places = wanted.iter().filter_map(|event| self.asked.place(*event));
        let places: Vec<usize> = places.filter(|at| !self.reachable[*at]).collect();
        let refuted = self.prover.induct(&places, &self.runs, work).into_iter();
        let refuted: Vec<(EventId, Method)> =
            refuted.map(|(place, method)| (self.asked.events[place], method)).collect();
        tracing::debug!(events = places.len(), refuted = refuted.len(), "induction");
        self.excluded.extend(refuted.iter().map(|(event, _)| *event));
        self.found.refuted.extend(refuted);
        self.found.work += self.prover.work - before;
        self.refute_by_observability(&self.still_open(wanted.to_vec()), work)?;
        self.found.time = start.elapsed();
        Ok(std::mem::take(&mut self.found))
    }

    /// Tries to refute events by IC3, and by z3 where there are numbers.
    pub fn refute(&mut self, wanted: &[EventId], effort: Effort) -> Result<Proofs, CampaignError> {
        let start = Instant::now();
        self.refute_by_observability(wanted, effort.all)?;
        let wanted = self.still_open(wanted.to_vec());
        let together = |event: &EventId| {
            let at = self.asked.place(*event)?;
            (!self.reachable[at]).then_some(at)
        };
        let ahead = wanted.iter().filter_map(together).filter(|at| self.asked.looks_ahead[*at]);
        self.find_reachable(&ahead.collect::<Vec<usize>>(), effort);
        self.refute_together(&wanted, effort);
        let wanted = self.still_open(wanted);
        self.refute_by_observability(&wanted, effort.all)?;
        let wanted = self.still_open(wanted);
        for semantics in [Observability::Strict, Observability::Tags] {
            self.refute_tagged(&wanted, semantics, effort)?;
        }
        self.refute_alone(&wanted, effort)?;
        let wanted = self.still_open(wanted);
        self.refute_with_numbers(&wanted, effort)?;
        self.found.time = start.elapsed();
        Ok(std::mem::take(&mut self.found))
    }

    /// Was so much work done in this round, or was it stopped?
    fn is_over(&self, work: u64) -> bool {
        self.found.work >= work || self.stop.is_due()
    }

    /// Leaves what was not refuted in this round.
    fn still_open(&self, mut events: Vec<EventId>) -> Vec<EventId> {
        let refuted: BTreeSet<EventId> =
            self.found.refuted.iter().map(|(event, _)| *event).collect();
        events.retain(|event| !refuted.contains(event));
        events
    }

    /// Groups in the system that all share. Half of the work is left for effects in systems of their own.
    fn refute_together(&mut self, wanted: &[EventId], effort: Effort) {
        let place = |event: &EventId| self.asked.place(*event);
        let possible = wanted
            .iter()
            .copied()
            .filter(|event| place(event).is_some_and(|at| !self.reachable[at]));
        let possible: Vec<EventId> = possible.collect();
        let mut groups = std::mem::take(&mut self.together);
        groups.begin(&possible);
        while !self.is_over(effort.all / 2)
            && let Some(mut group) = groups.take()
        {
            let places: Vec<usize> = group.iter().filter_map(place).collect();
            let before = self.prover.work;
            let attempt = self.prover.refute(&places, effort.proof);
            self.found.work += self.prover.work - before;
            tracing::debug!(events = group.len(), answer = attempt.name(), "group");
            match attempt {
                Attempt::Refuted(method) => {
                    self.excluded.extend(&group);
                    self.found.refuted.extend(group.into_iter().map(|event| (event, method)));
                }
                Attempt::Reached(run) => {
                    self.mark_reachable(run.clone());
                    let is_plain = |at: &usize| !self.asked.looks_ahead[*at];
                    if places.iter().any(|at| self.reachable[*at] && is_plain(at)) {
                        self.found.tests.push(self.asked.question.test(&run));
                    }
                    let size = group.len();
                    group.retain(|event| place(event).is_some_and(|at| !self.reachable[at]));
                    if group.len() < size {
                        groups.put_back(group);
                    }
                }
                Attempt::Open => groups.cut(&group),
            }
        }
        self.together = groups;
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
