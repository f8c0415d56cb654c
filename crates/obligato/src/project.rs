//! Tests and proofs for every function of every C file of a compilation database.
//!
//! Each function is a job of its own with a store of its own below that of the project, and beside it the [`Key`] of what
//! it was made from: a run that was interrupted goes on with what is missing. A job has the same [`GenerateRequest`] as that
//! function would have by itself. Who calls [`generate_project`] says how a job is run, in a process of its own say, so that a
//! function that crashes or never ends loses none of the others, and hands back the document of what came of it.

use std::collections::VecDeque;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::thread;

use obligato_clang::{Database, Limits, Source};
use obligato_model::{Fingerprint, Tally};
use obligato_solver::Stop;
use obligato_store::file;
use serde::Deserialize;

use crate::directory::ensure_directory;
use crate::error::Error;
use crate::generate::{GenerateRequest, LostFunction, list};
use crate::justifications;
use crate::language::Command;
use crate::progress::Progress;
use crate::storage::{GENERATION, RESULT};
use crate::unit::{LoadedUnit, refuse_clang};

/// What to generate for.
#[derive(Debug, Clone)]
pub struct ProjectRequest {
    /// What is asked of each function. Its program is the compilation database, and its store the directory below which each
    /// function has one of its own.
    pub each: GenerateRequest,
    /// How many functions are worked on at once.
    pub threads: usize,
}

/// A function of a file, to be worked on.
#[derive(Debug, Clone)]
pub struct Job {
    /// What is asked of the function; the file is named as the compilation database does.
    pub request: GenerateRequest,
    /// The directory in which the file is compiled.
    pub directory: PathBuf,
    /// The file.
    file: String,
    /// The function under test.
    function: String,
    /// Where the result belongs.
    store: PathBuf,
    key: String,
}

/// What came of a project.
#[derive(Debug)]
pub struct Project {
    /// Its functions, by file and name.
    pub functions: Vec<FunctionResult>,
    /// The files that could not be read.
    pub left_out: Vec<FileLeftOut>,
}

/// A file that could not be read.
#[derive(Debug)]
pub struct FileLeftOut {
    /// The file.
    pub file: String,
    /// Why.
    pub why: String,
}

/// What came of a function.
#[derive(Debug)]
pub struct FunctionResult {
    /// The file, as the compilation database names it.
    pub file: String,
    /// The function under test.
    pub function: String,
    /// How it ended.
    pub ended: JobEnd,
    /// The directory that holds its result.
    pub store: PathBuf,
}

/// How a job ended.
#[derive(Debug)]
pub enum JobEnd {
    /// With a result.
    Done {
        /// How its obligations ended.
        tally: Tally,
        /// Was it made now?
        freshness: Freshness,
        /// Errors of this tool in it: what depends on them is not in the result.
        tool_errors: Vec<String>,
        /// How many runtime errors inputs of the function run into.
        runtime_errors: usize,
    },
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

impl FunctionResult {
    /// `file:function`.
    pub fn name(&self) -> String {
        format!("{}:{}", self.file, self.function)
    }

