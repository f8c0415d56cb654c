//! The lockstep product of many mutants and the model in one system, without latches of their own.
//!
//! A mutant *diverges* in a step if, from a state of the model, it differs from the model in
//! a compared value, a runtime error, or the next value of a latch that any of these
//! depends on. Until it diverges its state is the model's; so a mutant that diverges in no step of any
//! run of the model is equivalent to it. This is the inductive step of sequential equivalence checking (van
//! Eijk, "Sequential equivalence checking based on structural similarities", 2000) with every latch
//! assumed equal. It duplicates no latch: all mutants share those of the model, and invariants
//! of the model serve all of them.
//!
//! Most equivalent mutants are of this kind. The others reach states of their own without an observable
//! difference, and need a [product](super::product).

use obligato_lustre::lowering::{MutantSite, MutantSystem};
use obligato_lustre_replay::mutation::Compared;
use obligato_model::Strength;
use obligato_transition_system::{Error, Graph, NodeId, NodeMap, System, SystemBuilder, Term};

use super::booleans::any;
use super::difference::{Fork, image};
use super::product::{asked_nodes, compared_of, copy_model, run_time_checks};

/// A model with mutants beside it.
#[derive(Clone, Debug)]
pub struct Lockstep {
    /// Its inputs, latches and assertions are the model's.
    pub system: System,
    /// By mutant: true if it diverges in this step.
    pub divergences: Vec<NodeId>,
}

/// The lockstep product. For weak kills, the variables that the changed equation defines are
/// compared too.
pub fn lockstep(
    mutants: &MutantSystem,
    strength: Strength,
    compared: &[Compared],
) -> Result<Lockstep, Error> {
    let system = &mutants.lowered.system;
    let checks = run_time_checks(system);
    let asked = mutants.sites.iter().map(|site| compared_of(site, strength, compared));
    let asked: Vec<Vec<Compared>> = asked.collect();
    let mut builder = SystemBuilder::new();
    let roots = asked.iter().flat_map(|compared| asked_nodes(compared, &checks));
    let model = copy_model(system, roots, &mut builder)?;
    let mut divergences = Vec::with_capacity(asked.len());
    for (site, compared) in mutants.sites.iter().zip(&asked) {
        let nodes = asked_nodes(compared, &checks);
        let diverge = Divergence::new(system, site, &nodes, &model, builder.graph())?;
        divergences.push(diverge.happens(builder.graph(), compared, &checks)?);
    }
    Ok(Lockstep { system: builder.finish()?, divergences })
}

/// One step of a mutant from a state of the model.
struct Divergence<'s> {
    system: &'s System,
    model: &'s NodeMap,
    fork: Fork,
    /// The latches on which what is asked depends, in the model or in the mutant.
    matters: Vec<bool>,
}

impl<'s> Divergence<'s> {
    fn new(
        system: &'s System,
        site: &MutantSite,
        asked: &[NodeId],
        model: &'s NodeMap,
        graph: &mut Graph,
    ) -> Result<Self, Error> {
        let held = system.latches.iter().map(|latch| latch.next);
        let roots: Vec<NodeId> = asked.iter().copied().chain(held).collect();
        let always = graph.bool(true);
        let fork = Fork::new(system, &roots, model, graph, &vec![None; system.latches.len()], {
            |_, tap, tapped| if site.taps.contains(&tap) { Ok(always) } else { Ok(tapped) }
        })?;
        let mut diverge = Self { system, model, fork, matters: Vec::new() };
        diverge.matters = diverge.latches_below(graph, asked);
        Ok(diverge)
    }

    /// The latches that nodes depend on, here or there, in whatever number of steps.
    fn latches_below(&self, graph: &Graph, asked: &[NodeId]) -> Vec<bool> {
        let images = |node: NodeId| [image(self.model, node), self.fork.image(node)];
        let mut matters = vec![false; self.system.latches.len()];
        let mut reached = vec![false; graph.len()];
        let mut open: Vec<NodeId> = asked.iter().copied().flat_map(images).collect();
        while let Some(node) = open.pop() {
            if std::mem::replace(&mut reached[node.index()], true) {
                continue;
            }
            match graph.term(node) {
                Term::Latch(index) => {
                    matters[index as usize] = true;
                    open.extend(images(self.system.latches[index as usize].next));
                }
                term => open.extend(term.children()),
            }
        }
        matters
    }

    /// True if it diverges.
    fn happens(
        &self,
        graph: &mut Graph,
        compared: &[Compared],
        checks: &[NodeId],
    ) -> Result<NodeId, Error> {
        let shown = self.fork.shows(graph, compared)?;
        let fails = self.fork.fails(graph, self.model, checks)?;
        let latches = self.system.latches.iter().zip(&self.matters);
        let held = latches.filter(|(_, matters)| **matters);
        let held = held.filter_map(|(latch, _)| self.fork.differs(latch.next));
        any(graph, [shown, fails].into_iter().chain(held).collect::<Vec<_>>())
    }
}
