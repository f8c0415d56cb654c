//! What may stand in place of a variable.
//!
//! All mutants lie in one graph, so not only must each be free of cycles at one instant, but all
//! of them at once. Both follow from two rules for a variable `u` that is read anew, at the
//! same instant, by the equation of `v`:
//!
//! 1. `u` comes before `v` in the causal order of the node, [`Node::definitions`]. Every read
//!    then goes backwards in that order, old ones and new ones.
//! 2. In a node that others call, no output comes to depend on further inputs, or a caller that
//!    feeds an output back might have a cycle. Let the bound of a variable be the inputs that
//!    all the outputs it reaches may depend on ([`Node::instantaneous`]); `u`'s bound has to
//!    lie within `v`'s, and an input within `v`'s. Bounds only grow along old reads, so by induction
//!    over the order no variable depends on more than its bound, and outputs on no more than before.
//!
//! Under a `pre` any variable will do.

use rustc_hash::{FxHashMap, FxHashSet};

use super::Change;
use crate::analysis::{
    ClockId, Clocks, ConstantId, Equation, KindId, Model, Node, Reader, VariableId,
};
use obligato_lustre_syntax::ast::{ExprId, Symbol};

/// The most names tried in place of one.
pub(super) const MOST_ALTERNATIVES: usize = 4;
/// The most candidates examined to find them.
const MOST_TRIED: usize = 32;

/// A name that may stand in place of another.
#[derive(Clone, Copy)]
struct Entry {
    change: Named,
    /// Its place in the causal order; inputs and constants come first.
    position: u32,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Named {
    Variable(VariableId),
    Constant(ConstantId),
}

/// The equation that something is changed in: what its targets allow.
pub(super) struct Definition {
    position: u32,
    bound: Vec<u64>,
}

/// The names of a node.
pub(super) struct Scope<'m> {
    clocks: &'m Clocks,
    /// By kind, in causal order.
    entries: FxHashMap<KindId, Vec<Entry>>,
    /// The kind of each variable and its place in the list of the kind.
    places: FxHashMap<VariableId, (KindId, usize)>,
    positions: FxHashMap<VariableId, u32>,
    /// By variable, a bit per input; empty if nobody calls the node.
    bounds: FxHashMap<VariableId, Vec<u64>>,
    names: FxHashSet<Symbol>,
}

/// The constants of no node and no contract.
pub(super) fn global_constants(model: &Model) -> Vec<ConstantId> {
    let of_nodes = model.nodes.iter().flat_map(|node| {
        let contract = node.contract.iter().flat_map(|contract| &contract.constants);
        node.constants.iter().chain(contract)
    });
    let own: FxHashSet<ConstantId> = of_nodes.copied().collect();
    let all = (0..model.constants.len()).map(ConstantId::new);
    all.filter(|id| !own.contains(id)).collect()
}

impl<'m> Scope<'m> {
    pub fn new(model: &'m Model, node: &Node, globals: &[ConstantId]) -> Self {
        let variables = node.inputs.iter().chain(&node.outputs).chain(&node.locals);
        let variables = variables.map(|id| model.variable(*id).name.symbol);
        let constants = node.constants.iter().map(|id| model.constant(*id).name.symbol);
        let mut scope = Self {
            clocks: &model.clocks,
            entries: FxHashMap::default(),
            places: FxHashMap::default(),
            positions: FxHashMap::default(),
            bounds: bounds(model, node),
            names: variables.chain(constants).collect(),
        };
        // A free constant is an input of the system: reading it anew might add one.
        let known = |id: &&ConstantId| model.constant(**id).value.is_some();
        let globals = globals.iter().filter(|id| !scope.hides(model.constant(**id).name.symbol));
        let constants: Vec<_> = globals.chain(&node.constants).filter(known).copied().collect();
        for id in constants {
            scope.add(model.constant(id).kind, Named::Constant(id), 0);
        }
        // What blocks and automata become has names that no text can say.
        let written = |id: &VariableId| model.is_written_name(model.variable(*id).name.symbol);
        for id in node.inputs.iter().filter(|id| written(id)) {
            scope.add(model.variable(*id).kind, Named::Variable(*id), 0);
        }
        for (position, definition) in node.definitions.iter().enumerate() {
            let id = definition.variable;
            if !written(&id) {
                continue;
            }
            scope.add(model.variable(id).kind, Named::Variable(id), position as u32 + 1);
        }
        scope
    }

