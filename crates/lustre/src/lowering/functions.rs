//! Uninterpreted functions: the result of each call is an input of the system, constrained so that
//! calls with equal arguments have equal results.
//!
//! The constraint covers every pair of calls within a step (Ackermann's reduction), and every call against those of the last few
//! steps, which latches store. Covering all steps would need unbounded memory: [`UnknownFunction::contradiction`] checks
//! longer runs as a whole. So the system over-approximates the runs of all functions: proofs hold for every function, and
//! a run that no function explains does not count.

use std::collections::HashMap;

use obligato_model::verdict::{MissingBody, Repeats};
use obligato_model::{Assumption, Value};
use obligato_transition_system::{Check, CheckKind, NodeId};

use super::lowered::InstanceId;
use super::machine::{Machine, Slot};
use super::shape::Bundle;
use crate::analysis::{ClockId, Kinds, Node, NodeBody, VariableId};
use obligato_lustre_syntax::ast::NodeKind;

/// How many earlier steps of calls latches keep, unless there are too many calls.
const MEMORY: usize = 3;

/// A function of which nothing is known, and its calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownFunction {
    /// Its name.
    pub name: String,
    /// Its calls.
    pub calls: Vec<UnknownCall>,
    /// In runs of at most so many steps, the assertions of the system make it a function.
    pub steps: usize,
}

/// A call of a function of which nothing is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownCall {
    /// Is it made in a step?
    pub active: NodeId,
    /// The scalars of its arguments.
    pub arguments: Vec<NodeId>,
    /// The scalars of each of its results; none of one that nothing reads.
    pub results: Vec<Vec<NodeId>>,
}

impl UnknownFunction {
    /// The first step of a run after which no function gives all that its calls give: `value` is what a node is
    /// worth in a step.
    pub fn contradiction(
        &self,
        steps: usize,
        value: impl Fn(usize, NodeId) -> Value,
    ) -> Option<usize> {
        let mut known: HashMap<Vec<Value>, Vec<Vec<Value>>> = HashMap::new();
        for step in 0..steps {
            let made = |call: &&UnknownCall| value(step, call.active) == Value::Bool(true);
            let values = |nodes: &Vec<NodeId>| -> Vec<Value> {
                nodes.iter().map(|node| value(step, *node)).collect()
            };
            for call in self.calls.iter().filter(made) {
                let given: Vec<Vec<Value>> = call.results.iter().map(values).collect();
                let known =
                    known.entry(values(&call.arguments)).or_insert(vec![Vec::new(); given.len()]);
                for (known, given) in known.iter_mut().zip(given) {
                    if known.is_empty() {
                        *known = given;
                    } else if !given.is_empty() && *known != given {
                        return Some(step);
                    }
                }
            }
        }
        None
    }

    /// All nodes whose values [`contradiction`](Self::contradiction) asks for.
    pub fn nodes(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.calls.iter().flat_map(|call| {
            let values = call.arguments.iter().chain(call.results.iter().flatten());
            [call.active].into_iter().chain(values.copied())
        })
    }
}

/// Is this a function without a body, or an imported one?
pub(super) fn is_unknown_function(node: &Node) -> bool {
    match node.body {
        NodeBody::Uninterpreted => true,
        NodeBody::Imported => node.kind == NodeKind::Function,
        NodeBody::Defined | NodeBody::Contract => false,
    }
}

/// A call as it is now or was some steps ago: variable by variable, where something reads it.
#[derive(Clone)]
struct Call {
    instance: InstanceId,
    active: NodeId,
    arguments: Vec<Option<Bundle>>,
    results: Vec<Option<Bundle>>,
}

