//! Tests and proofs for every function of a compilation database, each in a process of its own.

use std::io::Write as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use obligato::Error;
use obligato::progress::Progress as Moment;
use obligato::project::{
    Freshness, FunctionResult, Job, JobEnd, Project, ProjectRequest, generate_project,
};
use obligato_engines_lustre::Budget;
use obligato_model::Tally;
use obligato_solver::Stop;

use crate::args::{EffortArgs, GenerateArgs};
use crate::error::CliError;
use crate::exit::Exit;
use crate::interrupt::stop_on_signals;
use crate::output::{BAD, Output, counted, printable};
use crate::progress::Progress;

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
    let request = ProjectRequest {
        subject: arguments.subject.options(),
        observe: arguments.observe.clone(),
        store: store.clone(),
        options: options(arguments),
        threads: arguments.effort.threads(),
    };
    let program = std::env::current_exe().map_err(|error| Error::Internal(error.to_string()))?;
    let stop = stop_on_signals()?;
    let patience = patience(arguments.effort.budget);
    let run = |job: &Job| run(&program, job, &request.options, patience, &stop);
    let mut line = Progress::new(output.verbosity());
    let mut on_progress = |moment: Moment| {
        if let Moment::Functions { done, of } = moment {
            line.show(format_args!("{done} of {of} functions"));
        }
    };
    let project = generate_project(&request, &run, &stop, &mut on_progress)?;
    line.end();
    write(file, &project, output)?;
    Ok(exit(&project, arguments))
}

fn exit(project: &Project, arguments: &GenerateArgs) -> Exit {
    let mut ends = project.functions.iter().map(|one| &one.ended);
    let is_lost = ends.clone().any(|end| matches!(end, JobEnd::Lost(_)));
    let is_open = ends.any(|end| matches!(end, JobEnd::Done(tally, _) if tally.open() > 0));
    let has_erred = project.functions.iter().any(|one| !one.tool_errors.is_empty());
    if is_lost || has_erred || !project.left_out.is_empty() {
        Exit::ToolError
    } else if arguments.fail_on_unresolved && is_open {
        Exit::Unresolved
    } else {
        Exit::Success
    }
}

fn refuse(file: &Path, why: &str) -> CliError {
    CliError::from(Error::Input {
        message: format!("{}: {why}", file.display()),
        way_out: "name a C file and one function by --function".to_owned(),
    })
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
    words.extend(arguments.search.word_list());
    words.extend(EffortArgs::unusual_words(arguments.effort.budget));
    if let Some(criteria) = arguments.verdicts.unusual_criteria() {
        words.extend(["--criterion".to_owned(), criteria]);
    }
    words.extend(["--seed".to_owned(), arguments.seed.to_string()]);
    words
}

/// A function has its budget, and time to be compiled, replayed and measured.
fn patience(budget: Budget) -> Duration {
    match budget {
        Budget::Time(time) => time * 2 + Duration::from_mins(2),
        Budget::Work(_) => Duration::from_hours(1),
    }
}

/// Runs the command for one function and gives the errors of this tool that it reports; an error is why there may be no result.
fn run(
    program: &Path,
    job: &Job,
    options: &[String],
    patience: Duration,
    stop: &Stop,
) -> Result<Vec<String>, String> {
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
    let mut child = child.map_err(|error| error.to_string())?;
    let code = await_end(&mut child, patience, stop)?;
    let has_result = job.store.join(obligato::storage::RESULT).is_file();
    if has_result && code == i32::from(Exit::ToolError.code()) {
        Ok(tool_errors(child))
    } else if has_result {
        Ok(Vec::new())
    } else {
        Err(complaint(child))
    }
}

/// Waits for the exit code; ends a process that takes too long, or when all is to end.
fn await_end(child: &mut Child, patience: Duration, stop: &Stop) -> Result<i32, String> {
    let start = Instant::now();
    loop {
        match child.try_wait() {
            Ok(Some(status)) => {
                return status.code().ok_or_else(|| format!("its process broke down: {status}"));
            }
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

/// The errors of this tool that a process has reported beside its result: what is indented below the line that says so.
fn tool_errors(child: Child) -> Vec<String> {
    let said = child.wait_with_output().map(|output| output.stderr).unwrap_or_default();
    let said = String::from_utf8_lossy(&said);
    let listed = said.lines().filter_map(|line| line.strip_prefix("  "));
    let mut errors: Vec<String> = listed.map(str::to_owned).collect();
    if errors.is_empty() {
        errors.push(said.lines().next().unwrap_or("it gave no reason").to_owned());
    }
    errors
}

/// The last words of a process that left nothing.
fn complaint(child: Child) -> String {
    let said = child.wait_with_output().map(|output| output.stderr).unwrap_or_default();
    let said = String::from_utf8_lossy(&said);
    said.lines().next().unwrap_or("it left no result").trim_start_matches("obligato: ").to_owned()
}

fn write(file: &Path, project: &Project, output: &mut Output) -> Result<(), CliError> {
    writeln!(output, "covered  uncoverable  bounded  unresolved  total  errors  function")?;
    let mut sum = Tally::default();
    let (mut kept, mut errors) = (0, 0);
    for FunctionResult { name, ended, tool_errors } in &project.functions {
        let name = printable(name);
        match ended {
            JobEnd::Done(tally, freshness) => {
                write_row(*tally, tool_errors.len(), &name, output)?;
                errors += tool_errors.len();
                sum.add(*tally);
                kept += usize::from(*freshness == Freshness::Kept);
            }
            JobEnd::Lost(why) => {
                let why = printable(why);
                writeln!(output, "{BAD}{:>55}{BAD:#}  {name}: {why}", "nothing")?;
                errors += 1;
            }
        }
    }
    write_row(sum, errors, "all", output)?;
    write_tool_errors(project, output)?;
    for why in &project.left_out {
        writeln!(output, "left out: {}", printable(why))?;
    }
    let functions = counted(project.functions.len(), "function");
    output.remark(format_args!(
        "\n{}: {functions}; {kept} of them were done before",
        printable(&file.display().to_string())
    ))
}

fn write_row(tally: Tally, errors: usize, name: &str, output: &mut Output) -> Result<(), CliError> {
    let Tally { covered, uncoverable, bounded, unresolved, .. } = tally;
    let total = tally.total();
    Ok(writeln!(
        output,
        "{covered:7}  {uncoverable:11}  {bounded:7}  {unresolved:10}  {total:5}  {errors:6}  {name}"
    )?)
}

/// Names each error of this tool once, with the functions in which it occurs.
fn write_tool_errors(project: &Project, output: &mut Output) -> Result<(), CliError> {
    let mut causes: Vec<(&str, Vec<&str>)> = Vec::new();
    for FunctionResult { name, tool_errors, .. } in &project.functions {
        for error in tool_errors {
            // The name of the test comes first, and is another one in each function.
            let cause = error.split_once(": ").map_or(error.as_str(), |(_, cause)| cause);
            match causes.iter_mut().find(|(known, _)| *known == cause) {
                Some((_, functions)) => functions.push(name),
                None => causes.push((cause, vec![name])),
            }
        }
    }
    if causes.is_empty() {
        return Ok(());
    }
    let what = "machine code does something else than the executor; what depends on it is not \
                counted; please report it";
    writeln!(output, "{BAD}These are faults of obligato{BAD:#}: {what}:")?;
    for (cause, functions) in causes {
        let more = match functions.len() {
            1 => String::new(),
            all => format!(" and {}", counted(all - 1, "other function")),
        };
        writeln!(output, "  {}: in {}{more}", printable(cause), printable(functions[0]))?;
    }
    Ok(())
}
