//! The reference: direct recursion over the typed tree, one run, exact numbers.
//!
//! It shares nothing with lowering but the analysed model, and is meant to be read and believed:
//!
//! - each call has a [`Frame`] that lives as long as the run and remembers the last value of
//!   every delayed expression;
//! - a value is computed when it is asked for, and only where its clock holds; a frame keeps the
//!   values of its variables for the rest of the step;
//! - when all is computed, [`state`] stores what the next step remembers.
//!
//! A division by zero gives zero and makes what depends on it undefined; an index outside of its
//! array is noted. [`Step`] says whether either happened.
//!
//! Reading order: [`value`], [`operators`], [`expressions`], [`calls`], [`clocks`], [`state`], [`evaluations`].
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]
#![allow(clippy::struct_excessive_bools, reason = "a frame is in no state but these")]
#![allow(dead_code, reason = "each test uses a part of it")]

mod calls;
mod checks;
mod clocks;
mod evaluations;
mod expressions;
mod operators;
mod state;
mod structures;
mod value;
mod variables;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;

use obligato_lustre::analysis::{Definition, Model, NodeId, VariableId};
use obligato_lustre_syntax::ast::{ExprId, Symbol};
use obligato_model::{Integer, Value};
use obligato_transition_system::CheckKind;

use clocks::Chain;
pub use evaluations::Evaluations;
use evaluations::{Record, Sites};
use state::{Memory, Past};
pub use value::{V, flatten};

/// Values of the variables of quantifiers and array definitions around an expression.
type Bindings = Vec<(VariableId, Integer)>;

/// An expression where it is evaluated: what state belongs to.
type Key = (ExprId, Vec<Integer>);

/// Where an expression is evaluated.
#[derive(Clone, Copy)]
struct Place<'b> {
    frame: usize,
    bound: &'b [(VariableId, Integer)],
}

impl Place<'_> {
    fn key(self, id: ExprId) -> Key {
        (id, self.bound.iter().map(|(_, value)| value.clone()).collect())
    }
}

/// A value, and whether nothing that it depends on divides by zero.
#[derive(Clone)]
struct Computed {
    value: V,
    defined: bool,
}

/// A call, for as long as the run.
struct Frame {
    node: NodeId,
    path: String,
    parent: Option<usize>,
    /// The arguments, and the bindings around the call.
    arguments: Vec<ExprId>,
    bound: Bindings,
    children: HashMap<Key, usize>,
    /// Is it known for this step whether the call is made?
    entered: bool,
    active: bool,
    restarted: bool,
    /// Has an assumption of its contract failed since the start or the last restart?
    assumptions_broken: bool,
    /// The clocks that have held since the start or the last restart.
    seen: HashSet<Chain>,
    before: HashMap<Key, V>,
    history: HashMap<Key, Past>,
    values: HashMap<VariableId, Computed>,
    elements: HashMap<(VariableId, Vec<Integer>), Computed>,
}

/// What a step says besides the values of variables.
#[derive(Debug, Default)]
pub struct Step {
    /// The assertions and properties of each call, in the order in which they are written.
    pub checks: BTreeMap<String, Vec<(CheckKind, bool)>>,
    /// Did a variable leave its subrange?
    pub left_subrange: bool,
    /// Did an index leave its array?
    pub left_array: bool,
    /// Did an output, a stored value, a check or a clock divide by zero?
    pub divided_by_zero: bool,
}

/// One run of a model.
pub struct Reference<'m> {
    model: &'m Model,
    frames: Vec<Frame>,
    inputs: BTreeMap<String, Value>,
    first_inputs: BTreeMap<String, Value>,
    definitions: HashMap<VariableId, (Definition, Section)>,
    names: HashMap<(NodeId, Symbol), VariableId>,
    owners: HashMap<VariableId, NodeId>,
    quantified: HashMap<obligato_lustre_syntax::ByteSpan, VariableId>,
    memories: HashMap<NodeId, Rc<Vec<Memory>>>,
    clocked: bool,
    chains: HashMap<ExprId, Rc<Chain>>,
    conditions: HashMap<ExprId, ExprId>,
    /// Has everything since this was set been defined?
    defined: bool,
    report: Step,
    sites: Sites,
    record: Record,
    undefined: Undefined,
}

/// What stands for values that nothing defines, such as the first one of a `pre` that no `->` guards.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Undefined {
    /// False and zero, as in a simulation.
    Zero,
    /// True and one.
    Other,
}

