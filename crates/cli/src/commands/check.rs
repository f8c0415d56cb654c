//! `obligato check`: errors, or what a program has and what the criteria ask of it.
//!
//! Sizes of a model are those of the model as it is simulated, with every call expanded;
//! obligations are per source decision and per call instance. [`unit`] does the same for C.

use obligato_criteria::plan;
use obligato_lustre::lowering::Lowered;
use obligato_model::criterion::ALL;
use obligato_model::{Criterion, Interface, Program};
use obligato_store::check::{self, Checked, CheckedFile, CheckedFunction};

use crate::args::{CheckArgs, Format, Language};
use crate::error::CliError;
use crate::exit::Exit;
use crate::output::Output;
use crate::rendering::interface::write_template;
use obligato::model::LoadedModel;

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
    let loaded = LoadedModel::load(&arguments.subject.model.options())?;
    let LoadedModel { path, model, lowered, .. } = &loaded;
    if let Some(template) = &arguments.template {
        write_template(template, &lowered.interface)?;
    }
    let (main, sizes) = (loaded.main(), sizes(model.node_count(), lowered));
    if arguments.format == Format::Json {
        let Interface { inputs, outputs } = lowered.interface.clone();
        let checked = Checked {
            sizes: sizes.to_vec(),
            obligations: obligations(&lowered.program),
            functions: vec![CheckedFunction { name: main.to_owned(), inputs, outputs }],
            gaps: Vec::new(),
        };
        let file = CheckedFile { file: path.clone(), found: Ok(checked) };
        output.write_text(&check::print(&[file]))?;
        return Ok(Exit::Success);
    }
    for remark in &loaded.remarks {
        output.remark(format_args!("{remark}"))?;
    }
    output.write_text(&format!("{path}: main node {main}\n\n"))?;
    write_sizes(&sizes, output)?;
    write_obligations(&lowered.program, output)?;
    Ok(Exit::Success)
}

fn write_sizes(sizes: &[(&str, usize)], output: &mut Output) -> Result<(), CliError> {
    sizes.iter().try_for_each(|(what, count)| output.write_text(&format!("{what:<12}{count:>8}\n")))
}

/// How much each criterion asks for, if it asks for anything.
fn obligations(program: &Program) -> Vec<(Criterion, usize)> {
    let count = |criterion| (criterion, plan(program, &[criterion]).obligations.len());
    ALL.into_iter().map(count).filter(|(_, count)| *count > 0).collect()
}

fn write_obligations(program: &Program, output: &mut Output) -> Result<(), CliError> {
    output.write_text("\nobligations:\n")?;
    obligations(program).iter().try_for_each(|(criterion, count)| {
        output.write_text(&format!("  {:<24}{count:>8}\n", criterion.title()))
    })
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
