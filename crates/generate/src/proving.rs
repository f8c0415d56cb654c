//! The phase that proves: what no test can show.
//!
//! First all open events together, by induction. Then one by one by IC3, which uses what the earlier ones
//! have taught: in the system that all share, and if an effect cannot be refuted there, because it may
//! be seen later for all that a step can know, in a system of its own.

use std::time::{Duration, Instant};

use obligato_lustre::lowering::Lowered;
use obligato_model::{Method, TestCase};
use obligato_prove::certificate::Certificate;
use obligato_solver::Stop;
use obligato_system::NodeId;

use crate::asked::Asked;
use crate::campaign::CampaignError;
use crate::event::{EventId, Events};
use crate::monitor::{self, Decided, Known};
use crate::prover::{Attempt, Prover};
use crate::targets::Effect;

/// Proves round after round.
#[derive(Debug)]
pub struct Proving<'a> {
    asked: &'a Asked,
    events: &'a Events,
    lowered: &'a Lowered,
    observed: &'a [NodeId],
    prover: Prover<'a>,
    /// The events that the shared system cannot refute, by place.
    reachable: Vec<bool>,
    /// The event to begin the next round with.
    next: EventId,
    stop: Stop,
}

/// What was proved, and found on the way.
#[derive(Debug, Default)]
pub struct Proofs {
    /// Events that never happen.
    pub refuted: Vec<(EventId, Method)>,
    /// Proofs of events in systems of their own.
    pub certificates: Vec<(EventId, Certificate)>,
    /// Tests that may show something.
    pub tests: Vec<TestCase>,
    /// Work done.
    pub work: u64,
    /// Time spent.
    pub time: Duration,
}

impl<'a> Proving<'a> {
    /// Nothing proved yet.
    pub fn new(
        asked: &'a Asked,
        events: &'a Events,
        lowered: &'a Lowered,
        observed: &'a [NodeId],
        stop: &Stop,
    ) -> Self {
        let prover = Prover::new(&asked.question, stop);
        let reachable = vec![false; asked.events.len()];
        let next = EventId::new(0);
        Self { asked, events, lowered, observed, prover, reachable, next, stop: stop.clone() }
    }

    /// Refutes events together, by induction.
    pub fn induct(&mut self, wanted: &[EventId], work: u64) -> Proofs {
        let (start, before) = (Instant::now(), self.prover.work);
        let places: Vec<usize> =
            wanted.iter().filter_map(|event| self.asked.place(*event)).collect();
        let refuted = self.prover.induct(&places, work).into_iter();
        Proofs {
            refuted: refuted.map(|(place, method)| (self.asked.events[place], method)).collect(),
            work: self.prover.work - before,
            time: start.elapsed(),
            ..Proofs::default()
        }
    }

    /// Tries to refute events one by one, with so much work on each and so much on all. Those that it
    /// does not come to are the first of the next round.
    pub fn refute(
        &mut self,
        wanted: &[EventId],
        work: u64,
        all: u64,
    ) -> Result<Proofs, CampaignError> {
        let (start, before) = (Instant::now(), self.prover.work);
        let mut proofs = Proofs::default();
        let first = wanted.partition_point(|event| *event < self.next);
        for event in wanted[first..].iter().chain(&wanted[..first]) {
            if self.stop.is_due() || proofs.work + self.prover.work - before > all {
                self.next = *event;
                break;
            }
            if self.refute_together(*event, work, &mut proofs) {
                self.refute_apart(*event, work, &mut proofs)?;
            }
        }
        proofs.work += self.prover.work - before;
        proofs.time = start.elapsed();
        Ok(proofs)
    }

    /// Tries in the system that all share. Is there a need to look at the event by itself?
    fn refute_together(&mut self, event: EventId, work: u64, proofs: &mut Proofs) -> bool {
        let Some(place) = self.asked.place(event) else { return true };
        if self.reachable[place] {
            return self.asked.looks_ahead[place];
        }
        match self.prover.refute(place, work) {
            Attempt::Refuted(method) => {
                proofs.refuted.push((event, method));
                false
            }
            Attempt::Reached(run) => {
                self.reachable[place] = true;
                if !self.asked.looks_ahead[place] {
                    proofs.tests.push(self.asked.question.test(&run));
                }
                self.asked.looks_ahead[place]
            }
            Attempt::Open => false,
        }
    }

    fn refute_apart(
        &mut self,
        event: EventId,
        work: u64,
        proofs: &mut Proofs,
    ) -> Result<(), CampaignError> {
        let Some(effect) = Effect::of(self.events.get(event)) else { return Ok(()) };
        let monitored = effect.monitor(self.lowered, self.observed)?;
        let known = Known { question: &self.asked.question, invariant: &self.prover.known };
        let inputs = self.lowered.system.inputs.len();
        let (decided, done) = monitor::decide(&monitored, inputs, Some(known), work, &self.stop)?;
        proofs.work += done;
        match decided {
            Decided::Never(certificate) => {
                proofs.refuted.push((event, Method::Invariant));
                proofs.certificates.push((event, certificate));
            }
            Decided::Test(test) => proofs.tests.push(test),
            Decided::Open => {}
        }
        Ok(())
    }
}