impl Machine<'_> {
    /// Asserts functional consistency of every unknown function.
    pub fn relate_calls(&mut self) {
        let mut calls = vec![Vec::new(); self.model.nodes.len()];
        for (index, instance) in self.instances.iter().enumerate() {
            if is_unknown_function(self.model.node(instance.node)) {
                calls[instance.node.index()].push(InstanceId::new(index));
            }
        }
        for instances in calls {
            let Some(first) = instances.first() else { continue };
            let node = self.node_of(*first);
            let calls: Vec<Call> =
                instances.iter().map(|call| self.unknown_call(node, *call)).collect();
            let memory = self.memory_of(node, &calls);
            if let Some(steps) = memory {
                self.relate(node, &calls, steps);
            }
            self.assume_function(node, calls.len(), memory);
            // Without arguments it is held as it is in the first step.
            if let Some(steps) = memory.filter(|_| !node.inputs.is_empty()) {
                let name = self.model.text(node.name.symbol).to_owned();
                let calls = calls.iter().map(Call::unknown).collect();
                self.functions.push(UnknownFunction { name, calls, steps: steps + 1 });
            }
        }
    }

    fn unknown_call(&self, node: &Node, instance: InstanceId) -> Call {
        let bundle = |variable: &VariableId| match self.slots.get(&(instance, *variable)) {
            Some(Slot::Done(value)) => Some(value.clone()),
            _ => None,
        };
        Call {
            instance,
            active: self.instances[instance.index()].active,
            arguments: node.inputs.iter().map(bundle).collect(),
            results: node.outputs.iter().map(bundle).collect(),
        }
    }

    /// How many steps back calls can be compared; `None` if not even those of one step can.
    fn memory_of(&self, node: &Node, calls: &[Call]) -> Option<usize> {
        let mut interface = node.inputs.iter().chain(&node.outputs);
        let clocks = &self.model.clocks;
        let on_base = interface.all(|variable| clocks.of_variable(*variable) == ClockId::base());
        let width = calls[0].scalars().max(1);
        let most = self.options.most_elements / width;
        let now = calls.len().saturating_mul(calls.len() - 1) / 2;
        let left = most.checked_sub(now).filter(|_| on_base)?;
        let steps = left / calls.len().saturating_mul(calls.len());
        // Without arguments nothing changes from step to step.
        Some(if node.inputs.is_empty() { 0 } else { steps.min(MEMORY) })
    }

    fn relate(&mut self, node: &Node, calls: &[Call], steps: usize) {
        let name = self.model.text(node.name.symbol);
        for (position, other) in calls.iter().enumerate() {
            for one in &calls[..position] {
                self.relate_two(name, one, other);
            }
        }
        let mut earlier = calls.to_vec();
        for ago in 1..=steps {
            earlier = earlier.iter().map(|call| self.remember(node, call, ago)).collect();
            for one in &earlier {
                for other in calls {
                    self.relate_two(name, one, other);
                }
            }
        }
    }

    fn relate_two(&mut self, name: &str, one: &Call, other: &Call) {
        let arguments = self.agree(&one.arguments, &other.arguments);
        let results = self.agree(&one.results, &other.results);
        let both = self.and(one.active, other.active);
        let when = self.and(both, arguments);
        let holds = self.implies(when, results);
        if self.graph().as_constant(holds) == Some(&Value::Bool(true)) {
            return;
        }
        let label = format!("equal arguments of '{name}' give equal results");
        let origin = self.origin(other.instance, self.instances[other.instance.index()].span);
        let kind = CheckKind::Assertion;
        self.function_checks.push(Check { node: holds, kind, label, origin });
    }

    /// Are variables of two calls equal? Those that nothing reads are left out.
    fn agree(&mut self, one: &[Option<Bundle>], other: &[Option<Bundle>]) -> NodeId {
        let mut agree = self.always;
        for (first, second) in one.iter().zip(other) {
            let (Some(first), Some(second)) = (first, second) else { continue };
            for (one, other) in first.leaves.iter().zip(&second.leaves) {
                let same = self.equal(*one, *other);
                agree = self.and(agree, same);
            }
        }
        agree
    }

    /// A call as it was a step before.
    fn remember(&mut self, node: &Node, call: &Call, ago: usize) -> Call {
        let path = self.path(call.instance).to_owned();
        let active = self.memory(&format!("{path}.made {ago} ago"), Kinds::bool());
        self.set_next(active, call.active);
        let mut before = |variables: &[VariableId], bundles: &[Option<Bundle>]| {
            let named = variables.iter().zip(bundles);
            let bundles = named.map(|(variable, bundle)| {
                let name = format!("{path}.{} {ago} ago", self.model.variable_name(*variable));
                bundle.as_ref().map(|bundle| self.remember_bundle(&name, bundle))
            });
            bundles.collect()
        };
        let arguments = before(&node.inputs, &call.arguments);
        let results = before(&node.outputs, &call.results);
        Call { instance: call.instance, active, arguments, results }
    }

    /// A value as it was a step before; constants are what they are.
    fn remember_bundle(&mut self, name: &str, bundle: &Bundle) -> Bundle {
        let kinds = self.shapes.leaves(self.model, name, bundle.shape);
        let leaves = kinds.into_iter().zip(&bundle.leaves).map(|((name, kind), leaf)| {
            if self.graph().as_constant(*leaf).is_some() {
                return *leaf;
            }
            let latch = self.memory(&name, kind);
            self.set_next(latch, *leaf);
            latch
        });
        Bundle { shape: bundle.shape, leaves: leaves.collect() }
    }

    fn assume_function(&mut self, node: &Node, calls: usize, memory: Option<usize>) {
        let name = self.model.text(node.name.symbol).to_owned();
        let body = match node.body {
            NodeBody::Imported => MissingBody::Imported,
            _ => MissingBody::Absent,
        };
        let repeats = match memory {
            _ if node.inputs.is_empty() => Repeats::Constant,
            Some(1..) => Repeats::Always,
            Some(0) => Repeats::WithinStep,
            None => Repeats::Never,
        };
        let calls = calls as u64;
        self.assumptions.push(Assumption::FreeFunction { name, body, calls, repeats });
    }
}

impl Call {
    /// How many scalars go in and out.
    fn scalars(&self) -> usize {
        let bundles = self.arguments.iter().chain(&self.results).flatten();
        bundles.map(|bundle| bundle.leaves.len()).sum()
    }

    /// What is known of it outside of here.
    fn unknown(&self) -> UnknownCall {
        let leaves =
            |bundle: &Option<Bundle>| bundle.iter().flat_map(|one| one.leaves.clone()).collect();
        UnknownCall {
            active: self.active,
            arguments: self.arguments.iter().flatten().flat_map(|one| one.leaves.clone()).collect(),
            results: self.results.iter().map(leaves).collect(),
        }
    }
}
