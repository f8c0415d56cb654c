//! Contracts: what instances assume and guarantee, the contracts they import, and their modes.
//!
//! An import is an instance like a call, whose inputs and outputs are those of the importer.

use obligato_transition_system::{CheckKind, NodeId};

use super::lowered::InstanceId;
use super::machine::{LoweringSite, Machine, Outcome, Task};
use super::shape::Bundle;
use crate::analysis::{Contract, Mode, NodeBody, written_name};
use obligato_lustre_syntax::ast::{ExprId, Symbol};

impl<'m> Machine<'m> {
    /// The contract of an instance that has one.
    pub fn contract_of(&self, instance: InstanceId) -> &'m Contract {
        let contract = self.node_of(instance).contract.as_ref();
        contract.expect("invariant: only contracts have imports and modes")
    }

    /// The instance of the node whose contract an instance is part of.
    fn importer(&self, instance: InstanceId) -> InstanceId {
        let mut at = instance;
        while self.node_of(at).body == NodeBody::Contract {
            at = self.instances[at.index()].parent.expect("invariant: something imports it");
        }
        at
    }

    pub fn lower_contract(
        &mut self,
        instance: InstanceId,
        active: NodeId,
        contract: &Contract,
    ) -> Outcome<()> {
        for position in 0..contract.imports.len() {
            self.imported(instance, position as u32)?;
        }
        for condition in &contract.assumptions {
            self.claim(CheckKind::Assertion, active, instance, *condition)?;
        }
        // What an imported node guarantees is all that is known of its results.
        let kind = match self.node_of(self.importer(instance)).body {
            NodeBody::Defined => CheckKind::Property,
            _ => CheckKind::Assertion,
        };
        for condition in &contract.guarantees {
            self.claim(kind, active, instance, *condition)?;
        }
        for mode in &contract.modes {
            let mut when = active;
            for condition in &mode.requires {
                let node = self.in_instance(instance, *condition)?;
                when = self.and(when, node);
            }
            for condition in &mode.ensures {
                self.claim(kind, when, instance, *condition)?;
            }
        }
        Ok(())
    }

    // Modes.

    /// The mode that a path of imports names, and the instance whose contract it is part of.
    fn mode_named(&mut self, from: InstanceId, path: Symbol) -> Outcome<(InstanceId, u32)> {
        let model = self.model;
        let mut steps: Vec<_> = model.text(path).split("::").collect();
        let name = steps.pop().unwrap_or_default();
        let mut at = from;
        for step in steps {
            let imports = &self.contract_of(at).imports;
            let named =
                |contract| written_name(model.text(model.node(contract).name.symbol)) == step;
            let position = imports.iter().position(|import| named(import.contract));
            let position = position.expect("invariant: the analysis found the import");
            at = self.imported(at, position as u32)?;
        }
        let mut declared = self.contract_of(at).modes.iter();
        let position = declared.position(|mode| model.text(mode.name.symbol) == name);
        Ok((at, position.expect("invariant: the analysis found the mode") as u32))
    }

    fn mode_at(&self, instance: InstanceId, position: u32) -> &'m Mode {
        &self.contract_of(instance).modes[position as usize]
    }

    /// `::mode`: begins what the mode requires.
    pub fn mode(&mut self, place: LoweringSite, id: ExprId, path: Symbol) -> Outcome<()> {
        let (owner, position) = self.mode_named(self.instance_of(place.context), path)?;
        let mode = self.mode_at(owner, position);
        if !self.open_modes.insert((owner, position)) {
            let name = self.model.text(mode.name.symbol);
            let text = format!("the mode '{name}' depends on itself at the same instant");
            return Self::fail(mode.name.span, text);
        }
        let context = self.scopes[owner.index()].context;
        let inside = LoweringSite { context, ..place };
        self.tasks.push(Task::Apply(place, id));
        self.push_all(mode.requires.iter().map(|id| Task::Shared(inside, *id)));
        Ok(())
    }

    pub fn finish_mode(&mut self, place: LoweringSite, path: Symbol) -> Outcome<Bundle> {
        let (owner, position) = self.mode_named(self.instance_of(place.context), path)?;
        self.open_modes.remove(&(owner, position));
        let mut all = self.always;
        for _ in &self.mode_at(owner, position).requires {
            let one = self.pop_scalar();
            all = self.and(all, one);
        }
        Ok(self.boolean(all))
    }
}
