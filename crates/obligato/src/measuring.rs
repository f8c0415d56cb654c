//! Measuring a suite on a model: test after test is read, and batch after batch goes through the
//! lanes and leaves only its evidence.

use std::path::Path;

use obligato_criteria::Vectors;
use obligato_lustre_replay::{LANES, Meter, Watch};
use obligato_model::{Criterion, TestCase, TestId, Variable};
use obligato_store::{Signature, StoreError, SuiteFile, suite};

use crate::campaign::Stop;
use crate::error::Error;
use crate::failures::Failures;
use crate::model::LoadedModel;
use crate::observed::ObservedVariables;
use crate::progress::{OnProgress, Progress};

pub use obligato_criteria::Evidence;
pub use obligato_criteria::marking::unmasked;

/// A suite of tests of a model.
pub struct ModelSuite {
    /// What it is called where something is wrong with it.
    name: String,
    tests: Tests,
    signature: Signature,
    count: usize,
}

/// Where the tests are.
enum Tests {
    /// In a file, read test by test whenever they are needed.
    File(SuiteFile, suite::Format),
    /// Here.
    Made(Vec<TestCase>),
}

impl ModelSuite {
    /// Reads all of the suite, so that nothing is measured of one that is damaged.
    pub fn read(
        path: &Path,
        format: Option<suite::Format>,
        signature: Signature,
    ) -> Result<Self, Error> {
        let file = SuiteFile::read(path)?;
        let format = format.unwrap_or_else(|| file.format());
        let name = path.display().to_string();
        let mut suite = Self { name, tests: Tests::File(file, format), signature, count: 0 };
        let count = suite.tests()?.try_fold(0, |count, test| test.map(|_| count + 1))?;
        suite.count = count;
        Ok(suite)
    }

    /// A suite of these tests, whose steps have values for the inputs only.
    pub fn made(name: &str, tests: Vec<TestCase>, signature: Signature) -> Self {
        let count = tests.len();
        Self { name: name.to_owned(), tests: Tests::Made(tests), signature, count }
    }

    /// How many tests it has.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Has it no test?
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The inputs of each step of a test.
    pub fn inputs(&self) -> &[Variable] {
        self.signature.inputs()
    }

    /// What a step of a test may have values for.
    pub fn signature(&self) -> &Signature {
        &self.signature
    }

    /// The suite of only these tests, which are in order, without what they expect.
    pub fn part(&self, only: &[TestId]) -> Result<Self, StoreError> {
        let tests = self.tests()?.enumerate();
        let tests = tests.filter(|(at, _)| only.binary_search(&TestId::new(*at)).is_ok());
        let tests = tests.map(|(_, test)| test).collect::<Result<_, _>>()?;
        Ok(Self::made(&self.name, tests, self.signature.clone()))
    }

    /// The tests, one after the other; each step has values for the inputs and then the outputs of the
    /// signature, as far as the suite has any.
    pub fn tests_with_expected(
        &self,
    ) -> Result<Box<dyn Iterator<Item = Result<TestCase, StoreError>> + '_>, StoreError> {
        let columns = self.signature.inputs().len() + self.signature.outputs().len();
        Ok(match &self.tests {
            Tests::File(file, format) => Box::new(file.tests_for(&self.signature, *format)?),
            Tests::Made(tests) => Box::new(tests.iter().cloned().map(move |mut test| {
                test.steps.iter_mut().for_each(|step| step.resize(columns, None));
                Ok(test)
            })),
        })
    }

    /// The tests, one after the other, without what they expect.
    pub fn tests(
        &self,
    ) -> Result<Box<dyn Iterator<Item = Result<TestCase, StoreError>> + '_>, StoreError> {
        Ok(match &self.tests {
            Tests::File(file, format) => {
                let tests = file.tests_for(&self.signature, *format)?;
                Box::new(tests.map(|test| test.map(|test| self.signature.split(test).0)))
            }
            Tests::Made(tests) => Box::new(tests.iter().cloned().map(Ok)),
        })
    }
}

/// What the criteria have to see of a suite.
pub fn watch(criteria: &[Criterion], observed: &ObservedVariables, vectors: Vectors) -> Watch {
    Watch { vectors, ..Watch::for_criteria(criteria, observed.nodes().to_vec()) }
}

/// What a suite has shown.
pub struct MeasuredSuite<'a> {
    /// Test by test.
    pub evidence: Evidence,
    /// The checks of the model that tests failed.
    pub failures: Failures<'a>,
    /// Where a value exceeded the size limit: test and step.
    pub exhausted: Vec<Exhausted>,
}

/// Measures a suite. A test that violates an assertion is an error: whatever were counted of it
/// would be a wrong number.
pub fn measure_suite<'a>(
    loaded: &'a LoadedModel,
    suite: &ModelSuite,
    mut meter: Meter<'_>,
    stop: &Stop,
    on_progress: OnProgress<'_>,
) -> Result<MeasuredSuite<'a>, Error> {
    let measurement = meter.measurement();
    let Watch { vectors, .. } = *measurement.watch();
    let watched = measurement.watched().clone();
    let mut measured = MeasuredSuite {
        evidence: Evidence::new(&loaded.lowered.program, watched, vectors),
        failures: Failures::new(&loaded.file, &loaded.lowered),
        exhausted: Vec::new(),
    };
    let mut tests = suite.tests()?;
    loop {
        if stop.is_due() {
            return Err(Error::Stopped);
        }
        let batch: Vec<TestCase> = tests.by_ref().take(LANES).collect::<Result<_, StoreError>>()?;
        if batch.is_empty() {
            break;
        }
        for (test, shown) in batch.iter().zip(meter.measure(&batch)?) {
            if let Some(refusal) =
                measured.failures.refuse(&suite.name, &test.name, &shown.failures)
            {
                return Err(refusal);
            }
            measured.failures.take(&test.name, &shown.failures);
            if let Some(step) = shown.exhausted {
                measured.exhausted.push(Exhausted { test: test.name.clone(), step });
            }
            measured.evidence.add(shown.evidence);
        }
        let done = measured.evidence.tests().len();
        on_progress(Progress::Measured { done, of: suite.count });
    }
    Ok(measured)
}

/// A test that was given up because a value exceeded the size limit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exhausted {
    /// Its name.
    pub test: String,
    /// The step.
    pub step: usize,
}
