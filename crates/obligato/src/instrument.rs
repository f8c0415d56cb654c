//! A program with its obligations as properties, for other model checkers: a model with trap properties, a C function with assertions.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use obligato_engines_c::instrument as assertions;
use obligato_engines_lustre::instrument::{self as traps, InstrumentError};
use obligato_lustre::flat::Dialect;
use obligato_model::{Criterion, Key, Method, Verdict};
use obligato_store::file;
use obligato_transition_system::NodeId;

use crate::campaign::{Stop, or_stopped, unless_stopped};
use crate::error::Error;
use crate::language::Command;
use crate::model::LoadedModel;
use crate::observed::ObservedVariables;
use crate::storage;
use crate::subject::{FileLanguage, SubjectOptions};
use crate::unit::LoadedUnit;

pub use obligato_engines_c::instrument::ARGUMENTS as CBMC_ARGUMENTS;

/// Which obligations of a program become properties, and for whom.
#[derive(Debug, Clone)]
pub struct InstrumentRequest {
    /// The program.
    pub subject: SubjectOptions,
    /// The criteria whose obligations become properties. One that has none is an error.
    pub criteria: Vec<Criterion>,
    /// The observed variables of a model; the outputs if none is named.
    pub observe: Vec<String>,
    /// The model checker that will read the text.
    pub checker: ModelChecker,
    /// Only the obligations of a C function that the result in this store has proved uncoverable.
    pub uncoverable: Option<PathBuf>,
    /// The file to write, if the text is not only to be returned.
    pub output: Option<PathBuf>,
}

/// A model checker that reads what is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ModelChecker {
    /// Kind 2, for Lustre models.
    Kind2,
    /// JKind, for Lustre models.
    JKind,
    /// CBMC, for C functions.
    Cbmc,
}

impl ModelChecker {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Kind2 => "kind2",
            Self::JKind => "jkind",
            Self::Cbmc => "cbmc",
        }
    }
}

/// A program with properties.
#[derive(Debug, Clone)]
pub struct Instrumentation {
    /// What the model checker reads.
    pub text: String,
    /// Its properties, in the order of the obligations.
    pub properties: Vec<InstrumentedProperty>,
    /// Obligations that no property stands for, and why.
    pub left_out: Vec<(Key, String)>,
    /// Warnings about the program, what inlining left, what is assumed.
    pub remarks: Vec<String>,
}

/// A property that stands for an obligation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InstrumentedProperty {
    /// What the model checker calls it.
    pub name: String,
    /// What it stands for: the key of its obligation, and for half of one what else.
    pub title: String,
}

/// Writes the program with a property for every obligation, which says that no test covers it.
///
/// ```
/// use obligato::instrument::{ModelChecker, InstrumentRequest, instrument};
/// use obligato::{Stop, subject::SubjectOptions};
///
/// let directory = tempfile::tempdir()?;
/// let file = directory.path().join("both.lus");
/// std::fs::write(&file, "node both(a, b: bool) returns (c: bool); let c = a and b; tel\n")?;
/// let request = InstrumentRequest {
///     subject: SubjectOptions::new(&file),
///     criteria: vec!["decision".parse()?],
///     observe: Vec::new(),
///     checker: ModelChecker::Kind2,
///     uncoverable: None,
///     output: None,
/// };
/// let found = instrument(&request, &Stop::never())?;
/// assert_eq!(found.properties.len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn instrument(request: &InstrumentRequest, stop: &Stop) -> Result<Instrumentation, Error> {
    unless_stopped(stop)?;
    if let Some(path) = &request.output {
        refuse_the_program_itself(path, &request.subject.file)?;
    }
    let language = request.subject.expect_language(Command::Instrument)?;
    let found = match (language, request.checker) {
        (FileLanguage::Lustre, ModelChecker::Kind2) => instrument_model(request, Dialect::Kind2),
        (FileLanguage::Lustre, ModelChecker::JKind) => instrument_model(request, Dialect::JKind),
        (FileLanguage::C, ModelChecker::Cbmc) => instrument_function(request),
        (language, checker) => return Err(refuse_pair(request, language, checker)),
    };
    let found = or_stopped(found, stop)?;
    unless_stopped(stop)?;
    if let Some(path) = &request.output {
        file::write(path, found.text.as_bytes())?;
    }
    Ok(found)
}

