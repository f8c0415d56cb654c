//! The variables of a model as users call them: by name, by part, by instance.

use std::collections::HashMap;

use obligato_lustre::lowering::{Lowered, NamedNode};

use crate::error::CliError;

/// So many variables are named where one was not found.
const MOST_NAMED: usize = 12;

/// The scalars of a model by the variables they belong to.
pub struct Scalars<'l> {
    lowered: &'l Lowered,
    /// Per instance and variable, where its scalars are.
    by_name: HashMap<(&'l str, &'l str), Vec<usize>>,
}

impl<'l> Scalars<'l> {
    /// The scalars of all named variables.
    pub fn new(lowered: &'l Lowered) -> Self {
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
    pub fn find(&self, name: &str) -> Vec<(String, &'l NamedNode)> {
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

    /// Every scalar, with the name by which [`find`](Self::find) knows it.
    pub fn all(&self) -> impl Iterator<Item = (String, &'l NamedNode)> {
        self.lowered.variables.iter().map(|scalar| {
            let instance = &self.lowered.instances[scalar.instance.index()].path;
            let plain = scalar.instance.index() == 0;
            let name = &scalar.name;
            (if plain { name.clone() } else { format!("{instance}.{name}") }, scalar)
        })
    }

    /// The error that there is no such variable to do this with.
    pub fn unknown(&self, name: &str, path: &str, purpose: &str) -> CliError {
        let last = name.split(['.', '[']).next_back().unwrap_or(name).to_lowercase();
        let all: Vec<String> = self.all().map(|(name, _)| name).collect();
        let close = |known: &&String| known.to_lowercase().contains(&last);
        let mut named: Vec<&str> = all.iter().filter(close).map(String::as_str).collect();
        if named.is_empty() {
            named = all.iter().map(String::as_str).collect();
        }
        let more = if named.len() > MOST_NAMED { ", …" } else { "" };
        named.truncate(MOST_NAMED);
        CliError::Input {
            message: format!("{path}: there is no variable '{name}' to {purpose}"),
            way_out: format!("there are {}{more}", named.join(", ")),
        }
    }
}
