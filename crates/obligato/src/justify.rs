//! A person's reason for leaving obligations uncovered: written into the file of justifications, and listed.

use std::path::{Path, PathBuf};

use obligato_model::Verdict;
use obligato_store::{StoredObligation, StoredResult, file};

use crate::config::text_of;
use crate::date;
use crate::error::Error;
use crate::justifications::{
    Entry, JustificationStanding, Justifications, USUAL_FILE, is_date, number_of, put,
};
use crate::nearest::nearest;
use crate::storage;

/// Which obligations to justify, and why.
#[derive(Debug, Clone, Default)]
pub struct JustifyRequest {
    /// The obligations, by the ids of the stored result.
    pub ids: Vec<String>,
    /// Why they are left uncovered.
    pub reason: String,
    /// Who answers for it.
    pub author: String,
    /// When, as YYYY-MM-DD; today if no day is named.
    pub date: Option<String>,
    /// The directory that the result is stored in.
    pub store: PathBuf,
    /// The file of justifications; `obligato-justifications.toml` of this directory unless one is named.
    pub justifications: Option<PathBuf>,
}

/// Justifications that were written.
#[derive(Debug)]
pub struct Justified {
    /// What was written, in the order of the request.
    pub entries: Vec<JustifiedObligation>,
    /// What there is to know of all justifications in the file that do not count, or are not needed.
    pub notes: Vec<String>,
    /// The file they were written into.
    pub file: PathBuf,
}

/// A justification and what it is for.
#[derive(Debug, Clone)]
pub struct JustifiedObligation {
    /// The justification.
    pub entry: Entry,
    /// The obligation, with the verdict that it had before.
    pub obligation: StoredObligation,
}

/// A justification of the file, and whether it counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedJustification {
    /// The justification.
    pub entry: Entry,
    /// How it stands to the stored result.
    pub standing: JustificationStanding,
}

/// Writes justifications into their file, and brings the stored result up to date.
///
/// ```
/// use obligato::Stop;
/// use obligato::judge::{JudgeRequest, JudgeSubject, judge};
/// use obligato::judging::JudgingOptions;
/// use obligato::justifications::JustificationStanding;
/// use obligato::justify::{JustifyRequest, justify, list_justifications};
/// use obligato_model::Verdict;
///
/// let directory = tempfile::tempdir()?;
/// let store = directory.path().join("store");
/// let tests = directory.path().join("suite.csv");
/// std::fs::write(&tests, "x,y\n# both\n1,1\n")?;
/// let subject = JudgeSubject::Decisions { texts: vec!["x && y".to_owned()], tests };
/// let criteria = JudgingOptions::new(["decision".parse()?]);
/// let judging = JudgingOptions { store: Some(store.clone()), ..criteria };
/// let judgement = judge(&JudgeRequest { subject, judging }, &Stop::never())?;
/// let is_open = |verdict: &Verdict| matches!(verdict, Verdict::Unresolved(_));
/// let open = judgement.result.obligations.iter().find(|one| is_open(&one.verdict)).unwrap();
///
/// let justifications = directory.path().join("reasons.toml");
/// justify(&JustifyRequest {
///     ids: vec![open.id.clone()],
///     reason: "the door is never locked in tests".to_owned(),
///     author: "R. Hooke".to_owned(),
///     date: Some("2026-03-01".to_owned()),
///     store: store.clone(),
///     justifications: Some(justifications.clone()),
/// })?;
/// let listed = list_justifications(&store, Some(&justifications))?;
/// assert_eq!(listed[0].standing, JustificationStanding::Counts);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn justify(request: &JustifyRequest) -> Result<Justified, Error> {
    let mut result = storage::load(&request.store)?;
    let entries = entries(request, &result)?;
    let path = request.justifications.clone().unwrap_or_else(|| PathBuf::from(USUAL_FILE));
    let before = if path.exists() { file::read(&path)? } else { Vec::new() };
    let mut text = text_of(&before).map_err(|error| error.in_file(&path))?.to_owned();
    // What is wrong with the file is said with its place, not that nothing can be put into it.
    Justifications::load(path.exists().then_some(path.as_path()))?;
    for JustifiedObligation { entry, .. } in &entries {
        text = put(&text, entry).ok_or_else(|| Error::Input {
            message: format!("'{}' is laid out in a way of its own", path.display()),
            way_out: format!("change its entry of '{}' by hand", entry.id),
        })?;
    }
    file::write(&path, text.as_bytes())?;
    let notes = Justifications::load(Some(&path))?.apply(&mut result);
    storage::save(&request.store, &result)?;
    Ok(Justified { entries, notes, file: path })
}

/// All justifications of a file, or of the usual one if it is there, with how they stand to a stored result.
pub fn list_justifications(
    store: &Path,
    justifications: Option<&Path>,
) -> Result<Vec<ListedJustification>, Error> {
    let result = storage::load(store)?;
    let known = Justifications::load(justifications)?;
    let standings = known.standings(&result);
    let listed = known.entries().iter().cloned().zip(standings);
    Ok(listed.map(|(entry, standing)| ListedJustification { entry, standing }).collect())
}

/// The entries that are asked for, each with its obligation.
fn entries(
    request: &JustifyRequest,
    result: &StoredResult,
) -> Result<Vec<JustifiedObligation>, Error> {
    let reason = said(&request.reason, "reason")?;
    let author = said(&request.author, "author")?;
    let date = request.date.clone().unwrap_or_else(date::today);
    if !is_date(&date) {
        return Err(Error::Input {
            message: format!("--date: '{date}' is not a date"),
            way_out: "one is written YYYY-MM-DD".to_owned(),
        });
    }
    let entry = |id: &String| {
        let known = result.obligations.iter().find(|one| one.id == *id);
        let obligation = known.ok_or_else(|| refuse_unknown(id, result))?;
        let function = result.function_of(obligation);
        let fingerprint = function.map(|one| one.code.as_ref().unwrap_or(&one.fingerprint).clone());
        let (id, reason) = (id.clone(), reason.clone());
        let (author, date) = (author.clone(), date.clone());
        let reviews_proof = matches!(obligation.verdict, Verdict::Uncoverable(_));
        let number = Some(number_of(obligation, result));
        let entry = Entry { id, reason, author, date, fingerprint, number, reviews_proof };
        Ok(JustifiedObligation { entry, obligation: obligation.clone() })
    };
    request.ids.iter().map(entry).collect()
}

/// The value without white space around it; refused if nothing is left.
fn said(value: &str, flag: &str) -> Result<String, Error> {
    let bare = value.trim();
    if bare.is_empty() {
        return Err(Error::Input {
            message: format!("--{flag} is empty"),
            way_out: "an auditor will want to read it".to_owned(),
        });
    }
    Ok(bare.to_owned())
}

/// Says what there is instead.
fn refuse_unknown(id: &str, result: &StoredResult) -> Error {
    let known = result.obligations.iter().map(|one| one.id.as_str());
    let near = nearest(id, known);
    let way_out = if near.is_empty() {
        "--list of 'obligato measure' prints those that there are".to_owned()
    } else {
        format!("the nearest are {}", near.join(", "))
    };
    Error::Input { message: format!("the stored result has no obligation '{id}'"), way_out }
}
