//! Refuting what a question asks for.

use obligato_circuit::{Circuit, Lit};
use obligato_model::Method;
use obligato_prove::candidates::Hints;
use obligato_prove::ic3::{self, Ic3Limits, Ic3Trace};
use obligato_prove::{Candidates, Invariant, Run, candidates, induction};
use obligato_solver::Stop;
use rustc_hash::FxHashSet;

use crate::question::Question;

/// Proves that Booleans of a question never hold. What is learned in one proof serves the later ones.
#[derive(Debug)]
pub struct Prover<'q> {
    question: &'q Question,
    /// The circuit of the question, with a gate for each group of Booleans that was asked about.
    circuit: Circuit,
    /// What is known to hold always.
    pub known: Invariant,
    /// Where proofs by IC3 go on.
    trace: Ic3Trace,
    stop: Stop,
    /// Work done so far, in conflicts and questions.
    pub work: u64,
}

/// What became of an attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Attempt {
    /// None ever holds.
    Refuted(Method),
    /// The circuit has a run to one. That is a run of the system only if all numbers stay
    /// within the encoding, and only if its prophecy inputs are right: a replay decides.
    Reached(Run),
    /// No answer within the work allowed.
    Open,
}

/// Longer stretches than this are left to IC3.
const MOST_INDUCTION: usize = 4;
/// Where inputs say what is seen later, longer stretches tell little more: no stretch knows what comes after it.
const MOST_INDUCTION_WITH_PROPHECIES: usize = 1;
/// Deeper proofs than this are not waited for.
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
    /// Nothing known yet.
    pub fn new(question: &'q Question, stop: &Stop) -> Self {
        let circuit = question.encoding.circuit.clone();
        let (known, trace) = (Invariant::new(), Ic3Trace::new());
        Self { question, circuit, known, trace, stop: stop.clone(), work: 0 }
    }

    /// Takes what is claimed to hold always, as far as that proves itself with so much work: it may come from
    /// another question, and the proof may have rested on what cannot be said in this one.
    pub fn know(&mut self, claimed: &Invariant, work: u64) {
        let circuit = &self.question.encoding.circuit;
        let known: FxHashSet<&Vec<Lit>> = self.known.clauses.iter().collect();
        let new = claimed.clauses.iter().filter(|clause| !known.contains(clause));
        let new = Invariant { clauses: new.cloned().collect(), k: claimed.k };
        let limits = self.limits(work);
        let (sustained, done) = induction::sustain(circuit, &new, &self.known, &limits);
        self.known.extend(sustained);
        self.work += done;
    }

    /// How much induction may do with so much work.
    pub(crate) fn limits(&self, work: u64) -> induction::InductionLimits {
        let has_prophecies = !self.question.prophecies.is_empty();
        let most_k = if has_prophecies { MOST_INDUCTION_WITH_PROPHECIES } else { MOST_INDUCTION };
        induction::InductionLimits { most_k, work, hard: work / 10, stop: self.stop.clone() }
    }

    /// Refutes as many as it can of the Booleans at these positions together, by induction, with so much work.
    /// Runs that are known say what not to hope for.
    pub fn induct(&mut self, targets: &[usize], runs: &[Run], work: u64) -> Vec<(usize, Method)> {
        let circuit = &self.question.encoding.circuit;
        let lits: Vec<Lit> = targets.iter().map(|target| self.question.lits[*target]).collect();
        let hints = Hints { words: self.question.words(), runs };
        let candidates = Candidates::from_simulation(
            circuit,
            &lits,
            &hints,
            &candidates::SimulationLimits::default(),
        );
        let limits = self.limits(work);
        let proved = induction::prove(circuit, &lits, &candidates, &self.known, &limits);
        self.known = proved.invariant;
        self.work += proved.work;
        let methods = proved.proved.iter().zip(targets);
        let depth = |k: usize| Method::Induction(u32::try_from(k).unwrap_or(u32::MAX));
        methods.filter_map(|(k, target)| Some((*target, depth((*k)?)))).collect()
    }

    /// Tries to refute all Booleans at these positions by one proof, by IC3 with so much work.
    pub fn refute(&mut self, targets: &[usize], work: u64) -> Attempt {
        let limits = Ic3Limits { work, levels: MOST_LEVELS, stop: self.stop.clone() };
        let lits = targets.iter().map(|target| self.question.lits[*target]);
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