/// Whether a node's equations or its contract's define a variable.
#[derive(Clone, Copy, PartialEq)]
enum Section {
    Body,
    Contract,
}

impl<'m> Reference<'m> {
    pub fn new(model: &'m Model, undefined: Undefined) -> Self {
        let mut reference = Self {
            model,
            frames: Vec::new(),
            inputs: BTreeMap::new(),
            first_inputs: BTreeMap::new(),
            definitions: HashMap::new(),
            names: HashMap::new(),
            owners: HashMap::new(),
            quantified: HashMap::new(),
            memories: HashMap::new(),
            clocked: clocks::are_used(model),
            chains: HashMap::new(),
            conditions: calls::conditions(model),
            defined: true,
            report: Step::default(),
            sites: Sites::new(model),
            record: Record::default(),
            undefined,
        };
        for (index, node) in model.nodes.iter().enumerate() {
            let id = NodeId::new(index);
            for variable in node.inputs.iter().chain(&node.outputs).chain(&node.locals) {
                reference.names.insert((id, model.variable(*variable).name.symbol), *variable);
                reference.owners.insert(*variable, id);
            }
            let of_contract = node.contract.iter().flat_map(|contract| &contract.definitions);
            let both = node.definitions.iter().map(|found| (found, Section::Body));
            for (found, section) in both.chain(of_contract.map(|d| (d, Section::Contract))) {
                reference.definitions.insert(found.variable, (*found, section));
            }
        }
        for (index, variable) in model.variables.iter().enumerate() {
            reference.quantified.insert(variable.name.span, VariableId::new(index));
        }
        let name = model.text(model.main_node().name.symbol).to_owned();
        reference.add_frame(model.main, name, None, Vec::new(), Vec::new());
        reference
    }

    /// Takes a step on inputs by name.
    pub fn step(&mut self, inputs: BTreeMap<String, Value>) -> Step {
        if self.first_inputs.is_empty() {
            self.first_inputs.clone_from(&inputs);
        }
        self.inputs = inputs;
        self.record = Record::default();
        for frame in &mut self.frames {
            frame.values.clear();
            frame.elements.clear();
            frame.entered = frame.parent.is_none();
        }
        let mut stored = Vec::new();
        let mut at = 0;
        while at < self.frames.len() {
            if !self.frames[at].entered {
                self.stay_out(at);
            }
            if self.frames[at].active {
                self.complete(at);
                stored.extend(self.next_state(at));
                self.check(at);
            } else {
                self.check_nothing(at);
            }
            at += 1;
        }
        self.evaluate_other_arms();
        self.store(stored);
        std::mem::take(&mut self.report)
    }

    /// The path, the variable and the value of all that the last step computed.
    pub fn values(&self) -> impl Iterator<Item = (&str, VariableId, &V)> {
        self.frames.iter().flat_map(|frame| {
            let values = frame.values.iter();
            values.map(|(variable, found)| (frame.path.as_str(), *variable, &found.value))
        })
    }

    /// Computes all variables of a frame whose clocks hold.
    fn complete(&mut self, at: usize) {
        let node = self.model.node(self.frames[at].node);
        let of_contract = node.contract.iter().flat_map(|contract| &contract.definitions);
        let defined = node.definitions.iter().chain(of_contract).map(|found| found.variable);
        for variable in node.inputs.iter().copied().chain(defined) {
            if self.holds_all(at, &self.declared_chain(variable)) {
                let (value, defined) = self.tracked(|this| this.variable(at, variable));
                let kind = self.model.variable(variable).kind;
                let free = at == 0 && node.inputs.contains(&variable);
                self.report.left_subrange |= !free && !self.within(&value, kind);
                // A subrange is checked, and so is what it is computed from.
                let read = at == 0 && node.outputs.contains(&variable) || self.has_subrange(kind);
                self.report.divided_by_zero |= read && !defined;
            }
        }
        for equation in node.equations.iter().filter(|equation| equation.targets.is_empty()) {
            self.eval(Place { frame: at, bound: &[] }, equation.value);
        }
    }

    /// Evaluates, and says whether the value is defined.
    fn tracked<T>(&mut self, evaluate: impl FnOnce(&mut Self) -> T) -> (T, bool) {
        let outer = std::mem::replace(&mut self.defined, true);
        let value = evaluate(self);
        let own = std::mem::replace(&mut self.defined, outer);
        self.defined &= own;
        (value, own)
    }
}
