//! C files: what they have, function by function, and what cannot be measured of them.

use std::io::Write as _;

use obligato_clang::{Database, Limits, Source};
use obligato_model::{FunctionId, Interface, Program};
use obligato_store::check::{self, Checked, CheckedFile, CheckedFunction, CheckedGap};

use super::{obligations, write_obligations, write_sizes};
use crate::args::{CheckArgs, Format};
use crate::error::CliError;
use crate::exit::Exit;
use crate::output::{BAD, Output, counted, printable};
use crate::rendering::interface::{self as listing, write_template};
use obligato::Error;
use obligato::unit::{LoadedUnit, refuse_clang};

/// Checks a file.
pub fn check(arguments: &CheckArgs, output: &mut Output) -> Result<Exit, CliError> {
    let loaded = LoadedUnit::load(&arguments.subject.options(), &[])?;
    let under_test = under_test(arguments, &loaded)?;
    if let Some(template) = &arguments.template {
        let interface = under_test.as_ref().ok_or_else(|| which_function(&loaded))?;
        write_template(template, interface)?;
    }
    if arguments.format == Format::Json {
        output.write_text(&check::print(&[checked(&loaded)]))?;
        return Ok(Exit::Success);
    }
    for remark in loaded.remarks() {
        output.remark(format_args!("{}", printable(&remark)))?;
    }
    let program = loaded.unit.program();
    output.write_text(&format!("{}\n\n", printable(&loaded.path)))?;
    write_sizes(&sizes(program), output)?;
    write_functions(&loaded, output)?;
    if let Some(interface) = under_test {
        listing::write(&interface, output)?;
    }
    write_obligations(program, output)?;
    Ok(Exit::Success)
}

/// The inputs and outputs of the function that is asked for, or of the only one.
fn under_test(arguments: &CheckArgs, loaded: &LoadedUnit) -> Result<Option<Interface>, CliError> {
    if arguments.subject.unit.function.is_none() && loaded.unit.functions().len() != 1 {
        return Ok(None);
    }
    let interface = loaded.interface(&arguments.subject.options())?;
    Ok(Some(loaded.unit.variables(&interface)))
}

fn which_function(loaded: &LoadedUnit) -> CliError {
    CliError::from(Error::Input {
        message: format!("{}: a suite is for one function", loaded.path),
        way_out: "choose one by --function".to_owned(),
    })
}

/// All that is found of a unit.
fn checked(loaded: &LoadedUnit) -> CheckedFile {
    let unit = &loaded.unit;
    let functions = unit.functions().iter().filter_map(|name| {
        let Interface { inputs, outputs } = unit.variables(&unit.interface(name).ok()?);
        Some(CheckedFunction { name: name.clone(), inputs, outputs })
    });
    let gaps = unit.gaps().iter().map(|gap| CheckedGap {
        file: gap.file.clone(),
        span: gap.span,
        text: gap.to_string(),
    });
    let found = Checked {
        sizes: sizes(unit.program()).to_vec(),
        obligations: obligations(unit.program()),
        functions: functions.collect(),
        gaps: gaps.collect(),
    };
    CheckedFile { file: loaded.path.clone(), found: Ok(found) }
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
    if arguments.template.is_some() {
        return Err(CliError::from(Error::Input {
            message: format!("{}: a suite is for one function", file.display()),
            way_out: "name its file".to_owned(),
        }));
    }
    let Database { sources, left_out } =
        Database::read(file, Limits::default()).map_err(refuse_clang)?;
    let json = arguments.format == Format::Json;
    let mut all = Vec::new();
    let mut failed = 0;
    if !json {
        writeln!(output, "functions  decisions  conditions  not measured  file")?;
    }
    for source in &sources {
        let loaded = LoadedUnit::load_source(source, &arguments.subject.options(), &[]);
        failed += usize::from(loaded.is_err());
        if json {
            all.push(
                loaded.map_or_else(|error| refused(source, &error.into()), |one| checked(&one)),
            );
        } else {
            write_row(source, loaded.map_err(CliError::from), output)?;
        }
    }
    if json {
        output.write_text(&check::print(&all))?;
    }
    let mut beside = json.then(|| output.beside());
    let words = beside.as_mut().unwrap_or(output);
    for (file, why) in &left_out {
        let file = printable(&file.display().to_string());
        words.remark(format_args!("left out: {file}: {}", printable(why)))?;
    }
    let (all, files) = (sources.len(), counted(failed, "file"));
    words.remark(format_args!("\n{} of {all} files checked", all - failed))?;
    words.finish()?;
    if failed == 0 {
        return Ok(Exit::Success);
    }
    Err(CliError::from(Error::Input {
        message: format!("{files} cannot be checked"),
        way_out: "what is wrong with each is said above".to_owned(),
    }))
}

fn refused(source: &Source, error: &CliError) -> CheckedFile {
    CheckedFile { file: source.file.display().to_string(), found: Err(error.one_line()) }
}

fn write_row(
    source: &Source,
    loaded: Result<LoadedUnit, CliError>,
    output: &mut Output,
) -> Result<(), CliError> {
    let file = printable(&source.file.display().to_string());
    match loaded {
        Ok(loaded) => {
            let program = loaded.unit.program();
            let gaps = loaded.unit.gaps().len();
            let [(_, functions), .., (_, decisions), (_, conditions)] = sizes(program);
            writeln!(output, "{functions:9}  {decisions:9}  {conditions:10}  {gaps:12}  {file}")?;
        }
        Err(error) => {
            writeln!(output, "{BAD}{:>48}{BAD:#}  {file}", "not checked")?;
            writeln!(output, "  {}", error.one_line())?;
        }
    }
    Ok(())
}
