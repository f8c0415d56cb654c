//! Deciding one event in a system of its own.
//!
//! Effects that may stay in latches for long, and those that compare two runs, need state of their own
//! to be told: a tag for every latch, or a second copy. Such a [`Monitored`] system is decided by IC3,
//! which finds a proof or a test.

use obligato_circuit::{GateId, Lit};
use obligato_model::TestCase;
use obligato_prove::Invariant;
use obligato_prove::certificate::{Bad, Certificate, check, fingerprint};
use obligato_solver::{Engine, Stop};
use rustc_hash::FxHashMap;

use crate::campaign::CampaignError;
use crate::proofs;
use crate::prover::{Attempt, Prover};
use crate::question::Question;
use crate::targets::Monitored;

/// Work on finding out which part of what is known proves itself in another system.
const KNOWING: u64 = 100_000;

/// What is known of a model's own latches, to be used in every system that has them too.
#[derive(Clone, Copy, Debug)]
pub struct Known<'k> {
    /// The question that it is about.
    pub question: &'k Question,
    /// What holds always.
    pub invariant: &'k Invariant,
}

/// What became of an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decided {
    /// It never happens; the certificate of that, as text.
    Never(String),
    /// It happens in this test, if a replay says so too.
    Test(TestCase),
    /// No answer within the work allowed.
    Open,
}

/// What came of deciding an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// What became of it.
    pub decided: Decided,
    /// What the proof says of latches that were there before, known things among them: the system around them may have helped to
    /// prove it.
    pub learned: Invariant,
    /// Work done.
    pub work: u64,
}

/// Decides an event with what is known, with so much work.
pub fn decide(
    monitored: &Monitored,
    model_inputs: usize,
    known: Known<'_>,
    work: u64,
    stop: &Stop,
) -> Result<Decision, CampaignError> {
    let question = Question::new(&monitored.system, &[monitored.happened], &[], model_inputs)?;
    let translated = known.translate(&question);
    let mut prover = Prover::new(&question, stop);
    // What proves itself does so here too, as far as it can be said here. Should it not, then no certificate stands.
    prover.known = translated.clone();
    let mut attempt = prover.refute(&[0], work);
    let certified = |prover: &Prover<'_>, attempt: &Attempt| match attempt {
        Attempt::Refuted(_) => certify(monitored, &question, &prover.known, stop),
        _ => None,
    };
    let mut certificate = certified(&prover, &attempt);
    let mut done = prover.work;
    if certificate.is_none() && matches!(attempt, Attempt::Refuted(_)) {
        prover = Prover::new(&question, stop);
        prover.know(&translated, KNOWING);
        attempt = prover.refute(&[0], work);
        certificate = certified(&prover, &attempt);
        done += prover.work;
    }
    let decided = match (attempt, certificate) {
        (Attempt::Refuted(_), Some(certificate)) => Decided::Never(certificate),
        (Attempt::Reached(run), _) => Decided::Test(question.test(&run)),
        (Attempt::Refuted(_) | Attempt::Open, _) => Decided::Open,
    };
    let learned = Known { question: &question, invariant: &prover.known };
    Ok(Decision { decided, learned: learned.translate(known.question), work: done })
}

/// The certificate that an event never happens, because of this invariant. A proof that does not stand by itself is none.
pub fn certify(
    monitored: &Monitored,
    question: &Question,
    invariant: &Invariant,
    stop: &Stop,
) -> Option<String> {
    let circuit = &question.encoding.circuit;
    check(circuit, &question.lits, invariant, Engine::Batsat, stop).ok()?;
    let bads = vec![Bad { name: "it happens".to_owned(), lit: question.lits[0] }];
    let (circuit, invariant) = (fingerprint(circuit), invariant.clone());
    let certificate = Certificate { circuit, bads, invariant };
    Some(proofs::print(&certificate, question, &monitored.system))
}

impl Known<'_> {
    /// The clauses that are about latches which the other question has too.
    pub fn translate(&self, to: &Question) -> Invariant {
        let latches = shared_latches(self.question, to);
        let lit = |lit: &Lit| Some(latches.get(&lit.gate())?.negated_if(lit.is_negated()));
        let clauses = self.invariant.clauses.iter();
        let clauses = clauses.filter_map(|clause| clause.iter().map(lit).collect()).collect();
        Invariant { clauses, k: self.invariant.k }
    }
}

/// By the gate of a latch of one question's circuit, the literal that it is in another's, if that has it too.
pub fn shared_latches(from: &Question, to: &Question) -> FxHashMap<GateId, Lit> {
    let mut there = FxHashMap::default();
    for (port, latch) in to.encoding.latch_ports().iter().zip(to.encoding.circuit.latches()) {
        there.insert(*port, Lit::of(latch.gate));
    }
    let here = from.encoding.latch_ports().iter().zip(from.encoding.circuit.latches());
    here.filter_map(|(port, latch)| Some((latch.gate, *there.get(port)?))).collect()
}
