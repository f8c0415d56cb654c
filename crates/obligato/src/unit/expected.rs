//! What a suite expects of the outputs of a C function, held against what they were.

use std::collections::HashMap;

use obligato_c_unit::{Interface, TestRun};
use obligato_model::{Suite, TestCase, TestId, Value};
use obligato_store::Signature;
use obligato_store::run::Difference;

use super::{LoadedUnit, UnitSuite};
use crate::expectations::{self, Expectations};

impl LoadedUnit {
    /// What the outputs of a test were after each step that came to its end.
    pub fn found(&self, interface: &Interface, run: &TestRun) -> Vec<Vec<Value>> {
        run.steps.iter().map(|step| self.unit.values(interface, step)).collect()
    }

    /// Which tests of a suite gave the outputs that they expect. `suite` has those that were run.
    pub fn expectations(
        &self,
        interface: &Interface,
        read: &UnitSuite,
        suite: &Suite,
        runs: &[TestRun],
    ) -> Expectations {
        let shown = Signature::new(&self.unit.variables(interface));
        let mut expectations = Expectations::default();
        for (test, run) in suite.tests.iter().zip(runs) {
            if read.expects(&test.name) {
                let differences = read.differing(&shown, &test.name, &self.found(interface, run));
                expectations.add(&test.name, shown.outputs(), &differences);
            }
        }
        expectations
    }
}

impl UnitSuite {
    /// Does a test expect anything?
    pub fn expects(&self, test: &str) -> bool {
        self.expected.get(test).is_some_and(|steps| !steps.is_empty())
    }

    /// A test whose steps have values for the inputs and then the outputs of the signature.
    pub fn with_expected(&self, test: &TestCase) -> TestCase {
        let expected = self.expected.get(&test.name).map_or(&[][..], Vec::as_slice);
        let mut test = test.clone();
        for (at, step) in test.steps.iter_mut().enumerate() {
            step.extend(expected.get(at).into_iter().flatten().cloned());
            step.resize(self.signature.variables().len(), None);
        }
        test
    }

    /// The suite of only these tests, which are in order, without what they expect.
    #[must_use]
    pub fn part(&self, only: &[TestId]) -> Self {
        let tests = only.iter().map(|test| self.suite.tests[test.index()].clone()).collect();
        let suite = Suite { inputs: self.suite.inputs.clone(), tests };
        Self { suite, signature: self.signature.clone(), expected: HashMap::new() }
    }

    /// Where the outputs of a test are not as it expects, by their positions in `shown`.
    pub fn differing(
        &self,
        shown: &Signature,
        test: &str,
        found: &[Vec<Value>],
    ) -> Vec<Difference> {
        let position = |name: &str| shown.outputs().iter().position(|output| output.name == name);
        let places: Vec<Option<usize>> =
            self.signature.outputs().iter().map(|output| position(&output.name)).collect();
        let expected = self.expected.get(test).map_or(&[][..], Vec::as_slice);
        expectations::differing(expected, found, |column| places.get(column).copied().flatten())
    }
}
