//! A suite on a model, or some of its tests: what they show, judged.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use obligato_criteria::{Evidence, Vectors, judge, plan};
use obligato_lustre_replay::measure::Compiled;
use obligato_lustre_replay::{LANES, Measurement, Meter, Watch};
use obligato_model::{Assessment, Criterion, Interface, TestCase, TestId, Variable, Verdict};
use obligato_store::{Signature, StoreError, SuiteFile, suite};

use crate::args::SuiteFormat;
use crate::error::CliError;
use crate::output::{BAD, Output, counted, printable};
use obligato::Error;
use obligato::failures::Failures;
use obligato::model::LoadedModel;

/// A suite of tests of a model, read from its file test by test whenever it is needed.
pub struct ModelSuite {
    /// Where it was read from.
    pub path: PathBuf,
    /// Per test, how many steps it has.
    pub steps: Vec<usize>,
    /// The outputs of which some test expects something.
    pub expected: Vec<Variable>,
    file: SuiteFile,
    format: suite::Format,
    signature: Signature,
}

impl ModelSuite {
    /// Reads all of the suite, so that nothing is measured of one that is damaged.
    pub fn read(
        path: &Path,
        format: Option<SuiteFormat>,
        interface: &Interface,
    ) -> Result<Self, CliError> {
        let file = SuiteFile::read(path)?;
        let format = format.map_or_else(|| file.format(), Into::into);
        let signature = Signature::new(interface);
        let mut is_expected = vec![false; signature.outputs().len()];
        let mut steps = Vec::new();
        for test in file.tests_for(&signature, format)? {
            let (test, expected) = signature.split(test?);
            for step in &expected {
                for (is_expected, value) in is_expected.iter_mut().zip(step) {
                    *is_expected |= value.is_some();
                }
            }
            steps.push(test.steps.len());
        }
        let outputs = signature.outputs().iter().zip(is_expected);
        let expected = outputs.filter(|(_, is)| *is).map(|(output, _)| output.clone()).collect();
        Ok(Self { path: path.to_owned(), steps, expected, file, format, signature })
    }

    /// What a step of a test has values for.
    pub fn signature(&self) -> &Signature {
        &self.signature
    }

    /// How many steps these tests have.
    pub fn count_steps(&self, tests: &[TestId]) -> usize {
        tests.iter().map(|test| self.steps[test.index()]).sum()
    }

    /// All tests, or only these, which are in order; with what they expect.
    pub fn tests<'a>(
        &'a self,
        only: Option<&'a [TestId]>,
    ) -> Result<impl Iterator<Item = Result<TestCase, StoreError>> + 'a, StoreError> {
        let tests = self.file.tests_for(&self.signature, self.format)?.enumerate();
        let wanted =
            move |index| only.is_none_or(|only| only.binary_search(&TestId::new(index)).is_ok());
        Ok(tests.filter(move |(index, _)| wanted(*index)).map(|(_, test)| test))
    }
}

/// A model prepared for measuring by some criteria.
pub struct Ruler<'a> {
    /// What tests are measured with.
    pub measurement: Measurement<'a>,
    loaded: &'a LoadedModel,
    criteria: &'a [Criterion],
    vectors: Vectors,
}

/// What tests have shown, and the verdicts that follow.
pub struct Judged {
    pub evidence: Evidence,
    pub assessment: Assessment,
    /// The tests that were given up, because a number got out of all proportion.
    exhausted: Vec<String>,
}

impl<'a> Ruler<'a> {
    /// Prepares to watch for what the criteria ask.
    pub fn new(loaded: &'a LoadedModel, criteria: &'a [Criterion]) -> Result<Self, CliError> {
        let outputs = loaded.lowered.system.outputs.iter().map(|output| output.node);
        let watch = Watch::for_criteria(criteria, outputs.collect());
        let vectors = watch.vectors;
        let measurement = Measurement::new(&loaded.lowered, watch).map_err(Error::from)?;
        Ok(Self { measurement, loaded, criteria, vectors })
    }

    /// Runs all tests of the suite, or only these, and judges what they show. A test that violates
    /// an assertion is an error: whatever were counted of it would be a wrong number.
    pub fn judge(
        &self,
        compiled: &Compiled<'_>,
        suite: &ModelSuite,
        only: Option<&[TestId]>,
    ) -> Result<Judged, CliError> {
        let program = &self.loaded.lowered.program;
        let watched = self.measurement.watched().clone();
        let mut evidence = Evidence::new(program, watched, self.vectors);
        let mut exhausted = Vec::new();
        let failures = Failures::new(&self.loaded.file, &self.loaded.lowered);
        let path = suite.path.display().to_string();
        let mut meter = Meter::new(&self.measurement, compiled);
        let mut tests = suite.tests(only)?.map(|test| Ok(suite.signature().split(test?).0));
        loop {
            let batch: Vec<TestCase> =
                tests.by_ref().take(LANES).collect::<Result<_, StoreError>>()?;
            if batch.is_empty() {
                break;
            }
            let measured = meter.measure(&batch).map_err(Error::from)?;
            for (test, shown) in batch.iter().zip(measured) {
                if let Some(refusal) = failures.refuse(&path, &test.name, &shown.failures) {
                    return Err(refusal.into());
                }
                exhausted.extend(shown.exhausted.map(|_| test.name.clone()));
                evidence.add(shown.evidence);
            }
        }
        let assessment = judge(program, plan(program, self.criteria), &evidence)
            .map_err(|error| CliError::from(Error::Internal(error.to_string())))?;
        Ok(Judged { evidence, assessment, exhausted })
    }
}

impl Judged {
    /// Per obligation, whether it is covered.
    pub fn covered(&self) -> impl Iterator<Item = bool> + '_ {
        let verdicts = self.assessment.verdicts.iter();
        verdicts.map(|verdict| matches!(verdict, Verdict::Covered { .. }))
    }

    /// Says which tests count only in part.
    pub fn write_remarks(&self, output: &mut Output) -> Result<(), CliError> {
        if let Some(first) = self.exhausted.first() {
            let tests = counted(self.exhausted.len(), "test");
            let why = "because a number got out of all proportion; what came before counts";
            writeln!(output, "{BAD}Given up{BAD:#}: {tests}, first '{}', {why}", printable(first))?;
        }
        Ok(())
    }
}
