//! Tests and proofs for every function of every C file of a compilation database.
//!
//! Each function is a job of its own with a store of its own below that of the project, and beside it the [`Key`] of what
//! it was made from: a run that was interrupted goes on with what is missing. Who calls [`generate_project`] says how a
//! job is run: in a process of its own, so that a function that crashes or never ends loses none of the others, or here.

use std::collections::VecDeque;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::thread;

use obligato_clang::{Database, Limits, Source};
use obligato_model::{Fingerprint, Tally};
use obligato_solver::Stop;

use crate::directory::ensure_directory;
use crate::error::Error;
use crate::progress::Progress;
use crate::storage::RESULT;
use crate::subject::SubjectOptions;
use crate::unit::{LoadedUnit, refuse_clang};

/// What to generate for.
#[derive(Debug, Clone)]
pub struct ProjectRequest {
    /// The compilation database, and how its files are read.
    pub subject: SubjectOptions,
    /// The variables that are observed; the outputs if none is named.
    pub observe: Vec<String>,
    /// The directory below which each function has its store.
    pub store: PathBuf,
    /// What else the results depend on, word by word: a result that was made with other words is made again.
    pub options: Vec<String>,
    /// How many functions are worked on at once.
    pub threads: usize,
}

/// A function of a file, to be worked on.
#[derive(Debug, Clone)]
pub struct Job {
    /// The file, as the compilation database names it.
    pub file: String,
    /// The function under test.
    pub function: String,
    /// The directory in which the file is compiled.
    pub directory: PathBuf,
    /// The flags for clang.
    pub flags: Vec<String>,
    /// Where the result belongs.
    pub store: PathBuf,
    key: String,
}

/// What came of a project.
#[derive(Debug)]
pub struct Project {
    /// Its functions, by file and name.
    pub functions: Vec<FunctionResult>,
    /// The files that could not be read, each with the reason.
    pub left_out: Vec<String>,
}

/// What came of a function.
#[derive(Debug)]
pub struct FunctionResult {
    /// `file:function`.
    pub name: String,
    /// How it ended.
    pub ended: JobEnd,
    /// Errors of this tool in it, although it has a result: what depends on them is not in the result.
    pub tool_errors: Vec<String>,
}

/// How a job ended.
#[derive(Debug)]
pub enum JobEnd {
    /// With a result.
    Done(Tally, Freshness),
    /// With nothing, for this reason.
    Lost(String),
}

/// Was a result made now?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Freshness {
    /// It was.
    New,
    /// It was there, made from the same text with the same options.
    Kept,
}

/// The file that says what a store was made from.
const KEY: &str = "made-from.txt";

/// Runs a job and gives the errors of this tool in it; an error is why there is no result.
pub type RunJob<'a> = &'a (dyn Fn(&Job) -> Result<Vec<String>, String> + Sync);

/// Generates for all functions of a project.
pub fn generate_project(
    request: &ProjectRequest,
    run: RunJob<'_>,
    stop: &Stop,
    on_progress: &mut (dyn FnMut(Progress) + Send),
) -> Result<Project, Error> {
    let Database { sources, left_out } =
        Database::read(&request.subject.file, Limits::default()).map_err(refuse_clang)?;
    ensure_directory(&request.store)?;
    let store = request.store.canonicalize().map_err(|error| Error::Internal(error.to_string()))?;
    let left_out = left_out.iter().map(|(file, why)| format!("{}: {why}", file.display()));
    let mut left_out: Vec<String> = left_out.collect();
    let mut jobs = VecDeque::new();
    for source in &sources {
        match jobs_of(request, source, &store) {
            Ok(found) => jobs.extend(found),
            Err(error) => left_out.push(format!("{}: {error}", source.file.display())),
        }
    }
    let functions = run_all(jobs, request.threads, run, stop, on_progress);
    Ok(Project { functions, left_out })
}

