//! The decisions of a function: maximal Boolean expressions, wherever they stand.
//!
//! What is tested by a control statement is always a decision. Any other value is one if it has a Boolean operator or is a
//! comparison. Below a condition, decisions are looked for again: they are nested in it.

use obligato_model::tree::MalformedTree;
use obligato_model::{BoolTree, Circuit, Operator, Position, Role, TreeBuilder};

use super::BooleanOperators;
use super::boolean::{Booleans, Shape};
use super::constants;
use super::given::given;
use super::layout::TypeTable;
use super::uses::{Use, for_parts, two_way_choice};
use crate::libclang::{BinaryKind, Kind, UnaryKind};
use crate::tree::{NodeIndex, Tree};
use crate::{Condition, Decision, DecisionIndex, Due, Leaf};

/// The decision and condition that something stands in, and the node of that condition.
type Within = Option<((DecisionIndex, usize), NodeIndex)>;

/// Finds the decisions, in the order of the text, an outer one before those nested in it.
pub(crate) fn decisions<'u>(
    tree: &Tree<'u>,
    uses: &[Use],
    operators: BooleanOperators,
    types: &mut TypeTable<'u>,
) -> Vec<Decision> {
    let booleans = Booleans::new(tree, operators);
    let mut found = Vec::new();
    let mut open: Vec<(NodeIndex, Within)> = vec![(0, None)];
    while let Some((index, within)) = open.pop() {
        let role = match uses[index] {
            Use::Nothing => continue,
            Use::Test => Some(Role::Control),
            Use::Value | Use::Statement => booleans.is_decision(index).then_some(Role::Value),
        };
        let below = open.len();
        match role {
            Some(role) => {
                let this = DecisionIndex(found.len());
                let gathered = gather(&booleans, index);
                for (ordinal, &leaf) in gathered.leaves.iter().enumerate() {
                    let inside = Some(((this, ordinal), leaf));
                    open.extend(tree.children(leaf).map(|child| (child, inside)));
                }
                for &(node, ordinal) in &gathered.asides {
                    open.push((node, Some(((this, ordinal), gathered.leaves[ordinal]))));
                }
                let nested_in = within.map(|(condition, _)| condition);
                let context =
                    DecisionContext { role, nested_in, due: due(tree, uses, index, within) };
                found.push(decide(&booleans, types, index, &gathered, context));
            }
            None => open.extend(tree.children(index).map(|child| (child, within))),
        }
        // The stack is emptied from its end.
        open[below..].sort_by_key(|&(node, _)| std::cmp::Reverse(node));
    }
    found
}

/// A Boolean expression taken apart.
#[derive(Default)]
struct Gathered {
    /// Its conditions, from left to right.
    leaves: Vec<NodeIndex>,
    /// What is evaluated on the way to a condition, before a comma.
    asides: Vec<(NodeIndex, usize)>,
    /// Its shape in postfix order.
    steps: Vec<Step>,
}

#[derive(Clone, Copy)]
enum Step {
    Leaf(NodeIndex),
    Not(NodeIndex),
    Binary(Operator, NodeIndex),
    Choose(NodeIndex),
}

impl Step {
    fn node(self) -> NodeIndex {
        match self {
            Self::Leaf(node) | Self::Not(node) | Self::Binary(_, node) | Self::Choose(node) => node,
        }
    }
}

fn gather(booleans: &Booleans<'_, '_>, root: NodeIndex) -> Gathered {
    enum Task {
        Look(NodeIndex),
        Note(Step),
    }
    let mut gathered = Gathered::default();
    let mut tasks = vec![Task::Look(root)];
    while let Some(task) = tasks.pop() {
        let index = match task {
            Task::Note(step) => {
                gathered.steps.push(step);
                continue;
            }
            Task::Look(index) => index,
        };
        match booleans.shape(index) {
            Shape::Same(inner) => tasks.push(Task::Look(inner)),
            Shape::Behind(first, value) => {
                gathered.asides.push((first, gathered.leaves.len()));
                tasks.push(Task::Look(value));
            }
            Shape::Not(operand) => {
                tasks.extend([Task::Note(Step::Not(index)), Task::Look(operand)]);
            }
            Shape::Binary(operator, left, right) => {
                let step = Task::Note(Step::Binary(operator, index));
                tasks.extend([step, Task::Look(right), Task::Look(left)]);
            }
            Shape::Choose(test, then, otherwise) => {
                let step = Task::Note(Step::Choose(index));
                tasks.extend([step, Task::Look(otherwise), Task::Look(then), Task::Look(test)]);
            }
            Shape::Leaf => {
                gathered.leaves.push(index);
                gathered.steps.push(Step::Leaf(index));
            }
        }
    }
    gathered
}

