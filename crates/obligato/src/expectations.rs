//! What tests expect of outputs, held against what they were: the same for every language.
//!
//! A test whose expected outputs do not come out fails, and what it executes counts for nothing unless a person says so
//! ([`FailingTests`]). A test that ends before an expected output is there fails too.

use std::collections::{HashMap, HashSet};

use obligato_criteria::Evidence;
use obligato_model::{Program, Step, TestId, Value, Variable};
use obligato_store::details::OutputDifference;
use obligato_store::result::{Expectation, TestOutcome};
use obligato_store::run::Difference;

use crate::text::abridged_value;

/// Of a test no more differences than this are kept.
const MOST_KEPT: usize = 16;

/// Does what failing tests execute count?
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum FailingTests {
    /// They cover nothing.
    #[default]
    Discount,
    /// They cover what they execute, as if they passed.
    Count,
}

/// By test that expects something, where its outputs are not as it expects.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Expectations {
    checked: HashMap<String, Vec<OutputDifference>>,
}

/// A test whose expected outputs do not come out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailedTest {
    /// Its name.
    pub name: String,
    /// Where outputs are not as it expects; the first of them if there are very many.
    pub differences: Vec<OutputDifference>,
}

impl Expectations {
    /// Takes note of a test that expects something of `outputs`, and of where they were not so.
    pub fn add(&mut self, test: &str, outputs: &[Variable], differences: &[Difference]) {
        let stored = differences.iter().take(MOST_KEPT).map(|one| OutputDifference {
            step: one.step,
            output: outputs[one.output].name.clone(),
            expected: abridged_value(&one.expected),
            found: one.found.as_ref().map(abridged_value),
        });
        self.checked.insert(test.to_owned(), stored.collect());
    }

    /// Whether a test gave the outputs that it expects.
    pub fn of(&self, test: &str) -> Expectation {
        match self.checked.get(test) {
            None => Expectation::Unchecked,
            Some(differences) if differences.is_empty() => Expectation::Passed,
            Some(_) => Expectation::Failed,
        }
    }

    /// Did a test not give the outputs that it expects?
    pub fn is_failed(&self, test: &str) -> bool {
        self.of(test) == Expectation::Failed
    }

    /// Where the outputs of a test are not as it expects.
    pub fn differences(&self, test: &str) -> &[OutputDifference] {
        self.checked.get(test).map_or(&[], Vec::as_slice)
    }

    /// Those of these tests that fail, in their order.
    pub fn failed<'a>(&self, tests: impl IntoIterator<Item = &'a String>) -> Vec<FailedTest> {
        let failed = tests.into_iter().filter(|name| self.is_failed(name));
        let describe = |name: &String| FailedTest {
            name: name.clone(),
            differences: self.differences(name).to_vec(),
        };
        failed.map(describe).collect()
    }

    /// How these tests went; nothing is said of runtime errors.
    pub fn outcomes<'a>(&self, tests: impl IntoIterator<Item = &'a String>) -> Vec<TestOutcome> {
        let outcome = |name: &String| TestOutcome { expectation: self.of(name), error: None };
        tests.into_iter().map(outcome).collect()
    }

    /// Makes failing tests cover nothing, unless they are to count.
    pub fn apply(&self, failing: FailingTests, program: &Program, evidence: &mut Evidence) {
        if failing == FailingTests::Count {
            return;
        }
        let tests = evidence.tests().iter().enumerate();
        let failed = tests.filter(|(_, test)| self.is_failed(&test.name));
        let failed: HashSet<TestId> = failed.map(|(at, _)| TestId::new(at)).collect();
        if !failed.is_empty() {
            evidence.discount(program, &failed);
        }
    }
}

/// Where outputs are not as a test expects. `place` gives the position of an expected column among the outputs that were found;
/// of steps that did not come to their end nothing was found.
pub fn differing(
    expected: &[Step],
    found: &[Vec<Value>],
    place: impl Fn(usize) -> Option<usize>,
) -> Vec<Difference> {
    let mut differences = Vec::new();
    for (step, expected) in expected.iter().enumerate() {
        let found = found.get(step);
        for (column, expected) in expected.iter().enumerate() {
            let (Some(output), Some(expected)) = (place(column), expected) else { continue };
            let found = found.map(|found| found[output].clone());
            if found.as_ref() != Some(expected) {
                let expected = expected.clone();
                differences.push(Difference { step, output, expected, found });
            }
        }
    }
    differences
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(values: &[Option<i64>]) -> Step {
        values.iter().map(|value| value.map(Value::int)).collect()
    }

    #[test]
    fn an_output_that_never_came_is_a_difference_and_one_that_is_not_expected_is_none() {
        let expected = [step(&[Some(1), None]), step(&[Some(2), Some(3)])];
        let found = [vec![Value::int(1), Value::int(7)]];
        let differences = differing(&expected, &found, Some);
        let places: Vec<(usize, usize)> =
            differences.iter().map(|one| (one.step, one.output)).collect();
        assert_eq!(places, [(1, 0), (1, 1)]);
        assert!(differences.iter().all(|one| one.found.is_none()));
    }

    #[test]
    fn a_test_that_expects_nothing_neither_passes_nor_fails() {
        let output = Variable { name: "y".to_owned(), kind: obligato_model::Type::Int };
        let mut expectations = Expectations::default();
        expectations.add("good", &[], &[]);
        let difference =
            Difference { step: 1, output: 0, expected: Value::int(2), found: Some(Value::int(3)) };
        expectations.add("bad", &[output], &[difference]);
        let names = ["good", "bad", "open"].map(str::to_owned);
        let outcomes = expectations.outcomes(&names).into_iter().map(|one| one.expectation);
        let all = [Expectation::Passed, Expectation::Failed, Expectation::Unchecked];
        assert_eq!(outcomes.collect::<Vec<_>>(), all);
        let failed = expectations.failed(&names);
        assert_eq!(failed.len(), 1);
        assert_eq!(failed[0].differences[0].to_string(), "step 1: y is 3, expected 2");
    }
}
