//! C files: what they have, function by function, and what cannot be measured of them.

use std::path::PathBuf;

use obligato_c_unit::Unit;
use obligato_clang::{Database, Limits};
use obligato_model::{Program, SuiteInterface};

use super::{
    CheckRequest, Checked, CheckedFunction, CheckedGap, count_obligations, write_template,
};
use crate::campaign::{Stop, unless_stopped};
use crate::error::Error;
use crate::progress::{OnProgress, Progress};
use crate::unit::{LoadedUnit, refuse_clang};

/// What a C file has.
#[derive(Debug, Clone)]
pub struct CheckedUnit {
    /// The file, as it was given.
    pub path: String,
    /// Sizes, obligations, what tests of its functions set and see, what cannot be measured.
    pub found: Checked,
    /// All functions, in the order of the file.
    pub functions: Vec<FunctionSize>,
    /// What tests of the function under test set and see; none if no function is asked for and there are several.
    pub interface: Option<SuiteInterface>,
    /// What cannot be measured, in words.
    pub remarks: Vec<String>,
}

/// How much a function has.
#[derive(Debug, Clone)]
pub struct FunctionSize {
    /// Its name.
    pub name: String,
    /// How many decisions.
    pub decisions: usize,
    /// How many conditions, in all decisions together.
    pub conditions: usize,
    /// How many inputs and outputs, or why tests cannot call it; none if it is only called by others.
    pub interface: Option<Result<InterfaceSize, String>>,
}

/// How much tests of a function set and see.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InterfaceSize {
    /// So many inputs.
    pub inputs: usize,
    /// So many outputs.
    pub outputs: usize,
}

/// The files of a compilation database.
#[derive(Debug)]
pub struct CheckedProject {
    /// Every file that was tried.
    pub files: Vec<ProjectFile>,
    /// The files that were not.
    pub left_out: Vec<LeftOut>,
}

/// A file of a compilation database.
#[derive(Debug)]
pub struct ProjectFile {
    /// The file, as the database has it.
    pub path: String,
    /// What it has, or why it cannot be used.
    pub unit: Result<CheckedUnit, Error>,
}

/// A file of a compilation database that is no C file to check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    /// The file.
    pub file: PathBuf,
    /// Why.
    pub why: String,
}

/// Checks a file.
pub fn check(request: &CheckRequest) -> Result<CheckedUnit, Error> {
    let loaded = LoadedUnit::load(&request.subject, &[])?;
    let interface = under_test(request, &loaded)?;
    if let Some(template) = &request.template {
        let interface = interface.as_ref().ok_or_else(|| which_function(&loaded))?;
        write_template(template, interface)?;
    }
    Ok(CheckedUnit { interface, ..checked(loaded) })
}

/// Checks every file of a compilation database.
pub fn check_all(
    request: &CheckRequest,
    stop: &Stop,
    on_progress: OnProgress<'_>,
) -> Result<CheckedProject, Error> {
    let file = &request.subject.file;
    if request.template.is_some() {
        return Err(Error::Input {
            message: format!("{}: a suite is for one function", file.display()),
            way_out: "name its file".to_owned(),
        });
    }
    let Database { sources, left_out } =
        Database::read(file, Limits::default()).map_err(refuse_clang)?;
    let mut files = Vec::with_capacity(sources.len());
    for source in &sources {
        unless_stopped(stop)?;
        let path = source.file.display().to_string();
        let unit = LoadedUnit::load_source(source, &request.subject, &[]).map(checked);
        // A signal ends the compiler as well: what fails then says nothing about the file.
        unless_stopped(stop)?;
        files.push(ProjectFile { path, unit });
        on_progress(Progress::Checked { done: files.len(), of: sources.len() });
    }
    let left_out = left_out.into_iter().map(|(file, why)| LeftOut { file, why }).collect();
    Ok(CheckedProject { files, left_out })
}

/// The inputs and outputs of the function that is asked for, or of the only one.
fn under_test(
    request: &CheckRequest,
    loaded: &LoadedUnit,
) -> Result<Option<SuiteInterface>, Error> {
    if request.subject.unit.function.is_none() && loaded.unit.functions().len() != 1 {
        return Ok(None);
    }
    let interface = loaded.interface(&request.subject)?;
    Ok(Some(loaded.unit.variables(&interface)))
}

fn which_function(loaded: &LoadedUnit) -> Error {
    Error::Input {
        message: format!("{}: a suite is for one function", loaded.path),
        way_out: "choose one by --function".to_owned(),
    }
}

/// All that is found of a unit, but for the function under test.
fn checked(loaded: LoadedUnit) -> CheckedUnit {
    let unit = &loaded.unit;
    let gaps = unit.gaps().iter().map(|gap| CheckedGap {
        file: gap.file.clone(),
        span: gap.span,
        text: gap.to_string(),
    });
    let mut found = Checked {
        sizes: sizes(unit.program()).to_vec(),
        obligations: count_obligations(unit.program()),
        functions: Vec::new(),
        gaps: gaps.collect(),
    };
    for name in unit.functions() {
        if let Ok(interface) = unit.interface(name) {
            let SuiteInterface { inputs, outputs } = unit.variables(&interface);
            found.functions.push(CheckedFunction { name: name.clone(), inputs, outputs });
        }
    }
    let functions = functions(unit);
    let remarks = loaded.remarks();
    CheckedUnit { path: loaded.path, found, functions, interface: None, remarks }
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

fn functions(unit: &Unit) -> Vec<FunctionSize> {
    let program = unit.program();
    let size = |name: &String| FunctionSize {
        name: name.clone(),
        decisions: 0,
        conditions: 0,
        interface: unit.functions().contains(name).then(|| interface_size(unit, name)),
    };
    let mut sizes: Vec<FunctionSize> =
        program.functions().iter().map(|function| size(&function.name)).collect();
    for decision in program.decisions() {
        let size = &mut sizes[decision.function.index()];
        size.decisions += 1;
        size.conditions += decision.tree.conditions();
    }
    sizes
}

fn interface_size(unit: &Unit, function: &str) -> Result<InterfaceSize, String> {
    let interface = unit.interface(function).map_err(|problem| problem.to_string())?;
    Ok(InterfaceSize { inputs: interface.inputs.len(), outputs: interface.outputs.len() })
}
