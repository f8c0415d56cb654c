//! Steps of a system one after the other in a session with z3.
//!
//! Every operation of the cone is a definition of its own, named after node and step, so terms stay
//! small however deep the graph is; z3 puts definitions in where they are used and shares them. What
//! a latch holds is another name for what the step before computed.

use std::fmt::Write as _;

use obligato_model::Value;
use obligato_solver::{Smt, SmtError};
use obligato_system::sort::decode;
use obligato_system::{Input, NodeId, System};

use super::cone::{Cone, input_bounds};
use super::goal::Goal;
use super::term;

/// Where a run begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Start {
    /// In the initial state.
    Initial,
    /// In this state: for each latch a value of its sort.
    State(Vec<Value>),
    /// Anywhere.
    Anywhere,
}

/// A run of a system, as long as asked for, in a session.
#[derive(Debug)]
pub(super) struct Unrolling<'s> {
    pub(super) smt: Smt,
    system: &'s System,
    pub(super) cone: Cone,
    start: Start,
    steps: usize,
}

impl<'s> Unrolling<'s> {
    /// A run without steps.
    pub(super) fn new(smt: Smt, system: &'s System, cone: Cone, start: Start) -> Self {
        Self { smt, system, cone, start, steps: 0 }
    }

    /// How many steps there are.
    pub(super) fn steps(&self) -> usize {
        self.steps
    }

    /// Adds a step, in which inputs keep to their types and assertions hold.
    pub(super) fn add_step(&mut self) {
        let step = self.steps;
        let mut text = String::new();
        self.write_latches(step, &mut text);
        self.write_inputs(step, &mut text);
        let graph = &self.system.graph;
        for node in &self.cone.operations {
            let sort = term::sort(graph.sort(*node));
            let operation = term::operation(graph, *node, |child| self.name(child, step));
            let name = self.name(*node, step);
            let _ = writeln!(text, "(define-fun {name} () {sort} {operation})");
        }
        for node in &self.cone.assertions {
            let _ = writeln!(text, "(assert {})", self.name(*node, step));
        }
        if let Some(before) = step.checked_sub(1) {
            for tie in &self.cone.ties {
                let _ = writeln!(
                    text,
                    "(assert (= i{}_{before} {}))",
                    tie.input,
                    self.name(tie.node, step)
                );
            }
        }
        self.smt.command(&text);
        self.steps += 1;
    }

    fn write_latches(&self, step: usize, text: &mut String) {
        let initial = match (&self.start, step) {
            (Start::Initial, 0) => Some(self.system.initial_state()),
            (Start::State(state), 0) => Some(state.clone()),
            _ => None,
        };
        for index in &self.cone.latches {
            let latch = &self.system.latches[*index];
            let sort = self.system.graph.sort(latch.node);
            let value = match (&initial, step) {
                (Some(state), _) => Some(term::constant(sort, &state[*index])),
                (None, 0) => None,
                (None, _) => Some(self.name(latch.next, step - 1)),
            };
            let sort = term::sort(sort);
            let _ = match value {
                Some(value) => writeln!(text, "(define-fun l{index}_{step} () {sort} {value})"),
                None => writeln!(text, "(declare-const l{index}_{step} {sort})"),
            };
        }
    }

    fn write_inputs(&self, step: usize, text: &mut String) {
        for index in &self.cone.inputs {
            let input = &self.system.inputs[*index];
            let sort = term::sort(self.system.graph.sort(input.node));
            let _ = writeln!(text, "(declare-const i{index}_{step} {sort})");
            if let Some((low, high)) = input_bounds(&input.kind) {
                let between = term::between(low, &format!("i{index}_{step}"), high);
                let _ = writeln!(text, "(assert {between})");
            }
        }
    }

    /// What a node of the cone is called in a step.
    pub(super) fn name(&self, node: NodeId, step: usize) -> String {
        term::name(&self.system.graph, node, &format!("_{step}"))
    }

    /// A goal in a step, as a term.
    pub(super) fn goal(&self, goal: &Goal, step: usize) -> String {
        goal.term(self.system, |node| self.name(node, step))
    }

    /// A literal that implies all of a list of terms.
    pub(super) fn literal(
        &mut self,
        name: &str,
        implied: impl IntoIterator<Item = String>,
    ) -> String {
        self.smt.command(&format!("(declare-const {name} Bool)"));
        for term in implied {
            self.smt.assert(&format!("(=> {name} {term})"));
        }
        name.to_owned()
    }

    /// The inputs of every step in the model that was just found, as values of their types. Where
    /// nothing depends on an input it is zero, or the value next to it that its type allows.
    pub(super) fn inputs(&mut self) -> Result<Vec<Vec<Value>>, SmtError> {
        let names =
            |step: usize| self.cone.inputs.iter().map(move |index| format!("i{index}_{step}"));
        let names: Vec<String> = (0..self.steps).flat_map(names).collect();
        let values = self.smt.values(&names)?;
        let mut values = values.into_iter();
        let mut run = Vec::with_capacity(self.steps);
        for _ in 0..self.steps {
            let mut inputs: Vec<Value> =
                self.system.inputs.iter().map(|input| self.rest(input)).collect();
            for (index, value) in self.cone.inputs.iter().zip(&mut values) {
                let input = &self.system.inputs[*index];
                let value = term::value(self.system.graph.sort(input.node), value);
                inputs[*index] = decode(&input.kind, value);
            }
            run.push(inputs);
        }
        Ok(run)
    }

    fn rest(&self, input: &Input) -> Value {
        let zero = self.system.graph.sort(input.node).zero();
        let allowed = match (zero, input_bounds(&input.kind)) {
            (Value::Int(zero), Some((low, high))) => Value::Int(zero.clamp(low, high)),
            (zero, _) => zero,
        };
        decode(&input.kind, allowed)
    }
}
