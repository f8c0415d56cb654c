//! Tests and proofs for C functions.
//!
//! [`generate_one`] is the walk for a function: the unit and the suite are read, a campaign makes tests and proofs while the unit is
//! compiled for the machine, tests that others make superfluous go, all that is left runs as machine code and is measured again, then it is
//! stored and written. A file without `--function` is its functions, one after the other.

use std::collections::HashMap;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use obligato_c_unit::{Confirmation, NativeBuild, NativeError, NativeOptions, TestRun};
use obligato_criteria::Vectors;
use obligato_engines_c::{CampaignError, Merging, Outcome, Request, Status};
use obligato_lustre_replay::Trace;
use obligato_model::{Assessment, Criterion, Suite, TestCase, Verdict};
use obligato_solver::Stop;
use obligato_store::details::TestDetails;
use obligato_store::{Signature, StoredResult};

use super::reduction::needed;
use crate::args::{Format, GenerateArgs, SubjectArgs};
use crate::campaign::Watching;
use crate::error::CliError;
use crate::exit::Exit;
use crate::interrupt::stop_on_signals;
use crate::output::{Output, printable};
use crate::rendering::unit::write_agreement;
use crate::verdicts::criteria;
use crate::verdicts::{self, Judged, Subject, TOOL, vectors};
use obligato::Error;
use obligato::details::{Basis, sources};
use obligato::lost::unit::{Tracer, losses};
use obligato::record::Record;
use obligato::shards;
use obligato::storage;
use obligato::suite_writer::{expect_writable, write_suite};
use obligato::unit::{LoadedUnit, refuse_native, refuse_run};

mod faults;
mod settling;
mod summary;

use settling::{complete, settle, shard_of};

/// Conflicts of the solver for one question.
const MOST_CONFLICTS: u64 = 200_000;

/// Makes tests and proofs for a function, or for every function of a file.
pub fn generate(arguments: &GenerateArgs, output: &mut Output) -> Result<Exit, CliError> {
    let criteria = criteria(&arguments.verdicts)?;
    let stop = stop_on_signals()?;
    let loaded = LoadedUnit::load(&arguments.subject.options(), &arguments.observe)?;
    if arguments.subject.unit.function.is_none() && loaded.unit.functions().len() > 1 {
        return generate_all(arguments, &criteria, &loaded, &stop, output);
    }
    let interface = loaded.interface(&arguments.subject.options())?;
    let unit = (&loaded, &interface);
    let done = generate_one(arguments, &arguments.subject, &criteria, unit, &stop, output)?;
    done.write(arguments, output)?;
    Ok(done.exit(arguments))
}

/// Every function of a file, each by itself.
fn generate_all(
    arguments: &GenerateArgs,
    criteria: &[Criterion],
    file: &LoadedUnit,
    stop: &Stop,
    output: &mut Output,
) -> Result<Exit, CliError> {
    if arguments.tests.is_some() || arguments.output.is_some() || arguments.search.faults.is_some()
    {
        return Err(CliError::from(Error::Input {
            message: format!("{} defines several functions, and suites are of one", file.path),
            way_out: "name it with --function".to_owned(),
        }));
    }
    let mut worst = Exit::Success;
    let mut rows = Vec::new();
    for function in file.unit.functions() {
        if stop.is_due() {
            break;
        }
        let mut subject = arguments.subject.clone();
        subject.unit.function = Some(function.clone());
        let loaded = LoadedUnit::load(&subject.options(), &arguments.observe)?;
        let interface = loaded.interface(&subject.options())?;
        let unit = (&loaded, &interface);
        let done = generate_one(arguments, &subject, criteria, unit, stop, output)?;
        if worst == Exit::Success {
            worst = done.exit(arguments);
        }
        rows.push(done.row(function));
    }
    summary::write_table(&file.path, &rows, output)?;
    Ok(worst)
}

/// What came of a function.
pub struct Done<'u> {
    loaded: &'u LoadedUnit,
    function: String,
    given: usize,
    outcome: Outcome<'u>,
    /// The new tests that are kept, and how many are not.
    tests: Vec<TestCase>,
    left_out: usize,
    result: StoredResult,
    evidence: obligato_criteria::Evidence,
    agreement: obligato::unit::Agreement,
    remarks: Vec<String>,
    /// Per fault, who has seen it besides the executor; empty if nobody was asked.
    confirmed: Vec<Confirmation>,
    times: Times,
}

/// How long it took, in all and only to search and solve: without clang, machine code and measuring again.
struct Times {
    all: Duration,
    search: Duration,
}

