//! Steps of a system one after the other in a session with z3.
//!
//! Every operation of the cone has a name made of node and step, so terms stay small however deep
//! the graph is. Most are definitions, which z3 puts in where they are used and simplifies there.
//! Choices, and what latches hold after a step, are constants with an equation instead: put in, they
//! make z3 compare every value on the way with every other. On a model of 467 properties that is the
//! difference between getting stuck in the second step and 20 steps in as many seconds.

use std::fmt::Write as _;

use obligato_model::Value;
use obligato_solver::{Smt, SmtError};
use obligato_transition_system::sort::decode;
use obligato_transition_system::{Input, NodeId, Sort, System, Term};

use super::cone::{Cone, input_bounds, undefined_bounds};
use super::goal::Goal;
use super::term;

/// Where a run begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SmtStart {
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
    start: SmtStart,
    steps: usize,
}

impl<'s> Unrolling<'s> {
    /// A run without steps.
    pub(super) fn new(smt: Smt, system: &'s System, cone: Cone, start: SmtStart) -> Self {
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
            let operation = term::operation(graph, *node, |child| self.name(child, step));
            let name = self.name(*node, step);
            let write = match graph.term(*node) {
                Term::Ite(..) => write_equation,
                _ => write_definition,
            };
            write(&mut text, &name, graph.sort(*node), &operation);
        }
        for node in &self.cone.assertions {
            let _ = writeln!(text, "(assert {})", self.name(*node, step));
        }
        if let Some(before) = step.checked_sub(1) {
            for prophecy in &self.cone.prophecies {
                let _ = writeln!(
                    text,
                    "(assert (= i{}_{before} {}))",
                    prophecy.input,
                    self.name(prophecy.node, step)
                );
            }
        }
        self.smt.command(&text);
        self.steps += 1;
    }

    fn write_latches(&self, step: usize, text: &mut String) {
        let initial = match (&self.start, step) {
            (SmtStart::Initial, 0) => Some(self.system.initial_state()),
            (SmtStart::State(state), 0) => Some(state.clone()),
            _ => None,
        };
        for index in &self.cone.latches {
            let latch = &self.system.latches[*index];
            let sort = self.system.graph.sort(latch.node);
            let name = self.name(latch.node, step);
            match (&initial, step.checked_sub(1)) {
                (Some(state), _) => {
                    write_definition(text, &name, sort, &term::constant(sort, &state[*index]));
                }
                (None, None) => write_declaration(text, &name, sort),
                (None, Some(before)) => {
                    write_equation(text, &name, sort, &self.name(latch.next, before));
                }
            }
        }
    }

    fn write_inputs(&self, step: usize, text: &mut String) {
        let inputs = self.cone.inputs.iter().map(|index| &self.system.inputs[*index]);
        let inputs = inputs.map(|input| (input.node, input_bounds(&input.kind)));
        let undefined = self.cone.undefined.iter().map(|index| &self.system.latches[*index]);
        let undefined = undefined.map(|latch| (latch.node, undefined_bounds(&latch.kind)));
        for (node, bounds) in inputs.chain(undefined) {
            let name = self.name(node, step);
            write_declaration(text, &name, self.system.graph.sort(node));
            if let Some((low, high)) = bounds {
                let _ = writeln!(text, "(assert {})", term::between(low, &name, high));
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

fn write_declaration(text: &mut String, name: &str, sort: Sort) {
    let _ = writeln!(text, "(declare-const {name} {})", term::sort(sort));
}

fn write_definition(text: &mut String, name: &str, sort: Sort, value: &str) {
    let _ = writeln!(text, "(define-fun {name} () {} {value})", term::sort(sort));
}

fn write_equation(text: &mut String, name: &str, sort: Sort, value: &str) {
    write_declaration(text, name, sort);
    let _ = writeln!(text, "(assert (= {name} {value}))");
}
