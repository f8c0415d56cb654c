//! Proofs about C functions as data, and their check.
//!
//! A proof says which events of a plan never happen, whoever calls the function and however often. Its certificate is an invariant of
//! the [transition system](CallSystem) of the function without any bound, with all events of the plan as targets. So the circuit
//! follows from the unit, the criteria and what a person said of inputs. [`check`] makes it again, and a solver that took no
//! part in finding the proof confirms the invariant. What the formula of one call refutes needs none: the solver solves it again.

use obligato_c_bmc::{CallCircuit, CallSystem, CallTarget, ClaimedCalls, MergeLimits, Reading};
use obligato_c_unit::{Interface, RunError, Unit};
use obligato_campaign::{BookedProof, EventId, Events, Ledger, NamedSystem, Standing};
use obligato_circuit::Lit;
use obligato_concolic::search::Graph;
use obligato_criteria::plan;
use obligato_model::{Criterion, Key, Method, Program, Proof};
use obligato_prove::Invariant;
use obligato_prove::certificate::text::{self, LineError};
use obligato_prove::certificate::{self, Bad, Certificate, CertificateError, fingerprint};
use obligato_solver::{Engine, Stop};

use crate::call_targets::CallTargets;
use crate::event_map::EventMap;

/// A proof that some events never happen, in any sequence of calls.
pub type CallProof = BookedProof<CallProofSystem>;

/// What a proof is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallProofSystem {
    /// Sequences of calls, by an invariant.
    Calls,
    /// One call from any state.
    OneCall,
}

/// The certificate of what one call from any state shows: there is nothing to be kept.
const SOLVED_AGAIN: &str = "obligato-formula 1\n";

impl NamedSystem for CallProofSystem {
    fn name(self) -> &'static str {
        match self {
            Self::Calls => "calls",
            Self::OneCall => "one-call",
        }
    }

    fn named(name: &str) -> Option<Self> {
        [Self::Calls, Self::OneCall].into_iter().find(|system| system.name() == name)
    }
}

/// The proof of what the formula of one call refutes, if it refutes something.
pub(crate) fn proof_of_formula(events: &[EventId]) -> Option<CallProof> {
    let (system, certificate) = (CallProofSystem::OneCall, SOLVED_AGAIN.to_owned());
    (!events.is_empty()).then(|| CallProof { system, events: positions(events), certificate })
}

fn positions(events: &[EventId]) -> Vec<usize> {
    let mut positions: Vec<usize> = events.iter().map(|event| event.index()).collect();
    positions.sort_unstable();
    positions.dedup();
    positions
}

/// The circuit that proofs of a plan are about.
pub(crate) struct CallProofCircuit {
    pub(crate) encoded: CallCircuit,
    /// Per event, the position of its target.
    places: Vec<Option<usize>>,
}

impl CallProofCircuit {
    pub(crate) fn new(
        targets: &CallTargets<'_>,
        system: &mut CallSystem<'_>,
        events: &Events,
    ) -> Self {
        let mut all: Vec<CallTarget> = Vec::new();
        let mut places = Vec::with_capacity(events.len());
        for target in targets.all(system, events) {
            places.push(target.as_ref().map(|_| all.len()));
            all.extend(target.map(|one| one.target));
        }
        Self { encoded: system.encode(&all, Reading::Claims(&[])), places }
    }

    /// The literal of an event, if the system says when it happens.
    pub(crate) fn lit(&self, event: EventId) -> Option<Lit> {
        let place = self.places.get(event.index()).copied().flatten()?;
        Some(self.encoded.targets[place])
    }

    /// A certificate that an invariant excludes these events.
    pub(crate) fn certify(&self, events: &[EventId], invariant: Invariant) -> CallProof {
        let CallCircuit { circuit, latch_names, .. } = &self.encoded;
        let events = positions(events);
        let bad = |event: &usize| {
            let lit = self.lit(EventId::new(*event))?;
            Some(Bad { name: format!("event {event}"), lit })
        };
        let bads: Vec<Bad> = events.iter().filter_map(bad).collect();
        let certificate = Certificate { circuit: fingerprint(circuit), bads, invariant };
        let certificate = text::print(&certificate, circuit, latch_names);
        CallProof { system: CallProofSystem::Calls, events, certificate }
    }

