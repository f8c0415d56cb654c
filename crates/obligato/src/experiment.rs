//! How many mutants suites kill that are just large enough for a criterion.
//!
//! [`experiment`] is the walk: [`input`] reads models and suites, `obligato_experiment` does the rest model
//! by model, and everything goes into a directory. [`strategies`] compares search strategies on C functions instead.

use std::path::{Path, PathBuf};

use obligato_experiment::{
    Case, Document, ExperimentError, Made, Settings, documents, make_suites, run_case,
};
use obligato_lustre_replay::MutationError;
use obligato_model::Criterion;
use obligato_store::file;

use crate::campaign::{Budget, Stop};
use crate::directory::ensure_directory;
use crate::error::Error;
use crate::model::LoadedModel;
use crate::refusal;
use crate::subject::SubjectOptions;

mod input;
pub mod strategies;

use input::ExperimentSubject;
pub use input::{Pool, RandomSize};
pub use obligato_experiment::findings::{Choice, oracle_name};
pub use obligato_experiment::statistics::MOST as MOST_REDUCTIONS;
pub use obligato_experiment::tables::{median_killed, median_tests};
pub use obligato_experiment::{Experiment, Stage, Structure};
pub use obligato_lustre_replay::Oracle;

/// What an experiment asks.
#[derive(Debug, Clone)]
pub struct ExperimentRequest {
    /// The programs, all of them models; how each is written is for `structures` to say.
    pub subjects: Vec<SubjectOptions>,
    /// Where the suites come from.
    pub pool: Pool,
    /// The criteria to reduce suites for, each once; none about mutants, which suites are held against.
    pub criteria: Vec<Criterion>,
    /// What tests compare, each once.
    pub oracles: Vec<Oracle>,
    /// How models are written, each once.
    pub structures: Vec<Structure>,
    /// How many mutants are sampled of each model; all if there are fewer.
    pub mutants: usize,
    /// How often each suite is reduced.
    pub reductions: usize,
    /// What it may take to prove that mutants which no test kills are equivalent, if that is tried.
    pub equivalence: Option<Budget>,
    /// Of all random choices.
    pub seed: u64,
    /// How many threads may work.
    pub threads: usize,
    /// The directory to write into; made if it does not exist.
    pub output: PathBuf,
}

/// What an experiment found, and where it was written.
#[derive(Debug, Clone)]
pub struct ExperimentOutcome {
    /// What was asked and found.
    pub experiment: Experiment,
    /// What is to be known of the models.
    pub remarks: Vec<String>,
    /// The files that were written; the report comes first.
    pub files: Vec<PathBuf>,
}

/// What an experiment is at.
#[derive(Debug, Clone, Copy)]
pub struct CaseStage<'a> {
    /// The number of the case, from 1 on: a model in one structure.
    pub case: usize,
    /// How many cases there are.
    pub of: usize,
    /// The name of the model.
    pub model: &'a str,
    /// How it is written.
    pub structure: Structure,
    /// What is done to it.
    pub stage: &'a Stage,
}

