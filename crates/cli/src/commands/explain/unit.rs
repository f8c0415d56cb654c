//! Decisions of C functions.

use std::path::PathBuf;

use obligato_criteria::Vectors;
use obligato_model::{Criterion, Observability};

use super::{Place, explain_each, explain_untested, write};
use crate::args::{ExplainArgs, MeasuredFormat};
use crate::error::CliError;
use crate::exit::Exit;
use crate::output::Output;
use crate::rendering::unit::write_endings;
use obligato::lost::unit::Tracer;
use obligato::unit::{Endings, LoadedUnit, refuse_run};

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
    let loaded = LoadedUnit::load(&subject.options(), &arguments.observe)?;
    let program = loaded.unit.program();
    let decisions = place.find(&loaded.path, program, arguments.instance.as_deref())?;
    let Some(tests) = &arguments.tests else {
        let explanations = explain_untested(program, &decisions, SEMANTICS)?;
        let nothing = |_: &mut Output| Ok(());
        return write(arguments, &subject, &loaded.remarks(), &explanations, nothing, output);
    };
    if arguments.from == Some(MeasuredFormat::LlvmCov) {
        let measured = loaded.measured_elsewhere(tests, Vectors::Keep)?;
        let explanations = explain_each(program, &decisions, &measured.evidence)?;
        let nothing = |_: &mut Output| Ok(());
        return write(arguments, &subject, &loaded.remarks(), &explanations, nothing, output);
    }
    let format = arguments.from.map(MeasuredFormat::of_suite).transpose()?;
    let interface = loaded.interface(&subject.options())?;
    let suite = loaded.read_suite(tests, format, &interface)?.suite;
    let criteria = [Criterion::Omcdc(SEMANTICS)];
    let options = loaded.options(true);
    let shown = loaded.unit.measure(&interface, &suite, &criteria, options);
    let shown = shown.map_err(refuse_run)?;
    let mut explanations = explain_each(program, &decisions, &shown.evidence)?;
    let tracer = Tracer { loaded: &loaded, interface: &interface, suite: &suite };
    for explanation in &mut explanations {
        explanation.follow(|condition, value, test| {
            Ok(tracer.trace_one(SEMANTICS, (condition, value, test))?)
        })?;
    }
    let endings = Endings::new(&loaded, &suite, &shown.runs);
    let say_more = |output: &mut Output| write_endings(&endings, output);
    write(arguments, &subject, &loaded.remarks(), &explanations, say_more, output)
}
