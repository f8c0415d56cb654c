//! Functions of which nothing is known but that they are functions: a result per call is an input
//! of the system, and what calls with equal arguments give must be equal.
//!
//! That is stated for every two calls within a step. From step to step it cannot be: it would take
//! a memory of all arguments so far. What is not stated is among the assumptions.

use obligato_model::Value;
use obligato_system::{CheckKind, NodeId};

use super::lowered::InstanceId;
use super::machine::{Machine, Slot};
use crate::analysis::{ClockId, Node, NodeBody, VariableId};
use crate::ast::NodeKind;

/// Is this a function without a body, or an imported one?
pub(super) fn is_unknown_function(node: &Node) -> bool {
    match node.body {
        NodeBody::Uninterpreted => true,
        NodeBody::Imported => node.kind == NodeKind::Function,
        NodeBody::Defined | NodeBody::Contract => false,
    }
}

impl Machine<'_> {
    /// States for every unknown function what makes it a function.
    pub fn relate_calls(&mut self) {
        let mut calls = vec![Vec::new(); self.model.nodes.len()];
        for (index, instance) in self.instances.iter().enumerate() {
            if is_unknown_function(self.model.node(instance.node)) {
                calls[instance.node.index()].push(InstanceId::new(index));
            }
        }
        for calls in calls {
            if let Some(first) = calls.first() {
                let node = self.node_of(*first);
                let related = self.can_relate(node, &calls);
                if related {
                    self.relate(node, &calls);
                }
                self.assume_function(node, calls.len(), related);
            }
        }
    }

    fn can_relate(&self, node: &Node, calls: &[InstanceId]) -> bool {
        let mut interface = node.inputs.iter().chain(&node.outputs);
        let clocks = &self.model.clocks;
        let scalars = |variable| match self.slots.get(&(calls[0], variable)) {
            Some(Slot::Done(value)) => value.leaves.len(),
            _ => 0,
        };
        let width: usize = interface.clone().map(|variable| scalars(*variable)).sum();
        let pairs = calls.len().saturating_mul(calls.len() - 1) / 2;
        interface.all(|variable| clocks.of_variable(*variable) == ClockId::base())
            && pairs.saturating_mul(width.max(1)) <= self.options.most_elements
    }

    fn relate(&mut self, node: &Node, calls: &[InstanceId]) {
        let name = self.model.text(node.name.symbol);
        for (position, other) in calls.iter().enumerate() {
            for one in &calls[..position] {
                let actives = [one, other].map(|call| self.instances[call.index()].active);
                let arguments = self.agree(*one, *other, &node.inputs);
                let results = self.agree(*one, *other, &node.outputs);
                let both = self.and(actives[0], actives[1]);
                let when = self.and(both, arguments);
                let holds = self.implies(when, results);
                if self.graph().as_constant(holds) == Some(&Value::Bool(true)) {
                    continue;
                }
                let label = format!("equal arguments of '{name}' give equal results");
                let span = self.instances[other.index()].span;
                self.state_check(CheckKind::Assertion, when, results, label, *other, span);
            }
        }
    }

    /// Are variables of two instances equal? Those that nothing reads are left out.
    fn agree(&mut self, one: InstanceId, other: InstanceId, variables: &[VariableId]) -> NodeId {
        let mut agree = self.always;
        for variable in variables {
            let values = [one, other].map(|instance| self.slots.get(&(instance, *variable)));
            let [Some(Slot::Done(first)), Some(Slot::Done(second))] = values else { continue };
            let (first, second) = (first.leaves.clone(), second.leaves.clone());
            for (one, other) in first.into_iter().zip(second) {
                let same = self.equal(one, other);
                agree = self.and(agree, same);
            }
        }
        agree
    }

    fn assume_function(&mut self, node: &Node, calls: usize, related: bool) {
        let name = self.model.text(node.name.symbol);
        let what = match node.body {
            NodeBody::Imported => "is imported",
            _ => "has no body",
        };
        let but = if node.inputs.is_empty() {
            "it gives the same in every step"
        } else if related {
            "equal arguments give equal results within a step, but need not from step to step"
        } else {
            "equal arguments need not give equal results, as its calls are too many or on clocks"
        };
        let results = match calls {
            1 => "what its call gives is".to_owned(),
            _ => format!("what its {calls} calls give is"),
        };
        let text = format!("the function '{name}' {what}: {results} an input; {but}");
        self.assumptions.push(text);
    }
}
