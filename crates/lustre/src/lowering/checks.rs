//! Checks of every step: asserts, properties, contracts, and the absence of runtime errors.

use obligato_model::{Assumption, Value};
use obligato_transition_system::{Check, CheckKind, Graph, NodeId, Term, definedness};
use rustc_hash::FxHashSet;

use super::lowered::{InstanceId, Origin};
use super::machine::{LoweringSite, Machine, Outcome, Task};
use super::shape::Bundle;
use crate::analysis::{ClockId, Equation, NodeBody, VariableId};
use obligato_lustre_syntax::ast::{Claim, ExprId};

/// A label is to be read at a glance.
const LONGEST_LABEL: usize = 120;

impl Machine<'_> {
    /// Lowers the outputs of the main node.
    pub fn lower_outputs(&mut self) -> Outcome<()> {
        let main = InstanceId::new(0);
        for variable in &self.node_of(main).outputs {
            let declared = self.model.variable(*variable);
            let value = self.run(Task::Variable(main, *variable))?;
            let value = self.shown(*variable, value)?;
            let name = self.model.variable_name(*variable);
            let context = self.scopes[0].context;
            let shape = self.shape_of(context, declared.kind, declared.name.span)?;
            for ((name, kind), node) in
                self.shapes.leaves(self.model, name, shape).into_iter().zip(value.leaves)
            {
                let kind = self.model.scalar(kind).expect("invariant: a shape ends in scalars");
                self.builder.add_output(name, kind, node).expect("invariant: kinds are checked");
            }
        }
        Ok(())
    }

    /// What a test sees of an output. What is computed while its clock does not hold means
    /// nothing, so the last value that counted stands there.
    fn shown(&mut self, output: VariableId, value: Bundle) -> Outcome<Bundle> {
        let clock = self.model.clocks.of_variable(output);
        if clock == ClockId::base() {
            return Ok(value);
        }
        let name = self.model.variable_name(output);
        self.assumptions.push(Assumption::ClockedOutput(name.to_owned()));
        let present = self.demand_activity(InstanceId::new(0), clock)?;
        let mut leaves = Vec::new();
        for ((name, kind), node) in
            self.shapes.leaves(self.model, name, value.shape).into_iter().zip(value.leaves)
        {
            let last = self.memory(&format!("{name}.shown"), kind);
            let shown = self.ite(present, node, last);
            self.set_next(last, shown);
            leaves.push(shown);
        }
        let span = self.model.variable(output).name.span;
        self.place_new_nodes(Origin { instance: InstanceId::new(0), span });
        Ok(Bundle { leaves, ..value })
    }

    /// Lowers all that is left of every instance, and of those that come up meanwhile.
    pub fn lower_instances(&mut self) -> Outcome<()> {
        let mut next = 0;
        while next < self.instances.len() {
            self.lower_instance(InstanceId::new(next))?;
            next += 1;
            if next == self.instances.len() {
                self.settle_pending()?;
            }
        }
        Ok(())
    }

    fn lower_instance(&mut self, instance: InstanceId) -> Outcome<()> {
        let node = self.node_of(instance);
        let contract = node.contract.as_ref();
        let defined = node.definitions.iter();
        let of_contract = contract.iter().flat_map(|contract| &contract.definitions);
        let defined = defined.chain(of_contract).map(|definition| definition.variable);
        let read = if node.body == NodeBody::Contract { &node.outputs[..] } else { &[] };
        for variable in node.inputs.iter().chain(read).copied().chain(defined) {
            self.run(Task::Variable(instance, variable))?;
            self.check_subranges(instance, variable)?;
        }
        for equation in node.equations.iter().filter(|equation| equation.targets.is_empty()) {
            self.in_instance(instance, equation.value)?;
        }
        let active = self.instances[instance.index()].active;
        for condition in &node.asserts {
            self.claim(CheckKind::Assertion, active, instance, *condition)?;
        }
        for property in &node.properties {
            let provided = match property.provided {
                Some(provided) => self.in_instance(instance, provided)?,
                None => self.always,
            };
            let when = self.and(active, provided);
            let clock = self.model.clocks.of(property.condition);
            let present = self.demand_activity(instance, clock)?;
            let when = self.and(when, present);
            match property.claim {
                Claim::Invariant => {
                    let node = self.in_instance(instance, property.condition)?;
                    let span = self.program.expr_span(property.condition);
                    let label = match property.title {
                        Some(title) => self.model.text(title).to_owned(),
                        None => self.text(property.condition),
                    };
                    let origin = Origin { instance, span };
                    self.state_check(CheckKind::Property, when, node, label, origin);
                }
                // Nothing that must hold at every step.
                Claim::Reachable(_) => {
                    self.in_instance(instance, property.condition)?;
                }
            }
        }
        match contract {
            Some(contract) => self.lower_contract(instance, active, contract),
            None => Ok(()),
        }
    }

    pub fn claim(
        &mut self,
        kind: CheckKind,
        when: NodeId,
        instance: InstanceId,
        condition: ExprId,
    ) -> Outcome<()> {
        let node = self.in_instance(instance, condition)?;
        let present = self.demand_activity(instance, self.model.clocks.of(condition))?;
        let when = self.and(when, present);
        let label = self.text(condition);
        let origin = Origin { instance, span: self.program.expr_span(condition) };
        self.state_check(kind, when, node, label, origin);
        Ok(())
    }

    pub fn in_instance(&mut self, instance: InstanceId, id: ExprId) -> Outcome<NodeId> {
        let context = self.scopes[instance.index()].context;
        let guard = self.instances[instance.index()].active;
        let place = LoweringSite { context, part: None, guard, discarded: None };
        let value = self.run(Task::Shared(place, id))?;
        Ok(value.leaves.first().copied().unwrap_or(self.always))
    }

    /// States that `node` holds whenever `when` does.
    pub fn state_check(
        &mut self,
        kind: CheckKind,
        when: NodeId,
        node: NodeId,
        label: String,
        origin: Origin,
    ) {
        let node = self.implies(when, node);
        let fault = !matches!(kind, CheckKind::Assertion | CheckKind::Property);
        if fault && !self.stated.insert((node, kind as u32)) {
            return;
        }
        let origin = self.origin(origin.instance, origin.span);
        self.checks.push(Check { node, kind, label, origin });
    }

    /// States that no output, stored value, assert or property divides by zero. What holds unknown functions to being
    /// functions is no text of the model: that it reads an argument makes nothing of the argument matter.
    pub fn check_divisions(&mut self) {
        for check in std::mem::take(&mut self.checks) {
            self.builder.add_check(check).expect("invariant: checks are Boolean");
        }
        let builder = std::mem::take(&mut self.builder);
        let mut system = builder.finish().expect("invariant: every latch was pending once");
        let main = InstanceId::new(0);
        let mut roots = Vec::new();
        let outputs = &self.model.main_node().outputs;
        let spans: Vec<_> = outputs
            .iter()
            .flat_map(|output| {
                let scalars = self.lowered(main, *output).leaves.len();
                vec![self.model.variable(*output).name.span; scalars]
            })
            .collect();
        for (output, span) in system.outputs.iter().zip(spans) {
            let origin = self.origin(main, span);
            roots.push((output.node, format!("'{}' never divides by zero", output.name), origin));
        }
        for latch in &system.latches {
            let Some(&(instance, id)) = self.latch_owners.get(&latch.node) else { continue };
            let origin = self.origin(instance, self.program.expr_span(id));
            roots.push((latch.next, format!("'{}' never divides by zero", self.text(id)), origin));
        }
        for check in &system.checks {
            roots.push((
                check.node,
                format!("'{}' never divides by zero", check.label),
                check.origin,
            ));
        }
        let nodes: Vec<_> = roots.iter().map(|(node, ..)| *node).collect();
        let defined =
            definedness(&mut system.graph, &nodes).expect("invariant: nodes of the graph");
        let mut stated = FxHashSet::default();
        for (node, (root, label, origin)) in defined.into_iter().zip(roots) {
            let holds = system.graph.as_constant(node) == Some(&Value::Bool(true));
            if holds || !stated.insert(node) {
                continue;
            }
            // Where only one division can be meant, that is the place to look at.
            let division = only_division(&system.graph, root);
            let place = division.and_then(|at| self.places.get(at.index()).copied().flatten());
            let origin =
                place.map_or(origin, |Origin { instance, span }| self.origin(instance, span));
            let kind = CheckKind::DivisionByZero;
            system.checks.push(Check { node, kind, label, origin });
        }
        system.checks.append(&mut self.function_checks);
        self.system = system;
    }

    /// The text of an expression in a label, on one line and not too long.
    pub fn text(&self, id: ExprId) -> String {
        shortened(&self.program.expr_text(id, self.bytes))
    }

    /// What an equation says, on one line and not too long.
    pub fn text_of_equation(&self, equation: &Equation) -> String {
        let value = self.program.expr_text(equation.value, self.bytes);
        let targets = equation.targets.iter();
        let names: Vec<&str> =
            targets.map(|target| self.model.variable_name(target.variable)).collect();
        match &names[..] {
            [] => shortened(&value),
            [name] => shortened(&format!("{name} = {value}")),
            names => shortened(&format!("({}) = {value}", names.join(", "))),
        }
    }
}

/// A text on one line, cut where it gets too long.
fn shortened(text: &str) -> String {
    let mut words = text.split_whitespace();
    let mut label = words.next().unwrap_or_default().to_owned();
    for word in words {
        if label.len() + word.len() > LONGEST_LABEL {
            label.push('…');
            break;
        }
        label = label + " " + word;
    }
    label
}

/// The division by what may be zero that a node depends on in the same step, if it is the only one.
fn only_division(graph: &Graph, root: NodeId) -> Option<NodeId> {
    let mut found = None;
    let mut seen = FxHashSet::default();
    let mut open = vec![root];
    while let Some(node) = open.pop() {
        if !graph.is_partial(node) || !seen.insert(node) {
            continue;
        }
        if by_what_may_be_zero(graph, node) && found.replace(node).is_some() {
            return None;
        }
        open.extend(graph.children(node));
    }
    found
}

fn by_what_may_be_zero(graph: &Graph, node: NodeId) -> bool {
    match graph.term(node) {
        Term::Binary(operation, _, divisor) if operation.is_division() => {
            graph.as_constant(divisor).is_none_or(|value| *value == graph.sort(divisor).zero())
        }
        _ => false,
    }
}