/// How a decision stands to what is around it.
#[derive(Clone, Copy)]
struct DecisionContext {
    role: Role,
    nested_in: Option<(DecisionIndex, usize)>,
    due: Due,
}

fn decide<'u>(
    booleans: &Booleans<'_, 'u>,
    types: &mut TypeTable<'u>,
    root: NodeIndex,
    gathered: &Gathered,
    context: DecisionContext,
) -> Decision {
    let tree = booleans.tree;
    let DecisionContext { role, nested_in, due } = context;
    let conditions = gathered.leaves.iter().map(|&leaf| condition(booleans, types, leaf));
    Decision {
        stretch: tree.stretch(without_parentheses(tree, root)),
        role,
        tree: join(&gathered.steps).expect("invariant: operators are noted behind their operands"),
        conditions: conditions.collect(),
        places: gathered.steps.iter().map(|step| place(tree, step.node())).collect(),
        nested_in,
        due,
    }
}

/// Goes up from a decision until nothing around it can leave it out.
fn due(tree: &Tree<'_>, uses: &[Use], decision: NodeIndex, within: Within) -> Due {
    let mut index = decision;
    loop {
        if within.is_some_and(|(_, leaf)| leaf == index) {
            return Due::WithCondition;
        }
        let parent = tree.node(index).parent;
        let is_first = tree.first_child(parent) == Some(index);
        let left_out = match tree.kind(parent) {
            Kind::Conditional => !is_first,
            Kind::Binary => {
                let kind = tree.node(parent).cursor.binary_operator();
                !is_first && matches!(kind, BinaryKind::And | BinaryKind::Or)
            }
            Kind::Unexposed => two_way_choice(tree, parent).is_some() && !is_first,
            Kind::For => for_parts(tree, parent).step == Some(index),
            _ => false,
        };
        if left_out {
            return Due::Sometimes;
        }
        if uses[parent] == Use::Statement || parent == index {
            return Due::WithStatement;
        }
        index = parent;
    }
}

fn join(steps: &[Step]) -> Result<BoolTree, MalformedTree> {
    let mut builder = TreeBuilder::new();
    for step in steps {
        match *step {
            Step::Leaf(_) => builder.condition(),
            Step::Not(_) => builder.not()?,
            Step::Binary(operator, _) => builder.binary(operator)?,
            Step::Choose(_) => builder.choose(Circuit::Short)?,
        }
    }
    builder.finish()
}

fn without_parentheses(tree: &Tree<'_>, index: NodeIndex) -> NodeIndex {
    let layers = std::iter::successors(Some(index), |&outer| tree.inside(outer));
    layers.last().unwrap_or(index)
}

/// The place that debug information gives to what an expression evaluates to, as clang's `getExprLoc` does.
pub(super) fn place(tree: &Tree<'_>, index: NodeIndex) -> Position {
    let node = tree.node(index);
    match node.kind {
        Kind::Binary => {
            let operator = tree
                .first_child(index)
                .map_or(node.tokens.start, |left| tree.node(left).tokens.end);
            tree.text.start(operator)
        }
        Kind::Member => tree.text.start(tree.text.token_from(node.cursor.offset())),
        Kind::Unary if node.cursor.unary_operator() == UnaryKind::Postfix => {
            tree.text.start(node.tokens.end.max(1) - 1)
        }
        _ => tree.start(index),
    }
}

fn condition<'u>(
    booleans: &Booleans<'_, 'u>,
    types: &mut TypeTable<'u>,
    leaf: NodeIndex,
) -> Condition {
    let tree = booleans.tree;
    let cursor = tree.node(leaf).cursor;
    let relation = match tree.kind(leaf) {
        Kind::Binary => cursor.binary_operator().relation(),
        _ => None,
    };
    let mut operands = tree.children(leaf).map(|operand| tree.node(operand).cursor);
    let made_of = match (relation, operands.next(), operands.next()) {
        (Some(operator), Some(left), Some(right)) => Leaf::Relation {
            operator,
            kind: types.id(left.typed()),
            left: constants::value(left),
            right: constants::value(right),
        },
        _ => Leaf::Value(types.id(cursor.typed())),
    };
    let given = given(tree, booleans, leaf);
    Condition {
        stretch: tree.stretch(leaf),
        position: place(tree, leaf),
        constant: given.constant(),
        leaf: made_of,
        given,
    }
}
