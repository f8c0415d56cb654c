//! The proof phase: events that no test can show.
//!
//! First all open events together, by k-induction. Then by IC3: one proof that none of a group of events ever
//! happens, and if the budget does not suffice, one for each part of the group. The shared system over-approximates
//! observability: its prophecies are free within a step. Effects that it cannot refute are decided in
//! systems of their own: effects under the tag semantics share a tag there, those under the exact semantics have a
//! system each. Counterexamples are replayed, and the events they show leave the group.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use obligato_lustre::lowering::Lowered;
use obligato_lustre_replay::Meter;
use obligato_model::{Method, Observability, TestCase, Undecided};
use obligato_prove::certificate::{Bad, Certificate, fingerprint};
use obligato_prove::{Invariant, Run};
use obligato_solver::Stop;
use obligato_transition_system::{Error, NodeId};

use crate::campaign::ModelError;
use crate::event::{EventId, Events};
use crate::ledger::happened;
use crate::proofs::{self, BookedProof, ProofSystem};
use crate::prover::{Attempt, Prover};
use crate::shared_query::SharedQuery;

mod apart;
mod groups;
mod observability;
mod reachable;
mod unbounded;

use groups::Groups;
use observability::ObservabilityState;

/// The proof phase, round after round.
#[derive(Debug)]
pub struct Proving<'a> {
    shared: &'a SharedQuery,
    events: &'a Events,
    lowered: &'a Lowered,
    observed: &'a [NodeId],
    meter: Meter<'a>,
    prover: Prover<'a>,
    /// By position: is the event reachable in the shared system, so that it cannot refute it?
    reachable: Vec<bool>,
    /// Effects that a tag reaches in the circuit but not in the model, by position: spurious counterexamples.
    misled: BTreeSet<usize>,
    /// How often z3 failed to decide an event, by position.
    given_up: BTreeMap<usize, usize>,
    /// Groups for the shared system.
    together: Groups,
    /// By the name of their semantics: effects that share a tag.
    tagged: BTreeMap<&'static str, Groups>,
    /// How often events in systems of their own stayed undecided.
    left_alone: BTreeMap<EventId, usize>,
    /// Runs of the circuit that tests have shown.
    runs: Vec<Run>,
    /// The observability conditions of latches, as far as computed.
    observability: ObservabilityState,
    /// The events proved impossible in the shared system.
    excluded: Vec<EventId>,
    /// The results of the present [round](Self::refute).
    found: Proofs,
    stop: Stop,
}

/// The results of a round.
#[derive(Debug, Default)]
pub struct Proofs {
    /// Events that never happen.
    pub refuted: Vec<(EventId, Method)>,
    /// Proofs in systems of their own.
    pub booked: Vec<BookedProof>,
    /// Tests from counterexamples that show events.
    pub tests: Vec<TestCase>,
    /// Undecided events, and why.
    pub undecided: Vec<(EventId, Undecided)>,
    /// Work done.
    pub work: u64,
    /// Time spent.
    pub time: Duration,
}

/// The work units of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// For one query of bounded model checking, or of z3.
    pub query: u64,
    /// For one proof.
    pub proof: u64,
    /// For all.
    pub all: u64,
}

impl<'a> Proving<'a> {
    /// Starts the phase. The meter replays counterexamples.
    pub fn new(
        shared: &'a SharedQuery,
        events: &'a Events,
        lowered: &'a Lowered,
        observed: &'a [NodeId],
        meter: Meter<'a>,
        stop: &Stop,
    ) -> Self {
        let prover = Prover::new(&shared.query, stop);
        let reachable = vec![false; shared.events.len()];
        Self {
            shared,
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

    /// Refutes events together, by induction, forwards and then backwards. Events that are reachable in the shared system are left out of
    /// the first: they would only slow it down.
    pub fn induct(&mut self, wanted: &[EventId], work: u64) -> Result<Proofs, ModelError> {
        let (start, before) = (Instant::now(), self.prover.work);
        let places = wanted.iter().filter_map(|event| self.shared.place(*event));
        let places: Vec<usize> = places.filter(|at| !self.reachable[*at]).collect();
        let refuted = self.prover.induct(&places, &self.runs, work).into_iter();
        let refuted: Vec<(EventId, Method)> =
            refuted.map(|(place, method)| (self.shared.events[place], method)).collect();
        tracing::debug!(events = places.len(), refuted = refuted.len(), "induction");
        self.excluded.extend(refuted.iter().map(|(event, _)| *event));
        self.found.refuted.extend(refuted);
        self.found.work += self.prover.work - before;
        self.refute_by_observability(&self.still_open(wanted.to_vec()), work)?;
        self.found.time = start.elapsed();
        Ok(std::mem::take(&mut self.found))
    }

    /// Tries to refute events by IC3, and by z3 where there are numbers.
    pub fn refute(&mut self, wanted: &[EventId], effort: Effort) -> Result<Proofs, ModelError> {
        let start = Instant::now();
        self.refute_by_observability(wanted, effort.all)?;
        let wanted = self.still_open(wanted.to_vec());
        let together = |event: &EventId| {
            let at = self.shared.place(*event)?;
            (!self.reachable[at]).then_some(at)
        };
        let ahead = wanted.iter().filter_map(together).filter(|at| self.shared.looks_ahead[*at]);
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

    /// Are so many work units spent in this round, or was it stopped?
    fn is_over(&self, work: u64) -> bool {
        self.found.work >= work || self.stop.is_due()
    }

    /// The events that were not refuted in this round.
    fn still_open(&self, mut events: Vec<EventId>) -> Vec<EventId> {
        let refuted: BTreeSet<EventId> =
            self.found.refuted.iter().map(|(event, _)| *event).collect();
        events.retain(|event| !refuted.contains(event));
        events
    }

    /// Refutes groups in the shared system. Half of the work units are left for effects in systems of their own.
    fn refute_together(&mut self, wanted: &[EventId], effort: Effort) {
        let place = |event: &EventId| self.shared.place(*event);
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
                    let is_plain = |at: &usize| !self.shared.looks_ahead[*at];
                    if places.iter().any(|at| self.reachable[*at] && is_plain(at)) {
                        self.found.tests.push(self.shared.query.test(&run));
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

    /// The known invariant of the shared system.
    pub fn known(&self) -> &Invariant {
        &self.prover.known
    }

    /// One proof of all that was refuted in the shared system, if anything was.
    pub fn shared_proof(mut self) -> Option<BookedProof> {
        self.excluded.sort_unstable();
        self.excluded.dedup();
        let query = &self.shared.query;
        let bad = |event: &EventId| {
            let name = format!("event {}", event.index());
            self.shared.place(*event).map(|place| Bad { name, lit: query.lits[place] })
        };
        let bads: Vec<Bad> = self.excluded.iter().filter_map(bad).collect();
        let circuit = fingerprint(&query.encoding.circuit);
        let certificate = Certificate { circuit, bads, invariant: self.prover.known };
        (!self.excluded.is_empty()).then(|| BookedProof {
            system: ProofSystem::Shared,
            events: self.excluded.iter().map(|event| event.index()).collect(),
            certificate: proofs::print(&certificate, query, &self.lowered.system),
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
