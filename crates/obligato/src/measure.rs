//! What a suite covers of a program: the walk without engines.
//!
//! [`measure`] is the walk for every language: the program and its suite are read, the suite is replayed, the criteria
//! judge what the replay has shown, the result is completed and stored. What differs from language to language is
//! behind [`Subject`].

use std::collections::HashMap;
use std::path::PathBuf;

use obligato_criteria::Evidence;
use obligato_model::{Assessment, Program};
use obligato_store::details::TestDetails;
use obligato_store::{StoredResult, suite};

use crate::TOOL;
use crate::campaign::{Stop, or_stopped, unless_stopped};
use crate::details::Basis;
use crate::error::Error;
use crate::evidence;
use crate::expectations::FailedTest;
use crate::judging::JudgingOptions;
use crate::language::Command;
use crate::model::ModelSubject;
use crate::outcomes::SuiteRuns;
use crate::progress::OnProgress;
use crate::storage::{self, Documents};
use crate::subject::{FileLanguage, Replayed, RunFindings, Subject, SubjectKind, SubjectOptions};
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
    let result = StoredResult::new(TOOL, &judging.criteria, &assessment, subject.program())?;
    let result = result.observing(replayed.observed.clone());
    let details = test_details(subject, &replayed, &assessment.tests);
    let runs = SuiteRuns {
        program: subject.program(),
        evidence: &replayed.evidence,
        assessment: &assessment,
        expectations: &replayed.expectations,
        details: &details,
    };
    let result = runs.complete(result)?;
    let (result, notes) = judging.complete(result, subject.program(), &subject.codes())?;
    unless_stopped(stop)?;
    let stored = match &judging.store {
        None => None,
        Some(directory) => {
            let lost = subject.lost_effects(&tests, &assessment, &replayed.evidence, stop)?;
            let basis = basis(subject, &replayed, &assessment, details, lost);
            let result_document = obligato_store::result::print(&result)?;
            let details = basis.print(&result)?;
            let facts = subject.facts();
            let evidence = evidence::document(judging, "measure", subject.name(), facts, &result);
            let documents = Documents {
                result: &result_document,
                details: Some(&details),
                evidence: Some(&evidence),
                ..Documents::default()
            };
            let write = |path: &std::path::Path| subject.draft_tests(path, &tests, &replayed);
            Some(storage::store(directory, &documents, write)?)
        }
    };
    let Replayed { evidence, findings, expectations, .. } = replayed;
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
    replayed: &Replayed,
    tests: &[String],
) -> Vec<TestDetails> {
    let mut details = subject.test_details(replayed);
    details.resize(tests.len(), TestDetails::default());
    for (details, name) in details.iter_mut().zip(tests) {
        details.differences = replayed.expectations.differences(name).to_vec();
    }
    details
}

/// What stands behind the verdicts.
fn basis<'a, S: Subject>(
    subject: &'a S,
    replayed: &'a Replayed,
    assessment: &'a Assessment,
    tests: Vec<TestDetails>,
    lost: HashMap<usize, Vec<String>>,
) -> Basis<'a> {
    Basis {
        name: subject.name(),
        subject: subject.kind(),
        command: "measure",
        program: subject.program(),
        evidence: &replayed.evidence,
        assessment,
        sources: subject.sources(),
        tests,
        phases: Vec::new(),
        errors: Vec::new(),
        lost,
    }
}
