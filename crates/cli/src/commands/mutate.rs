//! `obligato mutate`: which faults in a model a suite notices.
//!
//! [`run`] is the walk: the model and the suite are read, mutants are chosen, the model itself and
//! then its mutants run, survivors are hunted if that was asked for ([`hunt`]), and [`summary`],
//! [`survivors`], [`matrix`] or [`document`] say what came of it; [`result`] keeps it.

use obligato_lustre_replay::{
    Experiment, Kills, Measurement, MutantStatus, MutationError, Oracle, Until, Watch,
};
use obligato_model::{Proof, TestCase};
use obligato_store::Signature;

use crate::args::{EffortArgs, Format, MutateArgs, format_word};
use crate::campaign;
use crate::error::CliError;
use crate::exit::Exit;
use crate::output::{Output, Verbosity, printable};
use crate::progress::Progress;
use crate::progress::measured_line;
use crate::rendering::model;
use crate::shell::{quote, quote_path};
use obligato::Error;
use obligato::measuring::{MeasuredSuite, ModelSuite, measure_suite};
use obligato::model::LoadedModel;
use obligato::mutants::experiment;
use obligato::observed::Observed;
use obligato::record::write_made;
use obligato::refusal::refuse_mutants;
use obligato::suite_writer::expect_writable;

mod chosen;
mod document;
mod hunt;
mod matrix;
mod result;
mod summary;
mod survivors;

use chosen::Chosen;
use hunt::Hunted;

/// What came of a suite and mutants.
struct Outcome<'a> {
    loaded: &'a LoadedModel,
    chosen: &'a Chosen,
    /// The names of what was compared.
    compared: Vec<String>,
    /// The given tests and then the new ones.
    tests: &'a [TestCase],
    kills: Kills,
    /// What became of each mutant.
    fates: Vec<MutantStatus>,
    /// What came of hunting those that the given tests do not kill, if that was asked for.
    hunted: Option<Hunted>,
}

/// Runs the suite on mutants and says which of them it kills.
pub fn run(arguments: &MutateArgs, output: &mut Output) -> Result<Exit, CliError> {
    let loaded = LoadedModel::load(&arguments.model.options())?;
    let observed = Observed::new(&loaded, &arguments.oracle)?;
    let chosen = Chosen::new(&loaded, arguments)?;
    let signature = observed.signature(&loaded.lowered.interface);
    let suite = match &arguments.tests {
        Some(path) => ModelSuite::read(path, arguments.from.map(Into::into), signature)?,
        None => ModelSuite::made("no suite", Vec::new(), signature),
    };
    if let Some(path) = &arguments.output {
        expect_writable(path, &Signature::new(&loaded.lowered.interface))?;
    }

    // The model has to get through its own tests before mutants are held against it.
    let watch = Watch::outputs(&loaded.lowered);
    let measurement = Measurement::new(&loaded.lowered, watch).map_err(Error::from)?;
    let compiled = measurement.compile().map_err(Error::from)?;
    let original = measure_suite(
        &loaded,
        &suite,
        &measurement,
        &compiled,
        &mut measured_line(output.verbosity()),
    )?;

    let mut tests: Vec<TestCase> = suite.tests()?.collect::<Result<_, _>>()?;
    let oracle = Oracle::Names(observed.names());
    let experiment = experiment(&loaded, &chosen.mutants, &oracle);
    let run = |tests: &[TestCase]| {
        run_on_mutants(&experiment, tests, until(arguments), output.verbosity())
            .map_err(|error| refuse_mutants(&error, &loaded))
    };
    let mut kills = run(&tests)?;
    let hunted = if arguments.kill {
        let hunted = hunt::run(arguments, &loaded, &experiment, &kills, &tests, output)?;
        tests.extend(hunted.made.iter().map(|made| made.test.clone()));
        kills = run(&tests)?;
        hunted.check(&kills)?;
        if let Some(path) = &arguments.output {
            write_made(path, &loaded.lowered, &hunted.made)?;
        }
        Some(hunted)
    } else {
        None
    };
    let fates = (0..chosen.mutants.len()).map(|mutant| kills.status(mutant)).collect();
    let compared = observed.names();
    let outcome =
        Outcome { loaded: &loaded, chosen: &chosen, compared, tests: &tests, kills, fates, hunted };
    let mut stored = Vec::new();
    if let Some(directory) = &arguments.store {
        stored = result::store(&outcome, arguments, directory, &observed, output.verbosity())?;
    }
    outcome.report(arguments, &original, &stored, output)?;
    Ok(Exit::Success)
}

/// One kill is enough for the summary; who else kills a mutant takes the whole suite.
fn until(arguments: &MutateArgs) -> Until {
    let all = arguments.matrix || arguments.format == Format::Json || arguments.store.is_some();
    if all { Until::SuiteEnd } else { Until::FirstKill }
}

