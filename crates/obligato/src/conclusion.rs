//! How every walk ends: verdicts become a result with the reasons of people, and what stands behind them is stored.
//!
//! [`conclude`] makes the result; [`Concluded::store`] keeps it, if a directory is named. A language supplies facts only, as
//! [`Background`].

use std::collections::HashMap;
use std::path::Path;

use obligato_criteria::Evidence;
use obligato_model::{Assessment, Program};
use obligato_store::details::{ErrorDetails, SourceFile, TestDetails};
use obligato_store::file::Draft;
use obligato_store::generation::StoredPhase;
use obligato_store::proofs::StoredProofs;
use obligato_store::result::StoredShard;
use obligato_store::{StoredResult, proofs, result};

use crate::TOOL;
use crate::details::Basis;
use crate::error::Error;
use crate::evidence::{self, SubjectFacts};
use crate::expectations::Expectations;
use crate::fingerprints::Codes;
use crate::judging::JudgingOptions;
use crate::outcomes::SuiteRuns;
use crate::storage::{self, Documents};
use crate::subject::SubjectKind;

/// A suite that was judged.
#[derive(Clone)]
pub struct JudgedSuite<'a> {
    /// The command that judges.
    pub command: &'static str,
    /// What was judged, as the user named it.
    pub name: &'a str,
    /// What kind of thing that is.
    pub kind: SubjectKind,
    /// The program.
    pub program: &'a Program,
    /// By what it was judged, and what is kept.
    pub judging: &'a JudgingOptions,
    /// What the tests have shown.
    pub evidence: &'a Evidence,
    /// The verdicts.
    pub assessment: &'a Assessment,
    /// The names of what was observed; empty where nobody watched.
    pub observed: Vec<String>,
    /// The shard, if it is not everything.
    pub shard: Option<StoredShard>,
    /// Which tests gave the outputs that they expect.
    pub expectations: &'a Expectations,
    /// Per test, where it comes from and how it ended; empty if there is nothing to say of any.
    pub details: Vec<TestDetails>,
    /// What was done to make tests.
    pub phases: Vec<StoredPhase>,
}

/// What only the language knows. All but the codes are asked for only if a result is stored.
pub trait Background {
    /// By function, the fingerprint of its code with all that it depends on; empty where only its text is known.
    fn codes(&self) -> Codes;

    /// Its files, as far as they can be read.
    fn sources(&self) -> Vec<SourceFile>;

    /// What results rely on, for whoever assesses them.
    fn facts(&self) -> SubjectFacts;

    /// By obligation, where an effect that no test shows got lost.
    fn lost_effects(&self) -> Result<HashMap<usize, Vec<String>>, Error>;

    /// The runtime errors that inputs run into.
    fn errors(&self) -> Vec<ErrorDetails> {
        Vec::new()
    }

    /// The proofs, and what they settle of a result; none if nothing was searched for.
    fn proofs(&self, _: &StoredResult) -> Option<StoredProofs> {
        None
    }

    /// The suite on its way into a file; none if its tests are not here.
    fn draft_tests(&self, path: &Path) -> Result<Option<Draft>, Error>;
}

/// A result.
pub struct Concluded<'a> {
    suite: JudgedSuite<'a>,
    /// The verdicts as they are stored, with the reasons of people.
    pub result: StoredResult,
    /// What there is to know of those reasons.
    pub notes: Vec<String>,
}

/// Makes a result of verdicts: with how each test went, the fingerprints of the code, and the reasons of people.
pub fn conclude<'a>(
    suite: JudgedSuite<'a>,
    background: &impl Background,
) -> Result<Concluded<'a>, Error> {
    let JudgedSuite { program, judging, evidence, assessment, expectations, .. } = suite;
    let result = StoredResult::new(TOOL, &judging.criteria, assessment, program)?
        .observing(suite.observed.clone())
        .of_shard(suite.shard.clone());
    let details = &suite.details;
    let runs = SuiteRuns { program, evidence, assessment, expectations, details };
    let result = runs.complete(result)?;
    let (result, notes) = judging.complete(result, program, &background.codes())?;
    Ok(Concluded { suite, result, notes })
}

impl Concluded<'_> {
    /// Stores suite, result and what stands behind it, if a directory is named; says where.
    pub fn store(
        &self,
        background: &impl Background,
        timeline: Option<&str>,
    ) -> Result<Option<String>, Error> {
        let Self { suite, result, .. } = self;
        let JudgedSuite { command, name, judging, .. } = *suite;
        let Some(directory) = &judging.store else { return Ok(None) };
        let basis = Basis {
            name,
            subject: suite.kind,
            command,
            program: suite.program,
            evidence: suite.evidence,
            assessment: suite.assessment,
            sources: background.sources(),
            tests: suite.details.clone(),
            phases: suite.phases.clone(),
            errors: background.errors(),
            lost: background.lost_effects()?,
        };
        let document = result::print(result)?;
        let details = basis.print(result)?;
        let proofs = background.proofs(result);
        let proofs = proofs.map(|proofs| proofs::print(&proofs)).transpose()?;
        let evidence = evidence::document(judging, command, name, background.facts(), result);
        let documents = Documents {
            result: &document,
            details: Some(&details),
            proofs: proofs.as_deref(),
            timeline,
            evidence: Some(&evidence),
        };
        storage::store(directory, &documents, |path| background.draft_tests(path)).map(Some)
    }
}
