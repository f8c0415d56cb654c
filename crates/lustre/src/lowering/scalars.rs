//! The variables of a model as users call them: by name, by part, by instance.

use rustc_hash::FxHashMap;

use super::lowered::{Lowered, NamedNode};

/// The scalars of a model by the variables they belong to.
#[derive(Debug)]
pub struct Scalars<'l> {
    lowered: &'l Lowered,
    /// Per instance and variable, where its scalars are.
    by_name: FxHashMap<(&'l str, &'l str), Vec<usize>>,
}

impl<'l> Scalars<'l> {
    /// The scalars of all named variables.
    pub fn new(lowered: &'l Lowered) -> Self {
        let mut by_name: FxHashMap<_, Vec<usize>> = FxHashMap::default();
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
    /// the name that it gets. A plain name is one of the main node, others stand behind the path
    /// of their instance: `main/inner.x`.
    pub fn find(&self, name: &str) -> Vec<(String, &'l NamedNode)> {
        let Some((variable, positions)) = self.look_up(name) else { return Vec::new() };
        let scalars = positions.iter().map(|at| &self.lowered.variables[*at]);
        scalars
            .map(|scalar| (format!("{name}{}", &scalar.name[variable.len()..]), scalar))
            .collect()
    }

    /// The same by their positions in [`Lowered::variables`].
    pub fn positions<'n>(&'n self, name: &'n str) -> &'n [usize] {
        self.look_up(name).map_or(&[], |(_, positions)| positions)
    }

    /// The name without the path of an instance, and the positions of its scalars.
    fn look_up<'n>(&'n self, name: &'n str) -> Option<(&'n str, &'n [usize])> {
        let main = self.lowered.instances.first().map_or("", |main| main.path.as_str());
        let plain = [(main, name)];
        // The path of an instance may have dots in it, and so may the name of a part.
        let split = name.match_indices('.').map(|(at, _)| (&name[..at], &name[at + 1..]));
        plain.into_iter().chain(split).find_map(|(path, variable)| {
            let positions = self.by_name.get(&(path, variable))?;
            Some((variable, positions.as_slice()))
        })
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
}