fn run_on_mutants(
    experiment: &Experiment<'_>,
    tests: &[TestCase],
    until: Until,
    verbosity: Verbosity,
) -> Result<Kills, MutationError> {
    let mut progress = Progress::new(verbosity);
    experiment.run(tests, until, &mut |done| {
        progress.show(format_args!("{done} of {} tests run on mutants", tests.len()));
    })
}

/// What is to be known of the model.
fn write_remarks(loaded: &LoadedModel, output: &mut Output) -> Result<(), CliError> {
    loaded.remarks.iter().try_for_each(|remark| output.remark(format_args!("{remark}")))
}

impl Outcome<'_> {
    /// Says what came of it, as JSON or in words.
    fn report(
        &self,
        arguments: &MutateArgs,
        original: &MeasuredSuite<'_>,
        stored: &[String],
        output: &mut Output,
    ) -> Result<(), CliError> {
        let mut beside = output.beside();
        if arguments.format == Format::Json {
            output.write_text(&document::print(self, arguments.seed))?;
            write_remarks(self.loaded, &mut beside)?;
            model::write_remarks(original, &mut beside)?;
        } else {
            write_remarks(self.loaded, output)?;
            self.write(arguments, output)?;
            model::write_remarks(original, output)?;
            output.remark(format_args!(""))?;
            for remark in stored {
                output.remark(format_args!("{remark}"))?;
            }
            if let Some(path) = &arguments.output {
                let path = printable(&path.display().to_string());
                output.remark(format_args!("Written: {path}, with the outputs of the model"))?;
            }
            output.remark(format_args!("{}", next_command(arguments, self)))?;
        }
        if let Some(hunted) = &self.hunted {
            // Standard output stays the same from run to run.
            beside.remark(format_args!("{}", campaign::timing(&hunted.phases)))?;
        }
        beside.finish()
    }

    /// Writes what the arguments ask for, in words.
    fn write(&self, arguments: &MutateArgs, output: &mut Output) -> Result<(), CliError> {
        if output.verbosity() == Verbosity::Normal {
            summary::write_heading(self, arguments.seed, output)?;
        }
        summary::write_table(self, output)?;
        if arguments.list || output.verbosity() == Verbosity::Normal {
            survivors::write(self, arguments.list, output)?;
            survivors::write_equivalent(self, arguments.list, output)?;
        }
        if let Some(hunted) = &self.hunted {
            hunted.write(arguments.list, output)?;
        }
        if arguments.matrix {
            matrix::write(self, output)?;
        }
        Ok(())
    }

    /// Those that are neither killed nor proved equivalent.
    fn survivors(&self) -> impl Iterator<Item = usize> + '_ {
        let alive = (0..self.fates.len()).filter(|mutant| !self.fates[*mutant].is_killed());
        alive.filter(|mutant| self.proof(*mutant).is_none())
    }

    /// The proof that a mutant is equivalent to the model.
    fn proof(&self, mutant: usize) -> Option<&Proof> {
        self.hunted.as_ref()?.proofs[mutant].as_ref()
    }
}

/// What to do next: to see all survivors if some are not shown, to kill them, or to see everything.
fn next_command(arguments: &MutateArgs, outcome: &Outcome<'_>) -> String {
    let MutateArgs { model, tests, from, seed, oracle, effort, .. } = arguments;
    let mut words = vec!["obligato mutate".to_owned(), quote_path(&model.file)];
    words.extend(model.main.as_ref().map(|main| format!("--main {}", quote(main))));
    words.extend(tests.as_ref().map(|tests| format!("--tests {}", quote_path(tests))));
    words.extend(from.map(|format| format!("--from {}", format_word(&format))));
    words.extend(arguments.given_count().map(|count| format!("--count {count}")));
    if outcome.chosen.is_sample() || arguments.kill {
        words.push(format!("--seed {seed}"));
    }
    if !oracle.is_empty() {
        words.push(format!("--oracle {}", quote(&oracle.join(","))));
    }
    let budget = EffortArgs::unusual(effort.budget).unwrap_or_default();
    let killing = if arguments.kill { format!(" --kill{budget}") } else { String::new() };
    let survivors = outcome.survivors().count();
    let (flag, why) = if survivors > survivors::MOST_SHOWN && !arguments.list {
        (" --list", "all survivors")
    } else if survivors > 0 && !arguments.kill {
        (" --kill", "tests for the survivors, or proofs that they are equivalent")
    } else {
        (" --format json", "every mutant with the tests that kill it")
    };
    format!("Next: {}{killing}{flag}   ({why})", words.join(" "))
}