    /// The errors of this tool in it.
    pub fn tool_errors(&self) -> &[String] {
        match &self.ended {
            JobEnd::Done { tool_errors, .. } => tool_errors,
            JobEnd::Lost(_) => &[],
        }
    }
}

impl Project {
    /// What came of it as JSON, described in `docs/formats.md`: a list with the `obligato-generation` document of each function,
    /// and with the reason of each function and file that has none.
    pub fn document(&self) -> Result<String, Error> {
        let mut documents = Vec::new();
        for function in &self.functions {
            documents.push(match &function.ended {
                JobEnd::Done { .. } => {
                    let text = file::read(&function.store.join(GENERATION))?;
                    String::from_utf8_lossy(&text).into_owned()
                }
                JobEnd::Lost(why) => {
                    let (file, name) = (function.file.clone(), function.function.clone());
                    LostFunction { file, function: name, why: why.clone() }.document()
                }
            });
        }
        for FileLeftOut { file, why } in &self.left_out {
            documents.push(serde_json::json!({"file": file, "error": why}).to_string());
        }
        Ok(list(&documents))
    }
}

/// The file that says what a store was made from.
const KEY: &str = "made-from.txt";

/// Runs a job and gives the [document](crate::generate::document) of what came of it; an error is why there is none.
pub type RunJob<'a> = &'a (dyn Fn(&Job) -> Result<String, String> + Sync);

/// Generates for all functions of a project.
pub fn generate_project(
    request: &ProjectRequest,
    run: RunJob<'_>,
    stop: &Stop,
    on_progress: &mut (dyn FnMut(Progress) + Send),
) -> Result<Project, Error> {
    let asked = &request.each;
    asked.subject.expect_language(Command::Project)?;
    let Database { sources, left_out } =
        Database::read(&asked.subject.file, Limits::default()).map_err(refuse_clang)?;
    let each = for_functions(asked)?;
    let mut left_out: Vec<FileLeftOut> = left_out
        .into_iter()
        .map(|(file, why)| FileLeftOut { file: file.display().to_string(), why })
        .collect();
    let mut jobs = VecDeque::new();
    for source in &sources {
        match jobs_of(&each, source) {
            Ok(found) => jobs.extend(found),
            Err(error) => left_out.push(FileLeftOut {
                file: source.file.display().to_string(),
                why: error.to_string(),
            }),
        }
    }
    let functions = run_all(jobs, request.threads, run, stop, on_progress);
    Ok(Project { functions, left_out })
}

/// The request with names of files that mean the same in the directory of each function.
fn for_functions(asked: &GenerateRequest) -> Result<GenerateRequest, Error> {
    let file = asked.subject.file.display();
    let refuse = |why: &str, way_out: &str| {
        Err(Error::Input { message: format!("{file}: {why}"), way_out: way_out.to_owned() })
    };
    let Some(store) = &asked.judging.store else {
        return refuse("nothing would be left of its functions", "name a store");
    };
    if asked.tests.is_some() || asked.output.is_some() || asked.errors.is_some() {
        return refuse("suites are of one function", "name a C file and one function");
    }
    if asked.shard.is_some() {
        return refuse("a project is not divided into shards", "give functions to machines");
    }
    ensure_directory(store)?;
    let store = store.canonicalize().map_err(|error| Error::Internal(error.to_string()))?;
    let mut each = asked.clone();
    each.threads = 1;
    each.judging.store = Some(store);
    let usual = || Path::new(justifications::USUAL_FILE).exists().then(usual_justifications);
    each.judging.justifications = asked.judging.justifications.clone().or_else(usual);
    for path in [&mut each.judging.justifications, &mut each.subject.unit.config] {
        *path = path.take().map(|path| std::path::absolute(&path).unwrap_or(path));
    }
    Ok(each)
}

fn usual_justifications() -> PathBuf {
    PathBuf::from(justifications::USUAL_FILE)
}

/// The functions of a file.
fn jobs_of(each: &GenerateRequest, source: &Source) -> Result<Vec<Job>, Error> {
    let loaded = LoadedUnit::load_source(source, &each.subject, &each.observe)?;
    let file = source.file.to_string_lossy().into_owned();
    let below: String =
        file.chars().map(|c| if c.is_alphanumeric() || c == '.' { c } else { '_' }).collect();
    let mut request = each.clone();
    request.subject.file.clone_from(&source.file);
    request.subject.unit.flags = source.flags.for_original();
    let text = std::fs::read_to_string(source.directory.join(&source.file)).unwrap_or_default();
    let settings = format!("{:?}", loaded.unit.settings());
    let key = Key { text: &text, settings: &settings, request: &request }.to_string();
    let store = each.judging.store.clone().unwrap_or_default().join(below);
    let made = loaded.unit.functions().iter().map(|function| {
        let mut request = request.clone();
        let store = store.join(function);
        request.subject.unit.function = Some(function.clone());
        request.judging.store = Some(store.clone());
        Job {
            request,
            directory: source.directory.clone(),
            file: file.clone(),
            function: function.clone(),
            store,
            key: key.clone(),
        }
    });
    Ok(made.collect())
}

/// What a result was made from.
struct Key<'a> {
    text: &'a str,
    settings: &'a str,
    request: &'a GenerateRequest,
}

