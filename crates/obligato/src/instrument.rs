//! A model with its obligations as trap properties, for other model checkers.

use std::path::{Path, PathBuf};

use obligato_engines_lustre::instrument::{self as traps, InstrumentError, Request};
use obligato_model::Criterion;
use obligato_store::file;
use obligato_transition_system::NodeId;

use crate::error::Error;
use crate::model::LoadedModel;
use crate::observed::Observed;
use crate::subject::SubjectOptions;

pub use obligato_engines_lustre::instrument::{Instrumented, Property};
pub use obligato_lustre::flat::Dialect;

/// Which obligations of a model become properties, and for whom.
#[derive(Debug, Clone)]
pub struct InstrumentRequest {
    /// The model.
    pub model: SubjectOptions,
    /// The criteria whose obligations become properties. One that has none is an error.
    pub criteria: Vec<Criterion>,
    /// The observed variables; the outputs if none is named.
    pub observe: Vec<String>,
    /// The model checker that will read the text.
    pub dialect: Dialect,
    /// The file to write, if the text is not only to be returned.
    pub output: Option<PathBuf>,
}

/// A model with trap properties.
#[derive(Debug, Clone)]
pub struct Instrumentation {
    /// The text, its properties, and the obligations that have none.
    pub written: Instrumented,
    /// Warnings about the model, what inlining left, what is assumed.
    pub remarks: Vec<String>,
}

/// Writes the model with a property for every obligation, which says that no test covers it.
///
/// ```
/// use obligato::instrument::{Dialect, InstrumentRequest, instrument};
/// use obligato::subject::SubjectOptions;
///
/// let directory = tempfile::tempdir()?;
/// let file = directory.path().join("both.lus");
/// std::fs::write(&file, "node both(a, b: bool) returns (c: bool); let c = a and b; tel\n")?;
/// let found = instrument(&InstrumentRequest {
///     model: SubjectOptions::new(&file),
///     criteria: vec!["decision".parse()?],
///     observe: Vec::new(),
///     dialect: Dialect::Kind2,
///     output: None,
/// })?;
/// assert_eq!(found.written.properties.len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn instrument(request: &InstrumentRequest) -> Result<Instrumentation, Error> {
    request.criteria.iter().try_for_each(|criterion| expect_properties(*criterion))?;
    if let Some(path) = &request.output {
        refuse_the_model_itself(path, &request.model.file)?;
    }
    let loaded = LoadedModel::load(&request.model)?;
    let observed = Observed::new(&loaded, &request.observe)?;
    let observed: Vec<(String, NodeId)> =
        observed.names().into_iter().zip(observed.nodes().iter().copied()).collect();
    let written = traps::instrument(&Request {
        lowered: &loaded.lowered,
        main: loaded.main(),
        criteria: &request.criteria,
        observed: &observed,
        dialect: request.dialect,
    });
    let written = written.map_err(|error| refuse(&loaded.path, error))?;
    if let Some(path) = &request.output {
        file::write(path, written.text.as_bytes())?;
    }
    Ok(Instrumentation { written, remarks: loaded.remarks })
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
fn refuse_the_model_itself(path: &Path, model: &Path) -> Result<(), Error> {
    let same = |a: &Path, b: &Path| Some(a.canonicalize().ok()? == b.canonicalize().ok()?);
    if same(path, model) != Some(true) {
        return Ok(());
    }
    Err(Error::Input {
        message: format!("'{}' is the model itself", path.display()),
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
