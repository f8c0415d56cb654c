//! The proofs of a campaign as data, and their check.
//!
//! A [`BookedProof`] is a certificate with what is needed to make the circuit again that it is about: which
//! system, and which events. Everything else follows from the model, the criteria and what is
//! observed. So [`check`] needs only those: it builds the circuit, and a solver
//! that took no part in finding the proof confirms it. An invariant over numbers of any size is about the system
//! itself and goes to cvc5, or without it back to z3, which then is who found it.

use obligato_campaign::NamedSystem;
use obligato_circuit::{Encoding, LatchPort};
use obligato_criteria::plan;
use obligato_lustre::lowering::Lowered;
use obligato_model::{Criterion, Key, Observability, Plan, Proof, Strength};
use obligato_prove::certificate::{Certificate, CertificateError, text};
use obligato_prove::smt::{self, certificate::is_certificate};
use obligato_solver::{Engine, Stop};
use obligato_transition_system::{NodeId, System};

use crate::campaign::ModelError;
use crate::event::{EventId, Events};
use crate::ledger::{Ledger, Standing};
use crate::query::Query;
use crate::shared_query::SharedQuery;
use crate::targets::{Effect, Monitored, tagged};

/// z3's units of work for one claim of an invariant: many minutes.
const MOST_CHECK_WORK: u64 = 1_000_000_000;

/// A proof that some events never happen.
pub type BookedProof = obligato_campaign::BookedProof<ProofSystem>;

/// The system that a proof is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProofSystem {
    /// The one that all events of a plan share.
    Shared,
    /// One in which these events share a tag.
    Tagged(Observability),
    /// One for a single event.
    Alone,
    /// One in which mutants go beside the model. Those that the certificate excludes are equivalent.
    Lockstep(Strength),
    /// The product of the model and a single mutant.
    Product(Strength),
}

impl NamedSystem for ProofSystem {
    fn name(self) -> &'static str {
        match self {
            Self::Shared => "shared",
            Self::Tagged(Observability::Strict) => "tagged-strict",
            Self::Tagged(_) => "tagged-tags",
            Self::Alone => "alone",
            Self::Lockstep(Strength::Strong) => "lockstep",
            Self::Lockstep(Strength::Weak) => "lockstep-weak",
            Self::Product(Strength::Strong) => "product",
            Self::Product(Strength::Weak) => "product-weak",
        }
    }

    fn named(name: &str) -> Option<Self> {
        let tagged = [Observability::Strict, Observability::Tags].map(Self::Tagged);
        let mutants = [Strength::Strong, Strength::Weak];
        let [lockstep, product] = [mutants.map(Self::Lockstep), mutants.map(Self::Product)];
        let all = [Self::Shared, Self::Alone].into_iter().chain(tagged);
        all.chain(lockstep).chain(product).find(|system| system.name() == name)
    }
}

impl ProofSystem {
    /// Is it about mutants, and how strongly does it take to kill them?
    pub fn strength(self) -> Option<Strength> {
        match self {
            Self::Lockstep(strength) | Self::Product(strength) => Some(strength),
            Self::Shared | Self::Tagged(_) | Self::Alone => None,
        }
    }
}

/// The result of the check of one proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Checked {
    /// It holds, says this solver.
    Holds(Checker),
    /// It does not, because of this.
    Refused(String),
}

/// Who has confirmed a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Checker {
    /// A SAT solver that finds no proofs.
    Batsat,
    /// z3, which has found the proof too, in a session of its own: there was no other.
    Z3,
    /// cvc5, which finds no proofs.
    Cvc5,
}

impl Checker {
    /// The name of the solver.
    pub fn name(self) -> &'static str {
        match self {
            Self::Batsat => "batsat",
            Self::Z3 => "z3",
            Self::Cvc5 => "cvc5",
        }
    }
}

/// The result of the check of all proofs.
#[derive(Clone, Debug)]
pub struct CheckedBook {
    /// One per proof.
    pub proofs: Vec<Checked>,
    /// The obligations that the proofs which hold make uncoverable.
    pub uncoverable: Vec<Key>,
    /// All obligations.
    pub plan: Plan,
}

/// The text of a certificate about a query on a system.
pub(crate) fn print(certificate: &Certificate, query: &Query, system: &System) -> String {
    let names = latch_names(&query.encoding, system);
    text::print(certificate, &query.encoding.circuit, &names)
}

/// Checks proofs about the events of criteria over a model of which this is observed.
pub fn check(
    lowered: &Lowered,
    observed: &[NodeId],
    criteria: &[Criterion],
    proofs: &[BookedProof],
    stop: &Stop,
) -> Result<CheckedBook, ModelError> {
    let plan = plan(&lowered.program, criteria);
    let mut ledger = Ledger::new(&lowered.program, &plan);
    let events = ledger.events().clone();
    let (checked, refuted) = check_events(lowered, observed, &events, proofs, stop)?;
    let method = obligato_model::Method::Invariant;
    let proof = Proof { method, assumptions: Vec::new() };
    // Nothing was seen, so nothing is contradicted.
    let _ = ledger.refute(refuted.into_iter().map(|event| (event, proof.clone())));
    let mut uncoverable = Vec::new();
    for (index, obligation) in plan.obligations.iter().enumerate() {
        if matches!(ledger.standing(index), Standing::Refuted(_)) {
            uncoverable.push(obligation.key.clone());
        }
    }
    Ok(CheckedBook { proofs: checked, uncoverable, plan })
}

