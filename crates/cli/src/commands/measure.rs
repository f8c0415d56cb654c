//! `obligato measure`: what a suite covers of a program, in words.

use std::collections::HashSet;
use std::io::Write as _;

use obligato::judging::JudgingOptions;
use obligato::measure::{MeasureRequest, Measured, measure};
use obligato::subject::RunFindings;
use obligato_model::{ElementKind, Limit, Span, Verdict};

use crate::args::{Format, MeasureArgs};
use crate::error::CliError;
use crate::exit::Exit;
use crate::interrupt::stop_on_signals;
use crate::output::{Output, Verbosity};
use crate::progress::progress_line;
use crate::rendering::expectations::{counting, write_failed};
use crate::rendering::model::write_failed_checks;
use crate::rendering::unit::{write_agreement, write_endings};
use crate::shell::{flag_words, subject_words, suite_words};
use crate::verdicts::{Judged, criteria, next};

/// Measures, judges, stores, reports.
pub fn run(arguments: &MeasureArgs, output: &mut Output) -> Result<Exit, CliError> {
    let request = MeasureRequest {
        subject: arguments.subject.options(),
        tests: arguments.tests.clone(),
        format: arguments.from.map(Into::into),
        observe: arguments.observe.clone(),
        judging: JudgingOptions {
            failing: counting(arguments.count_failing),
            ..arguments
                .verdicts
                .judging(criteria(&arguments.verdicts, arguments.subject.language())?)
        },
    };
    let measured = measure(&request, &stop_on_signals()?, &mut progress_line(output.verbosity()))?;
    write(&measured, arguments, output)?;
    Ok(match &measured.findings {
        RunFindings::Unit { agreement, .. } if !agreement.is_full() => Exit::ToolError,
        _ => Exit::Success,
    })
}

fn write(
    measured: &Measured,
    arguments: &MeasureArgs,
    output: &mut Output,
) -> Result<(), CliError> {
    let Measured { name, kind, program, evidence, result, remarks, .. } = measured;
    let write_remarks = |output: &mut Output| {
        remarks.iter().try_for_each(|remark| output.remark(format_args!("{remark}")))
    };
    if arguments.verdicts.format == Format::Json {
        output.write_text(&obligato_store::result::print(result)?)?;
        let mut words = output.beside();
        write_remarks(&mut words)?;
        write_findings(measured, arguments, &mut words)?;
        return words.finish();
    }
    write_remarks(output)?;
    let judged = Judged { name, subject: *kind, program, evidence, result };
    judged.write(&arguments.verdicts, output)?;
    write_findings(measured, arguments, output)?;
    output.remark(format_args!(""))?;
    if let Some(stored) = &measured.stored {
        output.remark(format_args!("{stored}"))?;
    }
    output.remark(format_args!("{}", next_command(arguments, measured)))
}

/// What the runs showed besides coverage.
fn write_findings(
    measured: &Measured,
    arguments: &MeasureArgs,
    output: &mut Output,
) -> Result<(), CliError> {
    write_failed(&measured.failed, counting(arguments.count_failing), output)?;
    match &measured.findings {
        RunFindings::Model { failures, exhausted } => {
            write_failed_checks(failures, exhausted, output)
        }
        RunFindings::Unit { endings, agreement, .. } => {
            if output.verbosity() == Verbosity::Normal {
                writeln!(output)?;
            }
            write_endings(endings, output)?;
            write_agreement(agreement, output)
        }
        RunFindings::Elsewhere(_) => Ok(()),
    }
}

/// What to do next: to look at the first decision that lacks something, if one does.
fn next_command(arguments: &MeasureArgs, measured: &Measured) -> String {
    let Measured { program, result, .. } = measured;
    let decisions = program.decisions().iter().map(|decision| decision.span);
    let conditions = program.conditions().iter().map(|condition| condition.span);
    let spans: HashSet<Span> = decisions.chain(conditions).collect();
    let open = result.obligations.iter().find(|one| {
        matches!(&one.verdict, Verdict::Unresolved(limit) if !matches!(limit, Limit::Unsupported(_)))
            && !one.criterion.asks().contains(&ElementKind::Statement)
            && spans.contains(&one.span)
    });
    let MeasureArgs { subject, tests, from, observe, verdicts, .. } = arguments;
    let suite = suite_words(Some(tests), *from, observe);
    let Some(open) = open else {
        let counting = if arguments.count_failing { " --count-failing" } else { "" };
        let again = format!("obligato measure{}{suite}{counting}", subject_words(subject, ""));
        return next::command(&again, verdicts, &flag_words(subject), result);
    };
    let place = format!(":{}", open.span.start.line);
    let (words, last) = (subject_words(subject, &place), flag_words(subject));
    format!("Next: obligato explain{words}{suite}{last}   (a decision that lacks something)")
}
