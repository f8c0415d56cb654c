//! Which nodes of a system are always equal?
//!
//! A front end makes a latch for every `pre`, so `if pre x < 10 then pre x + 1 else pre x` has three
//! latches that never differ. As one, they take a third of the bits, and that `x` never passes 10
//! becomes visible. Latches are assumed equal if their first values are, and parted when their next
//! values turn out not to be, until nothing changes: the coarsest partition in which equal latches
//! stay equal. Taps are the identities that they are.

use obligato_model::Value;
use obligato_transition_system::{NodeId, Sort, System, Term};
use rustc_hash::FxHashMap;

/// So many nodes are looked at before all latches are taken to differ: parting them one by one
/// takes as many rounds as there are latches.
const MOST_WORK: usize = 50_000_000;

/// The nodes of a system up to equality.
#[derive(Clone, Debug, Default)]
pub(crate) struct Classes {
    /// For each node the first that is equal.
    first: Vec<NodeId>,
    /// For each node its term over first nodes.
    terms: Vec<Term>,
}

impl Classes {
    pub fn new(system: &System) -> Self {
        let mut parts = parts_by_initial_value(system);
        let mut count = parts.iter().max().map_or(0, |most| most + 1);
        let rounds = MOST_WORK / system.graph.len().max(1);
        for _ in 0..=rounds {
            let classes = Self::assuming(system, &parts);
            let next = |latch: usize| classes.first(system.latches[latch].next);
            let keys = parts.iter().enumerate().map(|(latch, part)| (*part, next(latch)));
            let (refined, refined_count) = number(keys);
            if refined_count == count {
                return classes;
            }
            (parts, count) = (refined, refined_count);
        }
        Self::assuming(system, &(0..system.latches.len()).collect::<Vec<_>>())
    }

    /// What is equal if latches of the same part are.
    fn assuming(system: &System, parts: &[usize]) -> Self {
        let graph = &system.graph;
        let mut ids: FxHashMap<Term, NodeId> = FxHashMap::default();
        let mut of_part: Vec<Option<u32>> = vec![None; parts.len()];
        let mut classes = Self::default();
        for node in graph.nodes() {
            let term = match graph.term(node).map(|child| classes.first(child)) {
                Term::Latch(latch) => {
                    Term::Latch(*of_part[parts[latch as usize]].get_or_insert(latch))
                }
                Term::Binary(operation, a, b) if operation.is_commutative() && b < a => {
                    Term::Binary(operation, b, a)
                }
                term => term,
            };
            let first = match term {
                Term::Tap(_, same) => same,
                Term::Ite(_, same, other) if same == other => same,
                _ => *ids.entry(term).or_insert(node),
            };
            classes.first.push(first);
            classes.terms.push(term);
        }
        classes
    }

    /// The first node that is always equal.
    #[inline]
    pub fn first(&self, node: NodeId) -> NodeId {
        self.first[node.index()]
    }

    /// The term of a node over first nodes.
    #[inline]
    pub fn term(&self, node: NodeId) -> Term {
        self.terms[node.index()]
    }

    /// Every first node, children before parents.
    pub fn nodes(&self) -> impl Iterator<Item = NodeId> + '_ {
        let nodes = self.first.iter().enumerate();
        nodes.filter(|(index, first)| *index == first.index()).map(|(_, first)| *first)
    }
}

fn parts_by_initial_value(system: &System) -> Vec<usize> {
    let sorts = system.latches.iter().map(|latch| system.graph.sort(latch.node));
    let keys = sorts.zip(system.initial_state()).enumerate().map(|(latch, (sort, value))| {
        // Two values that nothing defines need not be equal.
        let own = system.is_undefined(latch).then_some(latch);
        (sort, value, own)
    });
    let keys: Vec<(Sort, Value, Option<usize>)> = keys.collect();
    number(keys.into_iter()).0
}

/// Numbers equal keys alike, from 0 in the order of their first occurrence; and how many there are.
fn number<K: Eq + std::hash::Hash>(keys: impl Iterator<Item = K>) -> (Vec<usize>, usize) {
    let mut numbers: FxHashMap<K, usize> = FxHashMap::default();
    let mut result = Vec::new();
    for key in keys {
        let fresh = numbers.len();
        result.push(*numbers.entry(key).or_insert(fresh));
    }
    (result, numbers.len())
}

#[cfg(test)]
mod tests;
