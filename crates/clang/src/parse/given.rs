//! What gives a condition its value, where no operation of its own does.

use super::boolean::{Booleans, Shape};
use super::constants::{self, keeps_truth_of};
use super::decisions::place;
use super::uses::two_way_choice;
use crate::Given;
use crate::libclang::{BinaryKind, Kind, TypeKind};
use crate::tree::{NodeIndex, Tree};

/// So many choices may stand in each other.
const DEEPEST: usize = 64;

/// What gives an expression its value.
pub(crate) fn given(tree: &Tree<'_>, booleans: &Booleans<'_, '_>, index: NodeIndex) -> Given {
    look(tree, booleans, index, DEEPEST)
}

fn look(tree: &Tree<'_>, booleans: &Booleans<'_, '_>, index: NodeIndex, deepest: usize) -> Given {
    let Some(deepest) = deepest.checked_sub(1) else { return Given::TooDeep };
    let choice = |test: NodeIndex, arms: Option<[Given; 2]>| Given::Choice {
        start: tree.start(index),
        test: truth_inside(tree, booleans, test),
        arms: arms.map(Box::new),
    };
    match booleans.shape(index) {
        Shape::Same(inner) | Shape::Behind(_, inner) => {
            return look(tree, booleans, inner, deepest);
        }
        Shape::Not(_) | Shape::Binary(..) | Shape::Choose(..) => {
            return Given::Decision(place(tree, index));
        }
        Shape::Leaf => {}
    }
    if let Some(value) = constants::truth(tree, index) {
        return Given::Constant(value);
    }
    let children: Vec<NodeIndex> = tree.children(index).collect();
    match (tree.kind(index), children.as_slice()) {
        (Kind::Conditional, &[test, then, otherwise]) => {
            let arms = [then, otherwise].map(|arm| look(tree, booleans, arm, deepest));
            choice(test, Some(arms))
        }
        (Kind::Binary, &[object, value])
            if tree.node(index).cursor.binary_operator() == BinaryKind::Assign =>
        {
            let object = tree.node(object).cursor;
            if object.typed().plain().kind() == TypeKind::Bool {
                return Given::Outcome(place(tree, index));
            }
            // Conversions that nobody wrote may be to something narrower.
            let written = std::iter::successors(Some(value), |&outer| tree.inside(outer)).last();
            if !keeps_truth_of(object, tree.node(written.unwrap_or(value)).cursor) {
                return Given::Value(place(tree, index));
            }
            match look(tree, booleans, value, deepest) {
                Given::Decision(place) => Given::Outcome(place),
                Given::Value(place) if booleans.is_decision(value) => Given::Outcome(place),
                other => other,
            }
        }
        (Kind::StatementExpression, &[block]) => match tree.last_child(block) {
            Some(last) if tree.node(last).cursor.is_expression() => {
                look(tree, booleans, last, deepest)
            }
            _ => Given::Value(place(tree, index)),
        },
        _ => match two_way_choice(tree, index) {
            Some((test, otherwise)) => match truth_inside(tree, booleans, test) {
                Some(true) => Given::Constant(true),
                Some(false) => look(tree, booleans, otherwise, deepest),
                None => choice(test, None),
            },
            None => Given::Value(place(tree, index)),
        },
    }
}

/// What is tested, if the compiler knows it and leaves the test out. It does not where something is assigned.
fn truth_inside(
    tree: &Tree<'_>,
    booleans: &Booleans<'_, '_>,
    mut index: NodeIndex,
) -> Option<bool> {
    loop {
        let assigns = tree.kind(index) == Kind::Binary
            && tree.node(index).cursor.binary_operator() == BinaryKind::Assign;
        if assigns {
            return None;
        }
        if let Some(value) = constants::truth(tree, index) {
            return Some(value);
        }
        match booleans.shape(index) {
            Shape::Same(inner) => index = inner,
            _ => return None,
        }
    }
}
