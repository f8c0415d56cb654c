//! One evaluation of a decision.

use std::fmt;

use crate::BitSet;

/// What one evaluation of a decision did: each condition was true, false, or
/// skipped, and the decision came out one way.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Evaluation {
    conditions: u32,
    evaluated: BitSet,
    values: BitSet,
    /// What the decision came out as.
    pub outcome: bool,
}

impl Evaluation {
    /// The evaluation in which `evaluated` conditions had the given `values`.
    pub fn new(conditions: usize, evaluated: BitSet, values: &BitSet, outcome: bool) -> Self {
        let values = values.and(&evaluated);
        Self { conditions: conditions as u32, evaluated, values, outcome }
    }

    /// The evaluation with the given value, or `None` for skipped, per condition.
    pub fn from_values(values: &[Option<bool>], outcome: bool) -> Self {
        let mut evaluated = BitSet::empty(values.len());
        let mut held = BitSet::empty(values.len());
        for (condition, value) in values.iter().enumerate() {
            if let Some(value) = value {
                evaluated.insert(condition);
                if *value {
                    held.insert(condition);
                }
            }
        }
        Self { conditions: values.len() as u32, evaluated, values: held, outcome }
    }

    /// How many conditions the decision has.
    pub fn conditions(&self) -> usize {
        self.conditions as usize
    }

    /// The value of `condition`, or `None` if it was skipped.
    pub fn value(&self, condition: usize) -> Option<bool> {
        self.evaluated.contains(condition).then(|| self.values.contains(condition))
    }

    /// The conditions that were not skipped.
    pub fn evaluated(&self) -> &BitSet {
        &self.evaluated
    }

    /// The conditions that were true.
    pub fn values(&self) -> &BitSet {
        &self.values
    }

    /// The conditions alone, as a row of a truth table: `TF-`.
    pub fn vector(&self) -> String {
        (0..self.conditions()).map(|condition| letter(self.value(condition))).collect()
    }
}

fn letter(value: Option<bool>) -> char {
    match value {
        Some(true) => 'T',
        Some(false) => 'F',
        None => '-',
    }
}

impl fmt::Display for Evaluation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} -> {}", self.vector(), letter(Some(self.outcome)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_evaluation_prints_as_a_row_of_a_truth_table() {
        let evaluation = Evaluation::from_values(&[Some(true), None, Some(false)], false);
        assert_eq!(evaluation.to_string(), "T-F -> F");
        assert_eq!(evaluation.value(1), None);
    }

    #[test]
    fn a_skipped_condition_has_no_value_left_over() {
        let evaluation =
            Evaluation::new(2, BitSet::from_word(0b01), &BitSet::from_word(0b10), false);
        assert_eq!(evaluation, Evaluation::from_values(&[Some(false), None], false));
    }
}
