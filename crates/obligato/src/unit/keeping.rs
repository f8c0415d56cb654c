//! What is kept of tests of a C function: what they gave, and how they ended.

use std::path::Path;

use obligato_c_unit::run::Observed;
use obligato_c_unit::{Class, Ending, Interface, TestRun};
use obligato_model::{Step, Suite, SuiteInterface};
use obligato_store::details::{EndingDetails, EndingKind, TestDetails};
use obligato_store::file::Draft;
use obligato_store::{Signature, can_hold};

use super::LoadedUnit;
use crate::error::Error;
use crate::storage;

impl LoadedUnit {
    /// A suite on its way into the store, with what the outputs held after each step if it is short enough to be read.
    pub fn keep_suite(
        &self,
        path: &Path,
        interface: &Interface,
        suite: &Suite,
        runs: &[TestRun],
    ) -> Result<Draft, Error> {
        if suite.tests.len() > storage::MOST_DETAILED {
            return storage::write_tests(path, &suite.inputs, suite.tests.iter().map(Ok));
        }
        let outputs = self.unit.variables(interface).outputs;
        let signature = Signature::new(&SuiteInterface { inputs: suite.inputs.clone(), outputs });
        let tests = suite.tests.iter().zip(runs).map(|(test, run)| {
            let mut test = test.clone();
            for (index, step) in test.steps.iter_mut().enumerate() {
                let seen = run.steps.get(index).map_or(&[][..], Vec::as_slice);
                step.extend(self.outputs(interface, &signature, seen));
                step.resize(signature.variables().len(), None);
            }
            Ok(test)
        });
        storage::write_recorded(path, &signature, tests)
    }

    /// What the outputs held after a step, as far as files can hold it.
    fn outputs(&self, interface: &Interface, signature: &Signature, seen: &[Observed]) -> Step {
        let values = self.unit.values(interface, seen).into_iter();
        let seen = values.zip(seen).zip(signature.outputs());
        let held = seen.map(|((value, observed), output)| match observed {
            Observed::Held(_) if can_hold(&output.kind, &value) => Some(value),
            _ => None,
        });
        held.collect()
    }

    /// How a test ended, if it did so early.
    pub fn test_details(&self, run: &TestRun) -> TestDetails {
        let ending = run.ending.as_ref().map(|ending| {
            let kind = match ending {
                Ending::Exit(_) => EndingKind::Exit,
                Ending::Finding(finding) => match finding.kind.class() {
                    Class::RuntimeError => EndingKind::RuntimeError,
                    Class::Unsupported => EndingKind::Unsupported,
                    Class::Limit => EndingKind::Limit,
                },
            };
            let text = self.describe(ending);
            EndingDetails { kind, step: run.steps.len(), text }
        });
        TestDetails { ending, ..TestDetails::default() }
    }
}
