//! What constant conditions rule out.
//!
//! A condition that the compiler can fold is listed like any other, and its
//! impossible value is *uncoverable: constant*. So is what follows from it
//! alone: in `1 || a` the condition `a` is never reached, in `a && 0` it never
//! decides. Conditions that are not constant are taken to have both values, whatever they are: that can only
//! rule out less than it might.

use std::collections::BTreeMap;

use obligato_model::{
    BitSet, BoolTree, Circuit, Criterion, DecisionId, Goal, Independence, Node, NodeId,
    Observability, Program,
};

use crate::mcdc::fixing_the_outcome;
use crate::partial_evaluation::possible_values;

/// The decisions with constant conditions, analysed.
#[derive(Clone, Debug)]
pub struct Constants {
    decisions: BTreeMap<DecisionId, Possible>,
}

/// What a decision with constant conditions can still do.
#[derive(Clone, Debug)]
struct Possible {
    outcomes: [bool; 2],
    /// Per condition, can it be evaluated to false, and to true?
    taken: Vec<[bool; 2]>,
    /// Per condition, can it be unmasked?
    unmasked: Vec<bool>,
    /// The conditions whose unmasked value fixes the outcome.
    fixing: BitSet,
    /// Does the value of a condition say which others are evaluated?
    skips: bool,
}

impl Constants {
    /// Analyses every decision that has a constant condition.
    pub fn of(program: &Program) -> Self {
        let decisions = (0..program.decisions().len()).map(DecisionId::new).filter_map(|id| {
            let constants = program.constants_of(id);
            let any = constants.iter().any(Option::is_some);
            any.then(|| (id, Possible::of(&program.decision(id).tree, &constants)))
        });
        Self { decisions: decisions.collect() }
    }

    /// Do constants make the goal impossible?
    pub fn rule_out(&self, program: &Program, criterion: Criterion, goal: &Goal) -> bool {
        let of_condition = |condition| {
            let home = program.condition(condition);
            self.decisions.get(&home.decision).map(|possible| (possible, home.ordinal))
        };
        match goal {
            Goal::Outcome(decision, value) => self
                .decisions
                .get(decision)
                .is_some_and(|possible| !possible.outcomes[usize::from(*value)]),
            Goal::Vector(decision, vector) => program
                .conditions_of(*decision)
                .iter()
                .any(|c| c.constant.is_some() && vector.value(c.ordinal) == c.constant.map(|k| !k)),
            Goal::Value(condition, value) => of_condition(*condition)
                .is_some_and(|(possible, at)| !possible.taken[at][usize::from(*value)]),
            Goal::Boundary(condition, boundary) => of_condition(*condition)
                .is_some_and(|(possible, at)| !possible.taken[at][usize::from(boundary.value)]),
            Goal::Independence(condition, value) => {
                of_condition(*condition).is_some_and(|(possible, at)| {
                    let needs_partner = match criterion {
                        Criterion::Mcdc(Independence::UniqueCause) => true,
                        Criterion::Mcdc(Independence::Masking) => !possible.fixing.contains(at),
                        _ => false,
                    };
                    let [half, partner] =
                        [*value, !value].map(|value| possible.taken[at][usize::from(value)]);
                    // In `a || (n = 3, 1)` the condition `a` never decides, but a run in which it is
                    // stuck may show what the operand behind it does.
                    let shows_otherwise =
                        possible.skips && criterion == Criterion::Omcdc(Observability::Exact);
                    let hidden = !possible.unmasked[at] && !shows_otherwise;
                    hidden || !half || needs_partner && !partner
                })
            }
            // Whether code is reached, and what mutants change, constants in decisions do not say.
            Goal::Enter(_)
            | Goal::Leave(_)
            | Goal::Execute(_)
            | Goal::Switch(_)
            | Goal::EveryVector(_)
            | Goal::Kill(_) => false,
        }
    }
}

impl Possible {
    fn of(tree: &BoolTree, constants: &[Option<bool>]) -> Self {
        let values = possible_values(tree, constants);
        let can = |id: NodeId, value: bool| values[id.index()][usize::from(value)];
        let both = [false, true];
        let mut reached = vec![false; tree.nodes().len()];
        let mut decides = vec![false; tree.nodes().len()];
        reached[tree.root().index()] = true;
        decides[tree.root().index()] = true;
        let mut taken = vec![[false; 2]; tree.conditions()];
        let mut unmasked = vec![false; tree.conditions()];
        for index in (0..tree.nodes().len()).rev() {
            let (here, deciding) = (reached[index], decides[index]);
            let mut child = |id: NodeId, is_reached: bool, is_deciding: bool| {
                reached[id.index()] = here && is_reached;
                decides[id.index()] = deciding && is_deciding;
            };
            match tree.nodes()[index] {
                Node::Condition(condition) => {
                    taken[condition as usize] = values[index].map(|possible| here && possible);
                    unmasked[condition as usize] = here && deciding;
                }
                Node::Not(operand) => child(operand, true, true),
                Node::Binary(operator, left, right) => {
                    let goes_on =
                        both.into_iter().any(|l| can(left, l) && !operator.skips_right(l));
                    // Whether or not it is skipped: it must be able to have the value
                    // that lets the left operand decide.
                    let left_decides = both.into_iter().any(|r| {
                        can(right, r) && operator.apply(false, r) != operator.apply(true, r)
                    });
                    let right_decides = both.into_iter().any(|l| {
                        can(left, l) && operator.apply(l, false) != operator.apply(l, true)
                    });
                    child(left, true, left_decides);
                    child(right, goes_on, right_decides);
                }
                Node::Choose(circuit, test, then, otherwise) => {
                    let full = circuit == Circuit::Full;
                    let differ = both.into_iter().any(|v| can(then, v) && can(otherwise, !v));
                    child(test, true, differ);
                    child(then, full || can(test, true), can(test, true));
                    child(otherwise, full || can(test, false), can(test, false));
                }
            }
        }
        let outcomes = values[tree.root().index()];
        let skips = tree.nodes().iter().any(|node| match node {
            Node::Binary(operator, ..) => both.into_iter().any(|left| operator.skips_right(left)),
            Node::Choose(circuit, ..) => *circuit == Circuit::Short,
            Node::Condition(_) | Node::Not(_) => false,
        });
        Self { outcomes, taken, unmasked, fixing: fixing_the_outcome(tree), skips }
    }
}

#[cfg(test)]
mod tests;
