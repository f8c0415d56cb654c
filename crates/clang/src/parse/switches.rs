//! The switches of a function, with their labels.

use super::uses::Use;
use crate::libclang::{Constant, Kind};
use crate::tree::{NodeIndex, Tree};
use crate::{Label, Switch};

/// Finds the switches, in the order of the text.
pub(crate) fn switches(tree: &Tree<'_>, uses: &[Use]) -> Vec<Switch> {
    let mut found: Vec<Switch> = Vec::new();
    // Per node, the switch that a label there belongs to.
    let mut innermost: Vec<Option<usize>> = vec![None; tree.len()];
    for index in 0..tree.len() {
        let node = tree.node(index);
        let around = innermost[node.parent];
        innermost[index] = around;
        match (node.kind, around) {
            _ if uses[index] == Use::Nothing => {}
            (Kind::Switch, _) => {
                innermost[index] = Some(found.len());
                let subject = tree.first_child(index).unwrap_or(index);
                found.push(Switch {
                    stretch: tree.stretch(subject),
                    position: tree.start(index),
                    labels: Vec::new(),
                });
            }
            (Kind::Case | Kind::Default, Some(switch)) => {
                found[switch].labels.push(label(tree, index));
            }
            _ => {}
        }
    }
    found
}

fn label(tree: &Tree<'_>, index: NodeIndex) -> Label {
    let start = tree.node(index).tokens.start;
    if tree.kind(index) == Kind::Default {
        return Label { stretch: tree.stretch_of(start..start + 1), values: None };
    }
    let mut children = tree.children(index);
    let (first, second) = (children.next(), children.next());
    let end_of =
        |node: Option<NodeIndex>| node.map_or(start + 1, |node| tree.node(node).tokens.end);
    let is_range = tree.spelling(end_of(first)) == b"...";
    let last = if is_range { second } else { first };
    let value =
        |node: Option<NodeIndex>| match node.and_then(|node| tree.node(node).cursor.evaluate()) {
            Some(Constant::Integer(value)) => value,
            _ => 0,
        };
    Label {
        stretch: tree.stretch_of(start..end_of(last)),
        values: Some((value(first), value(last))),
    }
}
