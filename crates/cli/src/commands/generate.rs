//! `obligato generate`: the tests that a suite lacks for a model.
//!
//! [`run`] is the walk: the model and the suite are read, a campaign makes tests and proofs, superfluous
//! tests go if that was asked for ([`reduction`]), whatever is left is measured again ([`checking`]),
//! then stored and written; [`summary`] and [`document`] say what came of it.

use std::time::Instant;

use obligato_engines_lustre::{Outcome, Request};
use obligato_lustre_replay::{Measurement, Watch};
use obligato_model::{Criterion, Obligation, Program, TestCase, Verdict};
use obligato_solver::Stop;
use obligato_store::details::TestDetails;
use obligato_store::proofs::StoredProofs;
use obligato_store::{Signature, StoredResult};

use crate::args::{Format, GenerateArgs, Language, budget_words};
use crate::campaign::{self, Watching};
use crate::error::CliError;
use crate::exit::Exit;
use crate::interrupt::stop_on_signals;
use crate::output::{Output, Verbosity, printable};
use crate::progress::measured_line;
use crate::rendering::model::write_remarks;
use crate::verdicts::vectors;
use crate::verdicts::{Judged, Subject, TOOL, complete};
use obligato::Error;
use obligato::details::Basis;
use obligato::directory::ensure_directory;
use obligato::lost::model::losses;
use obligato::measuring::{ModelSuite, is_mutation, measure_suite, watch};
use obligato::model::LoadedModel;
use obligato::observed::Observed;
use obligato::record::{keep_suite, write_made};
use obligato::refusal;
use obligato::shards;
use obligato::storage;
use obligato::stored_proofs::{is_certified, stored};
use obligato::suite_writer::expect_writable;

mod checking;
mod document;
mod mutation;
mod next;
mod project;
mod reduction;
mod summary;
mod unit;

use checking::Checked;
use mutation::{Mutation, share_of};

/// What came of a campaign.
struct Generation<'a> {
    loaded: &'a LoadedModel,
    /// How many steps each given test has; they come first in the suite.
    given: Vec<usize>,
    /// The campaign, with the new tests that are kept.
    outcome: Outcome,
    /// How many others were made and are superfluous.
    left_out: usize,
    /// The verdicts over the whole suite.
    result: StoredResult,
    /// How many of how many mutants were asked for, if not all.
    sample: Option<(usize, usize)>,
    stopped: bool,
}

/// Makes tests and proofs for a program of either language.
pub fn run(arguments: &GenerateArgs, output: &mut Output) -> Result<Exit, CliError> {
    match arguments.subject.language() {
        Language::Commands if arguments.shard.is_some() => Err(CliError::from(Error::Input {
            message: "a project is not divided into shards".to_owned(),
            way_out: "give functions to machines, by --function".to_owned(),
        })),
        Language::C => unit::generate(arguments, output),
        Language::Commands => project::generate(arguments, output),
        Language::Lustre => generate_for_model(arguments, output),
    }
}

/// Makes tests and proofs, measures again, stores, writes, reports.
fn generate_for_model(arguments: &GenerateArgs, output: &mut Output) -> Result<Exit, CliError> {
    let criteria = criteria(arguments);
    let loaded = LoadedModel::load(&arguments.subject.model.options())?;
    let observed = Observed::new(&loaded, &arguments.observe)?;
    let mutation = Mutation::new(arguments, &loaded, &observed, &criteria)?;
    let signature = observed.signature(&loaded.lowered.interface);
    let given = read_given(arguments, &loaded, &signature, output.verbosity())?;
    expect_room(arguments, &loaded)?;

    let (stop, start) = (stop_on_signals()?, Instant::now());
    let mut watching = Watching::new(output.verbosity());
    let asked = (criteria.as_slice(), given.as_slice());
    let mut outcome = run_campaign(arguments, &loaded, &observed, asked, &stop, &mut watching)?;
    if let Some(mutation) = &mutation {
        mutation.complete(arguments, asked, (&mut outcome, start), &stop, &mut watching)?;
    }
    if let Some(shard) = arguments.shard {
        shards::leave_to_others(shard, &mut outcome.assessment);
    }
    let program = mutation.as_ref().map_or(&loaded.lowered.program, Mutation::program);
    let left_out = if arguments.reduce {
        reduction::leave_out_superfluous(program, given.len(), &mut outcome)
    } else {
        0
    };
    let made = outcome.tests.iter().map(|made| made.test.clone());
    let tests: Vec<TestCase> = given.iter().cloned().chain(made).collect();
    let suite = ModelSuite::made("the suite that was made", tests, signature);
    let watch = watch(&criteria, &observed, vectors(&arguments.verdicts, &criteria, suite.len()));
    let verbosity = output.verbosity();
    let checked = Checked::new(&loaded, mutation.as_ref(), &suite, watch, &outcome, verbosity)?;

    let result = StoredResult::new(TOOL, &criteria, &checked.assessment, program)?;
    let shard = arguments.shard.map(|shard| {
        let budget = budget_words(arguments.effort.budget);
        shards::stored(
            shard,
            "generate",
            loaded.file.bytes(),
            (arguments.seed, budget, given.len()),
        )
    });
    let result = result.observing(observed.names()).of_shard(shard);
    let (result, notes) = complete(result, program, &arguments.verdicts)?;
    let stopped = stop.is_requested();
    let given = given.iter().map(|test| test.steps.len()).collect();
    let sample = mutation.as_ref().and_then(Mutation::share);
    let loaded = &loaded;
    let generation = Generation { loaded, given, outcome, left_out, result, sample, stopped };
    let timeline = watching.recorder.finish(&generation.result)?;
    let remarks = generation.keep(arguments, &suite, (program, &observed), &checked, &timeline)?;
    generation.write(arguments, &checked, (&notes, &remarks), output)?;
    let failed = arguments.fail_on_unresolved && generation.unresolved() > 0;
    Ok(if failed { Exit::Unresolved } else { Exit::Success })
}

