//! A synchronous transition system: inputs, latches, outputs, checks.
//!
//! All of one step is one [`Graph`]; a system names nodes of it. Start at
//! [`SystemBuilder`] to make one, at [`Evaluator`](crate::Evaluator) to run it.

use obligato_model::{Type, Value};

use crate::error::Error;
use crate::graph::Graph;
use crate::sort::{Sort, encode};
use crate::term::{NodeId, TapId};

mod builder;
mod cones;
mod validate;

pub use builder::SystemBuilder;

/// A transition system.
#[derive(Clone, Debug, Default)]
pub struct System {
    /// The terms of one step.
    pub graph: Graph,
    /// Given in each step.
    pub inputs: Vec<Input>,
    /// The state.
    pub latches: Vec<Latch>,
    /// Computed in each step.
    pub outputs: Vec<Output>,
    /// Must hold in every step.
    pub checks: Vec<Check>,
}

/// An input; its position is its index in the graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// Its name.
    pub name: String,
    /// Its type.
    pub kind: Type,
    /// Its node.
    pub node: NodeId,
}

/// A latch; its position is its index in the graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Latch {
    /// Its name.
    pub name: String,
    /// Its type.
    pub kind: Type,
    /// Its node: its value during a step.
    pub node: NodeId,
    /// Its value in the first step.
    pub initial: Initial,
    /// Its value in the next step.
    pub next: NodeId,
}

/// The initial value of a latch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Initial {
    /// This value, of the latch's type.
    Value(Value),
    /// Undefined. A simulation takes the sort's zero. A latch that also keeps its value stands for a value that nothing
    /// defines, such as the first one of a `pre` that no `->` guards: see [`System::is_undefined`].
    Undefined,
}

/// An output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// Its name.
    pub name: String,
    /// Its type.
    pub kind: Type,
    /// Its value.
    pub node: NodeId,
}

/// A Boolean that must be true in every step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// A Boolean that must be true.
    pub node: NodeId,
    /// What it means if it is false.
    pub kind: CheckKind,
    /// The text for messages.
    pub label: String,
    /// The front end's id of what it was made from; not interpreted here.
    pub origin: u32,
}

/// What a failed check means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CheckKind {
    /// The inputs are outside what the model assumes: not a test of it.
    Assertion,
    /// A property of the model is violated.
    Property,
    /// The model divided by zero.
    DivisionByZero,
    /// A value left its subrange.
    Subrange,
    /// An index left its array.
    Index,
}

impl System {
    /// The latches without an initial value.
    pub fn unguarded(&self) -> impl Iterator<Item = usize> + '_ {
        let latches = self.latches.iter().enumerate();
        latches.filter(|(_, latch)| latch.initial == Initial::Undefined).map(|(index, _)| index)
    }

    /// Does a latch, by index, stand for a value that nothing defines? Simulations take the sort's zero; proofs have to
    /// hold for every value of its type, another one in every step.
    pub fn is_undefined(&self, latch: usize) -> bool {
        let latch = &self.latches[latch];
        latch.initial == Initial::Undefined && latch.next == latch.node
    }

    /// The same system with what a simulation takes for every value that nothing defines.
    #[must_use]
    pub fn with_defaults(&self) -> Self {
        let mut system = self.clone();
        for latch in &mut system.latches {
            if latch.initial == Initial::Undefined {
                let zero = self.graph.sort(latch.node).zero();
                latch.initial = Initial::Value(crate::sort::decode(&latch.kind, zero));
            }
        }
        system
    }

    /// The initial state, as values of the sorts of latches.
    pub fn initial_state(&self) -> Vec<Value> {
        let initial = |latch: &Latch| match &latch.initial {
            Initial::Value(value) => {
                encode(&latch.kind, value).expect("invariant: the initial value has its type")
            }
            Initial::Undefined => self.graph.sort(latch.node).zero(),
        };
        self.latches.iter().map(initial).collect()
    }

    /// The node of a tap, if there is such a tap.
    pub fn tap_node(&self, tap: TapId) -> Result<NodeId, Error> {
        let taps = self.graph.taps();
        taps.get(tap.index()).copied().ok_or(Error::NoSuch {
            what: "tap",
            index: tap.index(),
            count: taps.len(),
        })
    }

    /// An input's value as a value of its sort.
    pub fn encode_input(&self, index: usize, value: &Value) -> Result<Value, Error> {
        let count = self.inputs.len();
        let input = self.inputs.get(index).ok_or(Error::NoSuch { what: "input", index, count })?;
        encode(&input.kind, value).ok_or_else(|| wrong_value(value, &input.kind, &input.name))
    }

    /// A value for each input, as values of their sorts.
    pub fn encode_inputs(&self, values: &[Value]) -> Result<Vec<Value>, Error> {
        if values.len() != self.inputs.len() {
            let (expected, found) = (self.inputs.len(), values.len());
            return Err(Error::WrongCount { what: "the inputs", expected, found });
        }
        values.iter().enumerate().map(|(index, value)| self.encode_input(index, value)).collect()
    }
}

fn wrong_value(value: &Value, kind: &Type, of: &str) -> Error {
    Error::WrongValue { value: value.to_string(), kind: kind.to_string(), of: Some(of.to_owned()) }
}

fn check_sort(graph: &Graph, name: &str, kind: &Type, node: NodeId) -> Result<(), Error> {
    let found = graph.check(node)?;
    if found == Sort::of(kind)? {
        return Ok(());
    }
    Err(Error::WrongSort { name: name.to_owned(), kind: kind.clone(), found })
}

#[cfg(test)]
mod tests;
