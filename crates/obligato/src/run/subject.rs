//! What is run and what of it is shown.

use std::collections::HashSet;

use obligato_lustre::lowering::Scalars;
use obligato_lustre_replay::TracedNode;
use obligato_model::{SuiteInterface, Variable};
use obligato_store::Signature;
use obligato_transition_system::NodeId;

use crate::error::Error;
use crate::model::LoadedModel;
use crate::scalars::unknown;

/// A program and the variables to show.
pub struct RunSubject {
    /// The file.
    pub path: String,
    /// The main node, or the function.
    pub main: String,
    signature: Signature,
}

/// What is shown of each output of a model.
pub struct ShownNodes(pub Vec<TracedNode>);

impl ShownNodes {
    /// Where their values are.
    pub fn nodes(&self) -> Vec<NodeId> {
        self.0.iter().map(|shown| shown.node).collect()
    }
}

impl RunSubject {
    /// The inputs and outputs of a model, and the variables asked for.
    pub(super) fn of_model(
        loaded: &LoadedModel,
        ask: &[String],
    ) -> Result<(Self, ShownNodes), Error> {
        let LoadedModel { path, lowered, .. } = loaded;
        let SuiteInterface { inputs, outputs } = lowered.interface.clone();
        let outputs = outputs.into_iter().zip(&lowered.system.outputs);
        let mut shown: Vec<(Variable, NodeId)> =
            outputs.map(|(variable, output)| (variable, output.node)).collect();
        let names = inputs.iter().chain(shown.iter().map(|(variable, _)| variable));
        let mut seen: HashSet<String> = names.map(|variable| variable.name.clone()).collect();
        let scalars = Scalars::new(lowered);
        for name in ask {
            let found = scalars.find(name);
            if found.is_empty() {
                return Err(unknown(&scalars, name, path, "show"));
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
        let nodes = ShownNodes(nodes.collect());
        let outputs = shown.into_iter().map(|(variable, _)| variable).collect();
        let signature = Signature::new(&SuiteInterface { inputs, outputs });
        Ok((Self { path: path.clone(), main: loaded.main().to_owned(), signature }, nodes))
    }

    /// A C function, all of whose outputs are shown.
    pub(super) fn of_unit(path: &str, function: &str, signature: Signature) -> Self {
        Self { path: path.to_owned(), main: function.to_owned(), signature }
    }

    /// The inputs, and as outputs whatever is shown.
    pub fn signature(&self) -> &Signature {
        &self.signature
    }
}