/// Is told what an experiment is at.
pub type OnStage<'a> = &'a mut dyn FnMut(CaseStage<'_>);

/// Runs an experiment and writes what it found.
///
/// Half an experiment says nothing: one that `stop` ends is an error, and nothing is written.
///
/// ```
/// use obligato::campaign::Stop;
/// use obligato::experiment::{
///     ExperimentRequest, Oracle, Pool, RandomSize, Structure, experiment,
/// };
/// use obligato::subject::SubjectOptions;
///
/// let directory = tempfile::tempdir()?;
/// let file = directory.path().join("any.lus");
/// std::fs::write(&file, "node any(a, b: bool) returns (c: bool); let c = a or b; tel\n")?;
/// let request = ExperimentRequest {
///     subjects: vec![SubjectOptions::new(file)],
///     pool: Pool::Random(RandomSize { tests: 20, steps: 2 }),
///     criteria: vec!["mcdc".parse()?],
///     oracles: vec![Oracle::Outputs],
///     structures: vec![Structure::Written],
///     mutants: 10,
///     reductions: 2,
///     equivalence: None,
///     seed: 0,
///     threads: 1,
///     output: directory.path().join("results"),
/// };
/// let outcome = experiment(&request, &Stop::never(), &mut |_| {})?;
/// assert_eq!(outcome.experiment.cases[0].tests, 20);
/// assert!(outcome.files[0].ends_with("experiment.md"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn experiment(
    request: &ExperimentRequest,
    stop: &Stop,
    on_stage: OnStage<'_>,
) -> Result<ExperimentOutcome, Error> {
    let settings = settings(request)?;
    expect_directory(&request.output)?;
    let subjects = input::read(request)?;
    let mut cases = Vec::new();
    for (index, subject) in subjects.iter().enumerate() {
        let mut on_stage = |stage: Stage| {
            on_stage(CaseStage {
                case: index + 1,
                of: subjects.len(),
                model: &subject.name,
                structure: subject.structure,
                stage: &stage,
            });
        };
        let LoadedModel { file, path, model, lowered, .. } = &subject.model;
        let mut made = Made::default();
        if let Some(budget) = settings.generation {
            let found = make_suites(&subject.name, lowered, &settings, budget, stop, &mut on_stage);
            made = found.map_err(|error| refuse(subject, &error))?;
        }
        let (tests, dropped) = match settings.generation {
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
        let found = run_case(&case, &settings, stop, &mut on_stage);
        cases.push(found.map_err(|error| refuse(subject, &error))?);
        if stop.is_requested() {
            return Err(Error::Stopped);
        }
    }
    let experiment = Experiment { settings, cases };
    let files = write(&request.output, &documents(&experiment))?;
    let remarks = subjects.iter().flat_map(ExperimentSubject::remarks).collect();
    Ok(ExperimentOutcome { experiment, remarks, files })
}

fn settings(request: &ExperimentRequest) -> Result<Settings, Error> {
    if let Some(named) = request.criteria.iter().find(|one| one.is_mutation()) {
        return Err(Error::Input {
            message: format!(
                "suites cannot be reduced for '{named}' here: mutants are what they are held against"
            ),
            way_out: "name other criteria".to_owned(),
        });
    }
    Ok(Settings {
        criteria: request.criteria.clone(),
        oracles: request.oracles.clone(),
        mutants: request.mutants,
        reductions: request.reductions,
        generation: match request.pool {
            Pool::Made(budget) => Some(budget),
            Pool::Files(_) | Pool::Random(_) => None,
        },
        equivalence: request.equivalence,
        threads: request.threads,
        seed: request.seed,
    })
}

/// What cannot be written is found before the work is done. The directory itself is made when there
/// is something to put into it.
fn expect_directory(path: &Path) -> Result<(), Error> {
    if path.exists() { ensure_directory(path) } else { Ok(()) }
}

/// Writes all documents into a directory, and says which files they are.
fn write(directory: &Path, documents: &[Document]) -> Result<Vec<PathBuf>, Error> {
    ensure_directory(directory)?;
    let paths: Vec<PathBuf> =
        documents.iter().map(|document| directory.join(&document.name)).collect();
    let files = paths.iter().zip(documents);
    let files: Vec<(&Path, &[u8])> =
        files.map(|(path, document)| (path.as_path(), document.text.as_bytes())).collect();
    file::write_together(&files)?;
    Ok(paths)
}

fn refuse(subject: &ExperimentSubject, error: &ExperimentError) -> Error {
    let path = &subject.model.path;
    let way_out = match error {
        ExperimentError::NoOutputs => "name a model whose main node has outputs",
        ExperimentError::NoTests => "name a suite with tests",
        ExperimentError::NoMutants => "name a model that computes something",
        ExperimentError::Outside { .. } => "take the test out",
        ExperimentError::Mutants(MutationError::Model(found)) => {
            return subject.model.file.refuse(found);
        }
        ExperimentError::Campaign(error) => return refusal::refuse(error, &subject.model),
        ExperimentError::Mutants(_)
        | ExperimentError::Run(_)
        | ExperimentError::Judge(_)
        | ExperimentError::NotKept(_) => {
            return Error::Internal(format!("{path}: {error}"));
        }
    };
    let tests = subject
        .tests
        .as_ref()
        .map_or_else(String::new, |tests| format!(" with {}", tests.display()));
    Error::Input { message: format!("{path}{tests}: {error}"), way_out: way_out.to_owned() }
}
