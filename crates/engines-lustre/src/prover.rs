//! Proofs that the targets of a query are unreachable.

use obligato_circuit::{Circuit, Lit};
use obligato_model::Method;
use obligato_prove::candidates::Hints;
use obligato_prove::ic3::{self, Ic3Limits, Ic3Trace};
use obligato_prove::{Candidates, Invariant, Run, candidates, induction};
use obligato_solver::Stop;
use rustc_hash::FxHashSet;

use crate::query::Query;

/// Proves targets of a query unreachable. Invariants and frames of one proof serve the later ones.
#[derive(Debug)]
pub struct Prover<'q> {
    query: &'q Query,
    /// The circuit of the query, with a gate for each group of targets.
    circuit: Circuit,
    /// The known invariant.
    pub known: Invariant,
    /// The frames of IC3.
    trace: Ic3Trace,
    stop: Stop,
    /// Work done so far, in conflicts and questions.
    pub work: u64,
}

/// The result of an attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Attempt {
    /// All are unreachable.
    Refuted(Method),
    /// The circuit has a run to one. That is a run of the system only if all numbers stay
    /// within the encoding, and only if its prophecy inputs are right: a replay decides.
    Reached(Run),
    /// The budget did not suffice.
    Open,
}

/// The largest k; harder targets are left to IC3.
const MOST_INDUCTION: usize = 4;
/// The largest k with prophecies: their inputs are free in the last step, so a larger k proves little more.
const MOST_INDUCTION_WITH_PROPHECIES: usize = 1;
/// The most frames.
const MOST_LEVELS: usize = 10_000;

impl Attempt {
    /// The answer in a word, for traces.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Refuted(_) => "refuted",
            Self::Reached(_) => "reached",
            Self::Open => "open",
        }
    }
}

impl<'q> Prover<'q> {
    /// A prover without lemmas.
    pub fn new(query: &'q Query, stop: &Stop) -> Self {
        let circuit = query.encoding.circuit.clone();
        let (known, trace) = (Invariant::new(), Ic3Trace::new());
        Self { query, circuit, known, trace, stop: stop.clone(), work: 0 }
    }

    /// Adds the inductive part of a claimed invariant: it may come from
    /// another query, where its proof may have used clauses that do not exist in this one.
    pub fn know(&mut self, claimed: &Invariant, work: u64) {
        let circuit = &self.query.encoding.circuit;
        let known: FxHashSet<&Vec<Lit>> = self.known.clauses.iter().collect();
        let new = claimed.clauses.iter().filter(|clause| !known.contains(clause));
        let new = Invariant { clauses: new.cloned().collect(), k: claimed.k };
        let limits = self.limits(work);
        let (sustained, done) = induction::sustain(circuit, &new, &self.known, &limits);
        self.known.extend(sustained);
        self.work += done;
    }

    /// The limits of an induction with so many work units.
    pub(crate) fn limits(&self, work: u64) -> induction::InductionLimits {
        let has_prophecies = !self.query.prophecies.is_empty();
        let most_k = if has_prophecies { MOST_INDUCTION_WITH_PROPHECIES } else { MOST_INDUCTION };
        induction::InductionLimits { most_k, work, hard: work / 10, stop: self.stop.clone() }
    }

    /// Proves as many targets as possible unreachable, by k-induction. Known runs rule out
    /// candidate invariants.
    pub fn induct(&mut self, targets: &[usize], runs: &[Run], work: u64) -> Vec<(usize, Method)> {
        let circuit = &self.query.encoding.circuit;
        let lits: Vec<Lit> = targets.iter().map(|target| self.query.lits[*target]).collect();
        let hints = Hints { words: self.query.words(), runs };
        let stop = self.stop.clone();
        let limits = candidates::SimulationLimits { stop, ..Default::default() };
        let candidates = Candidates::from_simulation(circuit, &lits, &hints, &limits);
        let limits = self.limits(work);
        let proved = induction::prove(circuit, &lits, &candidates, &self.known, &limits);
        self.known = proved.invariant;
        self.work += proved.work;
        let methods = proved.proved.iter().zip(targets);
        let depth = |k: usize| Method::Induction(u32::try_from(k).unwrap_or(u32::MAX));
        methods.filter_map(|(k, target)| Some((*target, depth((*k)?)))).collect()
    }

    /// Tries to prove all these targets unreachable by one proof of IC3.
    pub fn refute(&mut self, targets: &[usize], work: u64) -> Attempt {
        let limits = Ic3Limits { work, levels: MOST_LEVELS, stop: self.stop.clone() };
        let lits = targets.iter().map(|target| self.query.lits[*target]);
        let bad = self.circuit.any(lits);
        let (outcome, done) =
            ic3::prove_on(&self.circuit, bad, &self.known, &mut self.trace, &limits);
        self.work += done;
        match outcome {
            ic3::Ic3Outcome::Proved(invariant) => {
                self.known.extend(invariant);
                Attempt::Refuted(Method::Invariant)
            }
            ic3::Ic3Outcome::Reached(run) => Attempt::Reached(run),
            ic3::Ic3Outcome::Unknown(_) => Attempt::Open,
        }
    }
}
