//! Measuring a suite on a model: test after test is read, and batch after batch goes through the
//! lanes and leaves only its evidence.

use std::io::Write as _;
use std::path::Path;

use obligato_criteria::Evidence;
use obligato_lustre_replay::measure::Compiled;
use obligato_lustre_replay::{LANES, Measurement, Meter, Watch};
use obligato_model::{Criterion, TestCase, Variable};
use obligato_store::{Signature, StoreError, SuiteFile, suite};
use obligato_transition_system::Error;

use crate::args::{SuiteFormat, VerdictArgs};
use crate::error::CliError;
use crate::failures::{Failures, Listed};
use crate::model::LoadedModel;
use crate::observed::Observed;
use crate::output::{BAD, Output, Verbosity, printable};
use crate::progress::Progress;
use crate::verdicts::vectors;

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
        format: Option<SuiteFormat>,
        signature: Signature,
    ) -> Result<Self, CliError> {
        let file = SuiteFile::read(path)?;
        let format = format.map_or_else(|| file.format(), Into::into);
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

    /// The inputs of each step of a test.
    pub fn inputs(&self) -> &[Variable] {
        self.signature.inputs()
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

/// The criteria that were asked for. Mutants take runs of their own, so they are refused where they
/// are named and no part of all.
pub fn criteria(arguments: &VerdictArgs) -> Result<Vec<Criterion>, CliError> {
    let mut criteria = arguments.criteria();
    if let Some(named) = criteria.iter().find(|one| is_mutation(**one) && arguments.names(**one)) {
        return Err(CliError::Input {
            message: format!("'{named}' is not measured here, where no mutant runs"),
            way_out: "use 'obligato mutate'".to_owned(),
        });
    }
    criteria.retain(|criterion| !is_mutation(*criterion));
    Ok(criteria)
}

/// Does it ask about mutants?
pub fn is_mutation(criterion: Criterion) -> bool {
    matches!(criterion, Criterion::Mutation(_))
}

/// What the criteria have to see of a suite.
pub fn watch(
    arguments: &VerdictArgs,
    criteria: &[Criterion],
    observed: &Observed,
    suite: &ModelSuite,
) -> Watch {
    Watch {
        vectors: vectors(arguments, criteria, suite.count),
        ..Watch::for_criteria(criteria, observed.nodes().to_vec())
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
    let mut progress = Progress::new(verbosity);
    let mut tests = suite.tests()?;
    loop {
        let batch: Vec<TestCase> = tests.by_ref().take(LANES).collect::<Result<_, StoreError>>()?;
        if batch.is_empty() {
            break;
        }
        for (test, shown) in batch.iter().zip(meter.measure(&batch).map_err(|error| fault(&error))?)
        {
            if let Some(refusal) =
                measured.failures.refuse(&suite.name, &test.name, &shown.failures)
            {
                return Err(refusal);
            }
            measured.failures.take(&test.name, &shown.failures);
            if let Some(step) = shown.exhausted {
                measured.exhausted.push(|| printable(&format!("{}, step {step}", test.name)));
            }
            measured.evidence.add(shown.evidence);
        }
        let done = measured.evidence.tests().len();
        progress.show(format_args!("{done} of {} tests measured", suite.count));
    }
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
