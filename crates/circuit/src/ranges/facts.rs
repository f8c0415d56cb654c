//! What a test says about ranges, if it comes out one way.
//!
//! `x < 10` says that `x` is at most 9; an `and` that holds says what its operands say. An arm of a
//! choice under such facts is looked at a few operations deep: enough for `x + 1` and for a choice
//! within a choice.

use obligato_transition_system::{Binary, NodeId, Sort, Term, Unary};

use super::Analysis;
use crate::interval::Interval;

/// The most parts of a test that are examined: more than tests written by hand have.
const MOST_PARTS: usize = 24;
/// The depth to which an arm is examined.
const DEPTH: u32 = 3;

/// Ranges of nodes while a test has one value.
pub(super) struct Facts(Vec<(NodeId, Interval)>);

impl Facts {
    /// What holds while the test is `value`; `None` if it never is.
    pub fn of(analysis: &Analysis<'_>, test: NodeId, value: bool) -> Option<Self> {
        let mut facts = Self(Vec::new());
        let mut open = vec![(analysis.classes.first(test), value)];
        let mut parts = 0;
        while let Some((node, value)) = open.pop() {
            facts.add(analysis, node, Interval::of_bool(value))?;
            parts += 1;
            if parts > MOST_PARTS {
                break;
            }
            match (analysis.classes.term(node), value) {
                (Term::Unary(Unary::Not, a), _) => open.push((a, !value)),
                (Term::Binary(Binary::And, a, b), true)
                | (Term::Binary(Binary::Or, a, b), false) => {
                    open.extend([(a, value), (b, value)]);
                }
                (Term::Binary(operation, a, b), _)
                    if analysis.system.graph.sort(a) != Sort::Bool =>
                {
                    facts.compare(analysis, operation, a, b, value)?;
                }
                _ => {}
            }
        }
        Some(facts)
    }

    pub fn iter(&self) -> impl Iterator<Item = (NodeId, Interval)> + '_ {
        self.0.iter().copied()
    }

    /// What a comparison of numbers says about both sides.
    fn compare(
        &mut self,
        analysis: &Analysis<'_>,
        operation: Binary,
        a: NodeId,
        b: NodeId,
        value: bool,
    ) -> Option<()> {
        let (left, right) = (analysis.of(a), analysis.of(b));
        // Between two reals there is always another.
        let gap = i128::from(analysis.system.graph.sort(a) != Sort::Real);
        let below =
            |range: Interval, gap| Interval { low: None, high: range.high.map(|end| end - gap) };
        let above =
            |range: Interval, gap| Interval { low: range.low.map(|end| end + gap), high: None };
        let (of_a, of_b) = match (operation, value) {
            (Binary::Equal, true) => (right, left),
            (Binary::Equal, false) if gap == 1 => {
                (other_than(left, right), other_than(right, left))
            }
            (Binary::Less, true) => (below(right, gap), above(left, gap)),
            (Binary::Less, false) => (above(right, 0), below(left, 0)),
            (Binary::LessEqual, true) => (below(right, 0), above(left, 0)),
            (Binary::LessEqual, false) => (above(right, gap), below(left, gap)),
            _ => return Some(()),
        };
        self.add(analysis, a, of_a)?;
        self.add(analysis, b, of_b)
    }

    fn add(&mut self, analysis: &Analysis<'_>, node: NodeId, range: Interval) -> Option<()> {
        let range = self.restrict(node, analysis.of(node))?.meet(range)?;
        if range != analysis.of(node) {
            self.0.push((node, range));
        }
        Some(())
    }

    /// What is left of a node's range.
    fn restrict(&self, node: NodeId, range: Interval) -> Option<Interval> {
        let mut facts = self.0.iter().filter(|(about, _)| *about == node);
        facts.try_fold(range, |range, (_, fact)| range.meet(*fact))
    }

    /// The range of an arm under these facts; `None` if it is never taken.
    pub fn refine(&self, analysis: &Analysis<'_>, arm: NodeId) -> Option<Interval> {
        if self.0.is_empty() {
            return Some(analysis.of(arm));
        }
        self.refine_to(analysis, arm, DEPTH)
    }

    fn refine_to(&self, analysis: &Analysis<'_>, node: NodeId, depth: u32) -> Option<Interval> {
        let known = self.restrict(node, analysis.of(node))?;
        if depth == 0 {
            return Some(known);
        }
        let refined = match analysis.classes.term(node) {
            Term::Constant(_) | Term::Input(_) | Term::Latch(_) | Term::Tap(..) => {
                return Some(known);
            }
            Term::Ite(_, first, second) => {
                let first = self.refine_to(analysis, first, depth - 1);
                let second = self.refine_to(analysis, second, depth - 1);
                match (first, second) {
                    (Some(first), Some(second)) => first.join(second),
                    (only, None) | (None, only) => only?,
                }
            }
            term => {
                let mut operands = [Interval::ALL; 2];
                for (operand, child) in operands.iter_mut().zip(term.children()) {
                    *operand = self.refine_to(analysis, child, depth - 1)?;
                }
                analysis.transfer(term, operands)
            }
        };
        known.meet(refined)
    }
}

/// The range without a point at one of its ends.
fn other_than(range: Interval, point: Interval) -> Interval {
    let Some(point) = point.as_point() else { return range };
    Interval {
        low: range.low.map(|low| if low == point { low + 1 } else { low }),
        high: range.high.map(|high| if high == point { high - 1 } else { high }),
    }
}
