//! The properties of a model, each with a proof or a test that violates it.
//!
//! [`prove`] is the walk: the model is read, properties are chosen ([`property`]), a campaign decides them,
//! counterexamples are run once more, and the files that were asked for are written.

use std::path::PathBuf;

use obligato_engines_lustre::proofs::BookedProof;
use obligato_engines_lustre::properties::{self, Properties, PropertyVerdict, aiger};
use obligato_model::TestCase;
use obligato_store::Signature;
use obligato_store::file;
use obligato_store::proofs::{StoredProofs, save};

use crate::TOOL;
use crate::campaign::{Budget, PhaseReport, Stop, Watcher};
use crate::error::Error;
use crate::language::Command;
use crate::model::LoadedModel;
use crate::record::{Record, record_outputs, record_undefined};
use crate::refusal;
use crate::stored_proofs::{is_certified, stored};
use crate::subject::SubjectOptions;
use crate::suite_writer::{expect_writable, write_suite};

mod document;
mod property;

pub use obligato_engines_lustre::properties::{Counterexample, PropertyStatus};
pub use obligato_engines_lustre::undefined::UndefinedValue;
pub use property::Property;
pub(crate) use property::titled_checks;

/// Which properties are decided, with what effort, and which files are written.
#[derive(Debug, Clone)]
pub struct ProveRequest {
    /// The program.
    pub subject: SubjectOptions,
    /// The properties to decide, each by its name or its line; all if none is named.
    pub properties: Vec<String>,
    /// Whether divisions by zero, subranges and indices are properties too.
    pub faults: bool,
    /// What the campaign may spend.
    pub budget: Budget,
    /// How many threads may work; the answer to a budget of work is the same for any number.
    pub threads: usize,
    /// Where the proofs go, for [`check_proof`](crate::check_proof::check_proof).
    pub proofs: Option<PathBuf>,
    /// Where the model and its properties go as AIGER; as text if the name ends in `.aag`.
    pub aiger: Option<PathBuf>,
    /// Where the counterexamples go as a suite (`.csv`, `.json` or `.rif`).
    pub counterexamples: Option<PathBuf>,
}

impl ProveRequest {
    /// All properties of a program, within a budget, on one thread; no file is written.
    pub fn new(subject: SubjectOptions, budget: Budget) -> Self {
        Self {
            subject,
            properties: Vec::new(),
            faults: false,
            budget,
            threads: 1,
            proofs: None,
            aiger: None,
            counterexamples: None,
        }
    }
}

/// The decided properties of a model.
pub struct Proved {
    /// The model.
    pub model: LoadedModel,
    /// The inputs and outputs of the model, as steps of counterexamples have them.
    pub signature: Signature,
    /// One per property, in the order of the model.
    pub decided: Vec<Decided>,
    /// The certificates of the valid ones.
    pub proofs: Vec<BookedProof>,
    /// What each phase of the campaign did.
    pub phases: Vec<PhaseReport>,
    /// Whether `stop` ended the campaign early.
    pub stopped: bool,
    /// The files that were written, in order.
    pub written: Vec<PathBuf>,
}

/// A property with its verdict.
pub struct Decided {
    /// The property.
    pub property: Property,
    /// Whether it is valid, invalid or unknown, with the ground for it.
    pub status: PropertyStatus,
    /// The counterexample as it ran, if there is one.
    pub violation: Option<Record>,
}

/// Decides properties of a model, and writes the files that the request names.
///
/// What was decided before `stop` counts.
///
/// ```
/// use obligato::campaign::{Budget, Status, Stop};
/// use obligato::prove::{PropertyStatus, ProveRequest, prove};
/// use obligato::subject::SubjectOptions;
///
/// let directory = tempfile::tempdir()?;
/// let file = directory.path().join("same.lus");
/// let text = "node same(a: bool) returns (b: bool); let b = a; --%PROPERTY b = a;\ntel\n";
/// std::fs::write(&file, text)?;
/// let request = ProveRequest::new(SubjectOptions::new(&file), Budget::Work(500_000));
/// let proved = prove(&request, &Stop::never(), &mut |_: &Status| {})?;
/// assert!(matches!(proved.decided[0].status, PropertyStatus::Valid(_)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn prove(
    request: &ProveRequest,
    stop: &Stop,
    watcher: &mut dyn Watcher,
) -> Result<Proved, Error> {
    request.subject.expect_language(Command::Prove)?;
    let model = LoadedModel::load(&request.subject)?;
    let properties = property::choose(&model, request)?;
    let signature = Signature::new(&model.lowered.interface);
    if let Some(path) = &request.counterexamples {
        expect_writable(path, &signature)?;
    }
    for path in request.proofs.iter().chain(&request.aiger) {
        // A draft that is dropped leaves nothing behind.
        file::Draft::create(path)?;
    }

    let checks: Vec<usize> = properties.iter().map(|property| property.check).collect();
    let ProveRequest { budget, threads, .. } = *request;
    let Properties { verdicts, proofs, phases } =
        properties::prove(&model.lowered, &checks, budget, threads, stop, watcher)
            .map_err(|error| refusal::refuse(&error, &model))?;

    let decided = replay(&model, &signature, properties, verdicts)?;
    let stopped = stop.is_requested();
    let written = Vec::new();
    let mut proved = Proved { model, signature, decided, proofs, phases, stopped, written };
    proved.write_files(request)?;
    Ok(proved)
}

