//! What is compared to tell a mutant from the original.

use obligato_lustre::lowering::{Lowered, MutantSystem};
use obligato_system::NodeId;

/// What a test compares.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Oracle {
    /// The outputs of the main node.
    #[default]
    Outputs,
    /// Every variable of every instance.
    Maximum,
    /// These variables: those of the main node by name, others behind the path of their instance,
    /// `main/inner.x`. A name of a record or array stands for all its parts.
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
        let all = || lowered.variables.iter().zip(&mutants.present);
        let mut found = Vec::new();
        match self {
            Self::Outputs => {
                // The main node is called in every step.
                let present = lowered.instances[0].active;
                let outputs = lowered.system.outputs.iter();
                found.extend(outputs.map(|output| Compared { node: output.node, present }));
            }
            Self::Maximum => {
                found.extend(
                    all().map(|(named, present)| Compared { node: named.node, present: *present }),
                );
            }
            Self::Names(names) => {
                for name in names {
                    let before = found.len();
                    for (position, (named, present)) in all().enumerate() {
                        if is_named(lowered, position, name) {
                            found.push(Compared { node: named.node, present: *present });
                        }
                    }
                    if found.len() == before {
                        return Err(UnknownName(name.clone()));
                    }
                }
            }
        }
        found.sort_unstable_by_key(|compared| (compared.node, compared.present));
        found.dedup();
        Ok(found)
    }
}

/// Is the variable at a position, or the record or array it is part of, called so?
fn is_named(lowered: &Lowered, position: usize, name: &str) -> bool {
    let named = &lowered.variables[position];
    let name = match named.instance.index() {
        0 => Some(name),
        index => {
            let rest = name.strip_prefix(&lowered.instances[index].path);
            rest.and_then(|rest| rest.strip_prefix('.'))
        }
    };
    let rest = name.and_then(|name| named.name.strip_prefix(name));
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
}
