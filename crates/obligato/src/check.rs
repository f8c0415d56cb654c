//! What a program has, and what the criteria ask of it.
//!
//! Sizes of a model are those of the model as it is simulated, with every call expanded; obligations are per source decision
//! and per call instance. [`unit`] does the same for C files and for all files of a compilation database.

use std::path::PathBuf;

use obligato_criteria::plan;
use obligato_lustre::lowering::Lowered;
use obligato_model::criterion::ALL;
use obligato_model::{Criterion, Program, SuiteInterface};
use obligato_store::check::{self as document, CheckedFile};

pub use obligato_store::check::{Checked, CheckedFunction, CheckedGap};

use crate::campaign::{Stop, unless_stopped};
use crate::error::Error;
use crate::language::Command;
use crate::model::LoadedModel;
use crate::progress::OnProgress;
use crate::subject::{FileLanguage, SubjectOptions};
use crate::text::printable;

mod template;
mod unit;

pub use unit::{CheckedProject, CheckedUnit, FunctionSize, InterfaceSize, LeftOut, ProjectFile};

use template::write_template;

/// What to check.
#[derive(Debug, Clone, Default)]
pub struct CheckRequest {
    /// A model, a C file, or a compilation database.
    pub subject: SubjectOptions,
    /// The suite to write: one test of one step, with a column for every input of the main node or of the function under test.
    pub template: Option<PathBuf>,
}

/// What was found.
#[derive(Debug)]
pub enum CheckReport {
    /// Of a Lustre model.
    Model(CheckedModel),
    /// Of a C file.
    Unit(CheckedUnit),
    /// Of the files of a compilation database.
    Project(CheckedProject),
}

/// What a Lustre model has.
#[derive(Debug, Clone)]
pub struct CheckedModel {
    /// The file, as it was given.
    pub path: String,
    /// The main node.
    pub main: String,
    /// Sizes, obligations, and the interface of the main node.
    pub found: Checked,
    /// What is to be known of it: warnings, what inlining left, what is assumed.
    pub remarks: Vec<String>,
}

/// Reads the program and counts what it has. Of a compilation database, a file that cannot be used does not keep the others
/// from being checked. If `stop` comes before its end, nothing is said of it.
///
/// ```
/// use obligato::check::{CheckReport, CheckRequest, check};
/// use obligato::{Stop, progress, subject::SubjectOptions};
///
/// let directory = tempfile::tempdir()?;
/// let file = directory.path().join("both.lus");
/// std::fs::write(&file, "node both(a, b: bool) returns (c: bool); let c = a and b; tel")?;
/// let request = CheckRequest { subject: SubjectOptions::new(file), template: None };
/// let CheckReport::Model(model) = check(&request, &Stop::never(), &mut progress::ignore)? else { unreachable!() };
/// assert_eq!(model.main, "both");
/// assert!(model.found.sizes.contains(&("conditions", 2)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn check(
    request: &CheckRequest,
    stop: &Stop,
    on_progress: OnProgress<'_>,
) -> Result<CheckReport, Error> {
    unless_stopped(stop)?;
    Ok(match request.subject.expect_language(Command::Check)? {
        FileLanguage::C => CheckReport::Unit(unit::check(request)?),
        FileLanguage::Commands => {
            CheckReport::Project(unit::check_all(request, stop, on_progress)?)
        }
        _ => CheckReport::Model(check_model(request)?),
    })
}

impl CheckReport {
    /// The report as JSON: an `obligato-check` document, described in `docs/formats.md`.
    pub fn document(&self) -> String {
        let file = |path: &str, found: &Checked| CheckedFile {
            file: path.to_owned(),
            found: Ok(found.clone()),
        };
        let files = match self {
            Self::Model(model) => vec![file(&model.path, &model.found)],
            Self::Unit(unit) => vec![file(&unit.path, &unit.found)],
            Self::Project(project) => {
                let files = project.files.iter().map(|one| match &one.unit {
                    Ok(unit) => file(&unit.path, &unit.found),
                    Err(error) => CheckedFile {
                        file: one.path.clone(),
                        found: Err(printable(&error.to_string())),
                    },
                });
                files.collect()
            }
        };
        document::print(&files)
    }
}

fn check_model(request: &CheckRequest) -> Result<CheckedModel, Error> {
    let loaded = LoadedModel::load(&request.subject)?;
    let lowered = &loaded.lowered;
    if let Some(template) = &request.template {
        write_template(template, &lowered.interface)?;
    }
    let main = loaded.main().to_owned();
    let SuiteInterface { inputs, outputs } = lowered.interface.clone();
    let found = Checked {
        sizes: sizes(loaded.model.node_count(), lowered).to_vec(),
        obligations: count_obligations(&lowered.program),
        functions: vec![CheckedFunction { name: main.clone(), inputs, outputs }],
        gaps: Vec::new(),
    };
    let LoadedModel { path, remarks, .. } = loaded;
    Ok(CheckedModel { path, main, found, remarks })
}

/// How much each criterion asks for, if it asks for anything.
fn count_obligations(program: &Program) -> Vec<(Criterion, usize)> {
    let count = |criterion| (criterion, plan(program, &[criterion]).obligations.len());
    ALL.into_iter().map(count).filter(|(_, count)| *count > 0).collect()
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
