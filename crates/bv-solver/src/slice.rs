//! Constraint independence: two constraints depend on each other if they share variables, directly or through others.

use std::rc::Rc;

use obligato_term::{Node, Term, Terms, VariableId};
use rustc_hash::{FxHashMap, FxHashSet};

/// The support of each constraint (the variables it depends on), computed once.
#[derive(Debug, Default)]
pub(crate) struct Supports {
    known: FxHashMap<Term, Rc<[VariableId]>>,
    /// In which search a term was last seen.
    seen: Vec<u32>,
    search: u32,
}

impl Supports {
    /// The variables that a term depends on, in order.
    pub(crate) fn of(&mut self, terms: &Terms, term: Term) -> Rc<[VariableId]> {
        if let Some(known) = self.known.get(&term) {
            return Rc::clone(known);
        }
        self.seen.resize(terms.len().max(self.seen.len()), 0);
        self.search += 1;
        let mut found = Vec::new();
        let mut open = vec![term];
        while let Some(next) = open.pop() {
            if std::mem::replace(&mut self.seen[next.index()], self.search) == self.search {
                continue;
            }
            match terms.node(next) {
                Node::Variable(variable) => found.push(variable),
                node => open.extend(node.operands()),
            }
        }
        found.sort_unstable();
        let found: Rc<[VariableId]> = found.into();
        self.known.insert(term, Rc::clone(&found));
        found
    }

    /// The constraints that depend on those at the indices `seeds`, in order, and their variables.
    pub(crate) fn slice(
        &mut self,
        terms: &Terms,
        constraints: &[Term],
        seeds: &[usize],
    ) -> (Vec<Term>, Vec<VariableId>) {
        let supports: Vec<Rc<[VariableId]>> =
            constraints.iter().map(|one| self.of(terms, *one)).collect();
        let mut by_variable: FxHashMap<VariableId, Vec<usize>> = FxHashMap::default();
        for (index, support) in supports.iter().enumerate() {
            for variable in &**support {
                by_variable.entry(*variable).or_default().push(index);
            }
        }
        let mut taken = vec![false; constraints.len()];
        let mut variables = FxHashSet::default();
        let mut open = seeds.to_vec();
        while let Some(index) = open.pop() {
            if std::mem::replace(&mut taken[index], true) {
                continue;
            }
            for variable in &*supports[index] {
                if variables.insert(*variable) {
                    open.extend(&by_variable[variable]);
                }
            }
        }
        let slice = constraints.iter().zip(taken).filter(|(_, taken)| *taken);
        let mut variables: Vec<VariableId> = variables.into_iter().collect();
        variables.sort_unstable();
        (slice.map(|(term, _)| *term).collect(), variables)
    }
}
