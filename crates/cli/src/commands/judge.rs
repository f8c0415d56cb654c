//! `obligato judge`: what a suite covers, measured by replaying decisions written as text or from
//! a recording made elsewhere.
//!
//! [`run`] is the walk: [`input`] reads what is to be judged, the criteria judge it, [`storage`]
//! keeps the result. [`summary`], [`listing`] and [`truth_table`] put it into words.

use obligato_criteria::{Evidence, Vectors, collect, judge, plan};
use obligato_model::{Assessment, Criterion};
use obligato_store::StoredResult;

use crate::args::{Format, JudgeArgs};
use crate::error::CliError;
use crate::exit::Exit;
use crate::output::{Output, Verbosity};

mod input;
mod listing;
mod next;
mod storage;
mod summary;
mod truth_table;

use input::{Case, Origin};

/// What is written into results as their maker.
const TOOL: &str = concat!("obligato ", env!("CARGO_PKG_VERSION"));

/// Judges, stores, reports.
pub fn run(arguments: &JudgeArgs, output: &mut Output) -> Result<Exit, CliError> {
    let case = input::read(arguments)?;
    let criteria = arguments.criteria();
    let (evidence, assessment) = judge_case(&case, &criteria, vectors(arguments, &criteria))?;
    let result = StoredResult::new(TOOL, &criteria, &assessment, &case.program)?;
    let document = obligato_store::result::print(&result)?;
    let stored = match arguments.store() {
        Some(directory) => Some(storage::store(directory, case.suite.as_ref(), &document)?),
        None => None,
    };
    if arguments.format == Format::Json {
        output.write_text(&document)?;
        return Ok(Exit::Success);
    }
    let verbosity = output.verbosity();
    if verbosity == Verbosity::Normal {
        summary::write_heading(&case, output)?;
    }
    summary::write_table(&result, output)?;
    if arguments.list {
        listing::write_list(&result, output)?;
    } else if verbosity == Verbosity::Normal {
        summary::write_uncoverable(&result, output)?;
        summary::write_unresolved(&result, output)?;
    }
    if arguments.table {
        truth_table::write_tables(&case.program, &evidence, output)?;
    }
    output.remark(format_args!(""))?;
    if let Some(stored) = stored {
        output.remark(format_args!("{stored}"))?;
    }
    output.remark(format_args!("{}", next::command(arguments, &result)))?;
    Ok(Exit::Success)
}

/// Whole evaluations take memory; they are kept only for what cannot do without.
fn vectors(arguments: &JudgeArgs, criteria: &[Criterion]) -> Vectors {
    if arguments.table { Vectors::Keep } else { Vectors::needed_by(criteria) }
}

fn judge_case(
    case: &Case,
    criteria: &[Criterion],
    vectors: Vectors,
) -> Result<(Evidence, Assessment), CliError> {
    let evidence = collect(&case.program, &case.recording, vectors)
        .map_err(|error| disbelieve(&case.origin, &error.to_string()))?;
    let assessment = judge(&case.program, plan(&case.program, criteria), &evidence)
        .map_err(|error| disbelieve(&case.origin, &error.to_string()))?;
    Ok((evidence, assessment))
}

/// A recording that cannot be true is wrong input, unless it was made here.
fn disbelieve(origin: &Origin, reason: &str) -> CliError {
    match origin {
        Origin::Replay => CliError::Fault(reason.to_owned()),
        Origin::Recording(path) => CliError::Input {
            message: format!("{}: {reason}", path.display()),
            way_out: "make the recording again with the program that is judged".to_owned(),
        },
    }
}
