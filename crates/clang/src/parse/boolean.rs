//! Which expressions are Boolean, and how they are joined.

use obligato_model::{Circuit, Operator};

use super::BooleanOperators;
use super::uses::two_way_choice;
use crate::libclang::{BinaryKind, Constant, Kind, TypeKind, UnaryKind};
use crate::tree::{NodeIndex, Tree};

/// How a Boolean expression is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// The value of another expression: parentheses, conversions, hints.
    Same(NodeIndex),
    /// The value of the second expression, after the first: a comma.
    Behind(NodeIndex, NodeIndex),
    /// A negation.
    Not(NodeIndex),
    /// Two operands.
    Binary(Operator, NodeIndex, NodeIndex),
    /// A choice.
    Choose(NodeIndex, NodeIndex, NodeIndex),
    /// No Boolean operator.
    Leaf,
}

/// The Boolean expressions of a tree.
pub(crate) struct Booleans<'t, 'u> {
    /// The tree.
    pub tree: &'t Tree<'u>,
    operators: BooleanOperators,
    /// Per node: is it a Boolean expression, or of Boolean type?
    boolean: Vec<bool>,
}

/// Functions that answer with their first argument.
const HINTS: &[&[u8]] = &[b"__builtin_expect", b"__builtin_expect_with_probability"];

impl<'t, 'u> Booleans<'t, 'u> {
    /// Looks at all nodes, children before parents.
    pub fn new(tree: &'t Tree<'u>, operators: BooleanOperators) -> Self {
        let mut booleans = Self { tree, operators, boolean: vec![false; tree.len()] };
        for index in (0..tree.len()).rev() {
            booleans.boolean[index] =
                tree.node(index).cursor.is_expression() && booleans.is_boolean(index);
        }
        booleans
    }

    /// How an expression is made.
    pub fn shape(&self, index: NodeIndex) -> Shape {
        let tree = self.tree;
        if let Some(inner) = tree.inside(index) {
            return Shape::Same(inner);
        }
        let mut children = tree.children(index);
        let (first, second, third) = (children.next(), children.next(), children.next());
        let both = |a, b| self.boolean[a] && self.boolean[b];
        match (tree.kind(index), first, second, third) {
            (Kind::Unexposed, ..) => match two_way_choice(tree, index) {
                // Of `a ?: b`, both Boolean, nothing is left but `a || b`.
                Some((test, otherwise)) if both(test, otherwise) => {
                    Shape::Binary(Operator::Or(Circuit::Short), test, otherwise)
                }
                _ => Shape::Leaf,
            },
            (Kind::Unary, Some(operand), ..) => match tree.node(index).cursor.unary_operator() {
                UnaryKind::Not => Shape::Not(operand),
                UnaryKind::Extension => Shape::Same(operand),
                _ => Shape::Leaf,
            },
            (Kind::Binary, Some(left), Some(right), _) => {
                match tree.node(index).cursor.binary_operator() {
                    BinaryKind::Comma => Shape::Behind(left, right),
                    kind => self
                        .operator(kind, both(left, right))
                        .map_or(Shape::Leaf, |operator| Shape::Binary(operator, left, right)),
                }
            }
            (Kind::Conditional, Some(test), Some(then), Some(otherwise))
                if both(then, otherwise) =>
            {
                Shape::Choose(test, then, otherwise)
            }
            (Kind::Call, Some(_), Some(argument), _)
                if HINTS.contains(&tree.spelling(tree.node(index).tokens.start)) =>
            {
                Shape::Same(argument)
            }
            // The operand is the last child; the others are parts of the type.
            (Kind::Cast, Some(_), ..) => match tree.last_child(index) {
                Some(operand) if self.keeps_truth(index, operand) => Shape::Same(operand),
                _ => Shape::Leaf,
            },
            _ => Shape::Leaf,
        }
    }

    fn operator(&self, kind: BinaryKind, on_booleans: bool) -> Option<Operator> {
        match kind {
            BinaryKind::And => Some(Operator::And(Circuit::Short)),
            BinaryKind::Or => Some(Operator::Or(Circuit::Short)),
            _ if !on_booleans || self.operators == BooleanOperators::Logical => None,
            BinaryKind::BitAnd => Some(Operator::And(Circuit::Full)),
            BinaryKind::BitOr => Some(Operator::Or(Circuit::Full)),
            BinaryKind::BitXor | BinaryKind::NotEqual => Some(Operator::Xor),
            BinaryKind::Equal => Some(Operator::Equal),
            _ => None,
        }
    }

    /// Is a cast to `_Bool`, or of a Boolean expression to another integer type?
    fn keeps_truth(&self, cast: NodeIndex, operand: NodeIndex) -> bool {
        match self.type_kind(cast) {
            TypeKind::Bool => true,
            TypeKind::Character | TypeKind::Signed | TypeKind::Unsigned => self.boolean[operand],
            _ => false,
        }
    }

    fn type_kind(&self, index: NodeIndex) -> TypeKind {
        self.tree.node(index).cursor.typed().plain().kind()
    }

    /// Needs to know it of the children.
    fn is_boolean(&self, index: NodeIndex) -> bool {
        match self.shape(index) {
            Shape::Not(_) | Shape::Binary(..) | Shape::Choose(..) => true,
            Shape::Behind(_, value) => self.boolean[value],
            Shape::Same(inner) if self.boolean[inner] => true,
            _ => self.relation(index) || self.type_kind(index) == TypeKind::Bool,
        }
    }

    /// Is it a comparison?
    pub fn relation(&self, index: NodeIndex) -> bool {
        let node = self.tree.node(index);
        node.kind == Kind::Binary && node.cursor.binary_operator().relation().is_some()
    }

    /// Does a value ask for a decision: has it a Boolean operator, is it a comparison, or is it a number that
    /// becomes a `_Bool`?
    pub fn is_decision(&self, index: NodeIndex) -> bool {
        if !self.boolean[index] {
            return false;
        }
        let mut converted = false;
        let mut inner = index;
        loop {
            match self.shape(inner) {
                Shape::Not(_) | Shape::Binary(..) | Shape::Choose(..) => return true,
                Shape::Leaf if self.relation(inner) => return true,
                // `true` and `false` decide nothing. Any other constant is converted: a condition that is always the same.
                Shape::Leaf => {
                    let constant = self.tree.node(inner).cursor.evaluate();
                    return converted && !matches!(constant, Some(Constant::Integer(0 | 1)));
                }
                // What is behind a comma is looked at when the comma's operands are.
                Shape::Behind(..) => return false,
                Shape::Same(next) => {
                    converted |= self.boolean[inner] && !self.boolean[next];
                    inner = next;
                }
            }
        }
    }
}
