//! C functions in the walks of every language.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use obligato_c_unit::Interface;
use obligato_campaign::Conclusions;
use obligato_criteria::{Evidence, Vectors, plan};
use obligato_model::{Assessment, Program, SuiteInterface, TestId};
use obligato_store::Signature;
use obligato_store::details::{SourceFile, TestDetails};
use obligato_store::file::Draft;

use super::{Endings, LoadedUnit, MeasuredElsewhere, UnitSuite, refuse_run};
use crate::campaign::Stop;
use crate::details::sources;
use crate::error::Error;
use crate::evidence::SubjectFacts;
use crate::expectations::Expectations;
use crate::fingerprints::Codes;
use crate::judging::JudgingOptions;
use crate::lost::unit::{Tracer, losses};
use crate::measure::MeasuredFormat;
use crate::progress::OnProgress;
use crate::subject::{
    RunFindings, Subject, SubjectKind, SubjectOptions, SubjectTests, SuiteReplay, TestsWithExpected,
};

/// A C function with all that it calls.
pub struct UnitSubject {
    /// The unit.
    pub loaded: LoadedUnit,
    options: SubjectOptions,
}

/// Tests of a C function.
pub enum UnitSubjectTests {
    /// To be run.
    Suite {
        /// What they set and see.
        interface: Box<Interface>,
        /// The tests, with what they expect.
        read: Box<UnitSuite>,
    },
    /// Run elsewhere: what llvm-cov says of all of them together.
    Elsewhere(PathBuf),
}

impl UnitSubject {
    /// Reads, compiles and maps a C file.
    pub fn load(options: &SubjectOptions, observe: &[String]) -> Result<Self, Error> {
        let loaded = LoadedUnit::load(options, observe)?;
        Ok(Self { loaded, options: options.clone() })
    }
}

impl Subject for UnitSubject {
    type Tests = UnitSubjectTests;

    fn name(&self) -> &str {
        &self.loaded.path
    }

    fn kind(&self) -> SubjectKind {
        SubjectKind::Unit
    }

    fn program(&self) -> &Program {
        self.loaded.unit.program()
    }

    fn main<'a>(&'a self, tests: &'a UnitSubjectTests) -> Option<&'a str> {
        match tests {
            UnitSubjectTests::Suite { interface, .. } => Some(&interface.function),
            UnitSubjectTests::Elsewhere(_) => self.options.unit.function.as_deref(),
        }
    }

    fn remarks(&self) -> Vec<String> {
        self.loaded.remarks()
    }

    fn sources(&self) -> Vec<SourceFile> {
        sources(self.program(), Path::new(""))
    }

    fn facts(&self) -> SubjectFacts {
        let function = match (&self.options.unit.function, self.loaded.unit.functions()) {
            (Some(named), _) => Some(named.clone()),
            (None, [only]) => Some(only.clone()),
            (None, _) => None,
        };
        SubjectFacts { function, ..self.loaded.facts() }
    }

    fn codes(&self) -> Codes {
        self.loaded.codes()
    }

    fn read_tests(
        &self,
        path: &Path,
        format: Option<MeasuredFormat>,
    ) -> Result<UnitSubjectTests, Error> {
        let format = match format {
            Some(MeasuredFormat::LlvmCov) => {
                return Ok(UnitSubjectTests::Elsewhere(path.to_owned()));
            }
            Some(MeasuredFormat::Suite(format)) => Some(format),
            None => None,
        };
        let interface = Box::new(self.loaded.interface_for(&self.options, path)?);
        let read = Box::new(self.loaded.read_suite(path, format, &interface)?);
        Ok(UnitSubjectTests::Suite { interface, read })
    }

