//! `obligato judge`: what a suite covers, measured by replaying decisions written as text or from
//! a recording made elsewhere.
//!
//! [`run`] is the walk: [`input`] reads what is to be judged, [`measure`] collects what its tests
//! show, the criteria judge it, [`storage`] keeps the result. [`summary`], [`listing`] and [`truth_table`] put it into words.

use obligato_criteria::{Vectors, judge, plan};
use obligato_model::Criterion;
use obligato_store::StoredResult;

use crate::args::{Format, JudgeArgs};
use crate::error::CliError;
use crate::exit::Exit;
use crate::output::{Output, Verbosity};

mod input;
mod kind;
mod listing;
mod measure;
mod next;
mod path;
mod storage;
mod summary;
mod truth_table;

use measure::{disbelieve, measure};

/// What is written into results as their maker.
const TOOL: &str = concat!("obligato ", env!("CARGO_PKG_VERSION"));

/// Judges, stores, reports.
pub fn run(arguments: &JudgeArgs, output: &mut Output) -> Result<Exit, CliError> {
    let case = input::read(arguments)?;
    let criteria = arguments.criteria();
    let evidence = measure(&case, vectors(arguments, &criteria))?;
    let assessment = judge(case.program(), plan(case.program(), &criteria), &evidence)
        .map_err(|error| disbelieve(&case, &error))?;
    let result = StoredResult::new(TOOL, &criteria, &assessment, case.program())?;
    let document = obligato_store::result::print(&result)?;
    let stored = match arguments.store() {
        Some(directory) => Some(storage::store(directory, &case, &document)?),
        None => None,
    };
    if arguments.format == Format::Json {
        output.write_text(&document)?;
        return Ok(Exit::Success);
    }
    let verbosity = output.verbosity();
    if verbosity == Verbosity::Normal {
        summary::write_heading(&case, &result, output)?;
    }
    summary::write_table(&result, case.subject(), output)?;
    if arguments.list {
        listing::write_list(&result, case.subject(), output)?;
    } else if verbosity == Verbosity::Normal {
        summary::write_uncoverable(&result, output)?;
        summary::write_unresolved(&result, output)?;
        summary::write_unsupported(&result, case.subject(), output)?;
    }
    if arguments.table {
        truth_table::write_tables(case.program(), &evidence, output)?;
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
