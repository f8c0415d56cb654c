//! `obligato judge`: what a suite covers, measured by replaying decisions written as text or from
//! a recording made elsewhere.
//!
//! [`run`] is the walk: [`input`] reads what is to be judged, [`measure`] collects what its tests
//! show, the criteria judge it; [`verdicts`](crate::verdicts) keeps the result and puts it into
//! words.

use std::collections::HashMap;
use std::path::Path;

use obligato_criteria::{Evidence, judge, plan};
use obligato_model::Assessment;
use obligato_store::StoredResult;
use obligato_store::file::Draft;

use crate::args::{Format, JudgeArgs};
use crate::error::CliError;
use crate::exit::Exit;
use crate::output::Output;
use crate::shell::{quote, quote_path};
use crate::verdicts::{Judged, TOOL, complete, next, vectors};
use obligato::Error;
use obligato::details::Basis;
use obligato::storage;
use obligato::storage::MOST_DETAILED;

mod input;
mod kind;
mod measure;

use input::{Case, Tests};
use measure::{disbelieve, measure};

/// Judges, stores, reports.
pub fn run(arguments: &JudgeArgs, output: &mut Output) -> Result<Exit, CliError> {
    let case = input::read(arguments)?;
    let criteria = arguments.verdicts.criteria();
    let kept = vectors(&arguments.verdicts, &criteria, case.count_up_to(MOST_DETAILED + 1)?);
    let evidence = measure(&case, kept)?;
    let assessment = judge(case.program(), plan(case.program(), &criteria), &evidence)
        .map_err(|error| disbelieve(&case, &error))?;
    let result = StoredResult::new(TOOL, &criteria, &assessment, case.program())?;
    let (result, notes) = complete(result, case.program(), &arguments.verdicts)?;
    let document = obligato_store::result::print(&result)?;
    let stored = match arguments.verdicts.store() {
        Some(directory) => {
            let details = basis(&case, &evidence, &assessment).print(&result)?;
            let documents = storage::Documents {
                result: &document,
                details: Some(&details),
                ..Default::default()
            };
            Some(storage::store(directory, &documents, |path| write_suite(&case, path))?)
        }
        None => None,
    };
    if arguments.verdicts.format == Format::Json {
        output.write_text(&document)?;
        let mut words = output.beside();
        notes.iter().try_for_each(|note| words.remark(format_args!("{note}")))?;
        words.finish()?;
        return Ok(Exit::Success);
    }
    notes.iter().try_for_each(|note| output.remark(format_args!("{note}")))?;
    let judged = Judged {
        name: &case.name,
        subject: case.subject(),
        program: case.program(),
        evidence: &evidence,
        result: &result,
    };
    judged.write(&arguments.verdicts, output)?;
    output.remark(format_args!(""))?;
    if let Some(stored) = stored {
        output.remark(format_args!("{stored}"))?;
    }
    let next = next::command(&again(arguments), &arguments.verdicts, "", &result);
    output.remark(format_args!("{next}"))?;
    Ok(Exit::Success)
}

/// What stands behind the verdicts.
fn basis<'a>(case: &'a Case, evidence: &'a Evidence, assessment: &'a Assessment) -> Basis<'a> {
    Basis {
        name: &case.name,
        subject: case.subject(),
        command: "judge",
        program: case.program(),
        evidence,
        assessment,
        sources: case.sources(),
        tests: Vec::new(),
        phases: Vec::new(),
        lost: HashMap::new(),
    }
}

/// The suite of a case, if it has one, on its way into the file at `path`.
fn write_suite(case: &Case, path: &Path) -> Result<Option<Draft>, Error> {
    let inputs = &case.program().interface.inputs;
    match &case.tests {
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

/// The command that was given, up to the arguments of verdicts.
fn again(arguments: &JudgeArgs) -> String {
    let mut words = vec!["obligato judge".to_owned()];
    words.extend(arguments.file.as_deref().map(quote_path));
    for decision in &arguments.decision {
        words.extend(["--decision".to_owned(), quote(decision)]);
    }
    for (flag, given) in [("--recording", &arguments.recording), ("--tests", &arguments.tests)] {
        if let Some(given) = given {
            words.extend([flag.to_owned(), quote_path(given)]);
        }
    }
    words.join(" ")
}
