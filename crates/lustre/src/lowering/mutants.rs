//! Many mutants in one graph, each behind a tap.
//!
//! Where an expression with mutants is lowered, its value becomes
//! `ite(tap(false), mutated, …original)` with a tap per mutant and place. With no tap forced the
//! system is the original; with the taps of a mutant forced to true it is that mutant. The operands
//! are lowered once and shared by the original and all that takes its place, so state and calls
//! are not doubled, and the graph grows by a few nodes per mutant. Conditions have no taps here, and decisions no
//! occurrences: what is not observed can be simplified.

use obligato_transition_system::{NodeId, TapId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::lowered::{InstanceId, Lowered};
use super::machine::{LoweringSite, Machine, Outcome, Task};
use super::{Options, diagnose};
use crate::analysis::{ClockId, Model};
use crate::mutation::Mutant;
use obligato_lustre_syntax::ast::ExprId;
use obligato_lustre_syntax::diagnostic::Diagnostic;

/// A model and its mutants in one system.
#[derive(Clone, Debug)]
pub struct MutantSystem {
    /// The system, which is the original's as long as no tap is forced.
    pub lowered: Lowered,
    /// Where each mutant is in the graph.
    pub sites: Vec<MutantSite>,
    /// Is each of [`Lowered::variables`] computed in this step?
    pub present: Vec<NodeId>,
}

/// Where a mutant is in the graph.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MutantSite {
    /// Forced to true, they make the system the mutant.
    pub taps: Vec<TapId>,
    /// The instances of its node.
    pub instances: Vec<SiteInstance>,
}

/// A mutant in one instance of its node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SiteInstance {
    /// The scalars that the changed equation defines.
    pub targets: Vec<NodeId>,
    /// Is the changed expression computed in this step?
    pub active: NodeId,
}

/// Lowers a model with these mutants of it. `bytes` is the text that was parsed, `path` its name in
/// reports.
pub fn lower_mutants(
    model: &Model,
    path: &str,
    bytes: &[u8],
    options: &Options,
    mutants: &[Mutant],
) -> Result<MutantSystem, Vec<Diagnostic>> {
    let mut model = model.clone();
    let mut forks = Forks::default();
    for (index, mutant) in mutants.iter().enumerate() {
        let replacement = mutant.add_replacement(&mut model);
        forks.replacements.insert(replacement);
        forks.by_expr.entry(mutant.expr).or_default().push((index, replacement));
    }
    diagnose(|| {
        let mut machine = Machine::new(&model, bytes, options);
        machine.forks = Some(forks);
        machine.lower_all()?;
        let sites = machine.find_sites(mutants)?;
        let present = machine.find_presence()?;
        machine.check_divisions();
        Ok(MutantSystem { lowered: machine.finish(path), sites, present })
    })
}

/// The mutated expressions and their replacements.
#[derive(Debug, Default)]
pub(super) struct Forks {
    /// By expression: its mutants and their replacements.
    by_expr: FxHashMap<ExprId, Vec<(usize, ExprId)>>,
    replacements: FxHashSet<ExprId>,
    /// The taps that were made: the mutant, where, and on which clock.
    made: Vec<(usize, InstanceId, ClockId, TapId)>,
}

impl Forks {
    /// Has it other forms, or is it one?
    fn shares(&self, id: ExprId) -> bool {
        self.by_expr.contains_key(&id) || self.replacements.contains(&id)
    }

    pub fn has(&self, id: ExprId) -> bool {
        self.by_expr.contains_key(&id)
    }
}

impl Machine<'_> {
    /// How the operands of an expression are lowered: once, if it has other forms.
    pub fn operand_task(&self, id: ExprId) -> fn(LoweringSite, ExprId) -> Task {
        match &self.forks {
            Some(forks) if forks.shares(id) => Task::Shared,
            _ => Task::Expr,
        }
    }

    /// The original is on top: starts lowering its replacements.
    pub fn fork(&mut self, place: LoweringSite, id: ExprId) {
        let original = self.values.last().expect("invariant: the original is there").clone();
        self.shared.insert((place.context, id), original);
        let forks = self.forks.as_ref().expect("invariant: there are mutants");
        let others = forks.by_expr[&id].iter();
        let others = others.map(|(_, other)| Task::Shared(place.whole(), *other));
        let tasks: Vec<_> = others.chain([Task::Join(place, id)]).collect();
        self.push_all(tasks);
    }

    /// The original and all that may take its place are on top: leaves the choice between them.
    pub fn join(&mut self, place: LoweringSite, id: ExprId) {
        // Later uses of the expression share the choice.
        self.shared.remove(&(place.context, id));
        let forks = self.forks.as_ref().expect("invariant: there are mutants");
        let others = forks.by_expr[&id].clone();
        let start = self.values.len() - others.len();
        let values = self.values.split_off(start);
        let mut choice = self.pop();
        let (instance, clock) = (self.instance_of(place.context), self.model.clocks.of(id));
        for ((mutant, _), value) in others.into_iter().zip(values) {
            let never = self.graph().bool(false);
            let tap = self.graph().tap(never).expect("invariant: a node of this graph");
            let test = self.graph().tap_node(tap);
            choice.leaves[0] = self.ite(test, value.leaves[0], choice.leaves[0]);
            let forks = self.forks.as_mut().expect("invariant: there are mutants");
            forks.made.push((mutant, instance, clock, tap));
        }
        self.values.push(choice);
    }

    fn find_sites(&mut self, mutants: &[Mutant]) -> Outcome<Vec<MutantSite>> {
        let made = self.forks.as_mut().map(|forks| std::mem::take(&mut forks.made));
        let mut sites = vec![MutantSite::default(); mutants.len()];
        let mut known = FxHashSet::default();
        for (mutant, instance, clock, tap) in made.unwrap_or_default() {
            sites[mutant].taps.push(tap);
            if !known.insert((mutant, instance)) {
                continue;
            }
            let active = self.demand_activity(instance, clock)?;
            let equation = &self.node_of(instance).equations[mutants[mutant].equation as usize];
            let targets = equation.targets.iter();
            let leaves =
                |machine: &Self, variable| machine.lowered(instance, variable).leaves.clone();
            let targets = targets.flat_map(|target| leaves(self, target.variable)).collect();
            sites[mutant].instances.push(SiteInstance { targets, active });
        }
        Ok(sites)
    }

    fn find_presence(&mut self) -> Outcome<Vec<NodeId>> {
        let variables: Vec<_> =
            self.variables.iter().map(|named| (named.instance, named.variable)).collect();
        let present = |(instance, variable)| {
            self.demand_activity(instance, self.model.clocks.of_variable(variable))
        };
        variables.into_iter().map(present).collect()
    }
}
