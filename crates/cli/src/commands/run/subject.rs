//! What is run and what of it is shown.

use std::collections::{HashMap, HashSet};

use obligato_lustre::lowering::{Lowered, NamedNode};
use obligato_model::{Interface, Variable};
use obligato_replay::Shown;
use obligato_store::Signature;
use obligato_system::NodeId;

use crate::error::CliError;

/// So many variables are named where one was not found.
const MOST_NAMED: usize = 12;

/// A model and the variables to show.
pub struct Subject {
    /// The file.
    pub path: String,
    /// The main node.
    pub main: String,
    signature: Signature,
    shown: Vec<Shown>,
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
                return Err(scalars.unknown(name, path));
            }
            for (name, scalar) in found {
                if seen.insert(name.clone()) {
                    shown.push((Variable { name, kind: scalar.kind.clone() }, scalar.node));
                }
            }
        }
        let nodes =
            shown.iter().map(|(variable, node)| Shown { node: *node, kind: variable.kind.clone() });
        let nodes = nodes.collect();
        let outputs = shown.into_iter().map(|(variable, _)| variable).collect();
        let signature = Signature::new(&Interface { inputs, outputs });
        Ok(Self { path: path.to_owned(), main: main.to_owned(), signature, shown: nodes })
    }

    /// The inputs, and as outputs whatever is shown.
    pub fn signature(&self) -> &Signature {
        &self.signature
    }

    /// What is shown of each output.
    pub fn shown(&self) -> &[Shown] {
        &self.shown
    }

    /// The nodes that are shown.
    pub fn nodes(&self) -> Vec<NodeId> {
        self.shown.iter().map(|shown| shown.node).collect()
    }
}

/// The scalars of a model by the variables they belong to.
struct Scalars<'l> {
    lowered: &'l Lowered,
    /// Per instance and variable, where its scalars are.
    by_name: HashMap<(&'l str, &'l str), Vec<usize>>,
}

impl<'l> Scalars<'l> {
    fn new(lowered: &'l Lowered) -> Self {
        let mut by_name: HashMap<_, Vec<usize>> = HashMap::new();
        for (at, scalar) in lowered.variables.iter().enumerate() {
            let path = lowered.instances[scalar.instance.index()].path.as_str();
            let prefixes = scalar.name.match_indices(['.', '[']).map(|(end, _)| end);
            for end in prefixes.chain([scalar.name.len()]) {
                by_name.entry((path, &scalar.name[..end])).or_default().push(at);
            }
        }
        Self { lowered, by_name }
    }

    /// The scalars of the variable, or of the part of one, that a user calls `name`, each with
    /// the name that it gets. A plain name is one of the main node.
    fn find(&self, name: &str) -> Vec<(String, &'l NamedNode)> {
        let main = self.lowered.instances.first().map_or("", |main| main.path.as_str());
        let plain = [(main, name)];
        // The path of an instance may have dots in it, and so may the name of a part.
        let split = name.match_indices('.').map(|(at, _)| (&name[..at], &name[at + 1..]));
        let found = plain.into_iter().chain(split).find_map(|(path, variable)| {
            self.by_name.get(&(path, variable)).map(|scalars| (variable, scalars))
        });
        let Some((variable, scalars)) = found else { return Vec::new() };
        let scalars = scalars.iter().map(|at| &self.lowered.variables[*at]);
        scalars
            .map(|scalar| (format!("{name}{}", &scalar.name[variable.len()..]), scalar))
            .collect()
    }

    fn unknown(&self, name: &str, path: &str) -> CliError {
        let last = name.split(['.', '[']).next_back().unwrap_or(name).to_lowercase();
        let full = |scalar: &NamedNode| {
            let instance = &self.lowered.instances[scalar.instance.index()].path;
            let plain = scalar.instance.index() == 0;
            if plain { scalar.name.clone() } else { format!("{instance}.{}", scalar.name) }
        };
        let all: Vec<String> = self.lowered.variables.iter().map(full).collect();
        let close = |known: &&String| known.to_lowercase().contains(&last);
        let mut named: Vec<&str> = all.iter().filter(close).map(String::as_str).collect();
        if named.is_empty() {
            named = all.iter().map(String::as_str).collect();
        }
        let more = if named.len() > MOST_NAMED { ", …" } else { "" };
        named.truncate(MOST_NAMED);
        CliError::Input {
            message: format!("{path}: there is no variable '{name}' to show"),
            way_out: format!("there are {}{more}", named.join(", ")),
        }
    }
}
