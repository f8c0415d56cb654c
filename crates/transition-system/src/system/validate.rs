//! Is a system whole? Its fields are open, so what a pass made is checked here
//! before anything trusts it.

use rustc_hash::FxHashSet;

use super::builder::check_value;
use super::{Initial, System, check_sort};
use crate::error::Error;
use crate::term::NodeId;

use obligato_model::Type;

impl System {
    /// Checks names, nodes, sorts and initial values.
    pub fn validate(&self) -> Result<(), Error> {
        let graph = &self.graph;
        check_distinct(self.inputs.iter().map(|input| &*input.name))?;
        check_distinct(self.latches.iter().map(|latch| &*latch.name))?;
        check_distinct(self.outputs.iter().map(|output| &*output.name))?;
        let inputs = self.inputs.iter().map(|input| (&*input.name, &input.kind, input.node));
        self.check_places(inputs, graph.inputs(), "inputs")?;
        let latches = self.latches.iter().map(|latch| (&*latch.name, &latch.kind, latch.node));
        self.check_places(latches, graph.latches(), "latches")?;
        for latch in &self.latches {
            check_sort(graph, &latch.name, &latch.kind, latch.next)?;
            if let Initial::Value(value) = &latch.initial {
                check_value(&latch.name, &latch.kind, value)?;
            }
        }
        for output in &self.outputs {
            check_sort(graph, &output.name, &output.kind, output.node)?;
        }
        for check in &self.checks {
            check_sort(graph, &check.label, &Type::Bool, check.node)?;
        }
        Ok(())
    }

    /// Does each variable stand for the node with its index?
    fn check_places<'a>(
        &self,
        variables: impl ExactSizeIterator<Item = (&'a str, &'a Type, NodeId)>,
        places: &[NodeId],
        what: &'static str,
    ) -> Result<(), Error> {
        if variables.len() != places.len() {
            let (expected, found) = (places.len(), variables.len());
            return Err(Error::WrongCount { what, expected, found });
        }
        for ((name, kind, node), place) in variables.zip(places) {
            if node != *place {
                return Err(Error::Displaced(name.to_owned()));
            }
            check_sort(&self.graph, name, kind, node)?;
        }
        Ok(())
    }
}

fn check_distinct<'a>(names: impl Iterator<Item = &'a str>) -> Result<(), Error> {
    let mut seen = FxHashSet::default();
    for name in names {
        if !seen.insert(name) {
            return Err(Error::Duplicate(name.to_owned()));
        }
    }
    Ok(())
}
