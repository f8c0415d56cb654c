//! Targets of a system as literals of a circuit, for SAT-based engines.

use std::collections::BTreeMap;

use obligato_circuit::{EncodeError, Encoding, EncodingOptions, GateId, LatchPort, Lit};
use obligato_model::{TestCase, Value};
use obligato_prove::{Bmc, Invariant, Prophecy, Run, Start, Unrolling};
use obligato_solver::{Engine, Stop};
use obligato_transition_system::{NodeId, System};

use crate::targets::ProphecyInput;

/// Targets of a system: each is to be reached, or proved unreachable.
#[derive(Debug)]
pub struct Query {
    /// The system as a circuit.
    pub encoding: Encoding,
    /// The literal of each target.
    pub lits: Vec<Lit>,
    /// The prophecies about later observation.
    pub prophecies: Vec<Prophecy>,
    /// By prophecy: its position among those of the system. Prophecies outside the cones of targets are left out.
    pub prophecy_positions: Vec<usize>,
    model_inputs: usize,
    /// A run in which this holds in every step is one that a replay repeats.
    replayable: Lit,
}

impl Query {
    /// Encodes these Booleans of a system, whose first `model_inputs` inputs are the model's.
    pub fn new(
        system: &System,
        nodes: &[NodeId],
        prophecies: &[ProphecyInput],
        model_inputs: usize,
    ) -> Result<Self, EncodeError> {
        let mut roots = nodes.to_vec();
        roots.extend(prophecies.iter().map(|prophecy| prophecy.seen));
        let mut encoding = Encoding::new(system, &roots, &EncodingOptions::default())?;
        let replayable = encoding.replayable();
        let lit = |node: &NodeId| {
            encoding.bool(*node).expect("invariant: a root that is Boolean has its literal")
        };
        let lits = nodes.iter().map(lit).collect();
        let mut query = Self {
            lits,
            prophecies: Vec::new(),
            prophecy_positions: Vec::new(),
            model_inputs,
            replayable,
            encoding,
        };
        for (index, prophecy) in prophecies.iter().enumerate() {
            let input = query.encoding.bool(system.inputs[prophecy.input].node);
            if let Some((input, seen)) = input.zip(query.encoding.bool(prophecy.seen)) {
                let input = input.gate();
                query.prophecies.push(Prophecy { input, predicts: seen });
                query.prophecy_positions.push(index);
            }
        }
        Ok(query)
    }

    /// How many inputs are the model's own.
    pub fn model_inputs(&self) -> usize {
        self.model_inputs
    }

    /// The latches of the circuit that hold a number together.
    pub fn words(&self) -> Vec<Vec<GateId>> {
        let mut words: BTreeMap<usize, Vec<GateId>> = BTreeMap::new();
        let latches = self.encoding.circuit.latches();
        for (port, latch) in self.encoding.latch_ports().iter().zip(latches) {
            let (LatchPort::Bit { latch: number, .. }
            | LatchPort::Outside { latch: number }
            | LatchPort::Beyond { latch: number }) = port;
            words.entry(*number).or_default().push(latch.gate);
        }
        words.into_values().filter(|bits| bits.len() > 1).collect()
    }

    /// A bounded model checker within the encoding: its runs are runs of the system. The known invariant
    /// makes it faster.
    pub fn search(&self, start: Start, known: &Invariant, stop: &Stop) -> Bmc<'_> {
        Bmc::new(self.unrolling(start, stop).with_prophecies(&self.prophecies).assuming(known))
    }

    /// Steps of the system in a solver, without prophecies. What nothing defines has the value that replays take.
    pub fn unrolling(&self, start: Start, stop: &Stop) -> Unrolling<'_> {
        let unrolling = Unrolling::new(&self.encoding.circuit, Engine::Cadical, start, stop);
        unrolling.requiring(self.replayable)
    }

    /// Like [`search`](Self::search), for any values of what nothing defines: no replay repeats such a run.
    pub fn search_undefined(&self, known: &Invariant, stop: &Stop) -> Bmc<'_> {
        let circuit = &self.encoding.circuit;
        let unrolling = Unrolling::new(circuit, Engine::Cadical, Start::Initial, stop);
        let unrolling = unrolling.requiring(self.encoding.within());
        Bmc::new(unrolling.with_prophecies(&self.prophecies).assuming(known))
    }

    /// Is every run of the circuit one that a replay repeats?
    pub fn is_replayable(&self) -> bool {
        self.replayable == Lit::TRUE
    }

    /// The steps of the test that a run of the circuit encodes.
    pub fn steps(&self, run: &Run) -> Vec<Vec<Option<Value>>> {
        let step = |bits: &Vec<bool>| {
            let mut values = self.encoding.inputs_of_step(|input| bits[input]);
            values.truncate(self.model_inputs);
            values.into_iter().map(Some).collect()
        };
        run.steps.iter().map(step).collect()
    }

    /// A run as a test without a name.
    pub fn test(&self, run: &Run) -> TestCase {
        TestCase { name: String::new(), steps: self.steps(run) }
    }
}
