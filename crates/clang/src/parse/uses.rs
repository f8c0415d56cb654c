//! What each node of a function is used for: one scan from the root.

use super::generic;
use crate::libclang::{Constant, Kind};
use crate::tree::{NodeIndex, Tree};

/// What a node is used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Use {
    /// A statement.
    Statement,
    /// What an `if`, a loop or a `?:` tests.
    Test,
    /// A value.
    Value,
    /// It is never evaluated.
    Nothing,
}

/// Functions that look at their arguments without evaluating them.
const UNEVALUATING: &[&[u8]] = &[
    b"__builtin_constant_p",
    b"__builtin_object_size",
    b"__builtin_dynamic_object_size",
    b"__builtin_classify_type",
];

/// What each node is used for.
pub(crate) fn uses(tree: &Tree<'_>) -> Vec<Use> {
    let mut uses = vec![Use::Value; tree.len()];
    for index in 0..tree.len() {
        if uses[index] == Use::Nothing {
            tree.children(index).for_each(|child| uses[child] = Use::Nothing);
        } else {
            assign(tree, index, &mut uses);
        }
    }
    uses
}

fn assign(tree: &Tree<'_>, index: NodeIndex, uses: &mut [Use]) {
    let mut give = |children: &[Use]| {
        let last = children.last().copied().unwrap_or(Use::Value);
        let roles = children.iter().copied().chain(std::iter::repeat(last));
        tree.children(index).zip(roles).for_each(|(child, role)| uses[child] = role);
    };
    match tree.kind(index) {
        Kind::Function
        | Kind::Compound
        | Kind::StatementExpression
        | Kind::Label
        | Kind::Default
        | Kind::Attributed => give(&[Use::Statement]),
        Kind::If | Kind::While => give(&[Use::Test, Use::Statement]),
        Kind::Do => give(&[Use::Statement, Use::Test]),
        Kind::Switch => give(&[Use::Value, Use::Statement]),
        Kind::Conditional => give(&[Use::Test, Use::Value]),
        Kind::Unexposed if two_way_choice(tree, index).is_some() => give(&[Use::Test, Use::Value]),
        Kind::Unexposed => choose_at_compile_time(tree, index, uses),
        Kind::For => assign_for(tree, index, uses),
        Kind::Case => {
            let last = tree.last_child(index);
            for child in tree.children(index) {
                uses[child] = if Some(child) == last { Use::Statement } else { Use::Nothing };
            }
        }
        Kind::Variable => assign_variable(tree, index, uses),
        Kind::Generic => generic::choose(tree, index, uses),
        Kind::Call if UNEVALUATING.contains(&tree.spelling(tree.node(index).tokens.start)) => {
            give(&[Use::Nothing]);
        }
        _ => {}
    }
}

/// The parts of `a ?: b`.
pub(crate) fn two_way_choice(tree: &Tree<'_>, index: NodeIndex) -> Option<(NodeIndex, NodeIndex)> {
    if tree.kind(index) != Kind::Unexposed {
        return None;
    }
    let test = tree.first_child(index)?;
    let behind = tree.node(test).tokens.end;
    let last = tree.last_child(index).filter(|&last| last != test)?;
    (tree.spelling(behind) == b"?" && tree.spelling(behind + 1) == b":").then_some((test, last))
}

/// The parts of a `for`, each of which may be missing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ForParts {
    /// What it starts with.
    pub start: Option<NodeIndex>,
    /// What it tests.
    pub test: Option<NodeIndex>,
    /// What it does after each round.
    pub step: Option<NodeIndex>,
    /// What it repeats.
    pub body: Option<NodeIndex>,
}

/// Tells the parts of a `for` apart by the semicolons between them.
pub(crate) fn for_parts(tree: &Tree<'_>, index: NodeIndex) -> ForParts {
    let mut parts = ForParts::default();
    let mut children = tree.children(index);
    // `for` and `(` are before the first part.
    let mut token = tree.node(index).tokens.start + 2;
    for part in [&mut parts.start, &mut parts.test] {
        if tree.spelling(token) != b";" {
            *part = children.next();
            token = part.map_or(token, |node| tree.node(node).tokens.end);
            // A declaration ends with its semicolon.
            token -= usize::from(tree.spelling(token.wrapping_sub(1)) == b";");
        }
        token += 1;
    }
    if tree.spelling(token) != b")" {
        parts.step = children.next();
    }
    parts.body = children.next();
    parts
}

fn assign_for(tree: &Tree<'_>, index: NodeIndex, uses: &mut [Use]) {
    let parts = for_parts(tree, index);
    if let Some(test) = parts.test {
        uses[test] = Use::Test;
    }
    if let Some(body) = parts.body {
        uses[body] = Use::Statement;
    }
}

/// The initialiser is a value, and so are the bounds of an array if they are not constant; a static object is initialised
/// before the program starts.
fn assign_variable(tree: &Tree<'_>, index: NodeIndex, uses: &mut [Use]) {
    let cursor = tree.node(index).cursor;
    let initialiser = cursor.initialiser();
    for child in tree.children(index) {
        let node = tree.node(child).cursor;
        let is_initialiser = initialiser.is_some_and(|initialiser| initialiser.is(node));
        let evaluated = !cursor.is_static() && (is_initialiser || node.evaluate().is_none());
        uses[child] = if evaluated { Use::Value } else { Use::Nothing };
    }
}

/// `__builtin_choose_expr(test, then, otherwise)` evaluates one of the two, and never the test.
fn choose_at_compile_time(tree: &Tree<'_>, index: NodeIndex, uses: &mut [Use]) {
    if tree.spelling(tree.node(index).tokens.start) != b"__builtin_choose_expr" {
        return;
    }
    let children: Vec<_> = tree.children(index).collect();
    if let [test, then, otherwise] = children[..] {
        let holds = !matches!(tree.node(test).cursor.evaluate(), None | Some(Constant::Integer(0)));
        uses[test] = Use::Nothing;
        uses[if holds { otherwise } else { then }] = Use::Nothing;
    }
}
