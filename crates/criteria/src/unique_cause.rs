//! Pairs for unique-cause MC/DC.
//!
//! Two evaluations show condition c when c is unmasked in both with opposite
//! values and outcomes, and every other condition that both evaluate is the
//! same. Skipped conditions match anything, so equal vectors cannot simply be
//! looked up. But evaluations fall into groups by *which* conditions they evaluate
//! (one group without short circuit), and between two groups the conditions that
//! must agree are known: a hash join on those finds the pairs without comparing
//! every evaluation with every other. With short circuit there may be as many
//! groups as evaluations, and then most pairs of groups share no condition that is
//! unmasked in both, which is one comparison of sets.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use obligato_model::{BitSet, ConditionId, DecisionId, Evaluation, Pair, Program, TestId};
use rustc_hash::FxBuildHasher;

use crate::evidence::Evidence;
use crate::grounds::Way;
use crate::marking::unmasked;

/// Finds pairs, decision by decision, keeping those of the last one.
pub struct UniqueCause<'a> {
    program: &'a Program,
    evidence: &'a Evidence,
    current: Option<(DecisionId, Vec<Shown>)>,
}

/// What shows one condition.
#[derive(Clone, Debug, Default)]
struct Shown {
    /// Tests with a half of a pair in which the condition is false, and true.
    tests: [BTreeSet<TestId>; 2],
    /// The first pair: first by its earlier test, then by its later one.
    pair: Option<(TestId, TestId, Pair)>,
}

impl Shown {
    fn take(&mut self, matching: &Matching<'_>) {
        for (side, rows) in [&matching.with_false, &matching.with_true].into_iter().enumerate() {
            self.tests[side].extend(rows.iter().flat_map(|row| &row.tests));
        }
        for row in &matching.with_true {
            for partner in &matching.with_false {
                let pair = Pair { with_true: row.tests[0], with_false: partner.tests[0] };
                let (early, late) =
                    (pair.with_true.min(pair.with_false), pair.with_true.max(pair.with_false));
                if self.pair.is_none_or(|(a, b, _)| (early, late) < (a, b)) {
                    self.pair = Some((early, late, pair));
                }
            }
        }
    }
}

/// Rows with a condition true and rows with it false, each of which goes with each.
#[derive(Debug, Default)]
struct Matching<'r> {
    with_true: Vec<&'r Row>,
    with_false: Vec<&'r Row>,
}

/// An evaluation with the tests that had it.
#[derive(Debug)]
struct Row {
    evaluation: Evaluation,
    unmasked: BitSet,
    tests: Vec<TestId>,
}

impl<'a> UniqueCause<'a> {
    /// Looks for pairs in `evidence`, which must have kept its vectors.
    pub fn new(program: &'a Program, evidence: &'a Evidence) -> Self {
        Self { program, evidence, current: None }
    }

    /// The tests that have the half (condition, value) of a pair, and a pair.
    pub fn show(
        &mut self,
        condition: ConditionId,
        value: bool,
    ) -> Option<(Vec<TestId>, Option<Pair>)> {
        let home = self.program.condition(condition);
        if self.current.as_ref().is_none_or(|(decision, _)| *decision != home.decision) {
            self.current = Some((home.decision, self.search(home.decision)));
        }
        let (_, shown) = self.current.as_ref().expect("invariant: just searched");
        let shown = &shown[home.ordinal];
        let (_, _, pair) = shown.pair?;
        Some((shown.tests[usize::from(value)].iter().copied().collect(), Some(pair)))
    }

    fn search(&self, decision: DecisionId) -> Vec<Shown> {
        let mut shown = vec![Shown::default(); self.program.decision(decision).tree.conditions()];
        self.visit(decision, |condition, matching| shown[condition].take(&matching));
        shown
    }

    /// Per condition of a decision, the ways in which two tests show it: by any test of the
    /// first set with any of the second.
    pub fn ways(&self, decision: DecisionId) -> Vec<Vec<Way>> {
        let mut ways = vec![Vec::new(); self.program.decision(decision).tree.conditions()];
        self.visit(decision, |condition, Matching { with_true, with_false }| {
            ways[condition].push([with_true, with_false].map(tests_of).into());
        });
        ways
    }

