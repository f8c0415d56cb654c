//! `obligato mutate`: which faults in a model a suite notices.
//!
//! [`run`] is the walk: the model and the suite are read, mutants are chosen, the model itself and
//! then its mutants run, and [`summary`], [`survivors`], [`matrix`] or [`document`] say what came of it.

use obligato_lustre::lowering;
use obligato_model::TestCase;
use obligato_replay::{Experiment, Fate, Kills, Measurement, MutationError, Oracle, Until, Watch};

use crate::args::{Format, MutateArgs};
use crate::error::CliError;
use crate::exit::Exit;
use crate::measuring::{ModelSuite, fault, measure_suite};
use crate::model::LoadedModel;
use crate::observed::Observed;
use crate::output::{Output, Verbosity};
use crate::progress::Progress;
use crate::shell::{quote, quote_path};

mod chosen;
mod document;
mod matrix;
mod summary;
mod survivors;

use chosen::Chosen;

/// What came of a suite and mutants.
struct Outcome<'a> {
    loaded: &'a LoadedModel,
    chosen: &'a Chosen,
    /// The names of what was compared.
    compared: Vec<String>,
    tests: &'a [TestCase],
    kills: Kills,
    /// What became of each mutant.
    fates: Vec<Fate>,
}

/// Runs the suite on mutants and says which of them it kills.
pub fn run(arguments: &MutateArgs, output: &mut Output) -> Result<Exit, CliError> {
    refuse_inlining(arguments)?;
    let loaded = LoadedModel::load(&arguments.model)?;
    let observed = Observed::new(&loaded, &arguments.oracle)?;
    let chosen = Chosen::new(&loaded, arguments)?;
    let signature = observed.signature(&loaded.lowered.interface);
    let suite = ModelSuite::read(&arguments.tests, arguments.from, signature)?;

    // The model has to get through its own tests before mutants are held against it.
    let watch = Watch::outputs(&loaded.lowered);
    let measurement = Measurement::new(&loaded.lowered, watch).map_err(|error| fault(&error))?;
    let compiled = measurement.compile().map_err(|error| fault(&error))?;
    let original = measure_suite(&loaded, &suite, &measurement, &compiled, output.verbosity())?;

    let tests: Vec<TestCase> = suite.tests()?.collect::<Result<_, _>>()?;
    let compared = observed.names();
    let kills = kill(&loaded, &chosen, &compared, &tests, until(arguments), output.verbosity())?;
    let fates = (0..chosen.mutants.len()).map(|mutant| kills.fate(mutant)).collect();
    let outcome =
        Outcome { loaded: &loaded, chosen: &chosen, compared, tests: &tests, kills, fates };

    if arguments.format == Format::Json {
        output.write_text(&document::print(&outcome, arguments.seed))?;
        let mut words = output.beside();
        write_remarks(&loaded, &mut words)?;
        original.write_remarks(&mut words)?;
        words.finish()?;
        return Ok(Exit::Success);
    }
    write_remarks(&loaded, output)?;
    outcome.write(arguments, output)?;
    original.write_remarks(output)?;
    output.remark(format_args!(""))?;
    output.remark(format_args!("{}", next_command(arguments, &outcome)))?;
    Ok(Exit::Success)
}

/// An inlined model has copies of what is written once, so a fault in one of them is no fault that
/// a person could make in the file, nor could it be shown there.
fn refuse_inlining(arguments: &MutateArgs) -> Result<(), CliError> {
    if !arguments.model.inline {
        return Ok(());
    }
    let file = quote_path(&arguments.model.file);
    Err(CliError::Input {
        message: "mutants are faults in the text of a model, and an inlined model has none".into(),
        way_out: format!(
            "give it one, 'obligato fmt {file} --inline > inlined.lus', and mutate that"
        ),
    })
}

/// One kill is enough for the summary; who else kills a mutant takes the whole suite.
fn until(arguments: &MutateArgs) -> Until {
    let all = arguments.matrix || arguments.format == Format::Json;
    if all { Until::SuiteEnd } else { Until::FirstKill }
}

fn kill(
    loaded: &LoadedModel,
    chosen: &Chosen,
    compared: &[String],
    tests: &[TestCase],
    until: Until,
    verbosity: Verbosity,
) -> Result<Kills, CliError> {
    let experiment = Experiment {
        model: &loaded.model,
        path: &loaded.path,
        bytes: loaded.file.bytes(),
        options: lowering::Options::default(),
        mutants: &chosen.mutants,
        oracle: &Oracle::Names(compared.to_vec()),
    };
    let mut progress = Progress::new(verbosity);
    let kills = experiment.run(tests, until, &mut |done| {
        progress.show(format_args!("{done} of {} tests run on mutants", tests.len()));
    });
    progress.end();
    kills.map_err(|error| match error {
        MutationError::Model(found) => loaded.file.refuse(&found),
        MutationError::Name(_) | MutationError::Run(_) => CliError::Fault(error.to_string()),
    })
}

/// What is to be known of the model.
fn write_remarks(loaded: &LoadedModel, output: &mut Output) -> Result<(), CliError> {
    loaded.remarks.iter().try_for_each(|remark| output.remark(format_args!("{remark}")))
}

impl Outcome<'_> {
    /// Writes what the arguments ask for, in words.
    fn write(&self, arguments: &MutateArgs, output: &mut Output) -> Result<(), CliError> {
        if output.verbosity() == Verbosity::Normal {
            summary::write_heading(self, arguments.seed, output)?;
        }
        summary::write_table(self, output)?;
        if arguments.list || output.verbosity() == Verbosity::Normal {
            survivors::write(self, arguments.list, output)?;
        }
        if arguments.matrix {
            matrix::write(self, output)?;
        }
        Ok(())
    }

    fn survivors(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.fates.len()).filter(|mutant| !self.fates[*mutant].is_killed())
    }
}

/// What to do next: to see all survivors if some are not shown, else everything.
fn next_command(arguments: &MutateArgs, outcome: &Outcome<'_>) -> String {
    let MutateArgs { model, tests, from, seed, oracle, .. } = arguments;
    let mut words = vec!["obligato mutate".to_owned(), quote_path(&model.file)];
    words.extend(model.main.as_ref().map(|main| format!("--main {}", quote(main))));
    words.push(format!("--tests {}", quote_path(tests)));
    words.extend(from.map(|format| format!("--from {}", format.name())));
    words.extend(arguments.given_count().map(|count| format!("--count {count}")));
    if outcome.chosen.is_sample() {
        words.push(format!("--seed {seed}"));
    }
    if !oracle.is_empty() {
        words.push(format!("--oracle {}", quote(&oracle.join(","))));
    }
    let more = outcome.survivors().count() > survivors::MOST_SHOWN && !arguments.list;
    let (flag, why) = if more {
        ("--list", "all survivors")
    } else {
        ("--format json", "every mutant with the tests that kill it")
    };
    format!("Next: {} {flag}   ({why})", words.join(" "))
}