    /// Why a proof does not hold, if it does not.
    fn check(&self, proof: &CallProof, stop: &Stop) -> Result<(), String> {
        let CallCircuit { circuit, latch_names, .. } = &self.encoded;
        let ids = proof.events.iter().map(|index| EventId::new(*index));
        let lits: Option<Vec<Lit>> = ids.map(|id| self.lit(id)).collect();
        let lits = lits.ok_or("it names an event that the system has not")?;
        let invariant = match proof.system {
            CallProofSystem::OneCall => Invariant::new(),
            CallProofSystem::Calls => {
                let parsed = text::parse(&proof.certificate, circuit, latch_names);
                let parsed = parsed.map_err(|error| match error.reason {
                    LineError::NoSuchLatch(_) | LineError::NoSuchGate(_) => {
                        in_words(&CertificateError::OtherCircuit)
                    }
                    _ => error.to_string(),
                })?;
                if parsed.circuit != fingerprint(circuit) {
                    return Err(in_words(&CertificateError::OtherCircuit));
                }
                parsed.invariant
            }
        };
        let checked = certificate::check(circuit, &lits, &invariant, Engine::Batsat, stop);
        checked.map_err(|fault| in_words(&fault))
    }
}

fn in_words(fault: &CertificateError) -> String {
    match fault {
        CertificateError::OtherCircuit => {
            "it is about another text, other criteria or other options: give those that the proof was made with"
                .to_owned()
        }
        other => other.to_string(),
    }
}

/// What became of proofs.
#[derive(Clone, Debug, Default)]
pub struct CheckedCallProofs {
    /// Per proof, why it does not hold, if it does not.
    pub proofs: Vec<Result<(), String>>,
    /// The obligations that the proofs which hold make uncoverable.
    pub uncoverable: Vec<Key>,
}

/// Checks proofs about the events of criteria over a function.
pub fn check(
    unit: &Unit,
    interface: &Interface,
    criteria: &[Criterion],
    proofs: &[CallProof],
    stop: &Stop,
) -> Result<CheckedCallProofs, RunError> {
    let function = &interface.function;
    let malformed = || RunError::Malformed(format!("nothing calls '{function}'"));
    let entry = unit.call_of(function).ok_or_else(malformed)?;
    let program = unit.program();
    let graph = Graph::new(unit.module(), entry);
    let map = EventMap::new(program, &graph, unit.points());
    let targets = CallTargets { unit, graph: &graph, map: &map };
    let limits = MergeLimits { stop: stop.clone(), ..MergeLimits::default() };
    let ledger = Ledger::new(program, &plan(program, criteria));
    let circuit = |claimed: ClaimedCalls| {
        let mut system = CallSystem::build(unit, interface, &limits, claimed)?;
        Some(CallProofCircuit::new(&targets, &mut system, ledger.events()))
    };
    let (mut calls, mut one_call) = (None, None);
    let mut outcomes: Vec<Result<(), String>> = Vec::with_capacity(proofs.len());
    for proof in proofs {
        let (circuit_of_kind, claimed) = match proof.system {
            CallProofSystem::Calls => (&mut calls, ClaimedCalls::Sequences),
            CallProofSystem::OneCall => (&mut one_call, ClaimedCalls::Single),
        };
        if circuit_of_kind.is_none() {
            *circuit_of_kind = Some(circuit(claimed).ok_or_else(malformed)?);
        }
        let held = circuit_of_kind.as_ref().map(|circuit| circuit.check(proof, stop));
        outcomes.extend(held);
    }
    let held = proofs.iter().zip(&outcomes).filter(|(_, outcome)| outcome.is_ok());
    let uncoverable = settled(program, criteria, held.map(|(proof, _)| proof));
    Ok(CheckedCallProofs { proofs: outcomes, uncoverable })
}

/// The obligations of criteria that proofs make uncoverable.
pub fn settled<'p>(
    program: &Program,
    criteria: &[Criterion],
    proofs: impl IntoIterator<Item = &'p CallProof>,
) -> Vec<Key> {
    let plan = plan(program, criteria);
    let mut ledger = Ledger::new(program, &plan);
    let known = ledger.events().len();
    let refuted = Proof { method: Method::Invariant, assumptions: Vec::new() };
    for proof in proofs {
        let events = proof.events.iter().filter(|event| **event < known);
        let events = events.map(|event| (EventId::new(*event), refuted.clone()));
        // Nothing was seen, so nothing is contradicted.
        let _ = ledger.refute(events);
    }
    let obligations = plan.obligations.iter().enumerate();
    let settled =
        obligations.filter(|(index, _)| matches!(ledger.standing(*index), Standing::Refuted(_)));
    settled.map(|(_, obligation)| obligation.key.clone()).collect()
}
