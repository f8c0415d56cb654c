//! What is known of properties, in words.

use std::io::{self, Write};

use obligato_engines_lustre::properties::PropertyStatus;
use obligato_store::run::Findings;

use super::{Decided, Report};
use crate::args::{EffortArgs, ProveArgs};
use crate::campaign::larger;
use crate::error::CliError;
use crate::output::{BAD, GOOD, Output, printable};
use crate::shell::{model_words, quote};
use crate::trace_table;
use crate::verdicts::method;
use obligato::failures::stored;

/// A line per property, the counterexamples if they are asked for, and how many ended how.
pub fn write(report: &Report<'_>, list: bool, output: &mut Output) -> Result<(), CliError> {
    let path = printable(&report.loaded.path);
    let (main, count) = (report.loaded.main(), report.decided.len());
    let properties = if count == 1 { "property" } else { "properties" };
    output.remark(format_args!("{path}: node {main}, {count} {properties}\n"))?;
    for decided in &report.decided {
        write_verdict(decided, &path, output)?;
    }
    if list {
        write_counterexamples(report, output)?;
    }
    output.remark(format_args!("\n{}", tally(report)))?;
    if report.stopped {
        output.remark(format_args!("Stopped early; what was done until then counts"))?;
    }
    Ok(())
}

fn write_verdict(decided: &Decided, path: &str, out: &mut dyn Write) -> io::Result<()> {
    let Decided { property, status, .. } = decided;
    let (word, style, why) = match status {
        PropertyStatus::Valid(proof) => ("valid", GOOD, format!("by {}", method(proof))),
        PropertyStatus::Invalid(found) => {
            let last = found.len().saturating_sub(1);
            let soonest = if found.is_shortest { ", and in no test before" } else { "" };
            ("invalid", BAD, format!("violated in step {last} of a test{soonest}"))
        }
        PropertyStatus::Unknown(limit) => ("unknown", BAD, limit.to_string()),
    };
    let call = if property.instance.contains('/') {
        format!(", in {}", property.instance)
    } else {
        String::new()
    };
    let (place, name) = (property.span.start, printable(&format!("{}{call}", property.name)));
    writeln!(out, "{style}{word:7}{style:#}  {path}:{place}  {name}")?;
    writeln!(out, "         {}", printable(&why))
}

fn write_counterexamples(report: &Report<'_>, output: &mut Output) -> Result<(), CliError> {
    let source = report.loaded.file.source();
    for record in report.decided.iter().filter_map(|decided| decided.violation.as_ref()) {
        let failures = record.trace.failures.iter();
        let failures = failures.map(|failure| stored(failure, &report.loaded.lowered, &source));
        let findings = Findings { failures: failures.collect(), ..Findings::default() };
        writeln!(output)?;
        trace_table::write(record, &findings, &report.signature, output)?;
    }
    Ok(())
}

fn tally(report: &Report<'_>) -> String {
    let count = |is: fn(&PropertyStatus) -> bool| {
        report.decided.iter().filter(|decided| is(&decided.status)).count()
    };
    let valid = count(|status| matches!(status, PropertyStatus::Valid(_)));
    let invalid = count(|status| matches!(status, PropertyStatus::Invalid(_)));
    let unknown = count(|status| matches!(status, PropertyStatus::Unknown(_)));
    format!("{valid} valid, {invalid} invalid, {unknown} unknown")
}

/// What to do next: to see what happens, to spend more, or to see everything.
pub fn next_command(report: &Report<'_>, arguments: &ProveArgs) -> String {
    let ProveArgs { model, property, faults, effort, .. } = arguments;
    let any =
        |is: fn(&PropertyStatus) -> bool| report.decided.iter().any(|decided| is(&decided.status));
    let (budget, flag, why) =
        if any(|status| matches!(status, PropertyStatus::Invalid(_))) && !arguments.list {
            (effort.budget, " --list", "what happens in each counterexample")
        } else if any(|status| matches!(status, PropertyStatus::Unknown(_))) {
            (larger(effort.budget), "", "more for what is unknown")
        } else {
            (effort.budget, " --format json", "the same for programs")
        };
    let names: String =
        property.iter().map(|name| format!(" --property {}", quote(name))).collect();
    let faults = if *faults { " --faults" } else { "" };
    let budget = EffortArgs::unusual(budget).unwrap_or_default();
    let model = model_words(model, "");
    format!("Next: obligato prove{model}{names}{faults}{budget}{flag}   ({why})")
}
