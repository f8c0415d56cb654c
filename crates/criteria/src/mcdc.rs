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
    BoolTree, ConditionId, Goal, Independence, Limit, Node, Operator, Pair, Program, Shortfall,
    TestId, Verdict,
};

use crate::evidence::Evidence;
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
    let mut unique_cause = UniqueCause::new(program, evidence);
    Box::new(move |goal| {
        let Goal::Independence(condition, value) = *goal else {
            return entry_exit::judge(program, evidence, goal);
        };
        let shown = match independence {
            Independence::Masking => masking(program, evidence, condition, value),
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

/// The tests that show a half, and a pair if the other half is shown too.
fn masking(
    program: &Program,
    evidence: &Evidence,
    condition: ConditionId,
    value: bool,
) -> Option<(Vec<TestId>, Option<Pair>)> {
    let home = program.condition(condition);
    let alone = fixes_outcome(&program.decision(home.decision).tree, home.ordinal);
    let mut tests = Vec::new();
    let mut pair = None;
    for outcome in [true, false] {
        let shows = |value, outcome| {
            evidence.tests_where(|test| test.showed(program, condition, value, outcome))
        };
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

/// How far the suite got with a half that is not shown.
pub fn shortfall(
    program: &Program,
    evidence: &Evidence,
    condition: ConditionId,
    value: bool,
) -> Shortfall {
    let showed = |outcome| evidence.any(|test| test.showed(program, condition, value, outcome));
    if showed(true) || showed(false) {
        Shortfall::NoPartner
    } else if evidence.any(|test| test.took(program, condition, value)) {
        Shortfall::AlwaysMasked
    } else {
        condition::never_taken(program, evidence, condition)
    }
}

/// Does an unmasked value of the condition fix the decision's outcome?
pub fn fixes_outcome(tree: &BoolTree, ordinal: usize) -> bool {
    !tree.nodes().iter().any(|node| match *node {
        Node::Binary(Operator::Xor | Operator::Equal, left, right) => {
            tree.conditions_of(left).contains(&ordinal)
                || tree.conditions_of(right).contains(&ordinal)
        }
        Node::Choose(_, test, _, _) => tree.conditions_of(test).contains(&ordinal),
        _ => false,
    })
}