fn generate_one<'u>(
    arguments: &GenerateArgs,
    subject: &SubjectArgs,
    criteria: &[Criterion],
    (loaded, interface): (&'u LoadedUnit, &'u obligato_c_unit::Interface),
    stop: &Stop,
    output: &Output,
) -> Result<Done<'u>, CliError> {
    let start = Instant::now();
    let unit = &loaded.unit;
    let options = loaded.options(arguments.verdicts.table);
    let mut given = Suite { inputs: unit.variables(interface).inputs, tests: Vec::new() };
    if let Some(path) = &arguments.tests {
        given = loaded.read_suite(path, arguments.from.map(Into::into), interface)?.suite;
    }
    let variables = unit.variables(interface);
    for path in [&arguments.output, &arguments.search.faults].into_iter().flatten() {
        expect_writable(path, &Signature::new(&variables))?;
    }
    let given = complete(&given, &variables);
    let (stop, work) = arguments.effort.limits(stop);
    let request = Request {
        unit,
        interface,
        criteria: criteria.to_vec(),
        given: given.clone(),
        steps: arguments.search.steps as usize,
        options,
        strategy: arguments.search.strategy(),
        filtering: arguments.search.filtering(),
        merging: Merging::On,
        levels: arguments.search.levels,
        shard: arguments.shard,
        seed: arguments.seed,
        work,
        most_conflicts: MOST_CONFLICTS,
    };
    let mut watching = Watching::new(output.verbosity());
    let mut watch = |status: Status| watching.watch_unit(&interface.function, &status);
    let (outcome, build, search) = thread::scope(|scope| {
        let building = (!subject.unit.no_native)
            .then(|| scope.spawn(|| unit.build_natively(NativeOptions::default())));
        let start = Instant::now();
        let outcome = obligato_engines_c::run(&request, &stop, &mut watch);
        let search = start.elapsed();
        let build = building
            .map(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        (outcome, build, search)
    });
    let outcome = outcome.map_err(refuse_campaign)?;
    watching.rest();

    let mut suite = Suite { inputs: variables.inputs.clone(), tests: given.clone() };
    suite.tests.extend(outcome.tests.iter().cloned());
    let build = needed_build(build, suite.tests.len() + outcome.faults.len())?;
    let agreement = loaded.compare_on(build.as_ref(), interface, &mut suite, options)?;
    let shown = unit.measure(interface, &suite, criteria, options).map_err(refuse_run)?;
    let assessment = loaded.judge(criteria, &shown.evidence, &shown.runs)?;
    let judged = (&assessment, &shown.evidence);
    let kept = needed(unit.program(), judged, given.len(), suite.tests.len());
    let before = suite.tests.len();
    let mut index = 0;
    suite.tests.retain(|_| {
        index += 1;
        index <= given.len() || kept.iter().any(|test| test.index() == index - 1)
    });
    let left_out = before - suite.tests.len();
    let tables = vectors(&arguments.verdicts, criteria, suite.tests.len()) == Vectors::Keep;
    let options = loaded.options(tables);
    let shown = unit.measure(interface, &suite, criteria, options).map_err(refuse_run)?;
    let mut assessment = loaded.judge(criteria, &shown.evidence, &shown.runs)?;
    settle(&mut assessment, &outcome)?;
    if let Some(shard) = arguments.shard {
        shards::leave_to_others(shard, &mut assessment);
    }
    let result = StoredResult::new(TOOL, criteria, &assessment, unit.program())?
        .observing(LoadedUnit::observed(interface))
        .of_shard(shard_of(arguments, subject, given.len())?);
    let (result, notes) = verdicts::complete(result, unit.program(), &arguments.verdicts)?;
    let mut done = Done {
        loaded,
        function: interface.function.clone(),
        given: given.len(),
        tests: suite.tests[given.len().min(suite.tests.len())..].to_vec(),
        left_out,
        result,
        evidence: shown.evidence,
        agreement,
        remarks: notes,
        confirmed: Vec::new(),
        times: Times { all: Duration::ZERO, search },
        outcome,
    };
    done.confirm_faults(build.as_ref(), interface, options)?;
    let timeline = watching.recorder.finish(&done.result)?;
    done.keep(arguments, interface, (&suite, &shown.runs), (&assessment, &timeline), options)?;
    done.times.all = start.elapsed();
    Ok(done)
}

/// That there is no machine code is an error only if there is something to run.
fn needed_build(
    build: Option<Result<NativeBuild, NativeError>>,
    tests: usize,
) -> Result<Option<NativeBuild>, CliError> {
    match build {
        Some(Err(error)) if tests > 0 => Err(refuse_native(error).into()),
        Some(build) => Ok(build.ok()),
        None => Ok(None),
    }
}

fn refuse_campaign(error: CampaignError) -> CliError {
    match error {
        CampaignError::Run(error) => refuse_run(error).into(),
        CampaignError::NoInputs => CliError::from(Error::Input {
            message: error.to_string(),
            way_out: "loosen what --range, --assume or obligato.toml say of them".to_owned(),
        }),
        other => CliError::from(Error::Internal(other.to_string())),
    }
}

