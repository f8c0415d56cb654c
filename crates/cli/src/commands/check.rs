//! `obligato check`: errors, or what a program has and what the criteria ask of it.

use std::io::Write as _;

use obligato::Error;
use obligato::check::{
    CheckReport, CheckRequest, Checked, CheckedModel, CheckedProject, CheckedUnit, FunctionSize,
    InterfaceSize, ProjectFile, check,
};

use crate::args::{CheckArgs, Format};
use crate::error::CliError;
use crate::exit::Exit;
use crate::interrupt::stop_on_signals;
use crate::output::{BAD, Output, counted, printable};
use crate::progress::progress_line;
use crate::rendering::interface;

/// Checks the program and sums it up.
pub fn run(arguments: &CheckArgs, output: &mut Output) -> Result<Exit, CliError> {
    let subject = arguments.subject.options();
    let request = CheckRequest { subject, template: arguments.template.clone() };
    let mut line = progress_line(output.verbosity());
    let report = check(&request, &stop_on_signals()?, &mut line)?;
    drop(line);
    if arguments.format == Format::Json {
        output.write_text(&report.document())?;
    }
    match (&report, arguments.format) {
        (CheckReport::Project(project), Format::Json) => {
            write_left_out(project, &mut output.beside())?;
        }
        (_, Format::Json) => {}
        (CheckReport::Model(model), Format::Text) => write_model(model, output)?,
        (CheckReport::Unit(unit), Format::Text) => write_unit(unit, output)?,
        (CheckReport::Project(project), Format::Text) => {
            write_rows(project, output)?;
            write_left_out(project, output)?;
        }
    }
    match report {
        CheckReport::Project(project) => refuse_if_any_failed(&project),
        CheckReport::Model(_) | CheckReport::Unit(_) => Ok(Exit::Success),
    }
}

fn write_model(model: &CheckedModel, output: &mut Output) -> Result<(), CliError> {
    let CheckedModel { path, main, found, remarks } = model;
    for remark in remarks {
        output.remark(format_args!("{remark}"))?;
    }
    output.write_text(&format!("{path}: main node {main}\n\n"))?;
    write_sizes(found, output)?;
    write_obligations(found, output)
}

fn write_unit(unit: &CheckedUnit, output: &mut Output) -> Result<(), CliError> {
    for remark in &unit.remarks {
        output.remark(format_args!("{}", printable(remark)))?;
    }
    output.write_text(&format!("{}\n\n", printable(&unit.path)))?;
    write_sizes(&unit.found, output)?;
    write_functions(&unit.functions, output)?;
    if let Some(interface) = &unit.interface {
        interface::write(interface, output)?;
    }
    write_obligations(&unit.found, output)
}

fn write_sizes(found: &Checked, output: &mut Output) -> Result<(), CliError> {
    let mut sizes = found.sizes.iter();
    sizes.try_for_each(|(what, count)| output.write_text(&format!("{what:<12}{count:>8}\n")))
}

fn write_obligations(found: &Checked, output: &mut Output) -> Result<(), CliError> {
    output.write_text("\nobligations:\n")?;
    found.obligations.iter().try_for_each(|(criterion, count)| {
        output.write_text(&format!("  {:<24}{count:>8}\n", criterion.title()))
    })
}

/// A row per function.
fn write_functions(functions: &[FunctionSize], output: &mut Output) -> Result<(), CliError> {
    let names: Vec<String> = functions.iter().map(|function| printable(&function.name)).collect();
    let width = names.iter().map(|name| name.chars().count()).chain([8]).max().unwrap_or(8);
    writeln!(output, "\n{:width$}  decisions  conditions  inputs  outputs", "function")?;
    for (name, function) in names.iter().zip(functions) {
        let FunctionSize { decisions, conditions, interface, .. } = function;
        write!(output, "{name:width$}  {decisions:9}  {conditions:10}")?;
        match interface {
            Some(Ok(InterfaceSize { inputs, outputs })) => {
                write!(output, "  {inputs:6}  {outputs:7}")?;
            }
            Some(Err(problem)) => write!(output, "  {}", printable(problem))?,
            None => {}
        }
        writeln!(output)?;
    }
    Ok(())
}

/// A row per file of a compilation database.
fn write_rows(project: &CheckedProject, output: &mut Output) -> Result<(), CliError> {
    writeln!(output, "functions  decisions  conditions  not measured  file")?;
    for ProjectFile { path, unit } in &project.files {
        let file = printable(path);
        match unit {
            Ok(unit) => {
                let functions = unit.functions.len();
                let decisions: usize = unit.functions.iter().map(|one| one.decisions).sum();
                let conditions: usize = unit.functions.iter().map(|one| one.conditions).sum();
                let gaps = unit.found.gaps.len();
                writeln!(
                    output,
                    "{functions:9}  {decisions:9}  {conditions:10}  {gaps:12}  {file}"
                )?;
            }
            Err(error) => {
                writeln!(output, "{BAD}{:>48}{BAD:#}  {file}", "not checked")?;
                writeln!(output, "  {}", printable(&error.to_string()))?;
            }
        }
    }
    Ok(())
}

/// What of a compilation database was left out, and how much was checked.
fn write_left_out(project: &CheckedProject, output: &mut Output) -> Result<(), CliError> {
    for one in &project.left_out {
        let file = printable(&one.file.display().to_string());
        output.remark(format_args!("left out: {file}: {}", printable(&one.why)))?;
    }
    let all = project.files.len();
    let checked = all - failed(project);
    output.remark(format_args!("\n{checked} of {all} files checked"))?;
    output.finish()
}

fn failed(project: &CheckedProject) -> usize {
    project.files.iter().filter(|file| file.unit.is_err()).count()
}

fn refuse_if_any_failed(project: &CheckedProject) -> Result<Exit, CliError> {
    let failed = failed(project);
    if failed == 0 {
        return Ok(Exit::Success);
    }
    Err(CliError::from(Error::Input {
        message: format!("{} cannot be checked", counted(failed, "file")),
        way_out: "what is wrong with each is said above".to_owned(),
    }))
}
