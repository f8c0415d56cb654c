//! What is known of properties, in words.

use std::io::{self, Write};

use obligato::failures::stored;
use obligato::prove::{Decided, PropertyStatus, Proved};
use obligato_store::run::Findings;

use crate::args::{EffortArgs, ProveArgs};
use crate::campaign::larger;
use crate::error::CliError;
use crate::output::{BAD, GOOD, Output, printable};
use crate::shell::{flag_words, quote, subject_words};
use crate::trace_table;
use crate::verdicts::method;

/// A line per property, the counterexamples if they are asked for, and how many ended how.
pub fn write(proved: &Proved, list: bool, output: &mut Output) -> Result<(), CliError> {
    let path = printable(&proved.model.path);
    let (main, count) = (proved.model.main(), proved.decided.len());
    let properties = if count == 1 { "property" } else { "properties" };
    output.remark(format_args!("{path}: node {main}, {count} {properties}\n"))?;
    for decided in &proved.decided {
        write_verdict(decided, &path, output)?;
    }
    if list {
        write_counterexamples(proved, output)?;
    }
    output.remark(format_args!("\n{}", tally(proved)))?;
    if proved.stopped {
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
            let undefined = found.undefined.iter();
            let undefined: Vec<String> =
                undefined.map(|one| format!("'{}' is {}", one.name, one.value)).collect();
            let needs = match &undefined[..] {
                [] => String::new(),
                all => format!(", if at first {}: nothing defines it", all.join(" and ")),
            };
            ("invalid", BAD, format!("violated in step {last} of a test{soonest}{needs}"))
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

fn write_counterexamples(proved: &Proved, output: &mut Output) -> Result<(), CliError> {
    let source = proved.model.file.source();
    for record in proved.decided.iter().filter_map(|decided| decided.violation.as_ref()) {
        let failures = record.trace.failures.iter();
        let failures = failures.map(|failure| stored(failure, &proved.model.lowered, &source));
        let findings = Findings { failures: failures.collect(), ..Findings::default() };
        writeln!(output)?;
        trace_table::write(record, &findings, &proved.signature, output)?;
    }
    Ok(())
}

fn tally(proved: &Proved) -> String {
    let valid = proved.count(|status| matches!(status, PropertyStatus::Valid(_)));
    let invalid = proved.count(|status| matches!(status, PropertyStatus::Invalid(_)));
    let unknown = proved.count(|status| matches!(status, PropertyStatus::Unknown(_)));
    format!("{valid} valid, {invalid} invalid, {unknown} unknown")
}

/// What to do next: to see what happens, to spend more, or to see everything.
pub fn next_command(proved: &Proved, arguments: &ProveArgs) -> String {
    let ProveArgs { subject, property, faults, effort, .. } = arguments;
    let any = |is: fn(&PropertyStatus) -> bool| proved.count(is) > 0;
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
    let (subject, last) = (subject_words(subject, ""), flag_words(subject));
    format!("Next: obligato prove{subject}{names}{faults}{budget}{flag}{last}   ({why})")
}
