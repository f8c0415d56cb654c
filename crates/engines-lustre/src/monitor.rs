//! Decides one event in a monitored system of its own.
//!
//! Effects that may stay in latches for long, and those that compare two runs, need monitor state:
//! a tag for every latch, or a second copy. IC3 decides such a [`Monitored`] system: it
//! finds a proof or a test.

use obligato_circuit::{GateId, Lit};
use obligato_model::TestCase;
use obligato_prove::Invariant;
use obligato_prove::certificate::{Bad, Certificate, check, fingerprint};
use obligato_solver::{Engine, Stop};
use rustc_hash::FxHashMap;

use crate::campaign::ModelError;
use crate::proofs;
use crate::prover::{Attempt, Prover};
use crate::query::Query;
use crate::targets::Monitored;

/// Work units to find the inductive part of a known invariant in another system.
const SUSTAINING: u64 = 100_000;

/// An invariant over the model's latches, for every system that has them too.
#[derive(Clone, Copy, Debug)]
pub struct Known<'k> {
    /// The query that it is about.
    pub query: &'k Query,
    /// The invariant.
    pub invariant: &'k Invariant,
}

/// The decision on an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decided {
    /// It never happens; the certificate, as text.
    Never(String),
    /// It happens in this test, to be confirmed by replay.
    Test(TestCase),
    /// The budget did not suffice.
    Open,
}

/// The decision on an event, with lemmas and work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MonitorResult {
    /// The decision.
    pub decided: Decided,
    /// The clauses of the proof over the model's latches; their proof may depend on the monitor.
    pub learned: Invariant,
    /// The work units spent.
    pub work: u64,
}

/// Decides an event with what is known, with so much work.
pub fn decide(
    monitored: &Monitored,
    model_inputs: usize,
    known: Known<'_>,
    work: u64,
    stop: &Stop,
) -> Result<MonitorResult, ModelError> {
    let query = Query::new(&monitored.system, &[monitored.happened], &[], model_inputs)?;
    let translated = known.translate(&query);
    let mut prover = Prover::new(&query, stop);
    // The inductive part of the invariant is inductive here too. If it were not, the certificate would be refused.
    prover.known = translated.clone();
    let mut attempt = prover.refute(&[0], work);
    let certified = |prover: &Prover<'_>, attempt: &Attempt| match attempt {
        Attempt::Refuted(_) => certify(monitored, &query, &prover.known, stop),
        _ => None,
    };
    let mut certificate = certified(&prover, &attempt);
    let mut done = prover.work;
    if certificate.is_none() && matches!(attempt, Attempt::Refuted(_)) {
        prover = Prover::new(&query, stop);
        prover.know(&translated, SUSTAINING);
        attempt = prover.refute(&[0], work);
        certificate = certified(&prover, &attempt);
        done += prover.work;
    }
    let decided = match (attempt, certificate) {
        (Attempt::Refuted(_), Some(certificate)) => Decided::Never(certificate),
        (Attempt::Reached(run), _) => Decided::Test(query.test(&run)),
        (Attempt::Refuted(_) | Attempt::Open, _) => Decided::Open,
    };
    let learned = Known { query: &query, invariant: &prover.known };
    Ok(MonitorResult { decided, learned: learned.translate(known.query), work: done })
}

/// The certificate that an event never happens, because of this invariant. A proof that does not stand by itself is none.
pub fn certify(
    monitored: &Monitored,
    query: &Query,
    invariant: &Invariant,
    stop: &Stop,
) -> Option<String> {
    let circuit = &query.encoding.circuit;
    check(circuit, &query.lits, invariant, Engine::Batsat, stop).ok()?;
    let bads = vec![Bad { name: "it happens".to_owned(), lit: query.lits[0] }];
    let (circuit, invariant) = (fingerprint(circuit), invariant.clone());
    let certificate = Certificate { circuit, bads, invariant };
    Some(proofs::print(&certificate, query, &monitored.system))
}

impl Known<'_> {
    /// The clauses that are about latches which the other query has too.
    pub fn translate(&self, to: &Query) -> Invariant {
        let latches = shared_latches(self.query, to);
        let lit = |lit: &Lit| Some(latches.get(&lit.gate())?.negated_if(lit.is_negated()));
        let clauses = self.invariant.clauses.iter();
        let clauses = clauses.filter_map(|clause| clause.iter().map(lit).collect()).collect();
        Invariant { clauses, k: self.invariant.k }
    }
}

/// By the gate of a latch of one query's circuit, the literal that it is in another's, if that has it too.
pub fn shared_latches(from: &Query, to: &Query) -> FxHashMap<GateId, Lit> {
    let mut there = FxHashMap::default();
    for (port, latch) in to.encoding.latch_ports().iter().zip(to.encoding.circuit.latches()) {
        there.insert(*port, Lit::of(latch.gate));
    }
    let here = from.encoding.latch_ports().iter().zip(from.encoding.circuit.latches());
    here.filter_map(|(port, latch)| Some((latch.gate, *there.get(port)?))).collect()
}
