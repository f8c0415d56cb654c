//! What a suite covers of a program: the walk without engines.
//!
//! [`measure`] is the walk for every language: the program and its suite are read, the suite is replayed, the criteria
//! judge what the replay has shown, the result is completed and stored. What differs from language to language is
//! behind [`Subject`].

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use obligato_criteria::Evidence;
use obligato_model::{Assessment, Program};
use obligato_store::details::{SourceFile, TestDetails};
use obligato_store::file::Draft;
use obligato_store::{StoredResult, suite};

use crate::campaign::{Stop, or_stopped, unless_stopped};
use crate::conclusion::{self, Concluded, JudgedSuite, conclude};
use crate::error::Error;
use crate::evidence::SubjectFacts;
use crate::expectations::FailedTest;
use crate::fingerprints::Codes;
use crate::judging::JudgingOptions;
use crate::language::Command;
use crate::model::ModelSubject;
use crate::progress::OnProgress;
use crate::subject::{
    FileLanguage, RunFindings, Subject, SubjectKind, SubjectOptions, SuiteReplay,
};
use crate::unit::UnitSubject;

/// What to measure.
#[derive(Debug, Clone)]
pub struct MeasureRequest {
    /// The program.
    pub subject: SubjectOptions,
    /// The suite, or what another tool measured of one.
    pub tests: PathBuf,
    /// What that file is; its name and content say so where nothing is said.
    pub format: Option<MeasuredFormat>,
    /// The variables that are observed; the outputs if none is named.
    pub observe: Vec<String>,
    /// By what, and what is kept.
    pub judging: JudgingOptions,
}

/// What is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MeasuredFormat {
    /// A suite, which is replayed.
    Suite(suite::Format),
    /// What llvm-cov says of a suite that ran elsewhere.
    LlvmCov,
}

/// A suite with its verdicts.
#[derive(Debug)]
pub struct Measured {
    /// The program, as the request named it.
    pub name: String,
    /// What kind of program it is.
    pub kind: SubjectKind,
    /// Its decisions and what else criteria ask about.
    pub program: Program,
    /// What the tests have shown.
    pub evidence: Evidence,
    /// The verdicts over the evidence alone.
    pub assessment: Assessment,
    /// The verdicts as they are stored, with the reasons of people.
    pub result: StoredResult,
    /// What is to be known of the program and of justifications.
    pub remarks: Vec<String>,
    /// What the runs showed besides coverage.
    pub findings: RunFindings,
    /// The tests whose expected outputs do not come out; they cover nothing unless the request says otherwise.
    pub failed: Vec<FailedTest>,
    /// Where it was stored, in words, if it was.
    pub stored: Option<String>,
}

/// Measures a suite on a program. If `stop` comes before the end, nothing is stored.
pub fn measure(
    request: &MeasureRequest,
    stop: &Stop,
    on_progress: OnProgress<'_>,
) -> Result<Measured, Error> {
    unless_stopped(stop)?;
    let (subject, observe) = (&request.subject, &request.observe);
    let measured = match subject.expect_language(Command::Measure)? {
        FileLanguage::C => UnitSubject::load(subject, observe)
            .and_then(|subject| walk(&subject, request, stop, on_progress)),
        _ => ModelSubject::load(subject, observe)
            .and_then(|subject| walk(&subject, request, stop, on_progress)),
    };
    or_stopped(measured, stop)
}

fn walk<S: Subject>(
    subject: &S,
    request: &MeasureRequest,
    stop: &Stop,
    on_progress: OnProgress<'_>,
) -> Result<Measured, Error> {
    let judging = &request.judging;
    let mut tests = subject.read_tests(&request.tests, request.format)?;
    unless_stopped(stop)?;
    let mut replayed = subject.replay(&mut tests, judging, stop, on_progress)?;
    replayed.expectations.apply(judging.failing, subject.program(), &mut replayed.evidence);
    let assessment = subject.judge(judging, &replayed)?;
    let background =
        Background { subject, tests: &tests, replayed: &replayed, assessment: &assessment, stop };
    let concluded = conclude(
        JudgedSuite {
            command: "measure",
            name: subject.name(),
            kind: subject.kind(),
            program: subject.program(),
            judging,
            evidence: &replayed.evidence,
            assessment: &assessment,
            observed: replayed.observed.clone(),
            shard: None,
            expectations: &replayed.expectations,
            details: test_details(subject, &replayed, &assessment.tests),
            phases: Vec::new(),
        },
        &background,
    )?;
    unless_stopped(stop)?;
    let stored = concluded.store(&background, None)?;
    let Concluded { result, notes, .. } = concluded;
    let SuiteReplay { evidence, findings, expectations, .. } = replayed;
    let failed = expectations.failed(&assessment.tests);
    Ok(Measured {
        name: subject.name().to_owned(),
        kind: subject.kind(),
        program: subject.program().clone(),
        evidence,
        assessment,
        result,
        remarks: subject.remarks().into_iter().chain(notes).collect(),
        findings,
        failed,
        stored,
    })
}

/// Per test, how it ended and where its outputs are not as it expects.
fn test_details<S: Subject>(
    subject: &S,
    replayed: &SuiteReplay,
    tests: &[String],
) -> Vec<TestDetails> {
    let mut details = subject.test_details(replayed);
    details.resize(tests.len(), TestDetails::default());
    for (details, name) in details.iter_mut().zip(tests) {
        details.differences = replayed.expectations.differences(name).to_vec();
    }
    details
}

/// What a language knows of a suite that was measured.
struct Background<'a, S: Subject> {
    subject: &'a S,
    tests: &'a S::Tests,
    replayed: &'a SuiteReplay,
    assessment: &'a Assessment,
    stop: &'a Stop,
}

impl<S: Subject> conclusion::Background for Background<'_, S> {
    fn codes(&self) -> Codes {
        self.subject.codes()
    }

    fn sources(&self) -> Vec<SourceFile> {
        self.subject.sources()
    }

    fn facts(&self) -> SubjectFacts {
        self.subject.facts()
    }

    fn lost_effects(&self) -> Result<HashMap<usize, Vec<String>>, Error> {
        let Self { subject, tests, replayed, assessment, stop } = self;
        subject.lost_effects(tests, assessment, &replayed.evidence, stop)
    }

    fn draft_tests(&self, path: &Path) -> Result<Option<Draft>, Error> {
        self.subject.draft_tests(path, self.tests, self.replayed)
    }
}
