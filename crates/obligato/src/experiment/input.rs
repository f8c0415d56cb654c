//! The models of an experiment, each in each structure, with the suites to choose from.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use obligato_experiment::Structure;
use obligato_lustre_replay::{RandomSuite, random_suite};
use obligato_model::{Random, TestCase};
use obligato_store::{Signature, StoreError, SuiteFile};

use super::ExperimentRequest;
use crate::campaign::Budget;
use crate::error::Error;
use crate::language::Command;
use crate::model::LoadedModel;
use crate::subject::{ModelOptions, SubjectOptions};

/// Where the suites of an experiment come from.
#[derive(Debug, Clone)]
pub enum Pool {
    /// From files, one for each model in the same order; or from one directory, by the names of the models.
    Files(Vec<PathBuf>),
    /// Drawn at random.
    Random(RandomSize),
    /// Made for each criterion, each within this budget.
    Made(Budget),
}

/// So many tests of so many steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RandomSize {
    /// Tests.
    pub tests: usize,
    /// Steps of each.
    pub steps: usize,
}

/// More steps than this are not drawn: the tests are held in memory.
const MOST_STEPS: usize = 10_000_000;

impl FromStr for RandomSize {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |text: &str| text.parse::<usize>().ok().filter(|number| *number > 0);
        let numbers = text.split_once('x').map(|(tests, steps)| (number(tests), number(steps)));
        let Some((Some(tests), Some(steps))) = numbers else {
            return Err("expected the number of tests and of their steps, such as 200x20".into());
        };
        if tests.checked_mul(steps).is_none_or(|all| all > MOST_STEPS) {
            return Err(format!("{MOST_STEPS} steps in all are the most"));
        }
        Ok(Self { tests, steps })
    }
}

/// A model in one structure, with its suite.
pub struct ExperimentSubject {
    /// The name of the model, its own among all models, that can be part of a file's.
    pub name: String,
    /// How it is written.
    pub structure: Structure,
    /// The model.
    pub model: LoadedModel,
    /// The file of its suite, unless that was drawn.
    pub tests: Option<PathBuf>,
    /// The suite.
    pub suite: RandomSuite,
}

impl ExperimentSubject {
    /// What is to be known of the model, which is the same in each structure but for what
    /// inlining left.
    pub fn remarks(&self) -> impl Iterator<Item = String> + '_ {
        let structure = self.structure.name();
        self.model
            .remarks
            .iter()
            .map(move |remark| format!("{} ({structure}): {remark}", self.name))
    }
}

/// What suites can be called, in the order in which they are looked for in a directory.
const EXTENSIONS: [&str; 3] = ["csv", "json", "rif"];

/// Reads all models and suites, so that nothing runs before all of them are known to fit.
pub fn read(request: &ExperimentRequest) -> Result<Vec<ExperimentSubject>, Error> {
    for subject in &request.subjects {
        subject.expect_language(Command::Experiment)?;
    }
    let paths = match &request.pool {
        Pool::Files(tests) => Some(suite_paths(&request.subjects, tests)?),
        Pool::Random(_) | Pool::Made(_) => None,
    };
    let mut subjects: Vec<ExperimentSubject> = Vec::new();
    for (place, asked) in request.subjects.iter().enumerate() {
        let name = own_name(&asked.file, &subjects);
        let tests = paths.as_ref().map(|paths| paths[place].clone());
        for structure in &request.structures {
            let inline = *structure == Structure::Inlined;
            let options = ModelOptions { inline, ..asked.model.clone() };
            let model = LoadedModel::load(&SubjectOptions { model: options, ..asked.clone() })?;
            let suite = match (&tests, &request.pool) {
                (Some(tests), _) => read_suite(tests, &model)?,
                (None, Pool::Random(size)) => draw_suite(&name, &model, *size, request.seed)?,
                // Or suites are made, later.
                (None, _) => RandomSuite { tests: Vec::new(), dropped: 0 },
            };
            let (name, tests) = (name.clone(), tests.clone());
            subjects.push(ExperimentSubject { name, structure: *structure, model, tests, suite });
        }
    }
    Ok(subjects)
}

/// A suite for each model.
fn suite_paths(models: &[SubjectOptions], tests: &[PathBuf]) -> Result<Vec<PathBuf>, Error> {
    match tests {
        [directory] if directory.is_dir() => {
            models.iter().map(|model| find_suite(directory, &model.file)).collect()
        }
        _ if tests.len() == models.len() => Ok(tests.to_vec()),
        _ => Err(Error::Input {
            message: format!("{} models, but {} suites", models.len(), tests.len()),
            way_out: "name one suite for each model, in the same order, or a directory of them"
                .to_owned(),
        }),
    }
}

fn find_suite(directory: &Path, model: &Path) -> Result<PathBuf, Error> {
    let stem = Path::new(model.file_stem().unwrap_or_default());
    let names = EXTENSIONS.map(|extension| {
        let mut name = stem.as_os_str().to_owned();
        name.push(".");
        name.push(extension);
        directory.join(name)
    });
    let found = names.iter().find(|path| path.is_file()).cloned();
    found.ok_or_else(|| Error::Input {
        message: format!("'{}' has no suite for '{}'", directory.display(), model.display()),
        way_out: format!("put one there, called {}", names[0].display()),
    })
}

fn read_suite(path: &Path, model: &LoadedModel) -> Result<RandomSuite, Error> {
    let suite = SuiteFile::read(path)?;
    let signature = Signature::new(&model.lowered.interface);
    let read = || -> Result<Vec<TestCase>, StoreError> {
        let tests = suite.tests_for(&signature, suite.format())?;
        tests.map(|test| Ok(signature.split(test?).0)).collect()
    };
    let tests = read().map_err(|error| Error::Input {
        message: error.to_string(),
        way_out: format!("a suite for '{}' is needed here", model.path),
    })?;
    Ok(RandomSuite { tests, dropped: 0 })
}

/// The same tests in each structure.
fn draw_suite(
    name: &str,
    model: &LoadedModel,
    size: RandomSize,
    seed: u64,
) -> Result<RandomSuite, Error> {
    let mut random = Random::for_purpose(seed, &format!("pool/{name}"));
    let suite = random_suite(&model.lowered, size.tests, size.steps, &mut random)
        .map_err(|error| Error::Internal(format!("{}: {error}", model.path)))?;
    if suite.tests.is_empty() {
        return Err(Error::Input {
            message: format!("{}: every random test violates an assertion", model.path),
            way_out: "draw more or shorter ones, or name a suite with --tests".to_owned(),
        });
    }
    Ok(suite)
}

/// The name of a model's file without what does not belong into names, and with a number behind it if
/// another model is called so.
fn own_name(path: &Path, others: &[ExperimentSubject]) -> String {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let plain = |character: char| {
        if character.is_alphanumeric() || "-_.".contains(character) { character } else { '-' }
    };
    let stem: String = stem.chars().map(plain).collect();
    let is_free = |name: &String| others.iter().all(|other| other.name != *name);
    let numbered = (2..).map(|number: u32| format!("{stem}-{number}"));
    let mut names = std::iter::once(stem.clone()).chain(numbered);
    names.find(is_free).unwrap_or(stem)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_is_two_numbers_within_bounds() {
        assert_eq!("200x20".parse(), Ok(RandomSize { tests: 200, steps: 20 }));
        for wrong in ["", "x", "20", "0x5", "5x0", "5x5x5", "-1x5", "10000000x2"] {
            assert!(wrong.parse::<RandomSize>().is_err(), "{wrong}");
        }
    }
}
