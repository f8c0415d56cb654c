//! Modified condition/decision coverage: each condition is shown to decide its
//! decision's outcome. Each condition owes two halves, (c, true) and (c, false).
//!
//! *Masking* (the default; correlated active clause coverage): two evaluations
//! have c unmasked with opposite values and opposite outcomes. Where nothing but
//! `and`, `or`, `not`, `=>` and the arms of choices lies between c and the root,
//! an unmasked value fixes the outcome, and each half stands alone. Below `xor`,
//! `=` or as the test of a choice it does not: `a xor b` on (T,F) and (F,T) shows
//! nothing, and a half counts only with its partner.
//!
//! *Unique cause* (restricted active clause coverage): moreover no other
//! condition that both evaluations reach differs. See [`crate::unique_cause`].

use obligato_model::{
    BitSet, BoolTree, Condition, ConditionId, DecisionId, Goal, Independence, Limit, Node, NodeId,
    Operator, Pair, Program, Shortfall, TestId, Verdict,
};

use crate::evidence::{DecisionEvidence, Evidence};
use crate::unique_cause::UniqueCause;
use crate::{condition, entry_exit, omcdc};

/// Two goals per condition, and the entry and exit points.
pub fn plan(program: &Program) -> Vec<Goal> {
    let mut goals = omcdc::plan(program);
    goals.extend(entry_exit::plan(program));
    goals
}

/// A judge for one kind of independence.
pub fn judge<'a>(
    program: &'a Program,
    evidence: &'a Evidence,
    independence: Independence,
) -> Box<dyn FnMut(&Goal) -> Verdict + 'a> {
    let mut masking = Masking { program, evidence, current: None };
    let mut unique_cause = UniqueCause::new(program, evidence);
    Box::new(move |goal| {
        let Goal::Independence(condition, value) = *goal else {
            return entry_exit::judge(program, evidence, goal);
        };
        let shown = match independence {
            Independence::Masking => masking.show(condition, value),
            Independence::UniqueCause => unique_cause.show(condition, value),
        };
        match shown {
            Some((tests, pair)) => Verdict::Covered { tests, pair },
            None => {
                Verdict::Unresolved(Limit::Suite(shortfall(program, evidence, condition, value)))
            }
        }
    })
}

/// Shows halves by masking, keeping what it knows of the last decision.
struct Masking<'a> {
    program: &'a Program,
    evidence: &'a Evidence,
    current: Option<(DecisionId, BitSet)>,
}

impl Masking<'_> {
    /// The tests that show a half, and a pair if the other half is shown too.
    fn show(&mut self, condition: ConditionId, value: bool) -> Option<(Vec<TestId>, Option<Pair>)> {
        let Condition { decision, ordinal, .. } = *self.program.condition(condition);
        let alone = self.halves_that_stand_alone(decision).contains(ordinal);
        let shows = |value, outcome| {
            self.evidence.tests_at(decision, |seen| seen.showed(ordinal, value, outcome))
        };
        let mut tests = Vec::new();
        let mut pair = None;
        for outcome in [true, false] {
            let halves = shows(value, outcome);
            let partners = shows(!value, !outcome);
            if let (Some(&half), Some(&partner)) = (halves.first(), partners.first()) {
                let (with_true, with_false) = if value { (half, partner) } else { (partner, half) };
                pair = pair.or(Some(Pair { with_true, with_false }));
            } else if !alone {
                continue;
            }
            tests.extend(halves);
        }
        tests.sort_unstable();
        tests.dedup();
        (!tests.is_empty()).then_some((tests, pair))
    }

    fn halves_that_stand_alone(&mut self, decision: DecisionId) -> &BitSet {
        if self.current.as_ref().is_none_or(|(known, _)| *known != decision) {
            let tree = &self.program.decision(decision).tree;
            self.current = Some((decision, fixing_the_outcome(tree)));
        }
        &self.current.as_ref().expect("invariant: just computed").1
    }
}

/// How far the suite got with a half that is not shown.
pub fn shortfall(
    program: &Program,
    evidence: &Evidence,
    condition: ConditionId,
    value: bool,
) -> Shortfall {
    let Condition { decision, ordinal, .. } = *program.condition(condition);
    let any = |shows: &dyn Fn(&DecisionEvidence) -> bool| {
        evidence.of_decision(decision).any(|(_, seen)| shows(seen))
    };
    if any(&|seen| seen.showed_at_all(ordinal, value)) {
        Shortfall::NoPartner
    } else if any(&|seen| seen.took(ordinal, value)) {
        // Abandoned evaluations are not told apart by condition; that none of the
        // decision's ended is certain.
        if any(&DecisionEvidence::finished) {
            Shortfall::AlwaysMasked
        } else {
            Shortfall::NeverFinished
        }
    } else {
        condition::never_taken(program, evidence, condition)
    }
}

/// The conditions whose unmasked value fixes the decision's outcome.
pub fn fixing_the_outcome(tree: &BoolTree) -> BitSet {
    let mut fixing = BitSet::empty(tree.conditions());
    let mut correlated = vec![true; tree.nodes().len()];
    // Top-down: a subtree is as its parent, unless the parent can turn it either way.
    for index in (0..tree.nodes().len()).rev() {
        let here = correlated[index];
        let mut child = |id: NodeId, keeps: bool| correlated[id.index()] = here && keeps;
        match tree.nodes()[index] {
            Node::Condition(condition) => {
                if here {
                    fixing.insert(condition as usize);
                }
            }
            Node::Not(operand) => child(operand, true),
            Node::Binary(operator, left, right) => {
                let keeps = !matches!(operator, Operator::Xor | Operator::Equal);
                child(left, keeps);
                child(right, keeps);
            }
            Node::Choose(_, test, then, otherwise) => {
                child(test, false);
                child(then, true);
                child(otherwise, true);
            }
        }
    }
    fixing
}