fn instrument_model(
    request: &InstrumentRequest,
    dialect: Dialect,
) -> Result<Instrumentation, Error> {
    request.criteria.iter().try_for_each(|criterion| expect_properties(*criterion))?;
    if request.uncoverable.is_some() {
        return Err(Error::Input {
            message: "--uncoverable is for C functions".to_owned(),
            way_out: "leave it out; 'obligato check-proof' checks the proofs of a model".to_owned(),
        });
    }
    let loaded = LoadedModel::load(&request.subject)?;
    let observed = ObservedVariables::new(&loaded, &request.observe)?;
    let observed: Vec<(String, NodeId)> =
        observed.names().into_iter().zip(observed.nodes().iter().copied()).collect();
    let written = traps::instrument(&traps::Request {
        lowered: &loaded.lowered,
        main: loaded.main(),
        criteria: &request.criteria,
        observed: &observed,
        dialect,
    });
    let written = written.map_err(|error| refuse(&loaded.path, error))?;
    let property = |one: traps::Property| InstrumentedProperty { name: one.name, title: one.title };
    Ok(Instrumentation {
        text: written.text,
        properties: written.properties.into_iter().map(property).collect(),
        left_out: written.left_out,
        remarks: loaded.remarks,
    })
}

fn instrument_function(request: &InstrumentRequest) -> Result<Instrumentation, Error> {
    let loaded = LoadedUnit::load(&request.subject, &request.observe)?;
    let interface = loaded.interface(&request.subject)?;
    let only = request.uncoverable.as_deref().map(proved).transpose()?;
    let written = assertions::instrument(&assertions::Request {
        unit: &loaded.unit,
        interface: &interface,
        criteria: &request.criteria,
        only: only.as_ref(),
    });
    let property =
        |key: Key| InstrumentedProperty { name: key.to_string(), title: key.to_string() };
    let preconditions = (!interface.preconditions.is_empty()).then(|| {
        "note: preconditions are not written: a failed assertion may break one".to_owned()
    });
    Ok(Instrumentation {
        text: written.text,
        properties: written.properties.into_iter().map(property).collect(),
        left_out: written.left_out,
        remarks: preconditions.into_iter().collect(),
    })
}

/// The obligations that a stored result has proved uncoverable, but for those that the text alone rules out.
fn proved(store: &Path) -> Result<BTreeSet<Key>, Error> {
    let result = storage::load(store)?;
    let is_proved = |verdict: &Verdict| match verdict {
        Verdict::Uncoverable(proof) => {
            !matches!(proof.method, Method::Constant | Method::OutOfRange)
        }
        _ => false,
    };
    let proved = result.obligations.into_iter().filter(|one| is_proved(&one.verdict));
    Ok(proved.map(|one| Key::new(one.id)).collect())
}

fn refuse_pair(
    request: &InstrumentRequest,
    language: FileLanguage,
    checker: ModelChecker,
) -> Error {
    let file = request.subject.file.display();
    let (what, way_out) = match language {
        FileLanguage::C => ("a C file", "use --for cbmc"),
        _ => ("a Lustre model", "use --for kind2 or --for jkind"),
    };
    Error::Input {
        message: format!("{file} is {what}, which '{}' does not read", checker.word()),
        way_out: way_out.to_owned(),
    }
}

/// Can the obligations of a criterion be properties of one model?
pub fn has_properties(criterion: Criterion) -> bool {
    traps::refusal(criterion).is_none()
}

fn expect_properties(criterion: Criterion) -> Result<(), Error> {
    match traps::refusal(criterion) {
        None => Ok(()),
        Some(why) => Err(Error::Input {
            message: format!("'{criterion}' has no trap properties: {why}"),
            way_out: way_out(criterion),
        }),
    }
}

fn way_out(criterion: Criterion) -> String {
    match criterion {
        Criterion::Omcdc(_) | Criterion::Obvc(_) => {
            let name = criterion.name();
            format!("ask for {name} or {name}:tags, which follow effects in one model")
        }
        Criterion::Mcdc(_) => {
            "ask for mcdc, or for mcc to have a property for each evaluation".into()
        }
        _ => "ask for another criterion".into(),
    }
}

/// The file would be gone, and its keys with it.
fn refuse_the_program_itself(path: &Path, program: &Path) -> Result<(), Error> {
    let same = |a: &Path, b: &Path| Some(a.canonicalize().ok()? == b.canonicalize().ok()?);
    if same(path, program) != Some(true) {
        return Ok(());
    }
    Err(Error::Input {
        message: format!("'{}' is the program itself", path.display()),
        way_out: "write into another file".to_owned(),
    })
}

fn refuse(path: &str, error: InstrumentError) -> Error {
    match error {
        InstrumentError::UnsupportedByDialect(lacks) => Error::Input {
            message: format!("{path}: {} has no words for {}", lacks.dialect.name(), lacks.what),
            way_out: "use --for kind2".to_owned(),
        },
        other => Error::Internal(other.to_string()),
    }
}
