//! What is observed of a model: by default its outputs.

use std::collections::HashSet;

use obligato_lustre::lowering::{Lowered, NamedNode, Scalars};
use obligato_lustre_replay::TracedNode;
use obligato_model::{SuiteInterface, Variable};
use obligato_store::Signature;
use obligato_transition_system::NodeId;

use crate::error::Error;
use crate::model::LoadedModel;
use crate::scalars::unknown;

/// Stands for the outputs of the main node.
const OUTPUTS: &str = "outputs";
/// Stand for every variable of every instance that the text names.
const EVERYTHING: [&str; 2] = ["all", "maximum"];

/// The scalars that are observed, each once.
pub struct ObservedVariables {
    variables: Vec<Variable>,
    nodes: Vec<NodeId>,
}

impl ObservedVariables {
    /// What was asked for, or the outputs. A variable of the model goes before a word that has a
    /// meaning here.
    pub fn new(loaded: &LoadedModel, ask: &[String]) -> Result<Self, Error> {
        let scalars = Scalars::new(&loaded.lowered);
        let mut observed = Self { variables: Vec::new(), nodes: Vec::new() };
        let mut seen = HashSet::new();
        let mut add = |variable: Variable, node: NodeId| {
            if seen.insert(variable.name.clone()) {
                observed.variables.push(variable);
                observed.nodes.push(node);
            }
        };
        let named = |(name, scalar): (String, &NamedNode)| {
            (Variable { name, kind: scalar.kind.clone() }, scalar.node)
        };
        let outputs = [OUTPUTS.to_owned()];
        for name in if ask.is_empty() { &outputs } else { ask } {
            let found = scalars.find(name);
            if !found.is_empty() && !ask.is_empty() {
                found.into_iter().map(named).for_each(|(variable, node)| add(variable, node));
            } else if name == OUTPUTS {
                let outputs = &loaded.lowered.interface.outputs;
                for (variable, output) in outputs.iter().zip(&loaded.lowered.system.outputs) {
                    add(variable.clone(), output.node);
                }
            } else if EVERYTHING.contains(&name.as_str()) {
                scalars
                    .all()
                    .filter(|(_, scalar)| scalar.written)
                    .map(named)
                    .for_each(|(variable, node)| add(variable, node));
            } else {
                return Err(unknown(&scalars, name, &loaded.path, "observe"));
            }
        }
        Ok(observed)
    }

    /// Their names.
    pub fn names(&self) -> Vec<String> {
        self.variables.iter().map(|variable| variable.name.clone()).collect()
    }

    /// Their values.
    pub fn nodes(&self) -> &[NodeId] {
        &self.nodes
    }

    /// What is traced of the outputs of the [signature](Self::signature), in their order.
    pub fn traced(&self, lowered: &Lowered) -> Vec<TracedNode> {
        let outputs = lowered.interface.outputs.iter().zip(&lowered.system.outputs);
        let outputs = outputs.map(|(variable, output)| (variable, output.node));
        let known: HashSet<&str> = { lowered.interface.inputs.iter() }
            .chain(&lowered.interface.outputs)
            .map(|variable| variable.name.as_str())
            .collect();
        let others = self.variables.iter().zip(self.nodes.iter().copied());
        let others = others.filter(|(variable, _)| !known.contains(variable.name.as_str()));
        let traced = |(variable, node): (&Variable, NodeId)| TracedNode {
            node,
            kind: variable.kind.clone(),
        };
        outputs.chain(others).map(traced).collect()
    }

    /// What a suite may have columns for: the inputs, the outputs, and what is observed.
    pub fn signature(&self, interface: &SuiteInterface) -> Signature {
        let SuiteInterface { inputs, mut outputs } = interface.clone();
        let known = inputs.iter().chain(&outputs).map(|variable| variable.name.clone());
        let known: HashSet<String> = known.collect();
        let others = self.variables.iter().filter(|variable| !known.contains(&variable.name));
        outputs.extend(others.cloned());
        Signature::new(&SuiteInterface { inputs, outputs })
    }
}
