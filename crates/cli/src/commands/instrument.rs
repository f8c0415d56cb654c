//! `obligato instrument`: a model with its obligations as properties, for other model checkers.

use std::path::Path;

use obligato_engines_lustre::instrument::{self, InstrumentError, Instrumented, Request};
use obligato_model::Criterion;
use obligato_store::file;
use obligato_transition_system::NodeId;

use crate::args::InstrumentArgs;
use crate::error::CliError;
use crate::exit::Exit;
use crate::output::{Output, counted};
use crate::shell::quote_path;
use obligato::Error;
use obligato::model::LoadedModel;
use obligato::observed::Observed;

/// Writes the model with properties.
pub fn run(arguments: &InstrumentArgs, output: &mut Output) -> Result<Exit, CliError> {
    let criteria = criteria(arguments)?;
    if let Some(path) = &arguments.output {
        refuse_the_model_itself(path, &arguments.model.file)?;
    }
    let loaded = LoadedModel::load(&arguments.model.options())?;
    let observed = Observed::new(&loaded, &arguments.observe)?;
    let observed: Vec<(String, NodeId)> =
        observed.names().into_iter().zip(observed.nodes().iter().copied()).collect();
    let written = instrument::instrument(&Request {
        lowered: &loaded.lowered,
        main: loaded.main(),
        criteria: &criteria,
        observed: &observed,
        dialect: arguments.tool.dialect(),
    });
    let written = written.map_err(|error| refuse(&loaded.path, error))?;
    if let Some(path) = &arguments.output {
        file::write(path, written.text.as_bytes())?;
        write_remarks(&loaded, &written, output)?;
        let (file, tool) = (quote_path(path), arguments.tool.command());
        let count = properties(written.properties.len());
        output.remark(format_args!("Written: {}, with {count}", path.display()))?;
        output
            .remark(format_args!("Next: {tool} {file}   (valid: uncoverable; invalid: a test)"))?;
    } else {
        output.write_text(&written.text)?;
        let mut words = output.beside();
        write_remarks(&loaded, &written, &mut words)?;
        words.finish()?;
    }
    Ok(Exit::Success)
}

/// The criteria asked for. Those without properties are refused where they are named and no part
/// of all.
fn criteria(arguments: &InstrumentArgs) -> Result<Vec<Criterion>, CliError> {
    let mut criteria = arguments.criteria();
    let named = |criterion: &&Criterion| arguments.names(**criterion);
    for criterion in criteria.iter().filter(named) {
        if let Some(why) = instrument::refusal(*criterion) {
            return Err(CliError::from(Error::Input {
                message: format!("'{criterion}' has no trap properties: {why}"),
                way_out: way_out(*criterion),
            }));
        }
    }
    criteria.retain(|criterion| instrument::refusal(*criterion).is_none());
    Ok(criteria)
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
fn refuse_the_model_itself(path: &Path, model: &Path) -> Result<(), CliError> {
    let same = |a: &Path, b: &Path| Some(a.canonicalize().ok()? == b.canonicalize().ok()?);
    if same(path, model) != Some(true) {
        return Ok(());
    }
    Err(CliError::from(Error::Input {
        message: format!("'{}' is the model itself", path.display()),
        way_out: "write into another file".to_owned(),
    }))
}

fn refuse(path: &str, error: InstrumentError) -> CliError {
    match error {
        InstrumentError::UnsupportedByDialect(lacks) => CliError::from(Error::Input {
            message: format!("{path}: {} has no words for {}", lacks.dialect.name(), lacks.what),
            way_out: "use --for kind2".to_owned(),
        }),
        other => CliError::from(Error::Internal(other.to_string())),
    }
}

/// What is to be known of the model, and of what was not written.
fn write_remarks(
    loaded: &LoadedModel,
    written: &Instrumented,
    output: &mut Output,
) -> Result<(), CliError> {
    loaded.remarks.iter().try_for_each(|remark| output.remark(format_args!("{remark}")))?;
    if !written.left_out.is_empty() {
        let count = counted(written.left_out.len(), "obligation");
        output.remark(format_args!("note: {count} without a property; the file lists them"))?;
    }
    Ok(())
}

fn properties(count: usize) -> String {
    if count == 1 { "1 property".to_owned() } else { format!("{count} properties") }
}
