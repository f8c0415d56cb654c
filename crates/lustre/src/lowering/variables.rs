//! Variables and constants: where their values come from, each lowered once.

use obligato_model::{Assumption, Value};
use obligato_transition_system::{CheckKind, NodeId};

use super::discards::Discard;
use super::functions::is_unknown_function;
use super::inputs::Rigidity;
use super::lowered::{InstanceId, NamedNode, Origin};
use super::machine::{Given, LoweringSite, Machine, Outcome, Slot, Task};
use super::shape::{Bundle, Shape, ShapeId};
use super::survey::Source;
use crate::analysis::{
    ConstantId, Equation, Kind, KindId, Node, NodeBody, VariableId, VariableRole,
};
use obligato_lustre_syntax::ast::ExprId;

impl<'m> Machine<'m> {
    pub fn node_of(&self, instance: InstanceId) -> &'m Node {
        self.model.node(self.instances[instance.index()].node)
    }

    pub fn constant(&mut self, id: ConstantId) -> Outcome<Bundle> {
        if let Some(known) = self.constants.get(&id) {
            return Ok(known.clone());
        }
        let constant = self.model.constant(id);
        let (kind, span) = (constant.kind, constant.name.span);
        let main = InstanceId::new(0);
        let value = if let Some(value) = &constant.value {
            let context = self.scopes[0].context;
            let shape = self.shape_of(context, kind, span)?;
            self.constant_bundle(value, shape)
        } else {
            let name = self.model.text(constant.name.symbol).to_owned();
            self.assumptions.push(Assumption::FreeConstant(name.clone()));
            let value = self.inputs(main, &name, kind, span, Rigidity::Held)?;
            self.assume_bounds(main, &name, &value, self.always, span);
            value
        };
        self.constants.insert(id, value.clone());
        Ok(value)
    }

    /// A variable that is lowered.
    pub fn lowered(&self, instance: InstanceId, variable: VariableId) -> &Bundle {
        match self.slots.get(&(instance, variable)) {
            Some(Slot::Done(value)) => value,
            _ => unreachable!("invariant: the variable was lowered before"),
        }
    }

    /// Leaves the value of a variable, or the tasks that will.
    pub fn variable(&mut self, instance: InstanceId, variable: VariableId) -> Outcome<()> {
        match self.slots.get(&(instance, variable)) {
            Some(Slot::Done(value)) => {
                self.values.push(value.clone());
                return Ok(());
            }
            Some(Slot::InProgress | Slot::Partial(..)) => {
                let name = self.model.variable(variable).name;
                let text = format!(
                    "'{}' depends on itself at the same instant, in '{}'",
                    self.model.text(name.symbol),
                    self.path(instance)
                );
                return Self::fail(name.span, text);
            }
            None => {}
        }
        self.slots.insert((instance, variable), Slot::InProgress);
        let node = self.node_of(instance);
        let scope = &self.scopes[instance.index()];
        match self.survey.sources[variable.index()] {
            Source::Given(position) => {
                let context = scope.caller.expect("invariant: the main node has its inputs");
                let given = match scope.given[position as usize] {
                    Given::Expr(argument) => {
                        let guard = self.guard(instance, variable, argument)?;
                        let discarded = Some(self.discard(Discard::Given { instance, variable }));
                        let place = LoweringSite { context, part: None, guard, discarded };
                        Task::Expr(place, argument)
                    }
                    Given::Variable(actual) => Task::Variable(self.instance_of(context), actual),
                };
                self.tasks.push(Task::Define(instance, variable));
                self.tasks.push(given);
            }
            Source::Equation(equation, part) => {
                self.equation(instance, variable, &node.equations[equation as usize], part)?;
            }
            Source::Contract(equation, part) => {
                let contract = node.contract.as_ref().expect("invariant: it defines the variable");
                self.equation(instance, variable, &contract.equations[equation as usize], part)?;
            }
            Source::None => {
                let value = self.unknown_value(instance, variable, node)?;
                self.values.push(value);
                self.define(instance, variable);
            }
        }
        Ok(())
    }

    /// When what defines a variable is computed, if that matters.
    fn guard(
        &mut self,
        instance: InstanceId,
        variable: VariableId,
        value: ExprId,
    ) -> Outcome<NodeId> {
        if self.survey.may_fault[value.index()] {
            self.demand_activity(instance, self.model.clocks.of_variable(variable))
        } else {
            Ok(self.always)
        }
    }

    fn equation(
        &mut self,
        instance: InstanceId,
        variable: VariableId,
        equation: &Equation,
        part: u32,
    ) -> Outcome<()> {
        let target = &equation.targets[part as usize];
        if !target.indices.is_empty() {
            let context = self.scopes[instance.index()].context;
            let declared = self.model.variable(variable);
            let shape = self.shape_of(context, declared.kind, declared.name.span)?;
            self.slots.insert((instance, variable), Slot::Partial(shape, Vec::new()));
            self.tasks.push(Task::Element(instance, variable, 0));
            return Ok(());
        }
        let context = self.scopes[instance.index()].context;
        let guard = self.guard(instance, variable, equation.value)?;
        let part = (equation.targets.len() > 1).then_some(part);
        self.tasks.push(Task::Define(instance, variable));
        let place = LoweringSite { context, part, guard, discarded: None };
        self.tasks.push(Task::Expr(place, equation.value));
        Ok(())
    }

    /// The result of a call of which nothing is known, or a variable without a definition: an
    /// input of the system.
    fn unknown_value(
        &mut self,
        instance: InstanceId,
        variable: VariableId,
        node: &Node,
    ) -> Outcome<Bundle> {
        let declared = self.model.variable(variable);
        let path = self.path(instance).to_owned();
        let name = format!("{path}.{}", self.model.variable_name(variable));
        let function = is_unknown_function(node);
        let constant = function && node.inputs.is_empty();
        if node.body == NodeBody::Defined {
            self.assumptions.push(Assumption::Undefined(name.clone()));
        } else if !function {
            let node = self.model.text(node.name.symbol).to_owned();
            self.assumptions.push(Assumption::ImportedNode { node, input: name.clone() });
        }
        let rigidity = if constant { Rigidity::Held } else { Rigidity::Free };
        let span = declared.name.span;
        let value = self.inputs(instance, &name, declared.kind, span, rigidity)?;
        self.assume_bounds(instance, &name, &value, self.always, span);
        Ok(value)
    }

    /// The value on the stack is that of the variable; it stays there.
    pub fn define(&mut self, instance: InstanceId, variable: VariableId) {
        let value = self.values.last().expect("invariant: the definition left a value").clone();
        self.note(instance, variable, &value);
        self.slots.insert((instance, variable), Slot::Done(value));
    }

    pub fn note(&mut self, instance: InstanceId, variable: VariableId, value: &Bundle) {
        let declared = self.model.variable(variable).name;
        let (span, written) = (declared.span, self.model.is_written_name(declared.symbol));
        let name = self.model.variable_name(variable);
        let add =
            |name, kind, node| NamedNode { instance, variable, name, written, kind, node, span };
        if let Shape::Scalar(_) = self.shapes.get(value.shape) {
            // The declared kind says more than that of the value: `int` for a subrange.
            let kind = self.model.variable(variable).kind;
            if let Some(kind) = self.model.scalar(kind) {
                self.variables.push(add(name.to_owned(), kind, value.leaves[0]));
            }
            return;
        }
        let leaves = self.shapes.leaves(self.model, name, value.shape);
        for ((name, kind), node) in leaves.into_iter().zip(&value.leaves) {
            let kind = self.stored_type(kind);
            self.variables.push(add(name, kind, *node));
        }
    }

    // Array definitions.

    /// Begins the element at a position, counted over all indices.
    pub fn element(
        &mut self,
        instance: InstanceId,
        variable: VariableId,
        position: u32,
    ) -> Outcome<()> {
        let Some(Slot::Partial(shape, _)) = self.slots.get(&(instance, variable)) else {
            unreachable!("invariant: the definition is in progress")
        };
        let mut shape = *shape;
        let Source::Equation(equation, _) = self.survey.sources[variable.index()] else {
            unreachable!("invariant: an equation defines an array by its elements")
        };
        let equation = &self.node_of(instance).equations[equation as usize];
        let [target] = &equation.targets[..] else {
            let text = "cannot be simulated: several arrays defined by their elements at once";
            return Self::fail(equation.span, text);
        };
        let whole = shape;
        let mut sizes = Vec::new();
        for _ in &target.indices {
            let Shape::Array(element, size) = self.shapes.get(shape) else { break };
            sizes.push(*size);
            shape = *element;
        }
        if position as usize >= sizes.iter().product() {
            self.finish_array(instance, variable, whole);
            return Ok(());
        }
        let mut rest = position as usize;
        let mut at = vec![0; sizes.len()];
        for (index, size) in at.iter_mut().zip(&sizes).rev() {
            *index = rest % size;
            rest /= size;
        }
        let mut context = self.scopes[instance.index()].context;
        for (index, value) in target.indices.iter().zip(at) {
            let value = self.integer(value);
            context = self.bind(context, *index, value);
        }
        let guard = self.demand_activity(instance, self.model.clocks.of_variable(variable))?;
        self.tasks.push(Task::DefineElement(instance, variable, position));
        let place = LoweringSite { context, part: None, guard, discarded: None };
        self.tasks.push(Task::Expr(place, equation.value));
        Ok(())
    }

    pub fn define_element(&mut self, instance: InstanceId, variable: VariableId, position: u32) {
        let value = self.pop();
        if let Some(Slot::Partial(_, leaves)) = self.slots.get_mut(&(instance, variable)) {
            leaves.extend(value.leaves);
        }
        self.tasks.push(Task::Element(instance, variable, position + 1));
    }

    fn finish_array(&mut self, instance: InstanceId, variable: VariableId, shape: ShapeId) {
        let slot = self.slots.insert((instance, variable), Slot::InProgress);
        let Some(Slot::Partial(_, leaves)) = slot else {
            unreachable!("invariant: the definition is in progress")
        };
        self.values.push(Bundle { shape, leaves });
        self.define(instance, variable);
    }

    // Subranges.

    /// Is a scalar of the kind within its bounds?
    pub fn within(&mut self, node: NodeId, kind: KindId) -> NodeId {
        let Kind::Subrange(low, high) = self.model.kinds.get(kind) else { return self.always };
        let mut inside = self.always;
        if let Some(low) = low {
            let low = self.integer(low.clone());
            let above = self.less_equal(low, node);
            inside = self.and(inside, above);
        }
        if let Some(high) = high {
            let high = self.integer(high.clone());
            let below = self.less_equal(node, high);
            inside = self.and(inside, below);
        }
        inside
    }

    /// States that a variable stays in its subranges. A constant that does is no check.
    pub fn check_subranges(&mut self, instance: InstanceId, variable: VariableId) -> Outcome<()> {
        let declared = self.model.variable(variable);
        let span = declared.name.span;
        if instance.index() == 0 && matches!(declared.role, VariableRole::Input(_)) {
            return Ok(());
        }
        // What a state reads and defines is checked in the node around it, and what is added to
        // the text has the values of variables that are checked.
        let state = !self.model.is_written_name(self.node_of(instance).name.symbol);
        if !self.model.is_written_name(declared.name.symbol)
            || state && declared.role != VariableRole::Local
        {
            return Ok(());
        }
        let context = self.scopes[instance.index()].context;
        let shape = self.shape_of(context, declared.kind, span)?;
        let value = self.lowered(instance, variable).leaves.clone();
        let leaves = self.shapes.leaves(self.model, self.model.variable_name(variable), shape);
        for ((name, kind), node) in leaves.into_iter().zip(value) {
            let inside = self.within(node, kind);
            if self.graph().as_constant(inside) == Some(&Value::Bool(true)) {
                continue;
            }
            let clock = self.model.clocks.of_variable(variable);
            let active = self.demand_activity(instance, clock)?;
            let label = format!("'{name}' stays in {}", self.model.describe(kind));
            self.state_check(CheckKind::Subrange, active, inside, label, Origin { instance, span });
        }
        Ok(())
    }
}