    fn replay(
        &self,
        tests: &mut UnitSubjectTests,
        judging: &JudgingOptions,
        stop: &Stop,
        _: OnProgress<'_>,
    ) -> Result<SuiteReplay, Error> {
        let (interface, read) = match tests {
            UnitSubjectTests::Suite { interface, read } => (interface, read),
            UnitSubjectTests::Elsewhere(path) => {
                let MeasuredElsewhere { evidence, unmeasured } =
                    self.loaded.measured_elsewhere(path, judging.vectors(0))?;
                let findings = RunFindings::Elsewhere(unmeasured);
                let expectations = Expectations::default();
                return Ok(SuiteReplay { evidence, findings, expectations, observed: Vec::new() });
            }
        };
        let suite = &mut read.suite;
        let tables = judging.vectors(suite.tests.len()) == Vectors::Keep;
        let options = self.loaded.options(tables);
        let compared =
            self.loaded.compare_to_count(&self.options, interface, suite, options, stop)?;
        let unit = &self.loaded.unit;
        let is_due = || stop.is_due();
        let shown = unit.measure_unless(&is_due, interface, suite, &judging.criteria, options);
        let shown = shown.map_err(refuse_run)?;
        let evidence = compared.doubts.restrict(self.program(), shown.evidence);
        let agreement = compared.agreement;
        let endings = Endings::new(&self.loaded, suite, &shown.runs);
        let expectations = self.loaded.expectations(interface, read, &read.suite, &shown.runs);
        let findings = RunFindings::Unit { runs: shown.runs, endings, agreement };
        let observed = LoadedUnit::observed(interface);
        Ok(SuiteReplay { evidence, findings, expectations, observed })
    }

    fn judge(&self, judging: &JudgingOptions, replayed: &SuiteReplay) -> Result<Assessment, Error> {
        let SuiteReplay { evidence, findings, .. } = replayed;
        let conclusions = match findings {
            RunFindings::Elsewhere(unmeasured) => {
                unmeasured.conclusions(self.program(), &plan(self.program(), &judging.criteria))
            }
            RunFindings::Model { .. } | RunFindings::Unit { .. } => Conclusions::default(),
        };
        self.loaded.judge(&judging.criteria, evidence, findings.runs(), conclusions)
    }

    fn lost_effects(
        &self,
        tests: &UnitSubjectTests,
        assessment: &Assessment,
        evidence: &Evidence,
        stop: &Stop,
    ) -> Result<HashMap<usize, Vec<String>>, Error> {
        let UnitSubjectTests::Suite { interface, read } = tests else { return Ok(HashMap::new()) };
        losses(
            &Tracer { loaded: &self.loaded, interface, suite: &read.suite },
            assessment,
            evidence,
            stop,
        )
    }

    fn test_details(&self, replayed: &SuiteReplay) -> Vec<TestDetails> {
        let runs = replayed.findings.runs();
        runs.iter().map(|run| self.loaded.test_details(run)).collect()
    }

    fn draft_tests(
        &self,
        path: &Path,
        tests: &UnitSubjectTests,
        replayed: &SuiteReplay,
    ) -> Result<Option<Draft>, Error> {
        let UnitSubjectTests::Suite { interface, read } = tests else { return Ok(None) };
        self.loaded.keep_suite(path, interface, &read.suite, replayed.findings.runs()).map(Some)
    }
}

impl SubjectTests for UnitSubjectTests {
    fn signature(&self) -> Signature {
        match self {
            Self::Suite { read, .. } => read.signature.clone(),
            Self::Elsewhere(_) => Signature::new(&SuiteInterface::default()),
        }
    }

    fn with_expected(&self) -> Result<TestsWithExpected<'_>, Error> {
        match self {
            Self::Suite { read, .. } => {
                Ok(Box::new(read.suite.tests.iter().map(|test| Ok(read.with_expected(test)))))
            }
            Self::Elsewhere(_) => Ok(Box::new(std::iter::empty())),
        }
    }

    fn part(&self, only: &[TestId]) -> Result<Self, Error> {
        Ok(match self {
            Self::Suite { interface, read } => {
                Self::Suite { interface: interface.clone(), read: Box::new(read.part(only)) }
            }
            Self::Elsewhere(path) => Self::Elsewhere(path.clone()),
        })
    }
}
