//! Which conditions are unmasked, in all lanes at once.
//!
//! Dataflow evaluates every condition of a decision, so there is no order to follow: a tree is
//! evaluated bottom-up, and a condition is unmasked where, top-down, no operator on its way to
//! the root is decided by the other operand. Each condition occurs once, so this is exactly the
//! definition by forcing.

use obligato_model::tree::{Node, NodeId};
use obligato_model::{BoolTree, Operator};
use obligato_transition_system::lanes::{Mask, WORDS};

type Lanes = Mask<WORDS>;

/// Room for one evaluation of a decision in all lanes.
#[derive(Clone, Debug, Default)]
pub struct LaneMarker {
    values: Vec<Lanes>,
    sensitive: Vec<Lanes>,
}

impl LaneMarker {
    /// Evaluates a decision on a mask per condition and gives its outcome; `unmasked` gets a
    /// mask per condition.
    pub fn mark(
        &mut self,
        tree: &BoolTree,
        conditions: &[Lanes],
        unmasked: &mut Vec<Lanes>,
    ) -> Lanes {
        self.values.clear();
        for node in tree.nodes() {
            let value = |id: NodeId| self.values[id.index()];
            let result = match *node {
                Node::Condition(ordinal) => conditions[ordinal as usize],
                Node::Not(operand) => not(value(operand)),
                Node::Binary(operator, left, right) => apply(operator, value(left), value(right)),
                Node::Choose(_, test, then, otherwise) => {
                    let (test, then) = (value(test), value(then));
                    or(and(test, then), and(not(test), value(otherwise)))
                }
            };
            self.values.push(result);
        }
        self.sensitive.clear();
        self.sensitive.resize(tree.nodes().len(), [u64::MAX; WORDS]);
        unmasked.clear();
        unmasked.resize(conditions.len(), [0; WORDS]);
        for (index, node) in tree.nodes().iter().enumerate().rev() {
            let here = self.sensitive[index];
            match *node {
                Node::Condition(ordinal) => unmasked[ordinal as usize] = here,
                Node::Not(operand) => self.sensitive[operand.index()] = here,
                Node::Binary(operator, left, right) => {
                    let (a, b) = (self.values[left.index()], self.values[right.index()]);
                    let (passes_left, passes_right) = match operator {
                        Operator::And(_) => (b, a),
                        Operator::Or(_) => (not(b), not(a)),
                        Operator::Implies => (not(b), a),
                        Operator::Xor | Operator::Equal => ([u64::MAX; WORDS], [u64::MAX; WORDS]),
                    };
                    self.sensitive[left.index()] = and(here, passes_left);
                    self.sensitive[right.index()] = and(here, passes_right);
                }
                Node::Choose(_, test, then, otherwise) => {
                    let chosen = self.values[test.index()];
                    let arms = [then, otherwise].map(|arm| self.values[arm.index()]);
                    self.sensitive[test.index()] = and(here, xor(arms[0], arms[1]));
                    self.sensitive[then.index()] = and(here, chosen);
                    self.sensitive[otherwise.index()] = and(here, not(chosen));
                }
            }
        }
        self.values[tree.root().index()]
    }
}

fn apply(operator: Operator, left: Lanes, right: Lanes) -> Lanes {
    match operator {
        Operator::And(_) => and(left, right),
        Operator::Or(_) => or(left, right),
        Operator::Implies => or(not(left), right),
        Operator::Xor => xor(left, right),
        Operator::Equal => not(xor(left, right)),
    }
}

/// Lanes of both.
#[inline]
pub fn and(a: Lanes, b: Lanes) -> Lanes {
    std::array::from_fn(|word| a[word] & b[word])
}

/// Lanes of either.
#[inline]
pub fn or(a: Lanes, b: Lanes) -> Lanes {
    std::array::from_fn(|word| a[word] | b[word])
}

/// Lanes of exactly one.
#[inline]
pub fn xor(a: Lanes, b: Lanes) -> Lanes {
    std::array::from_fn(|word| a[word] ^ b[word])
}

/// The other lanes.
#[inline]
pub fn not(a: Lanes) -> Lanes {
    a.map(|word| !word)
}

/// Adds lanes.
#[inline]
pub fn add(to: &mut Lanes, more: Lanes) {
    for (to, more) in to.iter_mut().zip(more) {
        *to |= more;
    }
}

#[cfg(test)]
mod tests;
