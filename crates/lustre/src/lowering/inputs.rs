//! Inputs of the system: those of the main node, free constants and unknown results.

use obligato_model::Assumption;
use obligato_transition_system::{CheckKind, Initial, NodeId, Sort};

use super::lowered::{InstanceId, Origin};
use super::machine::{Machine, Outcome, Slot};
use super::shape::Bundle;
use crate::analysis::{ClockId, Kind, KindId, VariableRole};
use obligato_lustre_syntax::ast::Variability;
use obligato_lustre_syntax::source::ByteSpan;

/// Does an input keep its first value?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rigidity {
    Held,
    Free,
}

impl Machine<'_> {
    pub fn main_inputs(&mut self) -> Outcome<()> {
        let main = InstanceId::new(0);
        let mut inputs = Vec::new();
        for variable in &self.node_of(main).inputs {
            let declared = self.model.variable(*variable);
            let rigidity = match declared.role {
                VariableRole::Input(Variability::Constant) => Rigidity::Held,
                _ => Rigidity::Free,
            };
            let name = self.model.variable_name(*variable).to_owned();
            let value = self.inputs(main, &name, declared.kind, declared.name.span, rigidity)?;
            inputs.push((name.clone(), *variable, value.clone()));
            self.note(main, *variable, &value);
            self.slots.insert((main, *variable), Slot::Done(value));
            if declared.clock.is_some() {
                self.assumptions.push(Assumption::ClockedInput(name.clone()));
            }
        }
        // The clock of an input may come after it.
        for (name, variable, value) in inputs {
            let when = self.demand_activity(main, self.model.clocks.of_variable(variable))?;
            let span = self.model.variable(variable).name.span;
            self.assume_bounds(main, &name, &value, when, span);
        }
        Ok(())
    }

    /// Assumes of inputs whose type cannot say it that they stay in their subranges: the type of
    /// an input has both bounds or none.
    pub fn assume_bounds(
        &mut self,
        instance: InstanceId,
        name: &str,
        value: &Bundle,
        when: NodeId,
        span: ByteSpan,
    ) {
        let leaves = self.shapes.leaves(self.model, name, value.shape);
        for ((name, kind), node) in leaves.into_iter().zip(&value.leaves) {
            let Kind::Subrange(low, high) = self.model.kinds.get(kind) else { continue };
            if low.is_none() || high.is_none() {
                let label = format!("'{name}' stays in {}", self.model.describe(kind));
                let inside = self.within(*node, kind);
                self.state_check(
                    CheckKind::Assertion,
                    when,
                    inside,
                    label,
                    Origin { instance, span },
                );
            }
        }
    }

    /// New inputs of the system, a scalar each.
    pub fn inputs(
        &mut self,
        instance: InstanceId,
        name: &str,
        kind: KindId,
        span: ByteSpan,
        rigidity: Rigidity,
    ) -> Outcome<Bundle> {
        let context = self.scopes[instance.index()].context;
        let shape = self.shape_of(context, kind, span)?;
        let mut leaves = Vec::new();
        for (name, kind) in self.shapes.leaves(self.model, name, shape) {
            let tested = self.model.scalar(kind).expect("invariant: a shape ends in scalars");
            let mut node =
                self.builder.add_input(name.clone(), tested).expect("invariant: a scalar type");
            if rigidity == Rigidity::Held {
                node = self.held(&name, kind, node);
            }
            leaves.push(node);
        }
        Ok(Bundle { shape, leaves })
    }

    /// What an input was in the first step.
    fn held(&mut self, name: &str, kind: KindId, input: NodeId) -> NodeId {
        let latch = self.memory(&format!("{name}.held"), kind);
        let first = self.first(InstanceId::new(0), ClockId::base());
        let value = self.ite(first, input, latch);
        self.set_next(latch, value);
        value
    }

    /// A latch that holds false or zero at first.
    pub fn memory(&mut self, name: &str, kind: KindId) -> NodeId {
        let kind = self.stored_type(kind);
        let zero = Sort::of(&kind).expect("invariant: a scalar type").zero();
        let initial = Initial::Value(obligato_transition_system::sort::decode(&kind, zero));
        let latch = self.builder.add_latch(name.to_owned(), kind, initial);
        latch.expect("invariant: zero is of its type")
    }
}
