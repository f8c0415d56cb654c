//! Measuring a suite on a model: test after test is read, and batch after batch goes through the
//! lanes and leaves only its evidence.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use obligato_criteria::Evidence;
use obligato_model::{TestCase, Variable};
use obligato_replay::measure::Compiled;
use obligato_replay::{LANES, Measurement, Meter, Watch};
use obligato_store::{Signature, StoreError, SuiteFile, suite};
use obligato_system::Error;

use crate::args::SuiteFormat;
use crate::error::CliError;
use crate::failures::{Failures, Listed};
use crate::model::LoadedModel;
use crate::output::{BAD, Output, Verbosity, printable};
use crate::progress::Progress;

/// A suite of tests of a model.
pub struct ModelSuite {
    path: PathBuf,
    file: SuiteFile,
    format: suite::Format,
    signature: Signature,
    count: usize,
}

impl ModelSuite {
    /// Reads all of the suite, so that nothing is measured of one that is damaged.
    pub fn read(
        path: &Path,
        format: Option<SuiteFormat>,
        signature: Signature,
    ) -> Result<Self, CliError> {
        let file = SuiteFile::read(path)?;
        let format = format.map_or_else(|| file.format(), Into::into);
        let mut suite = Self { path: path.to_owned(), file, format, signature, count: 0 };
        let count = suite.tests()?.try_fold(0, |count, test| test.map(|_| count + 1))?;
        suite.count = count;
        Ok(suite)
    }

    /// The inputs of each step of a test.
    pub fn inputs(&self) -> &[Variable] {
        self.signature.inputs()
    }

    /// The tests, one after the other, without what they expect.
    pub fn tests(
        &self,
    ) -> Result<impl Iterator<Item = Result<TestCase, StoreError>> + '_, StoreError> {
        let tests = self.file.tests_for(&self.signature, self.format)?;
        Ok(tests.map(|test| test.map(|test| self.signature.split(test).0)))
    }
}

/// What a suite has shown.
pub struct MeasuredSuite<'a> {
    /// Test by test.
    pub evidence: Evidence,
    failures: Failures<'a>,
    exhausted: Listed,
}

/// Measures a suite. A test that violates an assertion is an error: whatever were counted of it
/// would be a wrong number.
pub fn measure_suite<'a>(
    loaded: &'a LoadedModel,
    suite: &ModelSuite,
    measurement: &Measurement<'_>,
    compiled: &Compiled<'_>,
    verbosity: Verbosity,
) -> Result<MeasuredSuite<'a>, CliError> {
    let Watch { vectors, .. } = *measurement.watch();
    let watched = measurement.watched().clone();
    let mut measured = MeasuredSuite {
        evidence: Evidence::new(&loaded.lowered.program, watched, vectors),
        failures: Failures::new(&loaded.file, &loaded.lowered),
        exhausted: Listed::new("'obligato run' shows them"),
    };
    let mut meter = Meter::new(measurement, compiled);
    let mut progress = Progress::new(verbosity, suite.count, "measured");
    let mut tests = suite.tests()?;
    loop {
        let batch: Vec<TestCase> = tests.by_ref().take(LANES).collect::<Result<_, StoreError>>()?;
        if batch.is_empty() {
            break;
        }
        for (test, shown) in batch.iter().zip(meter.measure(&batch).map_err(|error| fault(&error))?)
        {
            let path = suite.path.display().to_string();
            if let Some(refusal) = measured.failures.refuse(&path, &test.name, &shown.failures) {
                progress.end();
                return Err(refusal);
            }
            measured.failures.take(&test.name, &shown.failures);
            if let Some(step) = shown.exhausted {
                measured.exhausted.push(|| printable(&format!("{}, step {step}", test.name)));
            }
            measured.evidence.add(shown.evidence);
        }
        progress.show(measured.evidence.tests().len());
    }
    progress.end();
    Ok(measured)
}

impl MeasuredSuite<'_> {
    /// Says where the model is at fault, and which tests were given up.
    pub fn write_remarks(&self, output: &mut Output) -> Result<(), CliError> {
        let any = self.failures.count() + self.exhausted.count() > 0;
        if any && output.verbosity() == Verbosity::Normal {
            writeln!(output)?;
        }
        self.failures.write(self.evidence.tests().len(), output)?;
        if self.exhausted.count() > 0 {
            let why = "because a number got out of all proportion; what came before counts";
            writeln!(output, "{BAD}Given up{BAD:#}, {why}:")?;
            self.exhausted.write(output)?;
        }
        Ok(())
    }
}

/// Every value was read for its input, so nothing has a reason to be refused.
pub fn fault(error: &Error) -> CliError {
    CliError::Fault(error.to_string())
}
