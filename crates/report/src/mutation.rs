//! Mutants by kind of fault.

use std::collections::BTreeMap;

use obligato_model::Verdict;
use serde::Serialize;

use crate::report::{DetailedObligation, Report};

/// What became of the mutants of one kind of fault.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct FaultRow {
    /// The criterion by which they are told from the original.
    pub source: String,
    /// The kind of fault.
    pub operator: String,
    /// Told from the original by a test.
    pub killed: usize,
    /// Proved to be equivalent.
    pub equivalent: usize,
    /// Left by a person's reason.
    pub justified: usize,
    /// Neither.
    pub survived: usize,
}

impl FaultRow {
    /// All of them.
    pub fn total(&self) -> usize {
        self.killed + self.equivalent + self.justified + self.survived
    }
}

/// A row per source and kind of fault.
pub fn by_operator(report: &Report) -> Vec<FaultRow> {
    let mut rows: BTreeMap<(String, String), FaultRow> = BTreeMap::new();
    for DetailedObligation { stored: one, details: more } in report.obligations() {
        let Some(operator) = more.and_then(|more| more.operator.clone()) else { continue };
        let row = row_of(&mut rows, one.criterion.title(), operator);
        *match one.verdict {
            Verdict::Covered { .. } => &mut row.killed,
            Verdict::Uncoverable(_) => &mut row.equivalent,
            Verdict::Justified(_) => &mut row.justified,
            Verdict::Unresolved(_) => &mut row.survived,
        } += 1;
    }
    rows.into_values().collect()
}

fn row_of(
    rows: &mut BTreeMap<(String, String), FaultRow>,
    source: String,
    operator: String,
) -> &mut FaultRow {
    let row = rows.entry((source.clone(), operator.clone())).or_default();
    (row.source, row.operator) = (source, operator);
    row
}
