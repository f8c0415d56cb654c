//! `obligato explain`: one decision of a program, its truth table with the tests of each row,
//! the pairs of its conditions, and where their effects got lost.
//!
//! [`run`] is the walk: [`place`] finds the decisions, the suite is measured if there is one,
//! [`explanation`] puts together what is known, [`lost`](obligato::lost) follows effects, [`words`] and
//! [`document`] say it all.

use std::path::PathBuf;

use obligato_criteria::{Evidence, Vectors};
use obligato_lustre_replay::{Measurement, Watch};
use obligato_model::{DecisionId, Observability, Program, Watched};

use crate::args::{ExplainArgs, Format, Language, MeasuredFormat, SubjectArgs};
use crate::error::CliError;
use crate::exit::Exit;
use crate::output::Output;
use crate::progress::measured_line;
use crate::rendering::model::write_remarks;
use crate::shell::{flag_words, subject_words, suite_words};
use obligato::Error;
use obligato::lost::model::{Tracer, pick};
use obligato::measuring::{MeasuredSuite, ModelSuite, measure_suite};
use obligato::model::LoadedModel;
use obligato::observed::Observed;

mod document;
mod explanation;
mod place;
mod unit;
mod words;

use explanation::{Explanation, Verdicts};
use place::Place;

/// Whose effects are followed in models.
const SEMANTICS: Observability = Observability::Strict;

/// Finds, measures, explains.
pub fn run(arguments: &ExplainArgs, output: &mut Output) -> Result<Exit, CliError> {
    let (file, place) = Place::split(&arguments.subject.model.file)?;
    match Language::of(&file) {
        Language::C => unit::explain(arguments, file, place, output),
        Language::Lustre | Language::Commands => explain_model(arguments, file, place, output),
    }
}

fn explain_model(
    arguments: &ExplainArgs,
    file: PathBuf,
    place: Place,
    output: &mut Output,
) -> Result<Exit, CliError> {
    let subject = arguments.subject.with_file(file);
    let loaded = LoadedModel::load(&subject.model.options())?;
    let program = &loaded.lowered.program;
    let decisions = place.find(&loaded.path, program, arguments.instance.as_deref())?;
    let explained = match &arguments.tests {
        None => Explained {
            explanations: explain_untested(program, &decisions, SEMANTICS)?,
            measured: None,
        },
        Some(tests) => {
            let observed = Observed::new(&loaded, &arguments.observe)?;
            let signature = observed.signature(&loaded.lowered.interface);
            let format = arguments.from.map(MeasuredFormat::of_suite).transpose()?;
            let suite = ModelSuite::read(tests, format, signature)?;
            explain_with(&loaded, &suite, &observed, &decisions, output)?
        }
    };
    let Explained { explanations, measured } = explained;
    let say_more = |output: &mut Output| {
        measured.as_ref().map_or(Ok(()), |measured| write_remarks(&measured, output))
    };
    write(arguments, &subject, &loaded.remarks, &explanations, say_more, output)
}

/// Writes explanations of decisions of a program as the arguments ask for them. `say_more` says what
/// else tests did.
fn write(
    arguments: &ExplainArgs,
    subject: &SubjectArgs,
    remarks: &[String],
    explanations: &[Explanation],
    say_more: impl FnOnce(&mut Output) -> Result<(), CliError>,
    output: &mut Output,
) -> Result<Exit, CliError> {
    if arguments.format == Format::Json {
        let path = subject.model.file.display().to_string();
        output.write_text(&document::print(&path, explanations)?)?;
        return Ok(Exit::Success);
    }
    for remark in remarks {
        output.remark(format_args!("{remark}"))?;
    }
    words::write(explanations, arguments.tests.is_some(), output)?;
    say_more(output)?;
    if let Some(tests) = &arguments.tests {
        let (words, last) = (subject_words(subject, ""), flag_words(subject));
        let suite = suite_words(Some(tests), arguments.from, &arguments.observe);
        let why = "every obligation with its tests";
        let next = format!("obligato measure{words}{suite} --list{last}");
        output.remark(format_args!("\nNext: {next}   ({why})"))?;
    }
    Ok(Exit::Success)
}

/// Explanations, and what else the suite showed if there was one.
struct Explained<'a> {
    explanations: Vec<Explanation>,
    measured: Option<MeasuredSuite<'a>>,
}

/// Without a suite: no test does anything.
fn explain_untested(
    program: &Program,
    decisions: &[DecisionId],
    semantics: Observability,
) -> Result<Vec<Explanation>, CliError> {
    let watched = Watched { effects: vec![semantics], kills: Vec::new() };
    explain_each(program, decisions, &Evidence::new(program, watched, Vectors::Keep))
}

fn explain_each(
    program: &Program,
    decisions: &[DecisionId],
    evidence: &Evidence,
) -> Result<Vec<Explanation>, CliError> {
    let verdicts = Verdicts::new(program, decisions, evidence)?;
    Ok(decisions.iter().map(|id| Explanation::new(program, *id, &verdicts)).collect())
}

fn explain_with<'a>(
    loaded: &'a LoadedModel,
    suite: &ModelSuite,
    observed: &Observed,
    decisions: &[DecisionId],
    output: &Output,
) -> Result<Explained<'a>, CliError> {
    let lowered = &loaded.lowered;
    let watch = Watch {
        effects: vec![SEMANTICS],
        observed: observed.nodes().to_vec(),
        boundaries: false,
        vectors: Vectors::Keep,
    };
    let measurement = Measurement::new(lowered, watch).map_err(Error::from)?;
    let compiled = measurement.compile().map_err(Error::from)?;
    let measured = measure_suite(
        loaded,
        suite,
        &measurement,
        &compiled,
        &mut measured_line(output.verbosity()),
    )?;
    let mut explanations = explain_each(&lowered.program, decisions, &measured.evidence)?;
    let wanted = explanations.iter().flat_map(Explanation::tests_to_follow);
    let tests = pick(suite, wanted.collect())?;
    let tracer = Tracer {
        loaded,
        measurement: &measurement,
        compiled: &compiled,
        semantics: SEMANTICS,
        tests: &tests,
    };
    for explanation in &mut explanations {
        explanation.follow(|condition, value, test| Ok(tracer.trace(condition, value, test)?))?;
    }
    Ok(Explained { explanations, measured: Some(measured) })
}
