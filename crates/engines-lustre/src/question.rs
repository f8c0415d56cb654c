//! Booleans of a system as literals of a circuit: what SAT engines are asked.

use std::collections::BTreeMap;

use obligato_circuit::{EncodeError, Encoding, EncodingOptions, GateId, LatchPort, Lit};
use obligato_model::{TestCase, Value};
use obligato_prove::{Bmc, Invariant, Prophecy, Run, Start, Unrolling};
use obligato_solver::{Engine, Stop};
use obligato_transition_system::{NodeId, System};

use crate::targets::ProphecyInput;

/// Some Booleans of a system, each to be reached or refuted.
#[derive(Debug)]
pub struct Question {
    /// The system as a circuit.
    pub encoding: Encoding,
    /// The literal of each Boolean.
    pub lits: Vec<Lit>,
    /// The inputs that say what is seen later, and what they are in the step after.
    pub prophecies: Vec<Prophecy>,
    /// By prophecy, its position among those of the system: what has no effect on any Boolean is left out.
    pub prophecy_positions: Vec<usize>,
    model_inputs: usize,
}

impl Question {
    /// Asks for these Booleans of a system, of which so many inputs are the model's own.
    pub fn new(
        system: &System,
        nodes: &[NodeId],
        prophecies: &[ProphecyInput],
        model_inputs: usize,
    ) -> Result<Self, EncodeError> {
        let mut roots = nodes.to_vec();
        roots.extend(prophecies.iter().map(|prophecy| prophecy.seen));
        let encoding = Encoding::new(system, &roots, &EncodingOptions::default())?;
        let lit = |node: &NodeId| {
            encoding.bool(*node).expect("invariant: a root that is Boolean has its literal")
        };
        let lits = nodes.iter().map(lit).collect();
        let mut question = Self {
            lits,
            prophecies: Vec::new(),
            prophecy_positions: Vec::new(),
            model_inputs,
            encoding,
        };
        for (index, prophecy) in prophecies.iter().enumerate() {
            let input = question.encoding.bool(system.inputs[prophecy.input].node);
            if let Some((input, seen)) = input.zip(question.encoding.bool(prophecy.seen)) {
                let input = input.gate();
                question.prophecies.push(Prophecy { input, predicts: seen });
                question.prophecy_positions.push(index);
            }
        }
        Ok(question)
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

    /// A search for runs of the system: numbers stay within the encoding. What is known to hold
    /// always makes it quicker.
    pub fn search(&self, start: Start, known: &Invariant, stop: &Stop) -> Bmc<'_> {
        Bmc::new(self.unrolling(start, stop).with_prophecies(&self.prophecies).assuming(known))
    }

    /// Steps of the system in a solver, without prophecies.
    pub fn unrolling(&self, start: Start, stop: &Stop) -> Unrolling<'_> {
        let unrolling = Unrolling::new(&self.encoding.circuit, Engine::Cadical, start, stop);
        unrolling.requiring(self.encoding.within())
    }

    /// The steps of a test that a run stands for.
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
