//! Contracts: what instances assume and guarantee, the contracts they import, and their modes.
//!
//! An import is an instance like a call, whose inputs and outputs are those of the importer.
//!
//! Only what the main node assumes restricts the environment. What a called node assumes its caller has to see to: it is
//! a property, named by the call as Kind 2 names it. What a called node guarantees is worth something only as long as its
//! assumptions have held: a property of a node with a body, all that is known of one without.

use obligato_model::{Type, Value};
use obligato_transition_system::{CheckKind, Initial, NodeId};

use super::lowered::{InstanceId, Origin};
use super::machine::{LoweringSite, Machine, Outcome, Task};
use super::shape::Bundle;
use crate::analysis::{Contract, Mode, NodeBody, written_name};
use obligato_lustre_syntax::ast::{ExprId, Symbol};
use obligato_lustre_syntax::source::Source;

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
        let owner = self.importer(instance);
        if owner.index() == 0 {
            for condition in &contract.assumptions {
                self.claim(CheckKind::Assertion, active, instance, *condition)?;
            }
        } else {
            self.oblige_caller(instance, owner, active, contract)?;
        }
        // What an imported node guarantees is all that is known of its results.
        let kind = match self.node_of(owner).body {
            NodeBody::Defined => CheckKind::Property,
            _ => CheckKind::Assertion,
        };
        if contract.guarantees.is_empty() && contract.modes.is_empty() {
            return Ok(());
        }
        let assumed = self.assumed_so_far(owner)?;
        let promised = self.and(active, assumed);
        for condition in &contract.guarantees {
            self.claim(kind, promised, instance, *condition)?;
        }
        for mode in &contract.modes {
            let mut when = promised;
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

    /// States what the contract of a called node assumes as properties of the call.
    fn oblige_caller(
        &mut self,
        instance: InstanceId,
        owner: InstanceId,
        active: NodeId,
        contract: &Contract,
    ) -> Outcome<()> {
        if contract.assumptions.is_empty() {
            return Ok(());
        }
        let call = self.call_name(owner);
        let span = self.instances[owner.index()].span;
        for condition in &contract.assumptions {
            let number = self.assumption_counts.entry(owner).or_default();
            *number += 1;
            let number = *number;
            let node = self.where_present(instance, *condition)?;
            let label = format!("{call} assumption {number}: {}", self.text(*condition));
            self.state_check(CheckKind::Property, active, node, label, Origin { instance, span });
        }
        Ok(())
    }

    /// A call by the lines and columns of the calls on the way to it, as Kind 2 writes them: `outer[l9c5].inner[l3c7]`.
    fn call_name(&mut self, instance: InstanceId) -> String {
        let mut steps = Vec::new();
        let mut at = instance;
        while let Some(parent) = self.instances[at.index()].parent {
            let start = self.instances[at.index()].span.start;
            let position =
                self.lines.get_or_insert_with(|| Source::new(self.bytes)).position(start);
            let name = self.model.text(self.node_of(at).name.symbol);
            steps.push(format!("{name}[l{}c{}]", position.line, position.column));
            at = parent;
        }
        steps.reverse();
        steps.join(".")
    }

    /// Have the assumptions of a called node held in every step since it started, this one included? The environment of
    /// the main node respects its assumptions.
    fn assumed_so_far(&mut self, owner: InstanceId) -> Outcome<NodeId> {
        if owner.index() == 0 {
            return Ok(self.always);
        }
        if let Some(known) = self.assumed.get(&owner) {
            return Ok(*known);
        }
        let mut all = self.always;
        let mut open = vec![owner];
        while let Some(instance) = open.pop() {
            let contract = self.contract_of(instance);
            for condition in &contract.assumptions {
                let node = self.where_present(instance, *condition)?;
                all = self.and(all, node);
            }
            for position in 0..contract.imports.len() {
                open.push(self.imported(instance, position as u32)?);
            }
        }
        let assumed = if all == self.always { all } else { self.hold_throughout(owner, all) };
        self.assumed.insert(owner, assumed);
        Ok(assumed)
    }

    /// A condition of a contract, which holds where its clock does not.
    fn where_present(&mut self, instance: InstanceId, condition: ExprId) -> Outcome<NodeId> {
        let node = self.in_instance(instance, condition)?;
        let present = self.demand_activity(instance, self.model.clocks.of(condition))?;
        Ok(self.implies(present, node))
    }

    /// Has a Boolean of an instance held in every step of it so far?
    fn hold_throughout(&mut self, owner: InstanceId, holds: NodeId) -> NodeId {
        let name = format!("{}.assumed", self.path(owner));
        let latch = self.builder.add_latch(name, Type::Bool, Initial::Value(Value::Bool(true)));
        let latch = latch.expect("invariant: true is a Boolean");
        let before = match self.scopes[owner.index()].restart {
            Some(restart) => self.or(latch, restart),
            None => latch,
        };
        let now = self.implies(self.instances[owner.index()].active, holds);
        let throughout = self.and(before, now);
        self.set_next(latch, throughout);
        throughout
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
        let inside = LoweringSite { context, discarded: None, ..place };
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
