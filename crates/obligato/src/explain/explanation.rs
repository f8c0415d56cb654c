//! What there is to say of one decision in one instance, as data.

use std::collections::HashMap;

use obligato_campaign::{Knowledge, assess};
use obligato_criteria::evidence::DecisionEvidence;
use obligato_criteria::truth_table::{self, TruthTable};
use obligato_criteria::{Evidence, plan};
use obligato_model::{
    BitSet, Condition, ConditionId, Criterion, DecisionId, Evaluation, Goal, Independence, Program,
    Span, TestId, Verdict,
};

use crate::error::Error;

/// So many tests are followed for an effect that is not observed.
const MOST_FOLLOWED: usize = 3;

/// What there is to say of one decision in one instance.
pub struct Explanation {
    /// The file, as keys know it.
    pub file: String,
    /// Where it stands.
    pub span: Span,
    /// Its text.
    pub text: String,
    /// The instance it is part of.
    pub instance: String,
    /// Are rows listed that were not executed?
    pub complete: bool,
    /// True before false from the left.
    pub rows: Vec<Row>,
    /// From left to right.
    pub conditions: Vec<ConditionExplained>,
}

/// An evaluation of the decision.
pub struct Row {
    /// The value of each condition, and the outcome.
    pub evaluation: Evaluation,
    /// The conditions that decide the outcome.
    pub deciding: BitSet,
    /// The tests that have it, by name.
    pub tests: Vec<String>,
}

/// What there is to say of one condition.
pub struct ConditionExplained {
    id: ConditionId,
    /// Its text.
    pub text: String,
    /// Its value, if it can only have one.
    pub constant: Option<bool>,
    /// Being true, and being false.
    pub halves: [Half; 2],
    /// Two rows, counted from 1, that differ in this condition alone and in the outcome.
    pub twins: Vec<(usize, usize)>,
    /// By masking, then by unique cause: the two tests that show it, or what is missing.
    pub pairs: [(Criterion, Shown); 2],
}

/// Whether both values of a condition are shown.
pub enum Shown {
    /// By these tests: with true, with false.
    By(String, String),
    /// Not.
    Not,
}

/// A condition having one value.
pub struct Half {
    /// The value.
    pub value: bool,
    /// The rows, counted from 1, in which it decides the outcome.
    pub rows: Vec<usize>,
    /// The tests in which it does, by name.
    pub tests: Vec<String>,
    /// The tests in which its effect is observed, by name; none if nobody watched, as in tests that ran elsewhere.
    pub observed: Option<Vec<String>>,
    /// If there are none, where the effect got lost in some tests.
    pub losses: Vec<String>,
    to_follow: Vec<TestId>,
}

impl Explanation {
    /// Everything but where effects got lost.
    pub(super) fn new(program: &Program, id: DecisionId, verdicts: &Verdicts<'_>) -> Self {
        let evidence = verdicts.evidence;
        let decision = program.decision(id);
        let function = program.function(decision.function);
        let TruthTable { complete, rows } = TruthTable::new(program, id, evidence);
        let rows: Vec<Row> = rows.into_iter().map(|row| Row::new(row, evidence)).collect();
        let conditions = (0..decision.tree.conditions()).map(|ordinal| {
            let condition = program.condition_at(id, ordinal);
            let Condition { text, constant, .. } = program.condition(condition);
            let half = |value| Half::new(evidence, id, ordinal, condition, value, &rows);
            ConditionExplained {
                id: condition,
                text: text.clone(),
                constant: *constant,
                halves: [half(true), half(false)],
                twins: if complete { twins(&rows, ordinal) } else { Vec::new() },
                pairs: PAIRS.map(|criterion| (criterion, verdicts.shown(criterion, condition))),
            }
        });
        Self {
            file: program.file(function.file).to_owned(),
            span: decision.span,
            text: decision.text.clone(),
            instance: function.name.clone(),
            complete,
            conditions: conditions.collect(),
            rows,
        }
    }

    /// The tests whose effects are worth following.
    pub(super) fn tests_to_follow(&self) -> impl Iterator<Item = TestId> {
        let halves = self.conditions.iter().flat_map(|condition| &condition.halves);
        halves.flat_map(|half| half.to_follow.iter().copied())
    }

    /// Follows the effects that are not observed; `trace` says where one got lost.
    pub(super) fn follow(
        &mut self,
        mut trace: impl FnMut(ConditionId, bool, TestId) -> Result<Vec<String>, Error>,
    ) -> Result<(), Error> {
        for condition in &mut self.conditions {
            for half in &mut condition.halves {
                for test in &half.to_follow {
                    half.losses.extend(trace(condition.id, half.value, *test)?);
                }
            }
        }
        Ok(())
    }
}

