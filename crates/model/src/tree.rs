//! Boolean trees: the shape of a decision over its conditions.
//!
//! A tree is a flat vector in post-order: children before parents, the root
//! last, conditions numbered from left to right. Two facts follow and are
//! relied on everywhere. Each condition occurs once, so the tree is a
//! *read-once* formula: subtrees share no condition and can be given values
//! independently. And the conditions of a subtree are a contiguous range. No
//! traversal recurses: bottom-up is a scan, top-down is a reverse scan.

use std::ops::Range;

use crate::{BitSet, Evaluation};

mod text;

pub use text::{ParsedTree, TreeSyntaxError, parse};

crate::typed_ids! {
    /// The position of a node in [`BoolTree::nodes`].
    NodeId,
}

/// Does an operator skip an operand that cannot matter any more?
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Circuit {
    /// Yes, as C's `&&`, `||` and `?:` do.
    Short,
    /// No, as C's `&` and `|` and all of Lustre.
    Full,
}

/// An operator on two Boolean operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Operator {
    /// Conjunction.
    And(Circuit),
    /// Disjunction.
    Or(Circuit),
    /// Exclusive or; `!=` and `<>` on Booleans.
    Xor,
    /// Equality of Booleans.
    Equal,
    /// Implication.
    Implies,
}

impl Operator {
    /// The operator's value on two operands.
    pub fn apply(self, left: bool, right: bool) -> bool {
        match self {
            Self::And(_) => left && right,
            Self::Or(_) => left || right,
            Self::Xor => left != right,
            Self::Equal => left == right,
            Self::Implies => !left || right,
        }
    }

    /// Does a left operand of this value leave the right one unevaluated?
    pub fn skips_right(self, left: bool) -> bool {
        match self {
            Self::And(Circuit::Short) => !left,
            Self::Or(Circuit::Short) => left,
            _ => false,
        }
    }
}

/// A node of a Boolean tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// The condition with this ordinal.
    Condition(u32),
    /// Negation.
    Not(NodeId),
    /// An operator on two operands.
    Binary(Operator, NodeId, NodeId),
    /// `test ? then : otherwise` on Booleans.
    Choose(Circuit, NodeId, NodeId, NodeId),
}

/// The shape of a decision. See the [module](self) for its layout.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct BoolTree {
    nodes: Vec<Node>,
    /// Per node, the first condition of its subtree and the one past its last.
    ranges: Vec<(u32, u32)>,
}

impl BoolTree {
    /// The tree of a decision with a single condition.
    pub fn single() -> Self {
        Self { nodes: vec![Node::Condition(0)], ranges: vec![(0, 1)] }
    }

    /// The nodes, children before parents.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// One node.
    pub fn node(&self, id: NodeId) -> Node {
        self.nodes[id.index()]
    }

    /// The root.
    pub fn root(&self) -> NodeId {
        NodeId::new(self.nodes.len() - 1)
    }

    /// How many conditions the decision has.
    pub fn conditions(&self) -> usize {
        self.conditions_of(self.root()).end
    }

    /// The conditions of the subtree at `id`.
    pub fn conditions_of(&self, id: NodeId) -> Range<usize> {
        let (start, end) = self.ranges[id.index()];
        start as usize..end as usize
    }

    /// Evaluates the decision as the program would, skipping what
    /// short-circuit operators skip, on one value per condition.
    pub fn evaluate(&self, values: &[bool]) -> Evaluation {
        let results = self.values_of_nodes(values);
        let mut evaluated = BitSet::empty(self.conditions());
        let mut held = BitSet::empty(self.conditions());
        let mut reached = vec![false; self.nodes.len()];
        reached[self.root().index()] = true;
        for index in (0..self.nodes.len()).rev() {
            if !reached[index] {
                continue;
            }
            match self.nodes[index] {
                Node::Condition(condition) => {
                    evaluated.insert(condition as usize);
                    if values[condition as usize] {
                        held.insert(condition as usize);
                    }
                }
                Node::Not(operand) => reached[operand.index()] = true,
                Node::Binary(operator, left, right) => {
                    reached[left.index()] = true;
                    reached[right.index()] = !operator.skips_right(results[left.index()]);
                }
                Node::Choose(circuit, test, then, otherwise) => {
                    let chosen = results[test.index()];
                    reached[test.index()] = true;
                    reached[then.index()] = circuit == Circuit::Full || chosen;
                    reached[otherwise.index()] = circuit == Circuit::Full || !chosen;
                }
            }
        }
        Evaluation::new(self.conditions(), evaluated, &held, results[self.root().index()])
    }

