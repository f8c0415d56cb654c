//! Results of shards, or of several machines, as one.
//!
//! [`merge`] is the walk: the parts are read, [`belonging`] refuses what does not belong together or is not complete, [`suites`] puts the
//! tests together, [`verdicts`] the verdicts, [`details`] what stands behind them, [`proofs`] the proofs; the merged result is stored.

use std::path::{Path, PathBuf};

use obligato_store::{StoredResult, result};

use crate::campaign::{Stop, unless_stopped};
use crate::error::Error;
use crate::storage;

mod belonging;
mod details;
mod evidence;
mod part;
mod proofs;
mod suites;
mod verdicts;

use part::Part;
use suites::MergedSuite;

/// Which results to merge, and where to.
#[derive(Debug, Clone)]
pub struct MergeRequest {
    /// The directories that the parts are stored in.
    pub parts: Vec<PathBuf>,
    /// The directory to store the merged result in; it is made if it does not exist.
    pub output: PathBuf,
}

/// A result that was merged and stored.
#[derive(Debug)]
pub struct Merged {
    /// The merged result.
    pub result: StoredResult,
    /// Where it is stored, as a sentence.
    pub stored: String,
    /// Why no details are stored, if none are: parts without them, or parts that differ in what stands behind their verdicts.
    pub without_details: Option<String>,
}

/// Merges stored results, and stores what comes of it. Nothing is written unless all parts belong together, nor if `stop`
/// comes before.
///
/// ```
/// use obligato::campaign::Stop;
/// use obligato::judge::{JudgeRequest, JudgeSubject, judge};
/// use obligato::judging::JudgingOptions;
/// use obligato::merge::{MergeRequest, merge};
///
/// let directory = tempfile::tempdir()?;
/// let parts = ["one", "two"].map(|name| directory.path().join(name));
/// for (part, test) in parts.iter().zip(["# both\n1,1", "# only x\n1,0"]) {
///     let tests = part.with_extension("csv");
///     std::fs::write(&tests, format!("x,y\n{test}\n"))?;
///     let subject = JudgeSubject::Decisions { texts: vec!["x && y".to_owned()], tests };
///     let criteria = JudgingOptions::new(["decision".parse()?]);
///     let judging = JudgingOptions { store: Some(part.clone()), ..criteria };
///     judge(&JudgeRequest { subject, judging }, &Stop::never())?;
/// }
///
/// let output = directory.path().join("merged");
/// let merged = merge(&MergeRequest { parts: parts.to_vec(), output }, &Stop::never())?;
/// assert_eq!(merged.result.tests, ["both", "only x"]);
/// assert_eq!(merged.result.tally("decision".parse()?).covered, 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn merge(request: &MergeRequest, stop: &Stop) -> Result<Merged, Error> {
    let load = |path: &PathBuf| unless_stopped(stop).and_then(|()| Part::load(path));
    let parts: Vec<Part> = request.parts.iter().map(load).collect::<Result<_, _>>()?;
    belonging::check(&parts)?;
    let suite = MergedSuite::new(&parts)?;
    unless_stopped(stop)?;
    let verdicts = verdicts::merge(&parts, &suite)?;
    let document = result::print(&verdicts.result)?;
    let proofs = proofs::join(&parts, &verdicts.result)?;
    let proofs = proofs.as_ref().map(obligato_store::proofs::print).transpose()?;
    let write = |path: &Path| suite.suite.as_ref().map(|suite| suite.write(path)).transpose();
    unless_stopped(stop)?;
    let details = details::merge(&parts, &suite, &verdicts);
    let printed = details.as_ref().ok().map(obligato_store::details::print).transpose()?;
    let evidence = evidence::merge(&parts, &verdicts.result)?;
    let evidence = evidence.as_ref().map(obligato_store::evidence::print);
    let documents = storage::Documents {
        result: &document,
        details: printed.as_deref(),
        proofs: proofs.as_deref(),
        timeline: None,
        evidence: evidence.as_deref(),
    };
    unless_stopped(stop)?;
    let stored = storage::store(&request.output, &documents, write)?;
    Ok(Merged { result: verdicts.result, stored, without_details: details.err() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_written_once_somebody_has_asked_to_stop() {
        let directory = tempfile::tempdir().expect("a directory");
        let output = directory.path().join("merged");
        let stop = Stop::never();
        stop.request();
        let request = MergeRequest { parts: vec![directory.path().to_owned()], output };
        assert!(matches!(merge(&request, &stop), Err(Error::Stopped)));
        assert!(!request.output.exists());
    }
}