impl Row {
    fn new(row: truth_table::Row, evidence: &Evidence) -> Self {
        let truth_table::Row { evaluation, deciding, tests } = row;
        let name = |test: TestId| evidence.tests()[test.index()].name.clone();
        Self { evaluation, deciding, tests: tests.into_iter().map(name).collect() }
    }
}

impl Half {
    fn new(
        evidence: &Evidence,
        decision: DecisionId,
        ordinal: usize,
        condition: ConditionId,
        value: bool,
        rows: &[Row],
    ) -> Self {
        let name = |test: &TestId| evidence.tests()[test.index()].name.clone();
        let semantics = evidence.watched.effects.first().copied();
        let decides = |row: &&(usize, &Row)| {
            row.1.deciding.contains(ordinal) && row.1.evaluation.value(ordinal) == Some(value)
        };
        let showing = evidence
            .tests_at(decision, |seen: &DecisionEvidence| seen.showed_at_all(ordinal, value));
        let observed: Option<Vec<TestId>> = semantics.map(|semantics| {
            evidence.tests_where(|test| {
                test.observed(semantics).is_some_and(|seen| {
                    seen.conditions[usize::from(value)].contains(condition.index())
                })
            })
        });
        let is_lost = observed.as_ref().is_some_and(Vec::is_empty);
        let followed = if is_lost { MOST_FOLLOWED } else { 0 };
        let numbered: Vec<(usize, &Row)> = (1..).zip(rows).collect();
        Self {
            value,
            rows: numbered.iter().filter(decides).map(|(number, _)| *number).collect(),
            tests: showing.iter().map(name).collect(),
            observed: observed.map(|tests| tests.iter().map(name).collect()),
            losses: Vec::new(),
            to_follow: showing.into_iter().take(followed).collect(),
        }
    }
}

/// The pairs of rows that differ in one condition alone, and in the outcome.
fn twins(rows: &[Row], ordinal: usize) -> Vec<(usize, usize)> {
    let mut twins = Vec::new();
    for (first, one) in (1..).zip(rows) {
        let partners = (1..).zip(rows).filter(|(_, other)| {
            let (a, b) = (&one.evaluation, &other.evaluation);
            let others = (0..a.conditions()).filter(|at| *at != ordinal);
            a.value(ordinal) == Some(true)
                && b.value(ordinal) == Some(false)
                && a.outcome != b.outcome
                && { others }.all(|at| a.value(at) == b.value(at))
        });
        twins.extend(partners.map(|(second, _)| (first, second)));
    }
    twins
}

const PAIRS: [Criterion; 2] =
    [Criterion::Mcdc(Independence::Masking), Criterion::Mcdc(Independence::UniqueCause)];

/// What the criteria say of the conditions of some decisions.
pub struct Verdicts<'a> {
    evidence: &'a Evidence,
    all: HashMap<(Criterion, ConditionId), Vec<Verdict>>,
}

impl<'a> Verdicts<'a> {
    /// Judges the decisions.
    pub fn new(
        program: &Program,
        decisions: &[DecisionId],
        evidence: &'a Evidence,
    ) -> Result<Self, Error> {
        let of = |goal: &Goal| match *goal {
            Goal::Independence(condition, _) => Some(condition),
            _ => None,
        };
        let mut plan = plan(program, &PAIRS);
        plan.obligations.retain(|one| {
            let decision = of(&one.goal).map(|condition| program.condition(condition).decision);
            decision.is_some_and(|decision| decisions.contains(&decision))
        });
        let assessment = assess(program, plan, evidence, &Knowledge::default())
            .map_err(|error| Error::Internal(error.to_string()))?;
        let mut all: HashMap<_, Vec<Verdict>> = HashMap::new();
        for (one, verdict) in assessment.plan.obligations.iter().zip(assessment.verdicts) {
            if let Some(condition) = of(&one.goal) {
                all.entry((one.criterion, condition)).or_default().push(verdict);
            }
        }
        Ok(Self { evidence, all })
    }

    fn shown(&self, criterion: Criterion, condition: ConditionId) -> Shown {
        let name = |test: TestId| self.evidence.tests()[test.index()].name.clone();
        let verdicts = self.all.get(&(criterion, condition)).into_iter().flatten();
        let pair = { verdicts }.find_map(|verdict| match verdict {
            Verdict::Covered { pair, .. } => *pair,
            _ => None,
        });
        pair.map_or(Shown::Not, |pair| Shown::By(name(pair.with_true), name(pair.with_false)))
    }
}
