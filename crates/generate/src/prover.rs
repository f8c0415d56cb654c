//! Refuting what a question asks for.

use obligato_circuit::{Circuit, Lit};
use obligato_model::Method;
use obligato_prove::ic3::{self, Limits, Trace};
use obligato_prove::{Candidates, Invariant, Run, candidates, induction};
use obligato_solver::Stop;

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
    trace: Trace,
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
    /// within the encoding, and only as far as nothing was tied: a replay has to tell.
    Reached(Run),
    /// No answer within the work allowed.
    Open,
}

/// Longer stretches than this are left to IC3.
const MOST_INDUCTION: usize = 4;
/// Deeper proofs than this are not waited for.
const MOST_LEVELS: usize = 10_000;

impl<'q> Prover<'q> {
    /// Nothing known yet.
    pub fn new(question: &'q Question, stop: &Stop) -> Self {
        let circuit = question.encoding.circuit.clone();
        let (known, trace) = (Invariant::new(), Trace::new());
        Self { question, circuit, known, trace, stop: stop.clone(), work: 0 }
    }

    /// Takes what is claimed to hold always, as far as that proves itself with so much work: it may come from
    /// another question, and the proof may have rested on what cannot be said in this one.
    pub fn know(&mut self, claimed: &Invariant, work: u64) {
        let circuit = &self.question.encoding.circuit;
        let (sustained, done) = induction::sustain(circuit, claimed, &self.limits(work));
        self.known.extend(sustained);
        self.work += done;
    }

    /// How much induction may do with so much work.
    pub(crate) fn limits(&self, work: u64) -> induction::Limits {
        let stop = self.stop.clone();
        induction::Limits { most_k: MOST_INDUCTION, work, hard: work / 10, stop }
    }

    /// Refutes as many as it can of the Booleans at these positions together, by induction, with so much work.
    pub fn induct(&mut self, targets: &[usize], work: u64) -> Vec<(usize, Method)> {
        let circuit = &self.question.encoding.circuit;
        let lits: Vec<Lit> = targets.iter().map(|target| self.question.lits[*target]).collect();
        let candidates = Candidates::guess(circuit, &lits, &candidates::Effort::default());
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
        let limits = Limits { work, levels: MOST_LEVELS, stop: self.stop.clone() };
        let lits = targets.iter().map(|target| self.question.lits[*target]);
        let bad = self.circuit.any(lits);
        let (outcome, done) =
            ic3::prove_on(&self.circuit, bad, &self.known, &mut self.trace, &limits);
        self.work += done;
        match outcome {
            ic3::Outcome::Proved(invariant) => {
                self.known.extend(invariant);
                Attempt::Refuted(Method::Invariant)
            }
            ic3::Outcome::Reached(run) => Attempt::Reached(run),
            ic3::Outcome::Unknown(_) => Attempt::Open,
        }
    }
}
