//! The decisions that a step evaluates, with the values of their conditions.
//!
//! The reference computes only what is asked for, so what `->`, a clock or a call that is not made discards is never looked at, and
//! nothing of it is recorded. Dataflow evaluates both arms of `if`: the arm that is not taken is evaluated when the step is over,
//! for the record alone.

use std::collections::{BTreeMap, HashMap, HashSet};

use obligato_lustre::analysis::{Model, Purpose};
use obligato_lustre_syntax::ast::ExprId;
use obligato_model::Integer;

use super::value::V;
use super::{Bindings, Place, Reference};

/// By path of a call and position of a decision of an equation: the values of the conditions in each evaluation, sorted.
pub type Evaluations = BTreeMap<(String, usize), Vec<Vec<bool>>>;

/// Where decisions and conditions are.
pub(super) struct Sites {
    /// By whole decision: its position among those of equations of its node, and its conditions.
    roots: HashMap<ExprId, (usize, Vec<ExprId>)>,
    conditions: HashSet<ExprId>,
}

impl Sites {
    pub fn new(model: &Model) -> Self {
        let mut sites = Self { roots: HashMap::new(), conditions: HashSet::new() };
        for node in &model.nodes {
            let listed = node.decisions.iter().filter(|one| one.purpose == Purpose::Equation);
            for (position, decision) in listed.enumerate() {
                let conditions: Vec<ExprId> =
                    decision.conditions.iter().map(|condition| condition.expr).collect();
                sites.conditions.extend(&conditions);
                sites.roots.insert(decision.root, (position, conditions));
            }
        }
        sites
    }
}

/// An arm of an `if` that was not taken.
pub(super) struct OtherArm {
    pub frame: usize,
    pub bound: Bindings,
    pub arm: ExprId,
    pub part: Option<usize>,
}

/// What a step has evaluated so far.
#[derive(Default)]
pub(super) struct Record {
    decisions: BTreeMap<(usize, usize, Vec<Integer>), Vec<ExprId>>,
    conditions: HashMap<(usize, ExprId, Vec<Integer>), bool>,
    pub other_arms: Vec<OtherArm>,
}

impl Reference<'_> {
    /// An expression was evaluated.
    pub(super) fn record(&mut self, place: Place<'_>, id: ExprId, value: &V) {
        let bound = || place.bound.iter().map(|(_, value)| value.clone()).collect();
        if let (true, V::Bool(value)) = (self.sites.conditions.contains(&id), value) {
            self.record.conditions.insert((place.frame, id, bound()), *value);
        }
        if let Some((position, conditions)) = self.sites.roots.get(&id) {
            let key = (place.frame, *position, bound());
            self.record.decisions.insert(key, conditions.clone());
        }
    }

    /// Both arms of an `if` are evaluated; this one is not taken.
    pub(super) fn leave_arm(&mut self, place: Place<'_>, arm: ExprId, part: Option<usize>) {
        let (frame, bound) = (place.frame, place.bound.to_vec());
        self.record.other_arms.push(OtherArm { frame, bound, arm, part });
    }

    /// Evaluates the arms that were not taken. What they would be at fault for is none of the step's.
    pub(super) fn evaluate_other_arms(&mut self) {
        let report = std::mem::take(&mut self.report);
        while let Some(OtherArm { frame, bound, arm, part }) = self.record.other_arms.pop() {
            self.isolated(|this| this.eval_part(Place { frame, bound: &bound }, arm, part));
        }
        self.report = report;
    }

    /// What the last step evaluated.
    pub fn evaluations(&self) -> Evaluations {
        let mut found = Evaluations::new();
        for ((frame, position, bound), conditions) in &self.record.decisions {
            let values = conditions
                .iter()
                .map(|id| self.record.conditions[&(*frame, *id, bound.clone())])
                .collect();
            let path = self.frames[*frame].path.clone();
            found.entry((path, *position)).or_default().push(values);
        }
        for vectors in found.values_mut() {
            vectors.sort_unstable();
        }
        found
    }
}
