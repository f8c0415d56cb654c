//! `obligato explain`: one decision of a program, its truth table with the tests of each row,
//! the pairs of its conditions, and where their effects got lost.

use obligato::explain::{DecisionPlace, ExplainFindings, ExplainRequest, Explained, explain};

use crate::args::{ExplainArgs, Format, SubjectArgs};
use crate::error::CliError;
use crate::exit::Exit;
use crate::interrupt::stop_on_signals;
use crate::output::Output;
use crate::progress::progress_line;
use crate::rendering::model::write_failed_checks;
use crate::rendering::unit::write_endings;
use crate::shell::{flag_words, subject_words, suite_words};

mod words;

/// Explains the decisions at the place that is named.
pub fn run(arguments: &ExplainArgs, output: &mut Output) -> Result<Exit, CliError> {
    let (file, place) = DecisionPlace::split(&arguments.subject.model.file)?;
    let subject = arguments.subject.with_file(file);
    let request = ExplainRequest {
        subject: subject.options(),
        place,
        instance: arguments.instance.clone(),
        tests: arguments.tests.clone(),
        format: arguments.from.map(Into::into),
        observe: arguments.observe.clone(),
    };
    let explained = explain(&request, &stop_on_signals()?, &mut progress_line(output.verbosity()))?;
    if arguments.format == Format::Json {
        output.write_text(&explained.document()?)?;
        return Ok(Exit::Success);
    }
    write(&explained, arguments, &subject, output)?;
    Ok(Exit::Success)
}

fn write(
    explained: &Explained,
    arguments: &ExplainArgs,
    subject: &SubjectArgs,
    output: &mut Output,
) -> Result<(), CliError> {
    for remark in &explained.remarks {
        output.remark(format_args!("{remark}"))?;
    }
    words::write(&explained.explanations, arguments.tests.is_some(), output)?;
    match &explained.found {
        ExplainFindings::Nothing => {}
        ExplainFindings::Model { failures, exhausted } => {
            write_failed_checks(failures, exhausted, output)?;
        }
        ExplainFindings::Unit(endings) => write_endings(endings, output)?,
    }
    if let Some(tests) = &arguments.tests {
        let (words, last) = (subject_words(subject, ""), flag_words(subject));
        let suite = suite_words(Some(tests), arguments.from, &arguments.observe);
        let why = "every obligation with its tests";
        let next = format!("obligato measure{words}{suite} --list{last}");
        output.remark(format_args!("\nNext: {next}   ({why})"))?;
    }
    Ok(())
}
