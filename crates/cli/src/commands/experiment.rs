//! `obligato experiment`: how many mutants suites kill that are just large enough for a criterion.
//!
//! [`run`] is the walk: [`input`] reads models and suites, `obligato_experiment` does the rest model
//! by model, [`summary`] says the most important of it, and everything goes into a directory.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::thread::available_parallelism;

use obligato_experiment::{
    Case, Experiment, ExperimentError, Made, Settings, documents, make_suites, run_case,
};
use obligato_lustre_replay::MutationError;
use obligato_model::Criterion;
use obligato_solver::Stop;
use obligato_store::file;

use crate::args::{ExperimentArgs, Paper};
use crate::error::CliError;
use crate::exit::Exit;
use crate::output::{Output, counted, printable};
use obligato::Error;
use obligato::directory::ensure_directory;
use obligato::model::LoadedModel;
use obligato::refusal;

mod input;
mod search;
mod stages;
mod summary;

use input::Subject;
use stages::Stages;

/// Runs the experiment and writes what it found.
pub fn run(arguments: &ExperimentArgs, output: &mut Output) -> Result<Exit, CliError> {
    if let Some(Paper::Caut) = arguments.paper {
        return search::run(arguments, output);
    }
    let settings = settings(arguments)?;
    expect_directory(&arguments.output)?;
    let subjects = input::read(arguments)?;
    // Half an experiment says nothing, so that nothing ends it but the end of the process.
    let stop = Stop::never();
    let mut stages = Stages::new(output.verbosity(), subjects.len());
    let mut cases = Vec::new();
    for subject in &subjects {
        let LoadedModel { file, path, model, lowered, .. } = &subject.model;
        stages.begin(&subject.name, subject.structure);
        let mut made = Made::default();
        if let Some(budget) = arguments.generate {
            let making = &mut |stage| stages.show(&stage);
            let found = make_suites(&subject.name, lowered, &settings, budget, &stop, making);
            made = found.map_err(|error| {
                stages.end();
                refuse(subject, &error)
            })?;
        }
        let (tests, dropped) = match arguments.generate {
            Some(_) => (&made.tests, made.dropped),
            None => (&subject.suite.tests, subject.suite.dropped),
        };
        let case = Case {
            name: &subject.name,
            structure: subject.structure,
            path,
            bytes: file.bytes(),
            model,
            lowered,
            tests,
            dropped,
            made: &made.suites,
        };
        let found = run_case(&case, &settings, &stop, &mut |stage| stages.show(&stage));
        cases.push(found.map_err(|error| {
            stages.end();
            refuse(subject, &error)
        })?);
    }
    stages.end();
    let experiment = Experiment { settings, cases };
    let documents = documents(&experiment);
    ensure_directory(&arguments.output)?;
    let paths: Vec<PathBuf> =
        documents.iter().map(|document| arguments.output.join(&document.name)).collect();
    let files = paths.iter().zip(&documents);
    let files: Vec<(&Path, &[u8])> =
        files.map(|(path, document)| (path.as_path(), document.text.as_bytes())).collect();
    file::write_together(&files)?;
    for remark in subjects.iter().flat_map(Subject::remarks) {
        output.remark(format_args!("{remark}"))?;
    }
    summary::write(&experiment, output)?;
    if let Some(report) = paths.first() {
        let (report, others) = (report.display().to_string(), counted(paths.len() - 1, "file"));
        output.remark(format_args!("\nWritten: {} and {others} beside it", printable(&report)))?;
    }
    Ok(Exit::Success)
}

fn settings(arguments: &ExperimentArgs) -> Result<Settings, CliError> {
    let criteria = arguments.criteria();
    if let Some(named) = criteria.iter().find(|one| matches!(one, Criterion::Mutation(_))) {
        return Err(CliError::from(Error::Input {
            message: format!(
                "suites cannot be reduced for '{named}' here: mutants are what they are held against"
            ),
            way_out: "name other criteria".to_owned(),
        }));
    }
    Ok(Settings {
        criteria,
        oracles: arguments.oracles(),
        mutants: arguments.count,
        reductions: arguments.reductions,
        generation: arguments.generate,
        equivalence: arguments.equivalence,
        threads: available_parallelism().map_or(1, NonZeroUsize::get),
        seed: arguments.seed,
    })
}

/// What cannot be written is found before the work is done. The directory itself is made when there
/// is something to put into it.
fn expect_directory(path: &Path) -> Result<(), CliError> {
    if path.exists() { Ok(ensure_directory(path)?) } else { Ok(()) }
}

fn refuse(subject: &Subject, error: &ExperimentError) -> CliError {
    let path = &subject.model.path;
    let way_out = match error {
        ExperimentError::NoOutputs => "name a model whose main node has outputs",
        ExperimentError::NoTests => "name a suite with tests",
        ExperimentError::NoMutants => "name a model that computes something",
        ExperimentError::Outside { .. } => "take the test out",
        ExperimentError::Mutants(MutationError::Model(found)) => {
            return subject.model.file.refuse(found).into();
        }
        ExperimentError::Campaign(error) => return refusal::refuse(error, &subject.model).into(),
        ExperimentError::Mutants(_)
        | ExperimentError::Run(_)
        | ExperimentError::Judge(_)
        | ExperimentError::NotKept(_) => {
            return CliError::from(Error::Internal(format!("{path}: {error}")));
        }
    };
    let tests = subject
        .tests
        .as_ref()
        .map_or_else(String::new, |tests| format!(" with {}", tests.display()));
    CliError::from(Error::Input {
        message: format!("{path}{tests}: {error}"),
        way_out: way_out.to_owned(),
    })
}
