//! Makes a system piece by piece, refusing each wrong piece when it comes.

use obligato_model::{Type, Value};

use super::{Check, Initial, Input, Latch, Output, System, check_sort, wrong_value};
use crate::error::Error;
use crate::graph::Graph;
use crate::sort::{Sort, encode};
use crate::term::NodeId;

/// A system in the making. A latch is made first and given its next value later,
/// because that may depend on any latch.
#[derive(Clone, Debug, Default)]
pub struct SystemBuilder {
    system: System,
    has_next: Vec<bool>,
}

impl SystemBuilder {
    /// An empty system.
    pub fn new() -> Self {
        Self::default()
    }

    /// A whole system that is to grow. Its nodes, and the indices of its inputs and latches, stay.
    pub fn grow(system: System) -> Self {
        let has_next = vec![true; system.latches.len()];
        Self { system, has_next }
    }

    /// The graph, to build terms in. Inputs and latches are made here, not there.
    pub fn graph(&mut self) -> &mut Graph {
        &mut self.system.graph
    }

    /// A new input.
    pub fn add_input(&mut self, name: impl Into<String>, kind: Type) -> Result<NodeId, Error> {
        let node = self.system.graph.input(Sort::of(&kind)?);
        self.system.inputs.push(Input { name: name.into(), kind, node });
        Ok(node)
    }

    /// A new latch.
    pub fn add_latch(
        &mut self,
        name: impl Into<String>,
        kind: Type,
        initial: Initial,
    ) -> Result<NodeId, Error> {
        let name = name.into();
        let sort = Sort::of(&kind)?;
        if let Initial::Value(value) = &initial {
            check_value(&name, &kind, value)?;
        }
        let node = self.system.graph.latch(sort);
        self.system.latches.push(Latch { name, kind, node, initial, next: node });
        self.has_next.push(false);
        Ok(node)
    }

    /// A value that nothing defines: a latch that keeps it.
    pub fn add_undefined(&mut self, name: impl Into<String>, kind: Type) -> Result<NodeId, Error> {
        let node = self.add_latch(name, kind, Initial::Undefined)?;
        self.set_next(node, node)?;
        Ok(node)
    }

    /// Gives a latch what it holds in the step after.
    pub fn set_next(&mut self, latch: NodeId, next: NodeId) -> Result<(), Error> {
        let position = self.system.graph.latches().binary_search(&latch);
        let position = position.map_err(|_| Error::NotALatch(latch))?;
        let latch = &mut self.system.latches[position];
        check_sort(&self.system.graph, &latch.name, &latch.kind, next)?;
        if std::mem::replace(&mut self.has_next[position], true) {
            return Err(Error::TwoNexts(latch.name.clone()));
        }
        latch.next = next;
        Ok(())
    }

    /// A new output.
    pub fn add_output(
        &mut self,
        name: impl Into<String>,
        kind: Type,
        node: NodeId,
    ) -> Result<(), Error> {
        let name = name.into();
        check_sort(&self.system.graph, &name, &kind, node)?;
        self.system.outputs.push(Output { name, kind, node });
        Ok(())
    }

    /// A new check.
    pub fn add_check(&mut self, check: Check) -> Result<(), Error> {
        check_sort(&self.system.graph, &check.label, &Type::Bool, check.node)?;
        self.system.checks.push(check);
        Ok(())
    }

    /// The system, if it is complete.
    pub fn finish(self) -> Result<System, Error> {
        let mut open = self.system.latches.iter().zip(&self.has_next);
        if let Some((latch, _)) = open.find(|(_, has_next)| !**has_next) {
            return Err(Error::NoNext(latch.name.clone()));
        }
        self.system.validate()?;
        Ok(self.system)
    }
}

pub(super) fn check_value(name: &str, kind: &Type, value: &Value) -> Result<(), Error> {
    encode(kind, value).map(|_| ()).ok_or_else(|| wrong_value(value, kind, name))
}
