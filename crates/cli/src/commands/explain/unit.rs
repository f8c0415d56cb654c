//! Decisions of C functions.

use std::path::PathBuf;

use obligato_model::{Criterion, Observability};
use obligato_unit::RunOptions;

use super::{Place, explain_each, explain_untested, write};
use crate::args::ExplainArgs;
use crate::error::CliError;
use crate::exit::Exit;
use crate::output::Output;
use crate::unit::{Endings, LoadedUnit, refuse_run};

/// Whose effects are followed: those that a run with the condition turned shows.
const SEMANTICS: Observability = Observability::Exact;

/// Finds, measures, explains.
pub fn explain(
    arguments: &ExplainArgs,
    file: PathBuf,
    place: Place,
    output: &mut Output,
) -> Result<Exit, CliError> {
    let subject = arguments.subject.with_file(file);
    let loaded = LoadedUnit::load(&subject, &arguments.observe)?;
    let program = loaded.unit.program();
    let decisions = place.find(&loaded.path, program, arguments.instance.as_deref())?;
    let Some(tests) = &arguments.tests else {
        let explanations = explain_untested(program, &decisions, SEMANTICS)?;
        let nothing = |_: &mut Output| Ok(());
        return write(arguments, &subject, &loaded.remarks(), &explanations, nothing, output);
    };
    let interface = loaded.interface(&subject)?;
    let suite = loaded.read_suite(tests, arguments.from, &interface)?.suite;
    let criteria = [Criterion::Omcdc(SEMANTICS)];
    let options = RunOptions { tables: true, ..RunOptions::default() };
    let shown = loaded.unit.measure(&interface, &suite, &criteria, options);
    let shown = shown.map_err(refuse_run)?;
    let explanations = explain_each(program, &decisions, &shown.evidence)?;
    let endings = Endings::new(&loaded, &suite, &shown.runs);
    let say_more = |output: &mut Output| endings.write(output);
    write(arguments, &subject, &loaded.remarks(), &explanations, say_more, output)
}
