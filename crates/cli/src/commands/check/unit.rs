//! C files: what they have, function by function, and what cannot be measured of them.

use std::io::Write as _;

use obligato_clang::{Database, Limits};
use obligato_model::{FunctionId, Program};

use super::write_obligations;
use crate::args::CheckArgs;
use crate::error::CliError;
use crate::exit::Exit;
use crate::output::{BAD, Output, counted, printable};
use crate::unit::{LoadedUnit, refuse_clang};

/// Checks a file.
pub fn check(arguments: &CheckArgs, output: &mut Output) -> Result<Exit, CliError> {
    let loaded = LoadedUnit::load(&arguments.subject, &[])?;
    for remark in loaded.remarks() {
        output.remark(format_args!("{}", printable(&remark)))?;
    }
    let program = loaded.unit.program();
    output.write_text(&format!("{}\n\n", printable(&loaded.path)))?;
    for (what, count) in sizes(program) {
        output.write_text(&format!("{what:<12}{count:>8}\n"))?;
    }
    write_functions(&loaded, output)?;
    write_obligations(program, output)?;
    Ok(Exit::Success)
}

fn sizes(program: &Program) -> [(&'static str, usize); 5] {
    [
        ("functions", program.functions().len()),
        ("statements", program.statements().len()),
        ("switches", program.switches().len()),
        ("decisions", program.decisions().len()),
        ("conditions", program.conditions().len()),
    ]
}

/// A row per function.
fn write_functions(loaded: &LoadedUnit, output: &mut Output) -> Result<(), CliError> {
    let program = loaded.unit.program();
    let mut decisions = vec![0_usize; program.functions().len()];
    let mut conditions = decisions.clone();
    for decision in program.decisions() {
        decisions[decision.function.index()] += 1;
        conditions[decision.function.index()] += decision.tree.conditions();
    }
    let names = program.functions().iter().map(|function| printable(&function.name));
    let names: Vec<String> = names.collect();
    let width = names.iter().map(|name| name.chars().count()).chain([8]).max().unwrap_or(8);
    writeln!(output, "\n{:width$}  decisions  conditions  inputs  outputs", "function")?;
    for (index, name) in names.iter().enumerate() {
        let function = &program.functions()[FunctionId::new(index).index()];
        let (decisions, conditions) = (decisions[index], conditions[index]);
        write!(output, "{name:width$}  {decisions:9}  {conditions:10}")?;
        if loaded.unit.functions().contains(&function.name) {
            match loaded.unit.interface(&function.name) {
                Ok(interface) => {
                    let (inputs, outputs) = (interface.inputs.len(), interface.outputs.len());
                    write!(output, "  {inputs:6}  {outputs:7}")?;
                }
                Err(problem) => write!(output, "  {}", printable(&problem.to_string()))?,
            }
        }
        writeln!(output)?;
    }
    Ok(())
}

/// Checks every file of a compilation database: one that cannot be used does not keep the others from it.
pub fn check_all(arguments: &CheckArgs, output: &mut Output) -> Result<Exit, CliError> {
    let file = &arguments.subject.model.file;
    let Database { sources, left_out } =
        Database::read(file, Limits::default()).map_err(refuse_clang)?;
    let mut failed = 0;
    writeln!(output, "functions  decisions  conditions  not measured  file")?;
    for source in &sources {
        let file = printable(&source.file.display().to_string());
        match LoadedUnit::load_source(source, &arguments.subject, &[]) {
            Ok(loaded) => {
                let program = loaded.unit.program();
                let gaps = loaded.unit.gaps().len();
                let [(_, functions), .., (_, decisions), (_, conditions)] = sizes(program);
                writeln!(
                    output,
                    "{functions:9}  {decisions:9}  {conditions:10}  {gaps:12}  {file}"
                )?;
            }
            Err(error) => {
                failed += 1;
                writeln!(output, "{BAD}{:>48}{BAD:#}  {file}", "not checked")?;
                writeln!(output, "  {}", error.one_line())?;
            }
        }
    }
    for (file, why) in &left_out {
        let file = printable(&file.display().to_string());
        output.remark(format_args!("left out: {file}: {}", printable(why)))?;
    }
    let (all, files) = (sources.len(), counted(failed, "file"));
    output.remark(format_args!("\n{} of {all} files checked", all - failed))?;
    if failed == 0 {
        return Ok(Exit::Success);
    }
    Err(CliError::Input {
        message: format!("{files} cannot be checked"),
        way_out: "what is wrong with each is said above".to_owned(),
    })
}
