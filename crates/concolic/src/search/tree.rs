//! The execution tree of all runs: no branch becomes a candidate twice.
//!
//! Terms are shared by all runs, so the terms that held at the forks of a path identify it.

use crate::{Alternative, Continuation, ForkKind, Trace};
use obligato_term::{Term, Terms};
use rustc_hash::FxHashMap;

/// A branch that no run has taken yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnexploredBranch {
    /// The fork at which it leaves the path.
    pub fork: usize,
    /// The alternative there.
    pub alternative: Alternative,
}

/// The execution tree of the runs so far.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    children: FxHashMap<(u32, Term), u32>,
    /// For forks on accesses, which have many alternatives: the disjunction of those tried.
    tried: FxHashMap<u32, Term>,
    nodes: u32,
}

impl Tree {
    /// Adds a path; gives the unexplored branches along it, and the numbers of the nodes before each fork and at the end.
    pub fn add(&mut self, terms: &mut Terms, trace: &Trace) -> (Vec<UnexploredBranch>, Vec<u32>) {
        let mut node = 0;
        let mut unexplored = Vec::new();
        let mut nodes = Vec::with_capacity(trace.forks.len() + 1);
        for (index, fork) in trace.forks.iter().enumerate() {
            nodes.push(node);
            let is_new = !self.children.contains_key(&(node, fork.holds));
            let taken = self.child(node, fork.holds);
            for alternative in &fork.alternatives {
                if !self.children.contains_key(&(node, alternative.term)) {
                    self.child(node, alternative.term);
                    unexplored.push(UnexploredBranch { fork: index, alternative: *alternative });
                }
            }
            if fork.kind == ForkKind::Access && is_new {
                unexplored.extend(self.rest(terms, node, index, fork));
            }
            node = taken;
        }
        nodes.push(node);
        (unexplored, nodes)
    }

    /// The alternative to all that was tried at a fork on an access; `None` if nothing is left.
    fn rest(
        &mut self,
        terms: &mut Terms,
        node: u32,
        index: usize,
        fork: &crate::Fork,
    ) -> Option<UnexploredBranch> {
        let listed =
            fork.alternatives.iter().map(|alternative| alternative.term).chain([fork.holds]);
        let here = terms.any(listed);
        let before = self.tried.get(&node).copied();
        let tried = before.map_or(here, |before| terms.or(before, here));
        self.tried.insert(node, tried);
        let term = terms.not(tried);
        let alternative = Alternative { term, target: None, continuation: Continuation::Continues };
        (terms.as_constant(term) != Some(0))
            .then_some(UnexploredBranch { fork: index, alternative })
    }

    fn child(&mut self, node: u32, term: Term) -> u32 {
        let nodes = &mut self.nodes;
        *self.children.entry((node, term)).or_insert_with(|| {
            *nodes += 1;
            *nodes
        })
    }
}
