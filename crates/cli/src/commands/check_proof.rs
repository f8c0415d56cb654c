//! `obligato check-proof`: proofs that were stored, checked from nothing but the model.

use std::io::Write as _;

use obligato::check_proof::{CheckProofRequest, CheckedProof, CheckedProofs, check_proof};

use crate::args::{CheckProofArgs, Format};
use crate::error::CliError;
use crate::exit::Exit;
use crate::interrupt::stop_on_signals;
use crate::output::{BAD, GOOD, Output, counted, printable};

/// Checks all proofs of a file.
pub fn run(arguments: &CheckProofArgs, output: &mut Output) -> Result<Exit, CliError> {
    let request = CheckProofRequest {
        model: arguments.model.clone(),
        unit: arguments.unit(),
        proofs: arguments.proofs.clone(),
    };
    let checked = check_proof(&request, &stop_on_signals()?)?;
    match arguments.format {
        Format::Json => output.write_text(&checked.to_json())?,
        Format::Text => write(&checked, output)?,
    }
    Ok(if checked.is_confirmed() { Exit::Success } else { Exit::Unresolved })
}

fn write(checked: &CheckedProofs, output: &mut Output) -> Result<(), CliError> {
    let (file, model) = (printable(&checked.proofs_file), printable(&checked.model));
    let count = counted(checked.proofs.len(), "proof");
    output.remark(format_args!("{file}: {count} about {} of {model}\n", checked.main))?;
    for CheckedProof { system, events, holds, checked_by, why } in &checked.proofs {
        let (word, style) = if *holds { ("holds", GOOD) } else { ("refused", BAD) };
        let (system, events) = (printable(system), counted(*events, "event"));
        let by = checked_by.map_or_else(String::new, |solver| format!(", checked by {solver}"));
        writeln!(output, "{style}{word:7}{style:#}  {system}, {events}{by}")?;
        if let Some(why) = why {
            writeln!(output, "         {}", printable(why))?;
        }
    }
    if checked.claims() == 0 {
        writeln!(output, "\nno claims: nothing that the file says is settled rests on a proof")?;
        return Ok(());
    }
    let (confirmed, all) = (checked.confirmed.len(), checked.claims());
    writeln!(output, "\n{confirmed} of {all} claims confirmed")?;
    for claim in &checked.unconfirmed {
        writeln!(output, "  {BAD}not confirmed{BAD:#}: {}", printable(claim))?;
    }
    Ok(())
}