impl Done<'_> {
    /// Stores suite and result, and writes the new tests with what the function gave.
    fn keep(
        &mut self,
        arguments: &GenerateArgs,
        interface: &obligato_c_unit::Interface,
        (suite, runs): (&Suite, &[TestRun]),
        (assessment, timeline): (&Assessment, &str),
        options: obligato_c_unit::RunOptions,
    ) -> Result<(), CliError> {
        if let Some(path) = &arguments.output {
            let new = &suite.tests[self.given.min(suite.tests.len())..];
            let ran = &runs[self.given.min(runs.len())..];
            self.write_recorded(path, interface, new, ran)?;
            let path = printable(&path.display().to_string());
            self.remarks.push(format!("Written: {path}, with what the function gave"));
        }
        if let Some(path) = &arguments.search.faults {
            let tests: Vec<TestCase> =
                self.outcome.faults.iter().map(|found| found.test.clone()).collect();
            let suite = Suite { inputs: suite.inputs.clone(), tests };
            let runs = self.loaded.unit.run(interface, &suite, options).map_err(refuse_run)?;
            self.write_recorded(path, interface, &suite.tests, &runs)?;
            let path = printable(&path.display().to_string());
            self.remarks.push(format!("Written: {path}, the tests that run into faults"));
        }
        if let Some(directory) = arguments.verdicts.store() {
            let several =
                arguments.subject.unit.function.is_none() && self.loaded.unit.functions().len() > 1;
            let directory =
                if several { directory.join(&self.function) } else { directory.clone() };
            if let Some(parent) = directory.parent().filter(|_| several) {
                obligato::directory::ensure_directory(parent)?;
            }
            let document = obligato_store::result::print(&self.result)?;
            let tracer = Tracer { loaded: self.loaded, interface, suite };
            let lost = losses(&tracer, assessment, &self.evidence)?;
            let details = self.basis(runs, assessment, lost).print(&self.result)?;
            let documents = storage::Documents {
                result: &document,
                details: Some(&details),
                proofs: None,
                timeline: Some(timeline),
            };
            self.remarks.push(storage::store(&directory, &documents, |path| {
                self.loaded.keep_suite(path, interface, suite, runs).map(Some)
            })?);
        }
        Ok(())
    }

    /// What stands behind the verdicts.
    fn basis<'a>(
        &'a self,
        runs: &[TestRun],
        assessment: &'a Assessment,
        lost: HashMap<usize, Vec<String>>,
    ) -> Basis<'a> {
        let program = self.loaded.unit.program();
        let tests = runs.iter().enumerate().map(|(at, run)| TestDetails {
            phase: (at >= self.given).then(|| "search".to_owned()),
            ..self.loaded.test_details(run)
        });
        Basis {
            name: &self.loaded.path,
            subject: Subject::Unit,
            command: "generate",
            program,
            evidence: &self.evidence,
            assessment,
            sources: sources(program, Path::new("")),
            tests: tests.collect(),
            phases: self.phases(),
            lost,
        }
    }

    fn write_recorded(
        &self,
        path: &Path,
        interface: &obligato_c_unit::Interface,
        tests: &[TestCase],
        runs: &[TestRun],
    ) -> Result<(), CliError> {
        let unit = &self.loaded.unit;
        let signature = Signature::new(&unit.variables(interface));
        let records = tests.iter().zip(runs).map(|(test, run)| {
            let steps = run.steps.iter().map(|step| unit.values(interface, step)).collect();
            let trace = Trace { steps, failures: Vec::new(), exhausted: None };
            Ok(Record::new(test.clone(), trace, &signature).test)
        });
        Ok(write_suite(path, &signature, records)?)
    }

    fn exit(&self, arguments: &GenerateArgs) -> Exit {
        if !self.agreement.is_full() {
            Exit::ToolError
        } else if arguments.search.fail_on_fault && !self.outcome.faults.is_empty() {
            Exit::FaultFound
        } else if arguments.fail_on_unresolved && self.unresolved() > 0 {
            Exit::Unresolved
        } else {
            Exit::Success
        }
    }

    fn unresolved(&self) -> usize {
        let obligations = self.result.obligations.iter();
        let open = obligations.filter(|one| matches!(one.verdict, Verdict::Unresolved(_)));
        open.filter(|one| !shards::is_left(&one.verdict)).count()
    }

    fn write(&self, arguments: &GenerateArgs, output: &mut Output) -> Result<(), CliError> {
        if arguments.verdicts.format == Format::Json {
            output.write_text(&obligato_store::result::print(&self.result)?)?;
            if !self.agreement.is_full() {
                write_agreement(&self.agreement, &mut output.beside())?;
            }
            return Ok(());
        }
        for remark in self.loaded.remarks() {
            output.remark(format_args!("{}", printable(&remark)))?;
        }
        let judged = Judged {
            name: &self.loaded.path,
            subject: Subject::Unit,
            program: self.loaded.unit.program(),
            evidence: &self.evidence,
            result: &self.result,
        };
        judged.write(&arguments.verdicts, output)?;
        summary::write(self, arguments, output)
    }
}