/// The tests that are there already, without what they expect. One that violates an assertion is an
/// error.
fn read_given(
    arguments: &GenerateArgs,
    loaded: &LoadedModel,
    signature: &Signature,
    verbosity: Verbosity,
) -> Result<Vec<TestCase>, CliError> {
    let Some(path) = arguments.tests.as_deref() else { return Ok(Vec::new()) };
    let suite = ModelSuite::read(path, arguments.from.map(Into::into), signature.clone())?;
    let watch = Watch::outputs(&loaded.lowered);
    let measurement = Measurement::new(&loaded.lowered, watch).map_err(Error::from)?;
    let compiled = measurement.compile().map_err(Error::from)?;
    measure_suite(loaded, &suite, &measurement, &compiled, &mut measured_line(verbosity))?;
    Ok(suite.tests()?.collect::<Result<_, _>>()?)
}

/// What cannot be written is found before the work is done. The directory of the store is made when
/// there is something to put into it.
fn expect_room(arguments: &GenerateArgs, loaded: &LoadedModel) -> Result<(), CliError> {
    if let Some(path) = &arguments.output {
        expect_writable(path, &Signature::new(&loaded.lowered.interface))?;
    }
    match arguments.verdicts.store() {
        Some(directory) if directory.exists() => Ok(ensure_directory(directory)?),
        _ => Ok(()),
    }
}

/// The criteria that were asked for. Mutants take runs of their own, so they have to be named.
fn criteria(arguments: &GenerateArgs) -> Vec<Criterion> {
    let mut criteria = arguments.verdicts.criteria();
    criteria.retain(|one| !is_mutation(*one) || arguments.verdicts.names(*one));
    criteria
}

/// A campaign for all criteria but mutation, which has the other half of the budget.
fn run_campaign(
    arguments: &GenerateArgs,
    loaded: &LoadedModel,
    observed: &Observed,
    (criteria, given): (&[Criterion], &[TestCase]),
    stop: &Stop,
    watching: &mut Watching,
) -> Result<Outcome, CliError> {
    let (mutation, others): (Vec<Criterion>, Vec<Criterion>) =
        criteria.iter().partition(|criterion| is_mutation(**criterion));
    let shares = if mutation.is_empty() { 1 } else { 2 };
    let request = Request {
        lowered: &loaded.lowered,
        observed: observed.nodes().to_vec(),
        criteria: others,
        tests: given.to_vec(),
        phases: arguments.phases(),
        budget: share_of(arguments.effort.budget, shares),
        seed: arguments.seed,
        threads: arguments.effort.threads(),
    };
    let is_asked = |one: &Obligation| arguments.shard.is_none_or(|shard| shard.holds(&one.key));
    let outcome = obligato_engines_lustre::run_part(&request, is_asked, stop, watching)
        .map_err(|error| refusal::refuse(&error, loaded))?;
    watching.rest();
    Ok(outcome)
}

