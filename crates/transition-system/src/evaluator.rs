//! The reference interpreter: one run, one step at a time, with exact numbers.
//!
//! It is written to be obviously correct, not fast. The lanes are tested against it
//! and hand a lane over to it when the lane's numbers outgrow machine words.

use std::collections::BTreeMap;

use obligato_model::Value;

use crate::error::Error;
use crate::graph::Graph;
use crate::meaning::{self, is_excessive};
use crate::sort::decode;
use crate::system::System;
use crate::term::{NodeId, TapId, Term};

/// The values that taps are forced to.
pub type Forced = BTreeMap<TapId, Value>;

/// One run of a system.
#[derive(Clone, Debug)]
pub struct Evaluator<'s> {
    system: &'s System,
    forced: Forced,
    state: Vec<Value>,
    values: Vec<Value>,
}

impl<'s> Evaluator<'s> {
    /// A run in the initial state.
    pub fn new(system: &'s System) -> Self {
        Self {
            system,
            forced: Forced::new(),
            state: system.initial_state(),
            values: Vec::with_capacity(system.graph.len()),
        }
    }

    /// A run that continues from a [state](Self::state) of this system.
    pub fn from_state(system: &'s System, state: Vec<Value>) -> Result<Self, Error> {
        let (expected, found) = (system.latches.len(), state.len());
        if expected != found {
            return Err(Error::WrongCount { what: "the latches", expected, found });
        }
        for (latch, value) in system.latches.iter().zip(&state) {
            let sort = system.graph.sort(latch.node);
            if !sort.holds(value) {
                let (value, kind) = (value.to_string(), sort.to_string());
                return Err(Error::WrongValue { value, kind, of: Some(latch.name.clone()) });
            }
        }
        Ok(Self { state, ..Self::new(system) })
    }

    /// The state before the next step, as values of the sorts of latches.
    pub fn state(&self) -> &[Value] {
        &self.state
    }

    /// Forces a tap to a value of its sort from now on.
    pub fn force(&mut self, tap: TapId, value: Value) -> Result<(), Error> {
        let node = self.system.tap_node(tap)?;
        let sort = self.system.graph.sort(node);
        if !sort.holds(&value) {
            let (value, kind) = (value.to_string(), sort.to_string());
            return Err(Error::WrongValue { value, kind, of: None });
        }
        self.forced.insert(tap, value);
        Ok(())
    }

    /// Ends the forcing of a tap.
    pub fn release(&mut self, tap: TapId) {
        self.forced.remove(&tap);
    }

    /// Takes a step on inputs given as values of their types.
    pub fn step(&mut self, inputs: &[Value]) -> Result<(), Error> {
        let inputs = self.system.encode_inputs(inputs)?;
        let graph = &self.system.graph;
        let all = graph.nodes();
        evaluate(graph, all, &inputs, &self.state, &self.forced, &mut self.values)?;
        let next = self.system.latches.iter().map(|latch| latch.next);
        self.state = next.map(|next| self.values[next.index()].clone()).collect();
        Ok(())
    }

    /// The value of a node in the last step.
    pub fn value(&self, node: NodeId) -> Option<&Value> {
        self.values.get(node.index())
    }

    /// An output of the last step, as a value of its type.
    pub fn output(&self, index: usize) -> Option<Value> {
        let output = self.system.outputs.get(index)?;
        self.value(output.node).map(|value| decode(&output.kind, value.clone()))
    }
}

/// Evaluates `nodes`, which are in order and come with all they depend on.
/// Afterwards `values` has theirs, by index, and anything for others. Fails only
/// where a number exceeded the size limit.
pub(crate) fn evaluate(
    graph: &Graph,
    nodes: impl Iterator<Item = NodeId>,
    inputs: &[Value],
    state: &[Value],
    forced: &Forced,
    values: &mut Vec<Value>,
) -> Result<(), Error> {
    values.resize(graph.len(), Value::Bool(false));
    for node in nodes {
        let value = |of: NodeId| &values[of.index()];
        let result = match graph.term(node) {
            Term::Constant(constant) => graph.constant_value(constant).clone(),
            Term::Input(index) => inputs[index as usize].clone(),
            Term::Latch(index) => state[index as usize].clone(),
            Term::Unary(operation, a) => meaning::unary(operation, graph.sort(a), value(a)),
            Term::Binary(operation, a, b) => {
                meaning::binary(operation, graph.sort(a), value(a), value(b))
            }
            Term::Ite(test, a, b) => {
                value(if *value(test) == Value::Bool(true) { a } else { b }).clone()
            }
            Term::Tap(tap, a) => forced.get(&tap).unwrap_or_else(|| value(a)).clone(),
        };
        if is_excessive(&result) {
            return Err(Error::Exhausted(node));
        }
        values[node.index()] = result;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
