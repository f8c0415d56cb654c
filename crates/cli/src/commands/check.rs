//! `obligato check`: errors, or what a model has and what the criteria ask of it.
//!
//! Sizes are those of the model as it is simulated, with every call expanded;
//! obligations are per source decision and per call instance.

use obligato_criteria::plan;
use obligato_lustre::lowering::Lowered;
use obligato_model::criterion::ALL;

use crate::args::CheckArgs;
use crate::error::CliError;
use crate::exit::Exit;
use crate::model::LoadedModel;
use crate::output::Output;

/// Checks the model and sums it up.
pub fn run(arguments: &CheckArgs, output: &mut Output) -> Result<Exit, CliError> {
    let loaded = LoadedModel::load(&arguments.model)?;
    for remark in &loaded.remarks {
        output.remark(format_args!("{remark}"))?;
    }
    let LoadedModel { path, model, lowered, .. } = &loaded;
    let main = loaded.main();
    output.write_text(&format!("{path}: main node {main}\n\n"))?;
    for (what, count) in sizes(model.node_count(), lowered) {
        output.write_text(&format!("{what:<12}{count:>8}\n"))?;
    }
    output.write_text("\nobligations:\n")?;
    for criterion in ALL {
        let count = plan(&lowered.program, &[criterion]).obligations.len();
        if count > 0 {
            output.write_text(&format!("  {:<24}{count:>8}\n", criterion.title()))?;
        }
    }
    Ok(Exit::Success)
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