/// Checks proofs about events; those that are refuted by proofs which hold.
pub fn check_events(
    lowered: &Lowered,
    observed: &[NodeId],
    events: &Events,
    proofs: &[BookedProof],
    stop: &Stop,
) -> Result<(Vec<Checked>, Vec<EventId>), ModelError> {
    let mut shared: Option<SharedQuery> = None;
    let (mut checked, mut refuted) = (Vec::new(), Vec::new());
    for proof in proofs {
        let ids: Vec<EventId> = proof.events.iter().map(|index| EventId::new(*index)).collect();
        if ids.iter().any(|id| id.index() >= events.len()) {
            checked.push(Checked::Refused("it names an event that is not there".to_owned()));
            continue;
        }
        let outcome = if proof.system == ProofSystem::Shared {
            if shared.is_none() {
                shared = Some(SharedQuery::new(lowered, observed, events)?);
            }
            let asked = shared.as_ref().expect("invariant: just made");
            let places: Option<Vec<usize>> = ids.iter().map(|id| asked.place(*id)).collect();
            match places {
                Some(places) if is_certificate(&proof.certificate) => {
                    let nodes: Vec<NodeId> =
                        places.iter().map(|place| asked.nodes[*place]).collect();
                    check_invariant(proof, &asked.system, &nodes, stop)
                }
                Some(places) => check_one(proof, &asked.query, &lowered.system, &places, stop),
                None => Checked::Refused("it names an event that the system has not".to_owned()),
            }
        } else {
            match monitored(lowered, observed, events, proof.system, &ids)? {
                Some(Monitored { system, happened }) if is_certificate(&proof.certificate) => {
                    check_invariant(proof, &system, &[happened], stop)
                }
                Some(Monitored { system, happened }) => {
                    let inputs = lowered.system.inputs.len();
                    let query = Query::new(&system, &[happened], &[], inputs)?;
                    check_one(proof, &query, &system, &[0], stop)
                }
                None => Checked::Refused("its events have no system like that".to_owned()),
            }
        };
        if matches!(outcome, Checked::Holds(_)) {
            refuted.extend(ids);
        }
        checked.push(outcome);
    }
    Ok((checked, refuted))
}

/// The system of a proof that is not about the shared one.
fn monitored(
    lowered: &Lowered,
    observed: &[NodeId],
    events: &Events,
    system: ProofSystem,
    ids: &[EventId],
) -> Result<Option<Monitored>, ModelError> {
    let effect = |id: &EventId| Effect::of(events.get(*id));
    let Some(effects) = ids.iter().map(effect).collect::<Option<Vec<Effect>>>() else {
        return Ok(None);
    };
    Ok(match (system, effects.as_slice()) {
        (ProofSystem::Tagged(semantics), effects)
            if effects.iter().all(|effect| effect.semantics == semantics) =>
        {
            Some(tagged(effects, semantics, lowered, observed)?.monitored)
        }
        (ProofSystem::Alone, [effect]) => Some(effect.monitor(lowered, observed)?),
        _ => None,
    })
}

/// Reads a certificate and checks it: the places of the Booleans that it excludes, or why it does not hold.
pub(crate) fn excluded(
    proof: &BookedProof,
    query: &Query,
    system: &System,
    stop: &Stop,
) -> Result<Vec<usize>, String> {
    let circuit = &query.encoding.circuit;
    let names = latch_names(&query.encoding, system);
    let certificate = text::parse(&proof.certificate, circuit, &names);
    let certificate = certificate.map_err(|error| error.to_string())?;
    certificate.check(circuit, Engine::Batsat, stop).map_err(|fault| fault_in_words(&fault))?;
    let excludes = |place: &usize| certificate.bads.iter().any(|bad| bad.lit == query.lits[*place]);
    Ok((0..query.lits.len()).filter(excludes).collect())
}

/// Checks that a certificate excludes the Booleans at these places.
fn check_one(
    proof: &BookedProof,
    query: &Query,
    system: &System,
    places: &[usize],
    stop: &Stop,
) -> Checked {
    match excluded(proof, query, system, stop) {
        Ok(excluded) if places.iter().all(|place| excluded.contains(place)) => {
            Checked::Holds(Checker::Batsat)
        }
        Ok(_) => Checked::Refused("it says nothing about one of its events".to_owned()),
        Err(why) => Checked::Refused(why),
    }
}

/// Checks that an invariant over numbers of any size excludes these Booleans.
fn check_invariant(proof: &BookedProof, system: &System, nodes: &[NodeId], stop: &Stop) -> Checked {
    let &[node] = nodes else {
        return Checked::Refused("an invariant over numbers excludes one event".to_owned());
    };
    let limits = smt::SmtLimits { work: MOST_CHECK_WORK, ..smt::SmtLimits::new(stop) };
    match smt::certificate::check(&proof.certificate, system, &smt::Goal::Node(node), &limits) {
        Ok(smt::certificate::InvariantChecker::Z3) => Checked::Holds(Checker::Z3),
        Ok(smt::certificate::InvariantChecker::Cvc5) => Checked::Holds(Checker::Cvc5),
        Err(fault) => Checked::Refused(fault.to_string()),
    }
}

fn fault_in_words(fault: &CertificateError) -> String {
    match fault {
        CertificateError::OtherCircuit => {
            "it is about another model, other criteria or other observed variables".to_owned()
        }
        other => other.to_string(),
    }
}

/// Names of the bits of latches, `7 pre x.3`: names of latches alone may not differ.
fn latch_names(encoding: &Encoding, system: &System) -> Vec<String> {
    let name = |port: &LatchPort| match port {
        LatchPort::Bit { latch, bit } => format!("{latch} {}.{bit}", system.latches[*latch].name),
        LatchPort::Outside { latch } => format!("{latch} {}.outside", system.latches[*latch].name),
        LatchPort::Beyond { latch } => format!("{latch} {}.beyond", system.latches[*latch].name),
    };
    encoding.latch_ports().iter().map(name).collect()
}
