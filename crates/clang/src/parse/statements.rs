//! The statements of a function that do something.

use super::uses::{Use, for_parts};
use crate::libclang::Kind;
use crate::tree::{NodeIndex, Tree};
use crate::{Statement, Stretch};

/// Finds the statements, in the order of the text.
pub(crate) fn statements(tree: &Tree<'_>, uses: &[Use]) -> Vec<Statement> {
    let found =
        (0..tree.len()).filter(|&index| uses[index] == Use::Statement && acts(tree, uses, index));
    found.map(|index| statement(tree, uses, index)).collect()
}

/// Does a statement do something itself? Blocks and labels are their parts, and a declaration without a value is none.
fn acts(tree: &Tree<'_>, uses: &[Use], index: NodeIndex) -> bool {
    match tree.kind(index) {
        Kind::Compound
        | Kind::Null
        | Kind::Label
        | Kind::Case
        | Kind::Default
        | Kind::Attributed => false,
        Kind::Declarations => first_evaluated(tree, uses, index).is_some(),
        Kind::Other | Kind::OtherAttribute => tree.node(index).cursor.is_expression(),
        _ => true,
    }
}

/// The first part of a declaration that is evaluated when it is reached: an initialiser, or the length of an array.
fn first_evaluated(tree: &Tree<'_>, uses: &[Use], index: NodeIndex) -> Option<NodeIndex> {
    let mut variables = tree.children(index).filter(|&child| tree.kind(child) == Kind::Variable);
    variables.find_map(|variable| {
        let is_evaluated =
            |&part: &NodeIndex| uses[part] == Use::Value && tree.node(part).cursor.is_expression();
        tree.children(variable).find(is_evaluated)
    })
}

fn statement(tree: &Tree<'_>, uses: &[Use], index: NodeIndex) -> Statement {
    let tokens = tree.node(index).tokens.clone();
    let mut children = tree.children(index);
    let (first_expression, inner) = match tree.kind(index) {
        Kind::If | Kind::While | Kind::Switch => (children.next(), children.next()),
        Kind::Do => (None, children.next()),
        Kind::For => {
            let parts = for_parts(tree, index);
            let start =
                parts.start.map(|start| first_evaluated(tree, uses, start).unwrap_or(start));
            (start.or(parts.test), parts.body)
        }
        Kind::Declarations => (first_evaluated(tree, uses, index), None),
        Kind::Return => (children.next(), None),
        _ => (None, None),
    };
    let header_end = inner.map_or(tokens.end, |inner| tree.node(inner).tokens.start);
    let text = tree.text.phrase(tokens.start..header_end.max(tokens.start + 1));
    let stretch = Stretch { span: tree.span(index), text };
    Statement { stretch, position: tree.start(first_expression.unwrap_or(index)) }
}
