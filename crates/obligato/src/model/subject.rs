//! Lustre models in the walks of every language.

use std::collections::HashMap;
use std::path::Path;

use obligato_campaign::{Knowledge, assess};
use obligato_criteria::{Evidence, plan};
use obligato_lustre_replay::{Measurement, Meter};
use obligato_model::{Assessment, Program, TestId};
use obligato_store::details::{SourceFile, TestDetails};
use obligato_store::file::Draft;
use obligato_store::{Signature, suite};

use super::LoadedModel;
use super::code::codes;
use crate::campaign::Stop;
use crate::error::Error;
use crate::evidence::SubjectFacts;
use crate::fingerprints::Codes;
use crate::judging::JudgingOptions;
use crate::lost::model::losses;
use crate::measure::MeasuredFormat;
use crate::measuring::{MeasuredSuite, ModelSuite, measure_suite, watch};
use crate::observed::ObservedVariables;
use crate::progress::OnProgress;
use crate::record::keep_suite;
use crate::subject::{
    RunFindings, Subject, SubjectKind, SubjectOptions, SubjectTests, SuiteReplay, TestsWithExpected,
};

/// A Lustre model, and what is observed of it.
pub struct ModelSubject {
    /// The model.
    pub loaded: LoadedModel,
    /// What is observed.
    pub observed: ObservedVariables,
}

impl ModelSubject {
    /// Reads, analyses and lowers a model.
    pub fn load(options: &SubjectOptions, observe: &[String]) -> Result<Self, Error> {
        let loaded = LoadedModel::load(options)?;
        let observed = ObservedVariables::new(&loaded, observe)?;
        Ok(Self { loaded, observed })
    }
}

impl Subject for ModelSubject {
    type Tests = ModelSuite;

    fn name(&self) -> &str {
        &self.loaded.path
    }

    fn kind(&self) -> SubjectKind {
        SubjectKind::Model
    }

    fn program(&self) -> &Program {
        &self.loaded.lowered.program
    }

    fn main<'a>(&'a self, _: &'a ModelSuite) -> Option<&'a str> {
        Some(self.loaded.main())
    }

    fn remarks(&self) -> Vec<String> {
        self.loaded.remarks.clone()
    }

    fn facts(&self) -> SubjectFacts {
        self.loaded.facts()
    }

    fn codes(&self) -> Codes {
        codes(&self.loaded)
    }

    fn sources(&self) -> Vec<SourceFile> {
        self.loaded.sources()
    }

    fn read_tests(&self, path: &Path, format: Option<MeasuredFormat>) -> Result<ModelSuite, Error> {
        let format = format.map(suite_format).transpose()?;
        let signature = self.observed.signature(&self.loaded.lowered.interface);
        ModelSuite::read(path, format, signature)
    }

    fn replay(
        &self,
        tests: &mut ModelSuite,
        judging: &JudgingOptions,
        stop: &Stop,
        on_progress: OnProgress<'_>,
    ) -> Result<SuiteReplay, Error> {
        let watch = watch(&judging.criteria, &self.observed, judging.vectors(tests.len()));
        let measurement = Measurement::new(&self.loaded.lowered, watch)?;
        let compiled = measurement.compile()?;
        let meter = Meter::new(&measurement, &compiled);
        let MeasuredSuite { evidence, failures, exhausted } =
            measure_suite(&self.loaded, tests, meter, stop, on_progress)?;
        let failures = failures.describe(evidence.tests().len());
        let findings = RunFindings::Model { failures, exhausted };
        let expectations = self.loaded.expectations(&self.observed, tests)?;
        Ok(SuiteReplay { evidence, findings, expectations, observed: self.observed.names() })
    }

    fn judge(&self, judging: &JudgingOptions, replayed: &SuiteReplay) -> Result<Assessment, Error> {
        let plan = plan(self.program(), &judging.criteria);
        assess(self.program(), plan, &replayed.evidence, &Knowledge::default())
            .map_err(|error| Error::Internal(error.to_string()))
    }

    fn lost_effects(
        &self,
        tests: &ModelSuite,
        assessment: &Assessment,
        evidence: &Evidence,
        stop: &Stop,
    ) -> Result<HashMap<usize, Vec<String>>, Error> {
        losses(&self.loaded, tests, self.observed.nodes(), assessment, evidence, stop)
    }

    fn test_details(&self, _: &SuiteReplay) -> Vec<TestDetails> {
        Vec::new()
    }

    fn draft_tests(
        &self,
        path: &Path,
        tests: &ModelSuite,
        _: &SuiteReplay,
    ) -> Result<Option<Draft>, Error> {
        keep_suite(path, &self.loaded, tests).map(Some)
    }
}

impl SubjectTests for ModelSuite {
    fn signature(&self) -> Signature {
        self.signature().clone()
    }

    fn with_expected(&self) -> Result<TestsWithExpected<'_>, Error> {
        Ok(Box::new(self.tests_with_expected()?.map(|test| Ok(test?))))
    }

    fn part(&self, only: &[TestId]) -> Result<Self, Error> {
        Ok(self.part(only)?)
    }
}

/// The format of a suite that can be replayed on a model.
pub fn suite_format(format: MeasuredFormat) -> Result<suite::Format, Error> {
    match format {
        MeasuredFormat::Suite(format) => Ok(format),
        MeasuredFormat::LlvmCov => Err(Error::Input {
            message: "llvm-cov measures C, not Lustre models".to_owned(),
            way_out: "name a C file, or a suite to be run on the model".to_owned(),
        }),
    }
}
