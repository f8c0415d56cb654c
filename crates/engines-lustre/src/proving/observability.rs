//! Effects that are observable from no state: refuted together, by observability conditions of latches.
//!
//! In the shared system any latch may be observed later. The [observability conditions](obligato_prove::observability) restrict
//! the states from which it can be, for all latches at once; that excludes most unobservable effects. The proof that is kept is
//! about a tag that is propagated forwards: wherever a latch holds the tag, the state violates the condition of the latch.

use obligato_circuit::{Gate, Lit};
use obligato_model::Observability;
use obligato_prove::observability::{self, ObservabilityConditions, ObservabilityResult};
use obligato_prove::{Invariant, induction};

use super::Proving;
use super::groups::Groups;
use crate::campaign::ModelError;
use crate::event::EventId;
use crate::monitor::{Known, certify, shared_latches};
use crate::proofs::ProofSystem;
use crate::prover::Prover;
use crate::query::Query;
use crate::targets::{Effect, Tagged, tagged};

/// The observability conditions, as far as computed.
#[derive(Debug, Default)]
pub(super) struct ObservabilityState {
    /// The under-approximation to continue from, if the fixpoint was not reached.
    unfinished: Option<ObservabilityConditions>,
    /// The number of known clauses when the fixpoint was reached.
    finished_with: Option<usize>,
    /// The invariant over latches alone, and the number of known clauses it was computed from.
    of_states: Option<(usize, Invariant)>,
}

impl Proving<'_> {
    /// Refutes effects that are observable from no state of the known invariant. Does nothing if the invariant has not grown
    /// since the last call.
    pub(super) fn refute_by_observability(
        &mut self,
        wanted: &[EventId],
        work: u64,
    ) -> Result<(), ModelError> {
        let ahead = |event: &EventId| {
            let at = self.shared.place(*event)?;
            self.shared.looks_ahead[at].then_some((*event, self.shared.query.lits[at]))
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

    /// The inductive part of the known invariant over latches alone: it is inductive in every system with these latches.
    pub(super) fn known_of_states(&mut self, work: u64) -> Invariant {
        let known = self.prover.known.clauses.len();
        if let Some((with, states)) = &self.observability.of_states
            && *with == known
        {
            return states.clone();
        }
        let circuit = &self.shared.query.encoding.circuit;
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

    /// The conditions and the targets they exclude, if the fixpoint is reached.
    fn compute_conditions(
        &mut self,
        targets: &[Lit],
        known: &Invariant,
        work: u64,
    ) -> Option<(ObservabilityConditions, Vec<bool>)> {
        let query = &self.shared.query;
        let (circuit, prophecies) = (&query.encoding.circuit, &query.prophecies);
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

    /// Refutes effects that the conditions exclude, by a proof that does not depend on them. Returns whether there is one.
    fn refute_unobservable(
        &mut self,
        group: &[EventId],
        semantics: Observability,
        conditions: &ObservabilityConditions,
        invariant: &Invariant,
        work: u64,
    ) -> Result<bool, ModelError> {
        let effects = group.iter().filter_map(|event| Effect::of(self.events.get(*event)));
        let effects: Vec<Effect> = effects.collect();
        let tagged = tagged(&effects, semantics, self.lowered, self.observed)?;
        let (system, happened) = (&tagged.monitored.system, tagged.monitored.happened);
        let inputs = self.lowered.system.inputs.len();
        let query = Query::new(system, &[happened], &[], inputs)?;
        let mut claimed = Known { query: &self.shared.query, invariant }.translate(&query);
        claimed.clauses.extend(self.unobservable_tags(&tagged, semantics, conditions, &query));
        let mut prover = Prover::new(&query, &self.stop);
        prover.know(&claimed, work);
        self.found.work += prover.work;
        let certificate = certify(&tagged.monitored, &query, &prover.known, &self.stop);
        let is_proved = certificate.is_some();
        if let Some(certificate) = certificate {
            self.take_certificate(ProofSystem::Tagged(semantics), group, certificate);
        }
        Ok(is_proved)
    }

    /// The consequence of the conditions for a tag: a latch that holds it is not observable in this state.
    fn unobservable_tags(
        &self,
        tagged: &Tagged,
        semantics: Observability,
        conditions: &ObservabilityConditions,
        query: &Query,
    ) -> Vec<Vec<Lit>> {
        // What the tag does not depend on is left out: it could matter only through others.
        let shared = shared_latches(&self.shared.query, query);
        let there = |lit: &Lit| Some(shared.get(&lit.gate())?.negated_if(lit.is_negated()));
        let latches = &tagged.monitored.system.latches;
        let clause = |(latch, companion): &(usize, usize)| {
            let tag = query.encoding.bool(latches[*companion].node)?;
            let prophecy = self.shared.carriers.iter().position(|one| *one == (*latch, semantics));
            // No effect that is asked for ever gets to a latch without a prophecy.
            let condition = prophecy
                .map_or(Some(&[][..]), |prophecy| conditions.by_prophecy[prophecy].as_deref())?;
            let unseen = condition.iter().filter_map(there).map(|lit| !lit);
            Some(unseen.chain([!tag]).collect())
        };
        tagged.companions.iter().filter_map(clause).collect()
    }
}