impl fmt::Display for Key<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = Fingerprint::of(self.text).number();
        let settings = Fingerprint::of(self.settings).number();
        let mut request = self.request.clone();
        // Neither where a result is kept nor how the tool was called changes it, but what people have justified does.
        request.judging.store = None;
        request.judging.invocation.clear();
        let reasons = request.judging.justifications.as_ref();
        let reasons = reasons.and_then(|path| std::fs::read_to_string(path).ok());
        let reasons = Fingerprint::of(&reasons.unwrap_or_default()).number();
        let version = env!("CARGO_PKG_VERSION");
        writeln!(f, "{version} {text:08x} {settings:08x} {reasons:08x}\n{request:?}")
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
                    let ended = run_job(&job, run).unwrap_or_else(JobEnd::Lost);
                    let Ok(mut guard) = results.lock() else { break };
                    let (results, on_progress) = &mut *guard;
                    let Job { file, function, store, .. } = job;
                    results.push(FunctionResult { file, function, ended, store });
                    on_progress(Progress::Functions { done: results.len(), of });
                }
            });
        }
    });
    let mut functions = results.into_inner().map(|(functions, _)| functions).unwrap_or_default();
    functions.sort_by_key(FunctionResult::name);
    functions
}

/// How a job ended; an error is why it has no result.
fn run_job(job: &Job, run: RunJob<'_>) -> Result<JobEnd, String> {
    let made_from = job.store.join(KEY);
    let is_kept = std::fs::read_to_string(&made_from).is_ok_and(|key| key == job.key);
    if is_kept && let Ok((end, _)) = end(job, Freshness::Kept) {
        return Ok(end);
    }
    std::fs::create_dir_all(&job.store)
        .map_err(|error| format!("{}: {error}", job.store.display()))?;
    let document = run(job)?;
    file::write(&job.store.join(GENERATION), document.as_bytes())
        .map_err(|error| error.to_string())?;
    let (end, whole) = end(job, Freshness::New)?;
    // Without the key the function is done again next time: no loss, and right where this tool has erred or was stopped.
    if whole == Whole::Yes {
        let _ = std::fs::write(made_from, &job.key);
    }
    Ok(end)
}

/// Is all in a result that belongs there?
#[derive(Clone, Copy, PartialEq, Eq)]
enum Whole {
    Yes,
    No,
}

/// What of a generation document the end of a job is made of.
#[derive(Deserialize)]
struct Answer {
    stopped: bool,
    tool_errors: Vec<String>,
    runtime_errors: Vec<serde::de::IgnoredAny>,
}

/// The end of a job that has left its result and its document.
fn end(job: &Job, freshness: Freshness) -> Result<(JobEnd, Whole), String> {
    let result = obligato_store::result::load(&job.store.join(RESULT))
        .map_err(|_| "it left no result".to_owned())?;
    let answer = std::fs::read(job.store.join(GENERATION)).ok();
    let answer: Option<Answer> = answer.and_then(|text| serde_json::from_slice(&text).ok());
    let Answer { stopped, tool_errors, runtime_errors } =
        answer.ok_or("it did not say what it found")?;
    let mut tally = Tally::default();
    result.obligations.iter().for_each(|one| tally.count(&one.verdict));
    let whole = if stopped || !tool_errors.is_empty() { Whole::No } else { Whole::Yes };
    let runtime_errors = runtime_errors.len();
    Ok((JobEnd::Done { tally, freshness, tool_errors, runtime_errors }, whole))
}
