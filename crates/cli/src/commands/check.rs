//! `obligato check`: errors, or what a program has and what the criteria ask of it.
//!
//! Sizes of a model are those of the model as it is simulated, with every call expanded;
//! obligations are per source decision and per call instance. [`unit`] does the same for C.

use obligato_criteria::plan;
use obligato_lustre::lowering::Lowered;
use obligato_model::Program;
use obligato_model::criterion::ALL;

use crate::args::{CheckArgs, Language};
use crate::error::CliError;
use crate::exit::Exit;
use crate::model::LoadedModel;
use crate::output::Output;

mod unit;

/// Checks the program and sums it up.
pub fn run(arguments: &CheckArgs, output: &mut Output) -> Result<Exit, CliError> {
    match arguments.subject.language() {
        Language::Lustre => check_model(arguments, output),
        Language::C => unit::check(arguments, output),
        Language::Commands => unit::check_all(arguments, output),
    }
}

fn check_model(arguments: &CheckArgs, output: &mut Output) -> Result<Exit, CliError> {
    let loaded = LoadedModel::load(&arguments.subject.model)?;
    for remark in &loaded.remarks {
        output.remark(format_args!("{remark}"))?;
    }
    let LoadedModel { path, model, lowered, .. } = &loaded;
    let main = loaded.main();
    output.write_text(&format!("{path}: main node {main}\n\n"))?;
    for (what, count) in sizes(model.node_count(), lowered) {
        output.write_text(&format!("{what:<12}{count:>8}\n"))?;
    }
    write_obligations(&lowered.program, output)?;
    Ok(Exit::Success)
}

/// How much each criterion asks for.
fn write_obligations(program: &Program, output: &mut Output) -> Result<(), CliError> {
    output.write_text("\nobligations:\n")?;
    for criterion in ALL {
        let count = plan(program, &[criterion]).obligations.len();
        if count > 0 {
            output.write_text(&format!("  {:<24}{count:>8}\n", criterion.title()))?;
        }
    }
    Ok(())
}

fn sizes(nodes: usize, lowered: &Lowered) -> [(&'static str, usize); 7] {
    [
        ("nodes", nodes),
        ("instances", lowered.instances.len()),
        ("inputs", lowered.system.inputs.len()),
        ("outputs", lowered.system.outputs.len()),
        ("latches", lowered.system.latches.len()),
        ("decisions", lowered.program.decisions().len()),
        ("conditions", lowered.program.conditions().len()),
    ]
}
