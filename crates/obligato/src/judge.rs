//! What a suite covers, where decisions written as text are replayed on its tests, or the tests ran elsewhere and left a recording.
//!
//! [`judge`] is the walk: [`input`] reads what is judged, [`measure`] collects what its tests show, the criteria judge it, and the
//! result is stored if the request names a directory.

use std::collections::HashMap;
use std::path::Path;

use obligato_campaign::{Knowledge, assess};
use obligato_criteria::{Evidence, plan};
use obligato_model::Program;
use obligato_store::StoredResult;
use obligato_store::details::SourceFile;
use obligato_store::file::Draft;

use crate::campaign::{Stop, unless_stopped};
use crate::conclusion::{Background, Concluded, JudgedSuite, conclude};
use crate::error::Error;
use crate::evidence::SubjectFacts;
use crate::expectations::Expectations;
use crate::fingerprints::Codes;
use crate::judging::JudgingOptions;
use crate::storage::{self, MOST_DETAILED};
use crate::subject::SubjectKind;

mod input;
mod kind;
mod measure;
mod subject;

use input::{JudgedCase, Tests};
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
    let expectations = Expectations::default();
    let concluded = conclude(
        JudgedSuite {
            command: "judge",
            name: &case.name,
            kind: case.kind(),
            program: case.program(),
            judging,
            evidence: &evidence,
            assessment: &assessment,
            observed: Vec::new(),
            shard: None,
            expectations: &expectations,
            details: Vec::new(),
            phases: Vec::new(),
        },
        &case,
    )?;
    let document = obligato_store::result::print(&concluded.result)?;
    unless_stopped(stop)?;
    let stored = concluded.store(&case, None)?;
    let Concluded { result, notes, .. } = concluded;
    let (kind, name) = (case.kind(), case.name.clone());
    let program = case.into_program();
    Ok(Judgement { name, kind, program, evidence, result, document, notes, stored })
}

impl Background for JudgedCase {
    fn codes(&self) -> Codes {
        Codes::new()
    }

    fn sources(&self) -> Vec<SourceFile> {
        JudgedCase::sources(self)
    }

    fn facts(&self) -> SubjectFacts {
        let files = JudgedCase::sources(self).into_iter().map(|source| source.file).collect();
        SubjectFacts { files, ..SubjectFacts::default() }
    }

    fn lost_effects(&self) -> Result<HashMap<usize, Vec<String>>, Error> {
        Ok(HashMap::new())
    }

    fn draft_tests(&self, path: &Path) -> Result<Option<Draft>, Error> {
        let inputs = &self.program().interface.inputs;
        match &self.tests {
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
}
