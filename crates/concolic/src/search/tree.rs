//! All paths seen so far: no way is taken twice.
//!
//! Terms are the same in all runs, so what held at the forks of a path says which path it is.

use crate::{ForkKind, Leads, Other, Trace};
use obligato_term::{Term, Terms};
use rustc_hash::FxHashMap;

/// A way that has not been taken yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Way {
    /// Up to this fork the path is the same.
    pub fork: usize,
    /// There, this.
    pub other: Other,
}

/// The paths seen so far.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    children: FxHashMap<(u32, Term), u32>,
    /// For forks between many ways, what has been tried: one bit.
    tried: FxHashMap<u32, Term>,
    nodes: u32,
}

impl Tree {
    /// Adds a path; gives the ways along it that are new, and the numbers of the nodes before each fork and at the end.
    pub fn add(&mut self, terms: &mut Terms, trace: &Trace) -> (Vec<Way>, Vec<u32>) {
        let mut node = 0;
        let mut ways = Vec::new();
        let mut nodes = Vec::with_capacity(trace.forks.len() + 1);
        for (index, fork) in trace.forks.iter().enumerate() {
            nodes.push(node);
            let is_new = !self.children.contains_key(&(node, fork.holds));
            let taken = self.child(node, fork.holds);
            for other in &fork.others {
                if !self.children.contains_key(&(node, other.term)) {
                    self.child(node, other.term);
                    ways.push(Way { fork: index, other: *other });
                }
            }
            if fork.kind == ForkKind::Access && is_new {
                ways.extend(self.rest(terms, node, index, fork));
            }
            node = taken;
        }
        nodes.push(node);
        (ways, nodes)
    }

    /// What is left when all that was tried at a fork between many ways is left out.
    fn rest(
        &mut self,
        terms: &mut Terms,
        node: u32,
        index: usize,
        fork: &crate::Fork,
    ) -> Option<Way> {
        let listed = fork.others.iter().map(|other| other.term).chain([fork.holds]);
        let here = terms.any(listed);
        let before = self.tried.get(&node).copied();
        let tried = before.map_or(here, |before| terms.or(before, here));
        self.tried.insert(node, tried);
        let term = terms.not(tried);
        let other = Other { term, target: None, leads: Leads::On };
        (terms.as_constant(term) != Some(0)).then_some(Way { fork: index, other })
    }

    fn child(&mut self, node: u32, term: Term) -> u32 {
        let nodes = &mut self.nodes;
        *self.children.entry((node, term)).or_insert_with(|| {
            *nodes += 1;
            *nodes
        })
    }
}
