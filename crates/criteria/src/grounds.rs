//! Grounds: what a verdict of *covered* rests on, for whoever takes tests away.
//!
//! A verdict names every test that has a part in it. That does not say which tests
//! may go: where a half of MC/DC counts only with its partner, a test of each side
//! has to stay, and not any two, but two that go together. [`Grounds`] say so: an obligation
//! stays covered as long as one of its [`Way`]s has a test left in each of its sets.

use obligato_model::{
    Assessment, BitSet, Condition, ConditionId, Criterion, DecisionId, Goal, Independence,
    Obligation, Program, TestId, Verdict,
};

use crate::evidence::Evidence;
use crate::mcdc::fixing_the_outcome;
use crate::unique_cause::UniqueCause;

/// One way to cover an obligation: a test from each of these sets, none of which is empty.
pub type Way = Vec<Vec<TestId>>;

/// All ways in which tests of a suite cover an obligation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grounds {
    /// Each is enough; without any, the obligation is not covered.
    pub ways: Vec<Way>,
}

/// The grounds of every covered obligation, in the order of the plan. The assessment has to
/// be one of this evidence.
pub fn grounds(program: &Program, assessment: &Assessment, evidence: &Evidence) -> Vec<Grounds> {
    let mut pairs = Pairs { program, evidence, alone: None, paired: None };
    let judged = assessment.plan.obligations.iter().zip(&assessment.verdicts);
    let covered = judged.filter_map(|(obligation, verdict)| match verdict {
        Verdict::Covered { tests, .. } => Some((obligation, tests)),
        _ => None,
    });
    covered.map(|(obligation, tests)| Grounds { ways: pairs.ways(obligation, tests) }).collect()
}

/// Finds the ways, keeping what it knows of the last decision.
struct Pairs<'a> {
    program: &'a Program,
    evidence: &'a Evidence,
    /// The conditions whose halves stand alone by masking.
    alone: Option<(DecisionId, BitSet)>,
    /// The pairs of each condition by unique cause.
    paired: Option<(DecisionId, Vec<Vec<Way>>)>,
}

impl Pairs<'_> {
    fn ways(&mut self, obligation: &Obligation, tests: &[TestId]) -> Vec<Way> {
        match (obligation.criterion, &obligation.goal) {
            (Criterion::Mcdc(Independence::Masking), Goal::Independence(condition, value)) => {
                self.masking(*condition, *value, tests)
            }
            (Criterion::Mcdc(Independence::UniqueCause), Goal::Independence(condition, _)) => {
                self.unique_cause(*condition)
            }
            // All these are met within one test.
            (
                _,
                Goal::Enter(_)
                | Goal::Leave(_)
                | Goal::Execute(_)
                | Goal::Switch(_)
                | Goal::Outcome(..)
                | Goal::Value(..)
                | Goal::Vector(..)
                | Goal::EveryVector(_)
                | Goal::Independence(..)
                | Goal::Boundary(..)
                | Goal::Kill(_),
            ) => vec![vec![tests.to_vec()]],
        }
    }

    fn masking(&mut self, condition: ConditionId, value: bool, tests: &[TestId]) -> Vec<Way> {
        let Condition { decision, ordinal, .. } = *self.program.condition(condition);
        let tree = &self.program.decision(decision).tree;
        let alone = known(&mut self.alone, decision, || fixing_the_outcome(tree));
        if alone.contains(ordinal) {
            return vec![vec![tests.to_vec()]];
        }
        let shows = |value, outcome| {
            self.evidence.tests_at(decision, |seen| seen.showed(ordinal, value, outcome))
        };
        let pairs =
            [true, false].map(|outcome| vec![shows(value, outcome), shows(!value, !outcome)]);
        pairs.into_iter().filter(|way| way.iter().all(|tests| !tests.is_empty())).collect()
    }

    fn unique_cause(&mut self, condition: ConditionId) -> Vec<Way> {
        let Condition { decision, ordinal, .. } = *self.program.condition(condition);
        let search = || UniqueCause::new(self.program, self.evidence).ways(decision);
        known(&mut self.paired, decision, search)[ordinal].clone()
    }
}

/// What is known of a decision, found out unless it was the last one asked for.
fn known<T>(
    last: &mut Option<(DecisionId, T)>,
    decision: DecisionId,
    find_out: impl FnOnce() -> T,
) -> &T {
    if last.as_ref().is_none_or(|(known, _)| *known != decision) {
        *last = None;
    }
    &last.get_or_insert_with(|| (decision, find_out())).1
}