/// The functions of a file.
fn jobs_of(request: &ProjectRequest, source: &Source, store: &Path) -> Result<Vec<Job>, Error> {
    let loaded = LoadedUnit::load_source(source, &request.subject, &request.observe)?;
    let file = source.file.to_string_lossy().into_owned();
    let flags = source.flags.for_original();
    let text = std::fs::read_to_string(source.directory.join(&source.file)).unwrap_or_default();
    let below: String =
        file.chars().map(|c| if c.is_alphanumeric() || c == '.' { c } else { '_' }).collect();
    let settings = format!("{:?}", loaded.unit.settings());
    let key = Key { text: &text, settings: &settings, flags: &flags, options: &request.options };
    let key = key.to_string();
    let made = loaded.unit.functions().iter().map(|function| Job {
        file: file.clone(),
        function: function.clone(),
        directory: source.directory.clone(),
        flags: flags.clone(),
        store: store.join(&below).join(function),
        key: key.clone(),
    });
    Ok(made.collect())
}

/// What a result was made from.
struct Key<'a> {
    text: &'a str,
    settings: &'a str,
    flags: &'a [String],
    options: &'a [String],
}

impl fmt::Display for Key<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = Fingerprint::of(self.text).number();
        let settings = Fingerprint::of(self.settings).number();
        let (flags, options) = (self.flags.join(" "), self.options.join(" "));
        writeln!(f, "{} {text:08x} {settings:08x}\n{flags}\n{options}", env!("CARGO_PKG_VERSION"))
    }
}

/// Runs all jobs, as many at once as there are threads.
fn run_all(
    jobs: VecDeque<Job>,
    threads: usize,
    run: RunJob<'_>,
    stop: &Stop,
    on_progress: &mut (dyn FnMut(Progress) + Send),
) -> Vec<FunctionResult> {
    let of = jobs.len();
    let queue = Mutex::new(jobs);
    let results = Mutex::new((Vec::new(), on_progress));
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while !stop.is_due() {
                    let next = queue.lock().ok().and_then(|mut queue| queue.pop_front());
                    let Some(job) = next else { break };
                    let (ended, tool_errors) = run_job(&job, run);
                    let Ok(mut guard) = results.lock() else { break };
                    let (results, on_progress) = &mut *guard;
                    let name = format!("{}:{}", job.file, job.function);
                    results.push(FunctionResult { name, ended, tool_errors });
                    on_progress(Progress::Functions { done: results.len(), of });
                }
            });
        }
    });
    let mut functions = results.into_inner().map(|(functions, _)| functions).unwrap_or_default();
    functions.sort_by(|one, other| one.name.cmp(&other.name));
    functions
}

/// How a job ended, with the errors of this tool in it.
fn run_job(job: &Job, run: RunJob<'_>) -> (JobEnd, Vec<String>) {
    let made_from = job.store.join(KEY);
    let is_kept = std::fs::read_to_string(&made_from).is_ok_and(|key| key == job.key);
    if is_kept && let Some(tally) = tally(&job.store) {
        return (JobEnd::Done(tally, Freshness::Kept), Vec::new());
    }
    if let Err(error) = std::fs::create_dir_all(&job.store) {
        return (JobEnd::Lost(format!("{}: {error}", job.store.display())), Vec::new());
    }
    let tool_errors = match run(job) {
        Ok(tool_errors) => tool_errors,
        Err(why) => return (JobEnd::Lost(why), Vec::new()),
    };
    match tally(&job.store) {
        Some(tally) => {
            // Without the key the function is done again next time: no loss, and right where this tool has erred.
            if tool_errors.is_empty() {
                let _ = std::fs::write(made_from, &job.key);
            }
            (JobEnd::Done(tally, Freshness::New), tool_errors)
        }
        None => (JobEnd::Lost("it left no result".to_owned()), tool_errors),
    }
}

/// How the obligations of a stored result ended.
fn tally(store: &Path) -> Option<Tally> {
    let result = obligato_store::result::load(&store.join(RESULT)).ok()?;
    let mut tally = Tally::default();
    result.obligations.iter().for_each(|one| tally.count(&one.verdict));
    Some(tally)
}
