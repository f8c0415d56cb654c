//! Tests and proofs for every function of a compilation database, each in a process of its own.

use std::io::{Read, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use obligato::Error;
use obligato::Stop;
use obligato::campaign::Budget;
use obligato::generate::GenerateRequest;
use obligato::progress::Progress as Moment;
use obligato::project::{
    FileLeftOut, Freshness, Job, JobEnd, Project, ProjectRequest, generate_project,
};
use obligato_model::Tally;

use super::causes::write_tool_errors;
use crate::args::generate::words;
use crate::args::{Format, GenerateArgs};
use crate::error::CliError;
use crate::exit::Exit;
use crate::interrupt::stop_on_signals;
use crate::output::{BAD, Output, counted, printable};
use crate::progress::Progress;

/// Generates for a project.
pub fn generate(
    each: GenerateRequest,
    arguments: &GenerateArgs,
    output: &mut Output,
) -> Result<Exit, CliError> {
    let patience = patience(each.budget);
    let request = ProjectRequest { each, threads: arguments.effort.threads() };
    let program = std::env::current_exe().map_err(|error| Error::Internal(error.to_string()))?;
    let stop = stop_on_signals()?;
    let run = |job: &Job| run(&program, job, patience, &stop);
    let mut line = Progress::new(output.verbosity());
    let mut on_progress = |moment: Moment| {
        if let Moment::Functions { done, of } = moment {
            line.show(format_args!("{done} of {of} functions"));
        }
    };
    let project = generate_project(&request, &run, &stop, &mut on_progress)?;
    line.end();
    if arguments.verdicts.format == Format::Json {
        output.write_text(&project.document()?)?;
    } else {
        write(&arguments.subject.model.file, &project, output)?;
    }
    Ok(exit(&project, arguments))
}

fn exit(project: &Project, arguments: &GenerateArgs) -> Exit {
    let any = |holds: fn(&JobEnd) -> bool| project.functions.iter().any(|one| holds(&one.ended));
    let is_lost = any(|end| matches!(end, JobEnd::Lost(_)));
    let has_erred = project.functions.iter().any(|one| !one.tool_errors().is_empty());
    let has_runtime_error =
        any(|end| matches!(end, JobEnd::Done { runtime_errors, .. } if *runtime_errors > 0));
    let is_open = any(|end| matches!(end, JobEnd::Done { tally, .. } if tally.open() > 0));
    if is_lost || has_erred || !project.left_out.is_empty() {
        Exit::ToolError
    } else if arguments.search.fail_on_fault && has_runtime_error {
        Exit::Failed
    } else if arguments.fail_on_unresolved && is_open {
        Exit::Unresolved
    } else {
        Exit::Success
    }
}

/// A function has its budget, and time to be compiled, replayed and measured.
fn patience(budget: Budget) -> Duration {
    match budget {
        Budget::Time(time) => time * 2 + Duration::from_mins(2),
        Budget::Work(_) => Duration::from_hours(1),
    }
}

/// Runs the command for one function and gives the document that it prints; an error is why there is none.
fn run(program: &Path, job: &Job, patience: Duration, stop: &Stop) -> Result<String, String> {
    let child = Command::new(program)
        .args(["generate", "--quiet", "--format=json"])
        .args(words::of_request(&job.request))
        .current_dir(&job.directory)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut child = child.map_err(|error| error.to_string())?;
    // Both are read while it runs: a full pipe would stop it.
    let (printed, said) = (read(child.stdout.take()), read(child.stderr.take()));
    await_end(&mut child, patience, stop)?;
    let printed = text(printed);
    if printed.is_empty() { Err(complaint(&text(said))) } else { Ok(printed) }
}

/// Reads what a process prints, until it ends.
fn read(stream: Option<impl Read + Send + 'static>) -> JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        // What cannot be read was not printed.
        let _ = stream.map(|mut stream| stream.read_to_end(&mut bytes));
        bytes
    })
}

fn text(reader: JoinHandle<Vec<u8>>) -> String {
    String::from_utf8_lossy(&reader.join().unwrap_or_default()).into_owned()
}

/// Waits for the end; ends a process that takes too long, or when all is to end.
fn await_end(child: &mut Child, patience: Duration, stop: &Stop) -> Result<(), String> {
    let start = Instant::now();
    loop {
        match child.try_wait() {
            Ok(Some(status)) => {
                let broken = || format!("its process broke down: {status}");
                return status.code().map(|_| ()).ok_or_else(broken);
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

/// The first words of a process that printed nothing.
fn complaint(said: &str) -> String {
    said.lines().next().unwrap_or("it left no result").trim_start_matches("obligato: ").to_owned()
}

fn write(file: &Path, project: &Project, output: &mut Output) -> Result<(), CliError> {
    writeln!(output, "covered  uncoverable  bounded  unresolved  total  errors  function")?;
    let mut sum = Tally::default();
    let (mut kept, mut errors) = (0, 0);
    for function in &project.functions {
        let name = printable(&function.name());
        match &function.ended {
            JobEnd::Done { tally, freshness, tool_errors, .. } => {
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
    let functions = project.functions.iter();
    let of_functions: Vec<(String, Vec<String>)> =
        functions.map(|function| (function.name(), function.tool_errors().to_vec())).collect();
    write_tool_errors(&of_functions, output)?;
    for FileLeftOut { file, why } in &project.left_out {
        writeln!(output, "left out: {}: {}", printable(file), printable(why))?;
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
