//! What is compared to tell a mutant from the original.

use obligato_lustre::lowering::{MutantSystem, Scalars};
use obligato_transition_system::NodeId;

/// What a test compares.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Oracle {
    /// The outputs of the main node.
    #[default]
    Outputs,
    /// Every variable of every instance that the text names.
    Maximum,
    /// These variables, as [`Scalars`] finds them. A name of a record or array stands for all its
    /// parts.
    Names(Vec<String>),
}

/// A node that is compared in the steps in which it has a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Compared {
    /// The node.
    pub node: NodeId,
    /// Does it have a value in this step?
    pub present: NodeId,
}

/// A name that the model does not have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the model has no variable '{0}'")]
pub struct UnknownName(pub String);

impl Oracle {
    /// What it compares in this system.
    pub fn compared(&self, mutants: &MutantSystem) -> Result<Vec<Compared>, UnknownName> {
        let lowered = &mutants.lowered;
        let at = |position: usize| {
            let (node, present) = (lowered.variables[position].node, mutants.present[position]);
            Compared { node, present }
        };
        let mut found = Vec::new();
        match self {
            Self::Outputs => {
                // The main node is called in every step.
                let present = lowered.instances[0].active;
                let outputs = lowered.system.outputs.iter();
                found.extend(outputs.map(|output| Compared { node: output.node, present }));
            }
            Self::Maximum => {
                let positions = 0..lowered.variables.len();
                let written = positions.filter(|position| lowered.variables[*position].written);
                found.extend(written.map(at));
            }
            Self::Names(names) => {
                let scalars = Scalars::new(lowered);
                for name in names {
                    let positions = scalars.positions(name);
                    if positions.is_empty() {
                        return Err(UnknownName(name.clone()));
                    }
                    found.extend(positions.iter().map(|position| at(*position)));
                }
            }
        }
        found.sort_unstable_by_key(|compared| (compared.node, compared.present));
        found.dedup();
        Ok(found)
    }
}
