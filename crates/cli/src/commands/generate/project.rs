//! Tests and proofs for every function of every C file of a compilation database.
//!
//! Each function is a command of its own in a process of its own, so that one that crashes or never ends loses none of the others. Each
//! keeps its store below that of the project, with the [`Key`] of what it was made from beside it: a run that was interrupted
//! goes on with what is missing.

use std::collections::VecDeque;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use obligato_clang::{Database, Limits, Source};
use obligato_engines_lustre::Budget;
use obligato_model::{Fingerprint, Verdict};
use obligato_solver::Stop;

use crate::args::{EffortArgs, GenerateArgs};
use crate::error::CliError;
use crate::exit::Exit;
use crate::interrupt::stop_on_signals;
use crate::output::{BAD, Output, counted, printable};
use crate::progress::Progress;
use obligato::Error;
use obligato::directory::ensure_directory;
use obligato::unit::{LoadedUnit, refuse_clang};

/// A function of a file.
struct Job {
    file: String,
    function: String,
    directory: PathBuf,
    flags: Vec<String>,
    store: PathBuf,
    key: String,
}

/// What came of it.
enum Ended {
    /// Covered, uncoverable, unresolved, of so many; was it there already?
    Done([usize; 4], Freshness),
    /// Why there is nothing.
    Lost(String),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Freshness {
    New,
    Kept,
}

/// The file that says what a store was made from.
const KEY: &str = "made-from.txt";

/// Generates for a project.
pub fn generate(arguments: &GenerateArgs, output: &mut Output) -> Result<Exit, CliError> {
    let file = &arguments.subject.model.file;
    let Some(store) = arguments.verdicts.store() else {
        return Err(refuse(file, "--no-store leaves nothing of a project's functions"));
    };
    if arguments.tests.is_some() || arguments.output.is_some() || arguments.search.faults.is_some()
    {
        return Err(refuse(file, "suites are of one function"));
    }
    let Database { sources, left_out } =
        Database::read(file, Limits::default()).map_err(refuse_clang)?;
    ensure_directory(store)?;
    let store =
        store.canonicalize().map_err(|error| CliError::from(Error::Internal(error.to_string())))?;
    let stop = stop_on_signals()?;
    let mut lost: Vec<String> =
        left_out.iter().map(|(file, why)| format!("{}: {why}", file.display())).collect();
    let mut jobs = VecDeque::new();
    for source in &sources {
        match jobs_of(arguments, source, &store) {
            Ok(found) => jobs.extend(found),
            Err(error) => lost.push(format!("{}: {}", source.file.display(), error.one_line())),
        }
    }
    let rows = run_all(arguments, jobs, &stop, output)?;
    write(file, &rows, &lost, output)?;
    let unresolved = rows.iter().any(|(_, ended)| match ended {
        Ended::Done([_, _, unresolved, _], _) => *unresolved > 0,
        Ended::Lost(_) => true,
    });
    let failed = rows.iter().any(|(_, ended)| matches!(ended, Ended::Lost(_))) || !lost.is_empty();
    Ok(match (failed, arguments.fail_on_unresolved && unresolved) {
        (true, _) => Exit::ToolError,
        (false, true) => Exit::Unresolved,
        (false, false) => Exit::Success,
    })
}

fn refuse(file: &Path, why: &str) -> CliError {
    CliError::from(Error::Input {
        message: format!("{}: {why}", file.display()),
        way_out: "name a C file and one function by --function".to_owned(),
    })
}

/// The functions of a file.
fn jobs_of(arguments: &GenerateArgs, source: &Source, store: &Path) -> Result<Vec<Job>, CliError> {
    let loaded = LoadedUnit::load_source(source, &arguments.subject.options(), &arguments.observe)?;
    let file = source.file.to_string_lossy().into_owned();
    let flags = source.flags.for_original();
    let text = std::fs::read_to_string(source.directory.join(&source.file)).unwrap_or_default();
    let below: String =
        file.chars().map(|c| if c.is_alphanumeric() || c == '.' { c } else { '_' }).collect();
    let made = loaded.unit.functions().iter().map(|function| {
        let settings = format!("{:?}", loaded.unit.settings());
        let options = options(arguments);
        let key = Key { text: &text, settings: &settings, flags: &flags, options: &options };
        let key = key.to_string();
        Job {
            file: file.clone(),
            function: function.clone(),
            directory: source.directory.clone(),
            flags: flags.clone(),
            store: store.join(&below).join(function),
            key,
        }
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

impl std::fmt::Display for Key<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let text = Fingerprint::of(self.text).number();
        let settings = Fingerprint::of(self.settings).number();
        let (flags, options) = (self.flags.join(" "), self.options.join(" "));
        writeln!(f, "{} {text:08x} {settings:08x}\n{flags}\n{options}", env!("CARGO_PKG_VERSION"))
    }
}

/// The options of a function's command.
fn options(arguments: &GenerateArgs) -> Vec<String> {
    let mut words = arguments.subject.unit.inputs.words();
    // Functions are done in the directories of their files.
    let config = arguments.subject.unit.config.as_ref();
    words.extend(config.map(|file| {
        let file = std::path::absolute(file).unwrap_or_else(|_| file.clone());
        format!("--config={}", file.display())
    }));
    let mut said = arguments.search.words();
    said.push_str(&EffortArgs::unusual(arguments.effort.budget).unwrap_or_default());
    if let Some(criteria) = arguments.verdicts.unusual_criteria() {
        let _ = write!(said, " --criterion {criteria}");
    }
    let _ = write!(said, " --seed {}", arguments.seed);
    words.extend(said.split_whitespace().map(str::to_owned));
    words
}

/// Runs all jobs, as many at once as there are threads.
fn run_all(
    arguments: &GenerateArgs,
    jobs: VecDeque<Job>,
    stop: &Stop,
    output: &Output,
) -> Result<Vec<(String, Ended)>, CliError> {
    let program = std::env::current_exe()
        .map_err(|error| CliError::from(Error::Internal(error.to_string())))?;
    let options = options(arguments);
    let (total, patience) = (jobs.len(), patience(arguments.effort.budget));
    let queue = Mutex::new(jobs);
    let rows = Mutex::new(Vec::new());
    let progress = Mutex::new(Progress::new(output.verbosity()));
    thread::scope(|scope| {
        for _ in 0..arguments.effort.threads() {
            scope.spawn(|| {
                while !stop.is_due() {
                    let next = queue.lock().ok().and_then(|mut queue| queue.pop_front());
                    let Some(job) = next else { break };
                    let ended = run(&program, &job, &options, patience, stop);
                    let Ok(mut rows) = rows.lock() else { break };
                    rows.push((format!("{}:{}", job.file, job.function), ended));
                    if let Ok(mut progress) = progress.lock() {
                        progress.show(format_args!("{} of {total} functions", rows.len()));
                    }
                }
            });
        }
    });
    let mut rows = rows.into_inner().unwrap_or_default();
    rows.sort_by(|(one, _), (other, _)| one.cmp(other));
    Ok(rows)
}

/// A function has its budget, and time to be compiled, replayed and measured.
fn patience(budget: Budget) -> Duration {
    match budget {
        Budget::Time(time) => time * 2 + Duration::from_mins(2),
        Budget::Work(_) => Duration::from_hours(1),
    }
}

fn run(program: &Path, job: &Job, options: &[String], patience: Duration, stop: &Stop) -> Ended {
    let made_from = job.store.join(KEY);
    let kept = std::fs::read_to_string(&made_from).is_ok_and(|key| key == job.key);
    if kept && let Some(numbers) = numbers(&job.store) {
        return Ended::Done(numbers, Freshness::Kept);
    }
    if let Err(error) = std::fs::create_dir_all(&job.store) {
        return Ended::Lost(format!("{}: {error}", job.store.display()));
    }
    let child = Command::new(program)
        .args(["generate", &job.file, "--function", &job.function, "--quiet", "--store"])
        .arg(&job.store)
        .args(options)
        .arg("--")
        .args(&job.flags)
        .current_dir(&job.directory)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn();
    let mut child = match child {
        Ok(child) => child,
        Err(error) => return Ended::Lost(error.to_string()),
    };
    if let Err(why) = await_end(&mut child, patience, stop) {
        return Ended::Lost(why);
    }
    match numbers(&job.store) {
        Some(numbers) => {
            // Without the key the function is done again next time, which is no loss.
            let _ = std::fs::write(made_from, &job.key);
            Ended::Done(numbers, Freshness::New)
        }
        None => Ended::Lost(complaint(child)),
    }
}

/// Waits; ends a process that takes too long, or when all is to end.
fn await_end(child: &mut Child, patience: Duration, stop: &Stop) -> Result<(), String> {
    let start = Instant::now();
    loop {
        match child.try_wait() {
            Ok(Some(status)) if status.code().is_some() => return Ok(()),
            Ok(Some(status)) => return Err(format!("its process broke down: {status}")),
            Ok(None) if start.elapsed() < patience && !stop.is_due() => {
                thread::sleep(Duration::from_millis(20));
            }
            Ok(None) => {
                // Whether it could be ended shows when it is waited for.
                let _ = child.kill();
                let _ = child.wait();
                return Err(format!("it did not end in {} s", patience.as_secs()));
            }
            Err(error) => return Err(error.to_string()),
        }
    }
}

/// The last words of a process that left nothing.
fn complaint(child: Child) -> String {
    let said = child.wait_with_output().map(|output| output.stderr).unwrap_or_default();
    let said = String::from_utf8_lossy(&said);
    said.lines().next().unwrap_or("it left no result").trim_start_matches("obligato: ").to_owned()
}

/// Covered, uncoverable, unresolved, and all, of a stored result.
fn numbers(store: &Path) -> Option<[usize; 4]> {
    let result = obligato_store::result::load(&store.join("result.json")).ok()?;
    let count = |fits: fn(&Verdict) -> bool| {
        result.obligations.iter().filter(|one| fits(&one.verdict)).count()
    };
    Some([
        count(|verdict| matches!(verdict, Verdict::Covered { .. })),
        count(|verdict| matches!(verdict, Verdict::Uncoverable(_))),
        count(|verdict| matches!(verdict, Verdict::Unresolved(_))),
        result.obligations.len(),
    ])
}

fn write(
    file: &Path,
    rows: &[(String, Ended)],
    lost: &[String],
    output: &mut Output,
) -> Result<(), CliError> {
    writeln!(output, "covered  uncoverable  unresolved  total  function")?;
    let mut sum = [0; 4];
    let mut kept = 0;
    for (name, ended) in rows {
        let name = printable(name);
        match ended {
            Ended::Done(numbers, freshness) => {
                let [covered, uncoverable, unresolved, total] = numbers;
                writeln!(
                    output,
                    "{covered:7}  {uncoverable:11}  {unresolved:10}  {total:5}  {name}"
                )?;
                sum.iter_mut().zip(numbers).for_each(|(all, one)| *all += one);
                kept += usize::from(*freshness == Freshness::Kept);
            }
            Ended::Lost(why) => {
                let why = printable(why);
                writeln!(output, "{BAD}{:>38}{BAD:#}  {name}: {why}", "nothing")?;
            }
        }
    }
    let [covered, uncoverable, unresolved, total] = sum;
    writeln!(output, "{covered:7}  {uncoverable:11}  {unresolved:10}  {total:5}  all")?;
    for why in lost {
        writeln!(output, "left out: {}", printable(why))?;
    }
    let functions = counted(rows.len(), "function");
    output.remark(format_args!(
        "\n{}: {functions}; {kept} of them were done before",
        printable(&file.display().to_string())
    ))
}
