//! The truth table of a decision: which evaluations it can have, which conditions decide in each, and
//! which tests have it.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use obligato_model::{BitSet, DecisionId, Evaluation, Program, TestId};

use crate::Evidence;
use crate::marking::unmasked;
use crate::mcc;

/// Of a decision with more rows only those that were executed are listed.
pub const MOST_ROWS: u128 = 64;

/// The rows of a decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TruthTable {
    /// Are rows listed that no test has?
    pub complete: bool,
    /// True before false from the left.
    pub rows: Vec<Row>,
}

/// An evaluation of the decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The value of each condition, and the outcome.
    pub evaluation: Evaluation,
    /// The conditions that decide the outcome.
    pub deciding: BitSet,
    /// The tests that have it.
    pub tests: Vec<TestId>,
}

impl TruthTable {
    /// The table of a decision over evidence with whole evaluations.
    pub fn new(program: &Program, id: DecisionId, evidence: &Evidence) -> Self {
        let tree = &program.decision(id).tree;
        let complete = mcc::count(tree) <= MOST_ROWS;
        let constants = program.constants_of(id);
        let feasible = |evaluation: &Evaluation| {
            let mut fixed = constants.iter().enumerate();
            fixed.all(|(at, fixed)| {
                fixed.is_none_or(|fixed| evaluation.value(at).is_none_or(|value| value == fixed))
            })
        };
        let mut tests: BTreeMap<Reverse<String>, (Evaluation, Vec<TestId>)> = BTreeMap::new();
        let listed = if complete { mcc::list(tree) } else { Vec::new() };
        for evaluation in listed.into_iter().filter(feasible) {
            tests.insert(Reverse(evaluation.vector()), (evaluation, Vec::new()));
        }
        for (test, seen) in evidence.of_decision(id) {
            for evaluation in &seen.vectors {
                let row = tests.entry(Reverse(evaluation.vector()));
                let row = row.or_insert_with(|| (evaluation.clone(), Vec::new()));
                row.1.push(test);
            }
        }
        let row = |(evaluation, tests)| {
            let deciding = unmasked(tree, &constants, &evaluation);
            let deciding = deciding.expect("invariant: an evaluation of this tree");
            Row { evaluation, deciding, tests }
        };
        Self { complete, rows: tests.into_values().map(row).collect() }
    }
}