/// Runs every counterexample once more. One that does not violate its property in its last step is a
/// fault of ours.
fn replay(
    model: &LoadedModel,
    signature: &Signature,
    properties: Vec<Property>,
    verdicts: Vec<PropertyVerdict>,
) -> Result<Vec<Decided>, Error> {
    let mut records = Vec::new();
    for (property, verdict) in properties.iter().zip(&verdicts) {
        if let PropertyStatus::Invalid(found) = &verdict.status {
            let test = TestCase { name: property.title.clone(), ..found.test.clone() };
            if found.undefined.is_empty() {
                records.extend(record_outputs(&model.lowered, signature, &[test])?);
            } else {
                records.push(record_undefined(&model.lowered, signature, test, &found.undefined)?);
            }
        }
    }
    let mut records = records.into_iter();
    let mut decided = Vec::new();
    for (property, PropertyVerdict { check, status }) in properties.into_iter().zip(verdicts) {
        let violation = match &status {
            PropertyStatus::Invalid(_) => records.next(),
            PropertyStatus::Valid(_) | PropertyStatus::Unknown(_) => None,
        };
        if let Some(Record { test, trace, .. }) = &violation {
            let last = test.steps.len().checked_sub(1);
            let fails = trace.failures.iter().find(|failure| failure.check == check);
            if fails.map(|failure| failure.step) != last {
                let message =
                    format!("the counterexample of '{}' violates nothing", property.title);
                return Err(Error::Internal(message));
            }
        }
        decided.push(Decided { property, status, violation });
    }
    Ok(decided)
}

impl Proved {
    /// Writes the proofs, the model as AIGER, and the counterexamples with the outputs of the model.
    fn write_files(&mut self, request: &ProveRequest) -> Result<(), Error> {
        if let Some(path) = &request.proofs {
            save(path, &self.book(request.subject.model.inline))?;
            self.written.push(path.clone());
        }
        if let Some(path) = &request.aiger {
            let checks: Vec<usize> = self.decided.iter().map(|one| one.property.check).collect();
            let text = path.extension().is_some_and(|extension| extension == "aag");
            let bytes = aiger(&self.model.lowered, &checks, text)
                .map_err(|error| refusal::refuse(&error, &self.model))?;
            file::write(path, &bytes)?;
            self.written.push(path.clone());
        }
        if let Some(path) = &request.counterexamples {
            // A suite cannot say what nothing defines: a run of it would violate nothing.
            let repeatable = self.decided.iter().filter(|decided| match &decided.status {
                PropertyStatus::Invalid(found) => found.undefined.is_empty(),
                PropertyStatus::Valid(_) | PropertyStatus::Unknown(_) => true,
            });
            let violations = repeatable.filter_map(|decided| decided.violation.as_ref());
            write_suite(path, &self.signature, violations.map(|record| Ok(&record.test)))?;
            self.written.push(path.clone());
        }
        Ok(())
    }

    /// The proofs, and what they settle.
    fn book(&self, inline: bool) -> StoredProofs {
        let is_settled = |decided: &&Decided| match &decided.status {
            PropertyStatus::Valid(proof) => is_certified(proof),
            PropertyStatus::Invalid(_) | PropertyStatus::Unknown(_) => false,
        };
        let title = |decided: &Decided| decided.property.title.clone();
        StoredProofs {
            tool: TOOL.to_owned(),
            main: self.model.main().to_owned(),
            inline,
            criteria: Vec::new(),
            observed: Vec::new(),
            properties: self.decided.iter().map(title).collect(),
            settles: self.decided.iter().filter(is_settled).map(title).collect(),
            proofs: stored(&self.proofs),
        }
    }

    /// How many properties have a status of this kind.
    pub fn count(&self, is: fn(&PropertyStatus) -> bool) -> usize {
        self.decided.iter().filter(|decided| is(&decided.status)).count()
    }
}
