//! `obligato gate`: is a stored result good enough? `obligato::gate` does the work, [`report`] says what came of it.

use obligato::gate::{GateOutcome, GateRequest, gate};

use crate::args::{Format, GateArgs};
use crate::error::CliError;
use crate::exit::Exit;
use crate::output::Output;

mod report;

/// Compares, reports.
pub fn run(arguments: &GateArgs, output: &mut Output) -> Result<Exit, CliError> {
    let result = gate(&request(arguments))?;
    if arguments.format == Format::Json {
        output.write_text(&format!("{:#}\n", result.document()))?;
        let mut words = output.beside();
        result.notes.iter().try_for_each(|note| words.remark(format_args!("{note}")))?;
        words.finish()?;
    } else {
        result.notes.iter().try_for_each(|note| output.remark(format_args!("{note}")))?;
        report::write(&result, arguments, output)?;
    }
    Ok(exit(result.outcome))
}

fn request(arguments: &GateArgs) -> GateRequest {
    GateRequest {
        store: arguments.store.clone(),
        require: arguments.required.all().iter().chain(&arguments.require).copied().collect(),
        allow: arguments.allow.clone(),
        forbid_unresolved: arguments.forbid_unresolved,
        require_review: arguments.require_review,
        stale_ok: arguments.stale_ok,
        ratchet: arguments.ratchet.clone(),
        justifications: arguments.justifications.clone(),
        config: arguments.config.clone(),
    }
}

const fn exit(outcome: GateOutcome) -> Exit {
    match outcome {
        GateOutcome::Met => Exit::Success,
        GateOutcome::Below => Exit::BelowGate,
        GateOutcome::Unresolved | GateOutcome::Unreviewed => Exit::Unresolved,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_document_of_a_gate_has_the_code_that_it_exits_with() {
        for outcome in
            [GateOutcome::Met, GateOutcome::Below, GateOutcome::Unresolved, GateOutcome::Unreviewed]
        {
            assert_eq!(exit(outcome).code(), outcome.exit_code());
        }
    }
}
