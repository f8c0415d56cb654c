//! What came of C functions, in words.

use std::io::Write as _;

use obligato::generate::Confirmation;
use obligato::generate::{ConfirmedError, Extras, Generated};
use obligato::subject::RunFindings;

use crate::args::{Format, GenerateArgs};
use crate::error::CliError;
use crate::output::{BAD, Output, Verbosity, counted, printable};
use crate::rendering::expectations::{counting, write_failed};
use crate::rendering::lists::write_first;
use crate::rendering::unit::write_agreement;
use crate::shell::{flag_words, quote_path, subject_words};
use crate::verdicts::Judged;
use crate::verdicts::next::kept;

const PURPOSE: &str = "\
Tests made from code close structural gaps after requirements-based testing; the outputs that are
recorded with them are a characterisation, to be reviewed";

/// Did tests run into runtime errors?
pub fn has_errors(generated: &Generated) -> bool {
    !errors(generated).is_empty()
}

pub(super) fn errors(generated: &Generated) -> &[ConfirmedError] {
    match &generated.extras {
        Extras::Unit(extras) => &extras.errors,
        Extras::Model(_) => &[],
    }
}

/// Writes the result as text; where its document is printed, what is said beside it, which goes to standard error.
pub fn write(
    generated: &Generated,
    arguments: &GenerateArgs,
    output: &mut Output,
) -> Result<(), CliError> {
    if arguments.verdicts.format == Format::Json {
        let mut beside = output.beside();
        write_failed(&generated.failed, counting(arguments.count_failing), &mut beside)?;
        if !generated.is_confirmed() {
            write_comparison(generated, &mut beside)?;
        }
        return beside.finish();
    }
    for remark in &generated.remarks {
        output.remark(format_args!("{}", printable(remark)))?;
    }
    Judged::of_generated(generated).write(&arguments.verdicts, output)?;
    write_summary(generated, arguments, output)
}

fn write_comparison(generated: &Generated, output: &mut Output) -> Result<(), CliError> {
    match &generated.findings {
        RunFindings::Unit { agreement, .. } => write_agreement(agreement, output),
        RunFindings::Model { .. } | RunFindings::Elsewhere(_) => Ok(()),
    }
}

/// The tests, the runtime errors, what it took, and what to do next.
fn write_summary(
    generated: &Generated,
    arguments: &GenerateArgs,
    output: &mut Output,
) -> Result<(), CliError> {
    write_errors(generated, output)?;
    write_failed(&generated.failed, counting(arguments.count_failing), output)?;
    if output.verbosity() == Verbosity::Quiet {
        return write_comparison(generated, &mut output.beside());
    }
    let made = generated.made.len();
    let left_out = match generated.left_out {
        0 => String::new(),
        superfluous => format!("; {} left out", counted(superfluous, "superfluous one")),
    };
    writeln!(output, "\n{}{left_out}", counted(made, "new test"))?;
    if let Extras::Unit(extras) = &generated.extras {
        let statistics = &extras.statistics;
        writeln!(
            output,
            "{}; {} solved, {} infeasible, {} given up; {} filtered out{}",
            counted(statistics.runs as usize, "run"),
            counted(statistics.solved as usize, "path"),
            statistics.unsolvable,
            statistics.given_up,
            counted(statistics.filtered as usize, "candidate"),
            if statistics.exhausted { "; every relevant path explored" } else { "" }
        )?;
    }
    if made > 0 {
        output.remark(format_args!("{PURPOSE}"))?;
    }
    write_comparison(generated, output)?;
    output.remark(format_args!(""))?;
    for remark in generated.notes.iter().chain(&generated.written) {
        output.remark(format_args!("{remark}"))?;
    }
    output.remark(format_args!("{}", next(generated, arguments)))?;
    let mut beside = output.beside();
    let times = generated.times;
    let [all, search] = [times.all, times.search].map(|time| time.as_secs_f64());
    beside.remark(format_args!("time: {all:.2} s, of which search and solving {search:.3} s"))?;
    beside.finish()
}

/// Those that every caller runs into with some values, and those that depend on what a caller passes.
fn write_errors(generated: &Generated, output: &mut Output) -> Result<(), CliError> {
    let (dependent, others): (Vec<&ConfirmedError>, Vec<&ConfirmedError>) =
        errors(generated).iter().partition(|found| !found.details.callers.is_empty());
    let title =
        format!("{BAD}Runtime errors of the program{BAD:#}, each with a test that runs into it:");
    write_group(&title, &others, output)?;
    let title = format!(
        "{BAD}Runtime errors that depend on the caller{BAD:#}, each with a test that runs into it:"
    );
    write_group(&title, &dependent, output)
}

fn write_group(
    title: &str,
    errors: &[&ConfirmedError],
    output: &mut Output,
) -> Result<(), CliError> {
    if errors.is_empty() {
        return Ok(());
    }
    writeln!(output, "\n{title}")?;
    let lines: Vec<String> = errors.iter().map(|found| describe(found)).collect();
    write_first(&lines, output)
}

/// What happens, who has seen it, and what a caller has to pass for it.
fn describe(found: &ConfirmedError) -> String {
    let by = match &found.confirmation {
        Some(Confirmation::Signal) => "; so as machine code".to_owned(),
        Some(Confirmation::Sanitizer(name)) => format!("; confirmed by -fsanitize={name}"),
        Some(Confirmation::None) => "; the machine does not show it".to_owned(),
        None => String::new(),
    };
    let details = &found.details;
    let condition = details.condition().map_or_else(String::new, |when| format!("; {when}"));
    let options: Vec<&str> = details.options().collect();
    let ruled_out = match options.as_slice() {
        [] => String::new(),
        options => format!(" ({} rules it out)", options.join(" or ")),
    };
    format!("{}{by}{condition}{ruled_out}", details.text)
}

fn next(generated: &Generated, arguments: &GenerateArgs) -> String {
    let subject = &arguments.subject;
    let (words, last) = (subject_words(subject, ""), flag_words(subject));
    if let Some(path) = arguments.output.as_deref().filter(|_| !generated.made.is_empty()) {
        let tests = quote_path(path);
        return format!(
            "Next: obligato run{words} --tests {tests}{last}   (the outputs, to be reviewed)"
        );
    }
    let search = arguments.search.words();
    let again = format!("Next: obligato generate{words}{}{search}", kept(&arguments.verdicts));
    if generated.made.is_empty() {
        format!("{again} --list{last}   (every obligation with its tests)")
    } else {
        format!("{again} -o new.csv{last}   (the new tests, with what the function gave)")
    }
}
