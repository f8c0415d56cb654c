//! Effects that no state lets through: refuted together, by where what latches hold can be seen.
//!
//! The shared system takes it for possible that whatever a latch holds is seen later. The [conditions](obligato_prove::observability) says
//! in which states it can be, for all latches at once; that excludes most effects that are never seen. The proof that is kept is
//! one about a tag that travels forwards: wherever a latch holds the tag, the state is one in which nobody will see it.

use obligato_circuit::{Gate, Lit};
use obligato_model::Observability;
use obligato_prove::observability::{self, ObservabilityConditions, ObservabilityResult};
use obligato_prove::{Invariant, induction};

use super::Proving;
use super::groups::Groups;
use crate::campaign::CampaignError;
use crate::event::EventId;
use crate::monitor::{Known, certify, shared_latches};
use crate::proofs::ProofSystem;
use crate::prover::Prover;
use crate::question::Question;
use crate::targets::{Effect, Tagged, tagged};

/// What is known of where latches are seen.
#[derive(Debug, Default)]
pub(super) struct ObservabilityState {
    /// Where to go on, if there was no end.
    unfinished: Option<ObservabilityConditions>,
    /// How many clauses were known when there was one.
    finished_with: Option<usize>,
    /// How many clauses were known when it was asked what is known of states alone, and what that was.
    of_states: Option<(usize, Invariant)>,
}

impl Proving<'_> {
    /// Refutes effects that are seen from no state which is known to be possible, with so much work. Does nothing if no more is
    /// known than when that was last asked.
    pub(super) fn refute_by_observability(
        &mut self,
        wanted: &[EventId],
        work: u64,
    ) -> Result<(), CampaignError> {
        let ahead = |event: &EventId| {
            let at = self.asked.place(*event)?;
            self.asked.looks_ahead[at].then_some((*event, self.asked.question.lits[at]))
        };
        let (events, lits): (Vec<EventId>, Vec<Lit>) = wanted.iter().filter_map(ahead).unzip();
        let known = self.prover.known.clauses.len();
        if events.is_empty() || self.observability.finished_with == Some(known) {
            return Ok(());
        }
        let invariant = self.known_of_states(work);
        let Some((conditions, excluded)) = self.compute_conditions(&lits, &invariant, work) else {
            return Ok(());
        };
        self.observability.finished_with = Some(known);
        let excluded = events.into_iter().zip(excluded).filter(|(_, excluded)| *excluded);
        let excluded: Vec<EventId> = excluded.map(|(event, _)| event).collect();
        for semantics in [Observability::Strict, Observability::Tags] {
            let of = |event: &EventId| Effect::of(self.events.get(*event));
            let alike = |event: &EventId| of(event).is_some_and(|one| one.semantics == semantics);
            let alike: Vec<EventId> = excluded.iter().copied().filter(alike).collect();
            let mut groups = Groups::default();
            groups.begin(&alike);
            while !self.stop.is_due()
                && let Some(group) = groups.take()
            {
                if !self.refute_unobservable(&group, semantics, &conditions, &invariant, work)? {
                    groups.cut(&group);
                }
            }
        }
        Ok(())
    }

    /// What is known of states alone, and proves itself: it does so in every system that has these latches.
    pub(super) fn known_of_states(&mut self, work: u64) -> Invariant {
        let known = self.prover.known.clauses.len();
        if let Some((with, states)) = &self.observability.of_states
            && *with == known
        {
            return states.clone();
        }
        let circuit = &self.asked.question.encoding.circuit;
        let is_latch = |lit: &Lit| matches!(circuit.gate(lit.gate()), Gate::Latch(_));
        let clauses = self.prover.known.clauses.iter();
        let clauses = clauses.filter(|clause| clause.iter().all(is_latch)).cloned().collect();
        let claimed = Invariant { clauses, k: self.prover.known.k };
        let limits = self.prover.limits(work);
        let (sustained, done) = induction::sustain(circuit, &claimed, &Invariant::new(), &limits);
        self.found.work += done;
        self.observability.of_states = Some((known, sustained.clone()));
        sustained
    }

    /// The conditions and what it excludes, if there is work enough to come to an end.
    fn compute_conditions(
        &mut self,
        targets: &[Lit],
        known: &Invariant,
        work: u64,
    ) -> Option<(ObservabilityConditions, Vec<bool>)> {
        let question = &self.asked.question;
        let (circuit, prophecies) = (&question.encoding.circuit, &question.prophecies);
        let start = self.observability.unfinished.take();
        let start = start
            .unwrap_or_else(|| ObservabilityConditions::of_runs(circuit, prophecies, &self.runs));
        let limits = self.prover.limits(work);
        let ObservabilityResult { conditions, excluded, work: done } =
            observability::compute(circuit, prophecies, targets, known, start, &limits);
        self.found.work += done;
        if excluded.is_none() {
            self.observability.unfinished = Some(conditions);
            return None;
        }
        Some(conditions).zip(excluded)
    }

    /// Refutes effects that an conditions excludes, by a proof that stands without it. Says whether there is one.
    fn refute_unobservable(
        &mut self,
        group: &[EventId],
        semantics: Observability,
        conditions: &ObservabilityConditions,
        invariant: &Invariant,
        work: u64,
    ) -> Result<bool, CampaignError> {
        let effects = group.iter().filter_map(|event| Effect::of(self.events.get(*event)));
        let effects: Vec<Effect> = effects.collect();
        let tagged = tagged(&effects, semantics, self.lowered, self.observed)?;
        let (system, happened) = (&tagged.monitored.system, tagged.monitored.happened);
        let inputs = self.lowered.system.inputs.len();
        let question = Question::new(system, &[happened], &[], inputs)?;
        let mut claimed = Known { question: &self.asked.question, invariant }.translate(&question);
        claimed.clauses.extend(self.unobservable_tags(&tagged, semantics, conditions, &question));
        let mut prover = Prover::new(&question, &self.stop);
        prover.know(&claimed, work);
        self.found.work += prover.work;
        let certificate = certify(&tagged.monitored, &question, &prover.known, &self.stop);
        let is_proved = certificate.is_some();
        if let Some(certificate) = certificate {
            self.take_certificate(ProofSystem::Tagged(semantics), group, certificate);
        }
        Ok(is_proved)
    }

    /// What an conditions says of a tag: a latch that holds it cannot be seen in this state.
    fn unobservable_tags(
        &self,
        tagged: &Tagged,
        semantics: Observability,
        conditions: &ObservabilityConditions,
        question: &Question,
    ) -> Vec<Vec<Lit>> {
        // What the tag does not depend on is left out: it could matter only through others.
        let shared = shared_latches(&self.asked.question, question);
        let there = |lit: &Lit| Some(shared.get(&lit.gate())?.negated_if(lit.is_negated()));
        let latches = &tagged.monitored.system.latches;
        let clause = |(latch, companion): &(usize, usize)| {
            let tag = question.encoding.bool(latches[*companion].node)?;
            let prophecy = self.asked.carriers.iter().position(|one| *one == (*latch, semantics));
            // No effect that is asked for ever gets to a latch without a prophecy.
            let condition = prophecy
                .map_or(Some(&[][..]), |prophecy| conditions.by_prophecy[prophecy].as_deref())?;
            let unseen = condition.iter().filter_map(there).map(|lit| !lit);
            Some(unseen.chain([!tag]).collect())
        };
        tagged.companions.iter().filter_map(clause).collect()
    }
}
