//! `obligato prove`: the properties of a model, each with a proof or a test that violates it.

use obligato::prove::{PropertyStatus, ProveRequest, Proved, prove};

use crate::args::{Format, ProveArgs};
use crate::campaign::{self, Watching};
use crate::error::CliError;
use crate::exit::Exit;
use crate::interrupt::stop_on_signals;
use crate::output::{Output, printable};

mod summary;

/// Decides properties, writes counterexamples, reports.
pub fn run(arguments: &ProveArgs, output: &mut Output) -> Result<Exit, CliError> {
    let stop = stop_on_signals()?;
    let mut watching = Watching::new(output.verbosity());
    let proved = prove(&request(arguments), &stop, &mut watching)?;
    drop(watching);
    write(&proved, arguments, output)?;
    Ok(exit(&proved, arguments))
}

fn request(arguments: &ProveArgs) -> ProveRequest {
    ProveRequest {
        subject: arguments.subject.options(),
        properties: arguments.property.clone(),
        faults: arguments.faults,
        budget: arguments.effort.budget,
        threads: arguments.effort.threads(),
        proofs: arguments.output.clone(),
        aiger: arguments.aiger.clone(),
        counterexamples: arguments.counterexamples.clone(),
    }
}

fn write(proved: &Proved, arguments: &ProveArgs, output: &mut Output) -> Result<(), CliError> {
    let mut beside = output.beside();
    let words = if arguments.format == Format::Json { &mut beside } else { &mut *output };
    for remark in &proved.model.remarks {
        words.remark(format_args!("{remark}"))?;
    }
    match arguments.format {
        Format::Json => output.write_text(&proved.to_json()?)?,
        Format::Text => {
            summary::write(proved, arguments.list, output)?;
            for path in &proved.written {
                let path = printable(&path.display().to_string());
                output.remark(format_args!("Written: {path}"))?;
            }
            let next = summary::next_command(proved, arguments);
            output.remark(format_args!("{next}"))?;
        }
    }
    // Standard output stays the same from run to run.
    beside.remark(format_args!("{}", campaign::timing(&proved.phases)))?;
    beside.finish()
}

fn exit(proved: &Proved, arguments: &ProveArgs) -> Exit {
    let invalid = proved.count(|status| matches!(status, PropertyStatus::Invalid(_)));
    let unknown = proved.count(|status| matches!(status, PropertyStatus::Unknown(_)));
    if arguments.fail.fail_on_fault && invalid > 0 {
        Exit::Failed
    } else if arguments.fail.fail_on_unresolved && unknown > 0 {
        Exit::Unresolved
    } else {
        Exit::Success
    }
}
