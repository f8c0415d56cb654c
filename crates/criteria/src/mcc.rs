//! Multiple-condition coverage: every evaluation vector a decision can have,
//! with don't-cares for what short circuit skips.
//!
//! Their number may be exponential, so it is counted before they are listed;
//! past [`MOST_LISTED`] a decision gets one obligation that says how many there
//! are and stays unresolved.

use obligato_model::{
    BitSet, BoolTree, Circuit, DecisionId, Evaluation, Goal, Limit, Node, NodeId, Program, TooMany,
    Verdict,
};

use crate::decision;
use crate::evidence::{DecisionEvidence, Evidence, covered_by};
use crate::marking::{Conditions, Marker};

/// How many vectors of one decision are listed as obligations.
pub const MOST_LISTED: u128 = 4096;

/// One goal per vector, or one for all of them if they are too many.
pub fn plan(program: &Program) -> Vec<Goal> {
    let mut goals = Vec::new();
    for (index, decision) in program.decisions().iter().enumerate() {
        let id = DecisionId::new(index);
        if count(&decision.tree) > MOST_LISTED {
            goals.push(Goal::EveryVector(id));
        } else {
            let vectors = list(&decision.tree).into_iter();
            goals.extend(vectors.map(|vector| Goal::Vector(id, Box::new(vector))));
        }
    }
    goals
}

/// Covered by every test with that evaluation.
pub fn judge(evidence: &Evidence, goal: &Goal) -> Verdict {
    let (tests, decision) = match goal {
        Goal::Vector(decision, vector) => {
            let has = |seen: &DecisionEvidence| seen.vectors.binary_search(vector).is_ok();
            (evidence.tests_at(*decision, has), *decision)
        }
        Goal::EveryVector(decision) => (Vec::new(), *decision),
        _ => unreachable!("invariant: planned here"),
    };
    covered_by(tests, || decision::never_so(evidence, decision))
}

/// The verdict on all vectors of a decision with too many of them.
pub(crate) fn too_many(program: &Program, decision: DecisionId) -> Verdict {
    let count = Some(count(&program.decision(decision).tree)).filter(|count| *count < u128::MAX);
    Verdict::Unresolved(Limit::TooMany(TooMany::Vectors(count, MOST_LISTED as u64)))
}

/// How many evaluation vectors a decision has, up to the largest number.
pub fn count(tree: &BoolTree) -> u128 {
    // Per node, the vectors of its subtree that give false, and true.
    let mut counts: Vec<[u128; 2]> = Vec::with_capacity(tree.nodes().len());
    for node in tree.nodes() {
        let of = |id: NodeId| counts[id.index()];
        let mut sums = [0_u128; 2];
        let mut add = |result: bool, ways: u128| {
            let sum = &mut sums[usize::from(result)];
            *sum = sum.saturating_add(ways);
        };
        let values = [false, true];
        match *node {
            Node::Condition(_) => {
                for value in values {
                    add(value, 1);
                }
            }
            Node::Not(operand) => {
                for value in values {
                    add(!value, of(operand)[usize::from(value)]);
                }
            }
            Node::Binary(operator, left, right) => {
                for first in values {
                    let ways = of(left)[usize::from(first)];
                    if operator.skips_right(first) {
                        add(first, ways);
                        continue;
                    }
                    for second in values {
                        let both = ways.saturating_mul(of(right)[usize::from(second)]);
                        add(operator.apply(first, second), both);
                    }
                }
            }
            Node::Choose(circuit, test, then, otherwise) => {
                for tested in values {
                    let ways = of(test)[usize::from(tested)];
                    let [taken, other] = if tested { [then, otherwise] } else { [otherwise, then] };
                    let others = match circuit {
                        Circuit::Short => 1,
                        Circuit::Full => of(other)[0].saturating_add(of(other)[1]),
                    };
                    for value in values {
                        let arm = of(taken)[usize::from(value)];
                        add(value, ways.saturating_mul(arm).saturating_mul(others));
                    }
                }
            }
        }
        counts.push(sums);
    }
    let [with_false, with_true] = counts[tree.root().index()];
    with_false.saturating_add(with_true)
}

/// All evaluation vectors, true before false from the left.
pub fn list(tree: &BoolTree) -> Vec<Evaluation> {
    let free = vec![None; tree.conditions()];
    if tree.conditions() <= 64 {
        list_by(&Marker::<u64>::new(tree, &free))
    } else {
        list_by(&Marker::<BitSet>::new(tree, &free))
    }
}

fn list_by<S: Conditions>(marker: &Marker<S>) -> Vec<Evaluation> {
    let mut vectors = Vec::new();
    let mut open = vec![(marker.start(), vec![None; marker.conditions()])];
    while let Some((activation, values)) = open.pop() {
        // The last one pushed is continued first.
        for value in [false, true] {
            let (mut activation, mut values) = (activation.clone(), values.clone());
            let condition = activation.expected();
            values[condition] = Some(value);
            match marker.mark(&mut activation, condition, value).outcome() {
                None => open.push((activation, values)),
                Some(outcome) => vectors.push(Evaluation::from_values(&values, outcome)),
            }
        }
    }
    vectors.sort_unstable_by_key(|vector| std::cmp::Reverse(vector.vector()));
    vectors
}
