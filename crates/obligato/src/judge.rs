//! What a suite covers, where decisions written as text are replayed on its tests, or the tests ran elsewhere and left a recording.
//!
//! [`judge`] is the walk: [`input`] reads what is judged, [`measure`] collects what its tests show, the criteria judge it, and the
//! result is stored if the request names a directory.

use std::collections::HashMap;
use std::path::Path;

use obligato_campaign::{Knowledge, assess};
use obligato_criteria::{Evidence, plan};
use obligato_model::{Assessment, Program};
use obligato_store::StoredResult;
use obligato_store::file::Draft;

use crate::TOOL;
use crate::campaign::{Stop, unless_stopped};
use crate::details::Basis;
use crate::error::Error;
use crate::evidence::{self, SubjectFacts};
use crate::fingerprints::Codes;
use crate::judging::JudgingOptions;
use crate::storage::{self, MOST_DETAILED};
use crate::subject::SubjectKind;

mod input;
mod kind;
mod measure;
mod subject;

use input::{Case, Tests};
use measure::{disbelieve, measure};

pub use subject::JudgeSubject;

/// What to judge.
#[derive(Debug, Clone)]
pub struct JudgeRequest {
    /// The decisions, and the tests.
    pub subject: JudgeSubject,
    /// By what, and what is kept.
    pub judging: JudgingOptions,
}

/// A suite with its verdicts.
#[derive(Debug)]
pub struct Judgement {
    /// What was judged, as the request named it.
    pub name: String,
    /// What kind of thing that is.
    pub kind: SubjectKind,
    /// The program.
    pub program: Program,
    /// What the tests have shown.
    pub evidence: Evidence,
    /// The verdicts.
    pub result: StoredResult,
    /// The verdicts as the document that is stored, in JSON.
    pub document: String,
    /// What there is to know of justifications that do not count, or are not needed.
    pub notes: Vec<String>,
    /// Where the result is stored, as a sentence; none if it is not.
    pub stored: Option<String>,
}

/// Judges what the tests of a suite cover, and stores the result if a directory is named and `stop` does not come before.
///
/// ```
/// use obligato::Stop;
/// use obligato::judge::{JudgeRequest, JudgeSubject, judge};
/// use obligato::judging::JudgingOptions;
///
/// let directory = tempfile::tempdir()?;
/// let tests = directory.path().join("suite.csv");
/// std::fs::write(&tests, "x,y\n# both\n1,1\n\n# only x\n1,0\n")?;
///
/// let subject = JudgeSubject::Decisions { texts: vec!["x && y".to_owned()], tests };
/// let judging = JudgingOptions::new(["mcdc".parse()?]);
/// let judgement = judge(&JudgeRequest { subject, judging }, &Stop::never())?;
/// let tally = judgement.result.tally("mcdc".parse()?);
/// // Both values of y decide the outcome in a test, and so does x where it is true; x is never false.
/// assert_eq!((tally.covered, tally.unresolved), (3, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn judge(request: &JudgeRequest, stop: &Stop) -> Result<Judgement, Error> {
    let JudgeRequest { subject, judging } = request;
    unless_stopped(stop)?;
    let case = input::read(subject)?;
    let vectors = judging.vectors(case.count_up_to(MOST_DETAILED + 1)?);
    let evidence = measure(&case, vectors, stop)?;
    let plan = plan(case.program(), &judging.criteria);
    let assessment = assess(case.program(), plan, &evidence, &Knowledge::default())
        .map_err(|error| disbelieve(&case, &error))?;
    let result = StoredResult::new(TOOL, &judging.criteria, &assessment, case.program())?;
    let (result, notes) = judging.complete(result, case.program(), &Codes::new())?;
    let document = obligato_store::result::print(&result)?;
    unless_stopped(stop)?;
    let stored = match &judging.store {
        Some(directory) => {
            let details = basis(&case, &evidence, &assessment).print(&result)?;
            let files = case.sources().into_iter().map(|source| source.file).collect();
            let facts = SubjectFacts { files, ..SubjectFacts::default() };
            let proof = evidence::document(judging, "judge", &case.name, facts, &result);
            let documents = storage::Documents {
                result: &document,
                details: Some(&details),
                evidence: Some(&proof),
                ..Default::default()
            };
            Some(storage::store(directory, &documents, |path| write_suite(&case, path))?)
        }
        None => None,
    };
    let (kind, name) = (case.kind(), case.name.clone());
    let program = case.into_program();
    Ok(Judgement { name, kind, program, evidence, result, document, notes, stored })
}

/// What stands behind the verdicts.
fn basis<'a>(case: &'a Case, evidence: &'a Evidence, assessment: &'a Assessment) -> Basis<'a> {
    Basis {
        name: &case.name,
        subject: case.kind(),
        command: "judge",
        program: case.program(),
        evidence,
        assessment,
        sources: case.sources(),
        tests: Vec::new(),
        phases: Vec::new(),
        errors: Vec::new(),
        lost: HashMap::new(),
    }
}

/// The suite of a case, if it has one, on its way into the file at `path`.
fn write_suite(case: &Case, path: &Path) -> Result<Option<Draft>, Error> {
    let inputs = &case.program().interface.inputs;
    match &case.tests {
        Tests::Replayed { suite, .. } => {
            let tests = suite.tests(inputs)?;
            storage::write_tests(path, inputs, tests.map(|test| Ok(test?))).map(Some)
        }
        Tests::Recorded { suite: Some(suite), .. } => {
            storage::write_tests(path, inputs, suite.tests.iter().map(Ok)).map(Some)
        }
        Tests::Recorded { suite: None, .. } => Ok(None),
    }
}