impl Generation<'_> {
    /// Stores all tests with their result, writes the new ones with the outputs of the model, and says
    /// where.
    fn keep(
        &self,
        arguments: &GenerateArgs,
        suite: &ModelSuite,
        (program, observed): (&Program, &Observed),
        checked: &Checked<'_>,
        timeline: &str,
    ) -> Result<Vec<String>, CliError> {
        let mut remarks = Vec::new();
        if let Some(path) = &arguments.output {
            write_made(path, &self.loaded.lowered, &self.outcome.tests)?;
            let path = printable(&path.display().to_string());
            remarks.push(format!("Written: {path}, with the outputs of the model"));
        }
        if let Some(directory) = arguments.verdicts.store() {
            let document = obligato_store::result::print(&self.result)?;
            let proofs =
                obligato_store::proofs::print(&self.proofs(arguments.subject.model.inline))?;
            let basis = self.basis(suite, program, observed, checked)?;
            let details = basis.print(&self.result)?;
            let documents = storage::Documents {
                result: &document,
                details: Some(&details),
                proofs: Some(&proofs),
                timeline: Some(timeline),
            };
            remarks.push(storage::store(directory, &documents, |path| {
                keep_suite(path, self.loaded, suite).map(Some)
            })?);
        }
        Ok(remarks)
    }

    /// What stands behind the verdicts.
    fn basis<'a>(
        &'a self,
        suite: &ModelSuite,
        program: &'a Program,
        observed: &Observed,
        checked: &'a Checked<'_>,
    ) -> Result<Basis<'a>, CliError> {
        let Checked { measured, assessment } = checked;
        let evidence = &measured.evidence;
        let lost = losses(self.loaded, suite, observed.nodes(), assessment, evidence)?;
        let made = self
            .outcome
            .tests
            .iter()
            .map(|made| TestDetails { phase: Some(made.phase.name().to_owned()), ending: None });
        let given = self.given.iter().map(|_| TestDetails::default());
        Ok(Basis {
            name: &self.loaded.path,
            subject: Subject::Model,
            command: "generate",
            program,
            evidence,
            assessment,
            sources: self.loaded.sources(),
            tests: given.chain(made).collect(),
            phases: document::phases(self),
            lost,
        })
    }

    fn write(
        &self,
        arguments: &GenerateArgs,
        checked: &Checked<'_>,
        (notes, remarks): (&[String], &[String]),
        output: &mut Output,
    ) -> Result<(), CliError> {
        let mut beside = output.beside();
        let json = arguments.verdicts.format == Format::Json;
        let words = if json { &mut beside } else { &mut *output };
        for remark in self.loaded.remarks.iter().chain(notes) {
            words.remark(format_args!("{remark}"))?;
        }
        if json {
            output.write_text(&document::print(self, arguments.seed)?)?;
            write_remarks(&checked.measured, &mut beside)?;
        } else {
            let judged = Judged {
                name: &self.loaded.path,
                subject: Subject::Model,
                program: &self.loaded.lowered.program,
                evidence: &checked.measured.evidence,
                result: &self.result,
            };
            judged.write(&arguments.verdicts, output)?;
            summary::write(self, arguments.verdicts.list, output)?;
            write_remarks(&checked.measured, output)?;
            output.remark(format_args!(""))?;
            for remark in remarks {
                output.remark(format_args!("{remark}"))?;
            }
            output.remark(format_args!("{}", next::command(arguments, self)))?;
        }
        // Standard output stays the same from run to run.
        beside.remark(format_args!("{}", campaign::timing(&self.outcome.phases)))?;
        beside.finish()
    }

    /// The proofs, and what they settle.
    fn proofs(&self, inline: bool) -> StoredProofs {
        let settles = self.result.obligations.iter().filter(|one| match &one.verdict {
            Verdict::Uncoverable(proof) => is_certified(proof),
            _ => false,
        });
        StoredProofs {
            tool: TOOL.to_owned(),
            main: self.loaded.main().to_owned(),
            inline,
            criteria: self.result.criteria.clone(),
            observed: self.result.observed.clone(),
            properties: Vec::new(),
            settles: settles.map(|one| one.id.clone()).collect(),
            proofs: stored(&self.outcome.proofs),
        }
    }

    /// How many obligations are neither covered nor closed in another way, and not for others to close.
    fn unresolved(&self) -> usize {
        let obligations = self.result.obligations.iter();
        let open = obligations.filter(|one| matches!(one.verdict, Verdict::Unresolved(_)));
        open.filter(|one| !shards::is_left(&one.verdict)).count()
    }
}