    fn add(&mut self, kind: KindId, change: Named, position: u32) {
        let entries = self.entries.entry(kind).or_default();
        if let Named::Variable(id) = change {
            self.places.insert(id, (kind, entries.len()));
            self.positions.insert(id, position);
        }
        entries.push(Entry { change, position });
    }

    /// Does the node give this name a meaning of its own?
    pub fn hides(&self, name: Symbol) -> bool {
        self.names.contains(&name)
    }

    pub fn on_base_clock(&self, id: ExprId) -> bool {
        self.clocks.of(id) == ClockId::base()
    }

    /// What the targets of an equation allow it to read.
    pub fn definition(&self, equation: &Equation) -> Definition {
        let targets = equation.targets.iter().map(|target| target.variable);
        let position = targets.clone().filter_map(|id| self.positions.get(&id)).min();
        let mut bounds = targets.filter_map(|id| self.bounds.get(&id));
        let mut bound = bounds.next().cloned().unwrap_or_default();
        bounds.for_each(|other| intersect(&mut bound, other));
        Definition { position: position.copied().unwrap_or(0), bound }
    }

    /// The next names of the same kind that may stand in place of a variable.
    pub fn alternatives(
        &self,
        variable: VariableId,
        definition: &Definition,
        delayed: bool,
    ) -> Vec<Change> {
        let Some((kind, place)) = self.places.get(&variable) else { return Vec::new() };
        let entries = &self.entries[kind];
        let earlier = |entry: &Entry| delayed || entry.position < definition.position;
        let count = entries.partition_point(earlier);
        let clock = self.clocks.of_variable(variable);
        let fits = |entry: &&Entry| match entry.change {
            _ if entry.change == Named::Variable(variable) => false,
            Named::Constant(_) => clock == ClockId::base(),
            Named::Variable(id) => self.may_read(id, clock, definition, delayed),
        };
        let next = (1..=count).map(|step| &entries[(place + step) % count]);
        let found = next.take(MOST_TRIED).filter(fits).take(MOST_ALTERNATIVES);
        let change = |entry: &Entry| match entry.change {
            Named::Variable(id) => Change::Variable(id),
            Named::Constant(id) => Change::Constant(id),
        };
        found.map(change).collect()
    }

    fn may_read(
        &self,
        id: VariableId,
        clock: ClockId,
        definition: &Definition,
        delayed: bool,
    ) -> bool {
        let bound = self.bounds.get(&id).map_or(&[][..], Vec::as_slice);
        let within = || bound.iter().zip(&definition.bound).all(|(one, other)| one & !other == 0);
        self.clocks.of_variable(id) == clock && (delayed || within())
    }
}

fn intersect(bound: &mut [u64], other: &[u64]) {
    bound.iter_mut().zip(other).for_each(|(word, other)| *word &= other);
}

/// The bound of each variable of a node that others call.
fn bounds(model: &Model, node: &Node) -> FxHashMap<VariableId, Vec<u64>> {
    let mut bounds = FxHashMap::default();
    let words = node.inputs.len().div_ceil(64);
    let complete = |inputs: &Vec<u32>| inputs.len() == node.inputs.len();
    if node.instantaneous.iter().all(complete) {
        return bounds;
    }
    for definition in &node.definitions {
        bounds.insert(definition.variable, vec![u64::MAX; words]);
    }
    let bit = |input: usize| (input / 64, 1 << (input % 64));
    for (output, inputs) in node.outputs.iter().zip(&node.instantaneous) {
        let mut bound = vec![0; words];
        inputs.iter().map(|input| bit(*input as usize)).for_each(|(at, bit)| bound[at] |= bit);
        bounds.insert(*output, bound);
    }
    let mut reader = Reader::default();
    for definition in node.definitions.iter().rev() {
        let equation = &node.equations[definition.equation as usize];
        let bound = bounds[&definition.variable].clone();
        for read in reader.reads(model, equation, definition.part as usize) {
            if let Some(other) = bounds.get_mut(&read) {
                intersect(other, &bound);
            }
        }
    }
    for (position, input) in node.inputs.iter().enumerate() {
        let mut own = vec![0; words];
        let (at, bit) = bit(position);
        own[at] = bit;
        bounds.insert(*input, own);
    }
    bounds
}
