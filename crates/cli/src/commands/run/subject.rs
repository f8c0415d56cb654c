//! What is run and what of it is shown.

use std::collections::HashSet;

use obligato_lustre::lowering::{Lowered, Scalars};
use obligato_lustre_replay::TracedNode;
use obligato_model::{Interface, Variable};
use obligato_store::Signature;
use obligato_transition_system::NodeId;

use crate::error::CliError;
use obligato::scalars::unknown;

/// A program and the variables to show.
pub struct Subject {
    /// The file.
    pub path: String,
    /// The main node, or the function.
    pub main: String,
    signature: Signature,
    shown: Vec<TracedNode>,
}

impl Subject {
    /// The inputs and outputs of a model, and the variables asked for.
    pub fn new(
        path: &str,
        main: &str,
        lowered: &Lowered,
        ask: &[String],
    ) -> Result<Self, CliError> {
        let Interface { inputs, outputs } = lowered.interface.clone();
        let outputs = outputs.into_iter().zip(&lowered.system.outputs);
        let mut shown: Vec<(Variable, NodeId)> =
            outputs.map(|(variable, output)| (variable, output.node)).collect();
        let names = inputs.iter().chain(shown.iter().map(|(variable, _)| variable));
        let mut seen: HashSet<String> = names.map(|variable| variable.name.clone()).collect();
        let scalars = Scalars::new(lowered);
        for name in ask {
            let found = scalars.find(name);
            if found.is_empty() {
                return Err(unknown(&scalars, name, path, "show").into());
            }
            for (name, scalar) in found {
                if seen.insert(name.clone()) {
                    shown.push((Variable { name, kind: scalar.kind.clone() }, scalar.node));
                }
            }
        }
        let nodes = shown
            .iter()
            .map(|(variable, node)| TracedNode { node: *node, kind: variable.kind.clone() });
        let nodes = nodes.collect();
        let outputs = shown.into_iter().map(|(variable, _)| variable).collect();
        let signature = Signature::new(&Interface { inputs, outputs });
        Ok(Self { path: path.to_owned(), main: main.to_owned(), signature, shown: nodes })
    }

    /// A C function, all of whose outputs are shown.
    pub fn of_unit(path: &str, function: &str, signature: Signature) -> Self {
        let (path, main) = (path.to_owned(), function.to_owned());
        Self { path, main, signature, shown: Vec::new() }
    }

    /// The inputs, and as outputs whatever is shown.
    pub fn signature(&self) -> &Signature {
        &self.signature
    }

    /// What is shown of each output.
    pub fn shown(&self) -> &[TracedNode] {
        &self.shown
    }

    /// The nodes that are shown.
    pub fn nodes(&self) -> Vec<NodeId> {
        self.shown.iter().map(|shown| shown.node).collect()
    }
}