    /// The value of every node under one value per condition.
    pub fn values_of_nodes(&self, values: &[bool]) -> Vec<bool> {
        let mut results: Vec<bool> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            let value = |id: NodeId| results[id.index()];
            let result = match *node {
                Node::Condition(condition) => values[condition as usize],
                Node::Not(operand) => !value(operand),
                Node::Binary(operator, left, right) => operator.apply(value(left), value(right)),
                Node::Choose(_, test, then, otherwise) => {
                    if value(test) {
                        value(then)
                    } else {
                        value(otherwise)
                    }
                }
            };
            results.push(result);
        }
        results
    }
}

/// Builds a tree from postfix operations, in time linear in the tree.
///
/// `a && (b || c)`: condition, condition, condition, `||`, `&&`.
#[derive(Clone, Debug, Default)]
pub struct TreeBuilder {
    nodes: Vec<Node>,
    ranges: Vec<(u32, u32)>,
    operands: Vec<NodeId>,
    conditions: u32,
}

/// Postfix operations that are no tree.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a Boolean tree needs every operator to have its operands and exactly one result")]
pub struct MalformedTree;

impl TreeBuilder {
    /// A builder with nothing on its stack.
    pub fn new() -> Self {
        Self::default()
    }

    /// Pushes the next condition.
    pub fn condition(&mut self) {
        let condition = self.conditions;
        self.conditions += 1;
        self.push(Node::Condition(condition), (condition, condition + 1));
    }

    /// Negates the operand on top.
    pub fn not(&mut self) -> Result<(), MalformedTree> {
        let [operand] = self.pop()?;
        self.push(Node::Not(operand), self.ranges[operand.index()]);
        Ok(())
    }

    /// Joins the two operands on top.
    pub fn binary(&mut self, operator: Operator) -> Result<(), MalformedTree> {
        let [left, right] = self.pop()?;
        self.push(Node::Binary(operator, left, right), self.joined(left, right));
        Ok(())
    }

    /// Joins the three operands on top into a choice.
    pub fn choose(&mut self, circuit: Circuit) -> Result<(), MalformedTree> {
        let [test, then, otherwise] = self.pop()?;
        self.push(Node::Choose(circuit, test, then, otherwise), self.joined(test, otherwise));
        Ok(())
    }

    /// The tree, if exactly one operand is left.
    pub fn finish(self) -> Result<BoolTree, MalformedTree> {
        match self.operands.as_slice() {
            [_] => Ok(BoolTree { nodes: self.nodes, ranges: self.ranges }),
            _ => Err(MalformedTree),
        }
    }

    fn joined(&self, first: NodeId, last: NodeId) -> (u32, u32) {
        (self.ranges[first.index()].0, self.ranges[last.index()].1)
    }

    fn push(&mut self, node: Node, range: (u32, u32)) {
        self.operands.push(NodeId::new(self.nodes.len()));
        self.nodes.push(node);
        self.ranges.push(range);
    }

    fn pop<const N: usize>(&mut self) -> Result<[NodeId; N], MalformedTree> {
        let operands = *self.operands.last_chunk::<N>().ok_or(MalformedTree)?;
        self.operands.truncate(self.operands.len() - N);
        Ok(operands)
    }
}

#[cfg(test)]
mod tests;
