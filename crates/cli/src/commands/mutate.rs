//! `obligato mutate`: which faults in a model a suite notices.
//!
//! [`summary`], [`survivors`], [`killing`] and [`matrix`] put what was found into words.

use obligato::campaign::Stop;
use obligato::mutate::{KillOptions, MutateRequest, MutatedModel, Until, mutate};

use crate::args::{EffortArgs, Format, MutateArgs, format_word};
use crate::campaign::{self, Watching};
use crate::error::CliError;
use crate::exit::Exit;
use crate::interrupt::stop_on_signals;
use crate::output::{Output, Verbosity, printable};
use crate::progress::progress_line;
use crate::rendering::model::write_failed_checks;
use crate::shell::{flag_words, quote, quote_path, subject_words};

mod killing;
mod matrix;
mod summary;
mod survivors;

/// Runs the suite on mutants and says which of them it kills.
pub fn run(arguments: &MutateArgs, output: &mut Output) -> Result<Exit, CliError> {
    // What runs to its end anyway is ended by the first signal.
    let stop = if arguments.kill { stop_on_signals()? } else { Stop::never() };
    let mut watching = Watching::new(output.verbosity());
    let mut on_progress = progress_line(output.verbosity());
    let mutated = mutate(&request(arguments), &stop, &mut watching, &mut on_progress)?;
    watching.rest();
    drop(on_progress);
    report(&mutated, arguments, output)?;
    Ok(Exit::Success)
}

fn request(arguments: &MutateArgs) -> MutateRequest {
    let kill = arguments.kill.then(|| KillOptions {
        budget: arguments.effort.budget,
        threads: arguments.effort.threads(),
        output: arguments.output.clone(),
    });
    MutateRequest {
        subject: arguments.subject.options(),
        tests: arguments.tests.clone(),
        format: arguments.from.map(Into::into),
        count: arguments.count(),
        seed: arguments.seed,
        oracle: arguments.oracle.clone(),
        until: until(arguments),
        kill,
        store: arguments.store.clone(),
        shard: arguments.shard,
    }
}

/// One kill is enough for the summary; who else kills a mutant takes the whole suite.
fn until(arguments: &MutateArgs) -> Until {
    let all = arguments.matrix || arguments.format == Format::Json;
    if all { Until::SuiteEnd } else { Until::FirstKill }
}

/// Says what came of it, as JSON or in words.
fn report(
    mutated: &MutatedModel,
    arguments: &MutateArgs,
    output: &mut Output,
) -> Result<(), CliError> {
    let mut beside = output.beside();
    let MutatedModel { failures, exhausted, .. } = mutated;
    if arguments.format == Format::Json {
        output.write_text(&mutated.to_json())?;
        write_remarks(mutated, &mut beside)?;
        write_failed_checks(failures, exhausted, &mut beside)?;
    } else {
        write_remarks(mutated, output)?;
        write(mutated, arguments, output)?;
        write_failed_checks(failures, exhausted, output)?;
        output.remark(format_args!(""))?;
        for remark in &mutated.stored {
            output.remark(format_args!("{remark}"))?;
        }
        if let Some(path) = &arguments.output {
            let path = printable(&path.display().to_string());
            output.remark(format_args!("Written: {path}, with the outputs of the model"))?;
        }
        output.remark(format_args!("{}", next_command(arguments, mutated)))?;
    }
    if let Some(killing) = &mutated.killing {
        // Standard output stays the same from run to run.
        beside.remark(format_args!("{}", campaign::timing(&killing.phases)))?;
    }
    beside.finish()
}

/// What is to be known of the model.
fn write_remarks(mutated: &MutatedModel, output: &mut Output) -> Result<(), CliError> {
    let remarks = &mutated.model.remarks;
    remarks.iter().try_for_each(|remark| output.remark(format_args!("{remark}")))
}

/// Writes what the arguments ask for, in words.
fn write(
    mutated: &MutatedModel,
    arguments: &MutateArgs,
    output: &mut Output,
) -> Result<(), CliError> {
    if output.verbosity() == Verbosity::Normal {
        summary::write_heading(mutated, output)?;
    }
    summary::write_table(mutated, output)?;
    if arguments.list || output.verbosity() == Verbosity::Normal {
        survivors::write(mutated, arguments.list, output)?;
        survivors::write_equivalent(mutated, arguments.list, output)?;
    }
    if let Some(found) = &mutated.killing {
        killing::write(found, arguments.list, output)?;
    }
    if arguments.matrix {
        matrix::write(mutated, output)?;
    }
    Ok(())
}

/// What to do next: to see all survivors if some are not shown, to kill them, or to see everything.
fn next_command(arguments: &MutateArgs, mutated: &MutatedModel) -> String {
    let MutateArgs { subject, tests, from, seed, oracle, effort, .. } = arguments;
    let mut words = vec![format!("obligato mutate{}", subject_words(subject, ""))];
    words.extend(tests.as_ref().map(|tests| format!("--tests {}", quote_path(tests))));
    words.extend(from.map(|format| format!("--from {}", format_word(&format))));
    words.extend(arguments.given_count().map(|count| format!("--count {count}")));
    if mutated.is_sample() || arguments.kill {
        words.push(format!("--seed {seed}"));
    }
    if !oracle.is_empty() {
        words.push(format!("--oracle {}", quote(&oracle.join(","))));
    }
    let budget = EffortArgs::unusual(effort.budget).unwrap_or_default();
    let killing = if arguments.kill { format!(" --kill{budget}") } else { String::new() };
    let survivors = mutated.survivors().count();
    let (flag, why) = if survivors > survivors::MOST_SHOWN && !arguments.list {
        (" --list", "all survivors")
    } else if survivors > 0 && !arguments.kill {
        (" --kill", "tests for the survivors, or proofs that they are equivalent")
    } else {
        (" --format json", "every mutant with the tests that kill it")
    };
    let last = flag_words(subject);
    format!("Next: {}{killing}{flag}{last}   ({why})", words.join(" "))
}