    /// Visits all pairs of a decision: every row of one side of a matching goes with every row
    /// of the other.
    fn visit(&self, decision: DecisionId, mut take: impl FnMut(usize, Matching<'_>)) {
        let groups = self.groups(decision);
        // The conditions true and unmasked somewhere in a group, and those false.
        let halves: Vec<[BitSet; 2]> = groups.iter().map(|rows| unmasked_halves(rows)).collect();
        for (first, [_, with_true]) in groups.iter().zip(&halves) {
            for (second, [with_false, _]) in groups.iter().zip(&halves) {
                let candidates = with_true.and(with_false);
                if candidates.is_empty() {
                    continue;
                }
                let shared = first[0].evaluation.evaluated().and(second[0].evaluation.evaluated());
                for condition in candidates.iter() {
                    for matching in join(first, second, &shared, condition) {
                        take(condition, matching);
                    }
                }
            }
        }
    }

    /// The distinct evaluations of a decision, by the conditions they evaluate.
    fn groups(&self, decision: DecisionId) -> Vec<Vec<Row>> {
        let tree = &self.program.decision(decision).tree;
        let constants = self.program.constants_of(decision);
        let mut tests: BTreeMap<&Evaluation, Vec<TestId>> = BTreeMap::new();
        for (test, seen) in self.evidence.of_decision(decision) {
            for vector in &seen.vectors {
                tests.entry(vector).or_default().push(test);
            }
        }
        let mut groups: BTreeMap<&BitSet, Vec<Row>> = BTreeMap::new();
        for (evaluation, tests) in tests {
            let unmasked =
                unmasked(tree, &constants, evaluation).expect("invariant: collected by marking");
            groups.entry(evaluation.evaluated()).or_default().push(Row {
                evaluation: evaluation.clone(),
                unmasked,
                tests,
            });
        }
        groups.into_values().collect()
    }
}

/// The conditions that are unmasked and false in some row, and those that are true.
fn unmasked_halves(rows: &[Row]) -> [BitSet; 2] {
    let mut halves = [rows[0].unmasked.clone(), rows[0].unmasked.clone()];
    for half in &mut halves {
        half.clear();
    }
    for row in rows {
        halves[0].unite(&row.unmasked.minus(row.evaluation.values()));
        halves[1].unite(&row.unmasked.and(row.evaluation.values()));
    }
    halves
}

/// Pairs the rows of `first` in which the condition is true with those of
/// `second` in which it is false, in the order of the former.
fn join<'r>(
    first: &'r [Row],
    second: &'r [Row],
    shared: &BitSet,
    condition: usize,
) -> Vec<Matching<'r>> {
    let mut fixed = shared.clone();
    fixed.remove_range(condition..condition + 1);
    let side = |rows: &'r [Row], value: bool| {
        rows.iter().filter(move |row| {
            row.unmasked.contains(condition) && row.evaluation.value(condition) == Some(value)
        })
    };
    let key = |row: &Row, outcome: bool| (row.evaluation.values().and(&fixed), outcome);
    let mut places: HashMap<(BitSet, bool), usize, FxBuildHasher> = HashMap::default();
    let mut matchings: Vec<Matching<'r>> = Vec::new();
    for row in side(first, true) {
        let place = *places.entry(key(row, row.evaluation.outcome)).or_insert_with(|| {
            matchings.push(Matching::default());
            matchings.len() - 1
        });
        matchings[place].with_true.push(row);
    }
    for row in side(second, false) {
        if let Some(&place) = places.get(&key(row, !row.evaluation.outcome)) {
            matchings[place].with_false.push(row);
        }
    }
    matchings.retain(|matching| !matching.with_false.is_empty());
    matchings
}

/// The tests that had one of these rows, in order.
fn tests_of(rows: Vec<&Row>) -> Vec<TestId> {
    let tests: BTreeSet<TestId> = rows.into_iter().flat_map(|row| &row.tests).copied().collect();
    tests.into_iter().collect()
}
