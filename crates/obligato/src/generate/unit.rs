//! C functions in the walk that generates tests.

use std::collections::HashSet;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use obligato_c_unit::{
    Interface, NativeBuild, NativeError, NativeOptions, RunOptions, TestRun, Unit,
};
use obligato_campaign::language::{Confirmed, Language, Purpose, Replayed, Searched};
use obligato_campaign::walk::{Superfluous, Walked, walk};
use obligato_campaign::{Gaps, MadeTest, Request, Watcher};
use obligato_criteria::Vectors;
use obligato_engines_c::call_proofs::settled;
use obligato_engines_c::{FunctionError, FunctionFindings, FunctionUnderTest, Statistics};
use obligato_lustre_replay::Trace;
use obligato_model::{self as vocabulary, Criterion, Program, Step, Suite, TestCase, Verdict};
use obligato_solver::Stop;
use obligato_store::details::{ErrorDetails, TestDetails};
use obligato_store::proofs::StoredProofs;
use obligato_store::{Signature, StoredResult};

use super::errors::{ConfirmedError, ConfirmedErrors, confirm_errors};
use super::{
    Extras, GenerateObserver, GenerateRequest, Generated, GivenTests, Recording, Times,
    expect_writable, refuse_walk, stored_phases,
};
use crate::TOOL;
use crate::details::{Basis, sources};
use crate::error::Error;
use crate::evidence::{self, SubjectFacts};
use crate::expectations::Expectations;
use crate::lost::unit::{Tracer, losses};
use crate::outcomes::SuiteRuns;
use crate::record::Record;
use crate::shards;
use crate::storage::{self, Documents};
use crate::stored_proofs::stored;
use crate::subject::{RunFindings, SubjectKind};
use crate::suite_writer::write_suite;
use crate::text::printable;
use crate::unit::{Agreement, Doubts, Endings, LoadedUnit, refuse_native, refuse_run};

/// Conflicts of the solver for one query.
const MOST_CONFLICTS: u64 = 200_000;

/// What only engines for C functions find.
#[derive(Debug)]
pub struct UnitExtras {
    /// The runtime errors that tests run into, and who has seen each besides the executor.
    pub errors: Vec<ConfirmedError>,
    /// What the search took.
    pub statistics: Statistics,
}

/// Generates for the function under test of a loaded unit.
pub(super) fn generate(
    loaded: &LoadedUnit,
    request: &GenerateRequest,
    stop: &Stop,
    observer: &mut dyn GenerateObserver,
) -> Result<Generated, Error> {
    let interface = loaded.interface(&request.subject)?;
    let mut recording = Recording::new(&interface.function, observer);
    let variables = loaded.unit.variables(&interface);
    let given = read_given(loaded, &interface, &variables, request)?;
    let signature = Signature::new(&variables);
    for path in [&request.output, &request.errors].into_iter().flatten() {
        expect_writable(path, &signature)?;
    }
    let mut language = FunctionLanguage {
        loaded,
        interface: &interface,
        request,
        inputs: variables.inputs.clone(),
        build: None,
        doubts: Doubts::default(),
        search: Duration::ZERO,
    };
    let campaign = request.campaign(&given.counted);
    let superfluous = Superfluous::LeaveOut;
    let failing = &given.failing;
    let walked = walk(&mut language, &campaign, failing, superfluous, stop, &mut recording);
    let walked = walked.map_err(refuse_walk)?;
    let FunctionLanguage { build, search, .. } = language;
    let kept = Kept::new(loaded, &interface, request, given, walked)?;
    let confirmed = confirm_errors(loaded, build.as_ref(), &interface, &kept.found.errors)?;
    kept.conclude(loaded, &interface, confirmed, search, stop, recording)
}

/// The tests that are there already, and whether their expected outputs come out.
fn read_given(
    loaded: &LoadedUnit,
    interface: &Interface,
    variables: &vocabulary::Interface,
    request: &GenerateRequest,
) -> Result<GivenTests, Error> {
    let Some(path) = &request.tests else { return Ok(GivenTests::default()) };
    let read = loaded.read_suite(path, request.format, interface)?;
    let runs = loaded.unit.run(interface, &read.suite, loaded.options(false));
    let runs = runs.map_err(refuse_run)?;
    let expectations = loaded.expectations(interface, &read, &read.suite, &runs);
    let tests = complete(&read.suite, variables);
    Ok(GivenTests::new(tests, expectations, request.judging.failing))
}

/// The given tests, with all columns.
fn complete(suite: &Suite, variables: &vocabulary::Interface) -> Vec<TestCase> {
    let position = |name: &str| suite.inputs.iter().position(|one| one.name == name);
    let places: Vec<Option<usize>> =
        variables.inputs.iter().map(|input| position(&input.name)).collect();
    let fill = |step: &Step| -> Step {
        places.iter().map(|place| place.and_then(|at| step[at].clone())).collect()
    };
    let complete = |test: &TestCase| TestCase {
        name: test.name.clone(),
        steps: test.steps.iter().map(fill).collect(),
    };
    suite.tests.iter().map(complete).collect()
}

/// A C function and its engines.
struct FunctionLanguage<'a> {
    loaded: &'a LoadedUnit,
    interface: &'a Interface,
    request: &'a GenerateRequest,
    inputs: Vec<vocabulary::Variable>,
    /// The machine code, made beside the search.
    build: Option<NativeBuild>,
    /// What is not certain of tests, because machine code does something else.
    doubts: Doubts,
    /// How long the search took.
    search: Duration,
}

impl FunctionLanguage<'_> {
    fn unit(&self) -> &Unit {
        &self.loaded.unit
    }

    fn options(&self, tables: bool) -> RunOptions {
        self.loaded.options(tables)
    }

    fn suite(&self, tests: &[TestCase]) -> Suite {
        Suite { inputs: self.inputs.clone(), tests: tests.to_vec() }
    }
}

impl Language for FunctionLanguage<'_> {
    type Found = FunctionFindings;
    type Runs = Vec<TestRun>;
    type Agreement = Agreement;
    type Error = Error;

    fn program(&self) -> &Program {
        self.unit().program()
    }

    fn search(
        &mut self,
        request: &Request<()>,
        stop: &Stop,
        watcher: &mut dyn Watcher,
    ) -> Result<Searched<FunctionFindings>, Error> {
        let unit = &self.loaded.unit;
        let search = &self.request.search;
        let request = request.about(FunctionUnderTest {
            unit,
            interface: self.interface,
            steps: search.steps.of_paths(),
            most_steps: search.steps.most(),
            options: self.options(self.request.judging.tables),
            strategy: search.strategy,
            filtering: search.filtering,
            levels: search.levels,
            most_conflicts: MOST_CONFLICTS,
        });
        let native = !self.request.subject.unit.no_native;
        let (outcome, build, took) = thread::scope(|scope| {
            let building =
                native.then(|| scope.spawn(|| unit.build_natively(NativeOptions::default())));
            let start = Instant::now();
            let outcome = obligato_engines_c::run(&request, stop, watcher);
            let took = start.elapsed();
            let build = building.map(|thread| {
                thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            });
            (outcome, build, took)
        });
        let outcome = outcome.map_err(refuse_campaign)?;
        let to_run = request.given.len() + outcome.tests.len() + outcome.found.errors.len();
        self.build = needed_build(build, to_run)?;
        self.search = took;
        Ok(outcome.into())
    }

    fn confirm(&mut self, tests: &[TestCase]) -> Result<Confirmed<Agreement>, Error> {
        let options = self.options(self.request.judging.tables);
        let suite = self.suite(tests);
        let compared =
            self.loaded.compare_each(self.build.as_ref(), self.interface, &suite, options)?;
        self.doubts = compared.doubts;
        let (refused, shown, agreement) = (compared.refused, compared.shown, compared.agreement);
        Ok(Confirmed { refused, shown, agreement })
    }

    fn replay(
        &mut self,
        tests: &[TestCase],
        criteria: &[Criterion],
        purpose: Purpose,
    ) -> Result<Replayed<Vec<TestRun>>, Error> {
        let judging = &self.request.judging;
        let tables = match purpose {
            Purpose::Choice => judging.tables,
            Purpose::Report => judging.vectors(tests.len()) == Vectors::Keep,
        };
        let suite = self.suite(tests);
        let shown = self.unit().measure(self.interface, &suite, criteria, self.options(tables));
        let mut shown = shown.map_err(refuse_run)?;
        self.doubts.hide(tests, &mut shown.runs);
        let evidence = self.doubts.restrict(self.program(), shown.evidence);
        Ok(Replayed { evidence, runs: shown.runs })
    }

    fn gaps(&self, runs: &Vec<TestRun>) -> Gaps {
        self.loaded.gaps(runs)
    }
}

/// That there is no machine code is an error only if there is something to run.
fn needed_build(
    build: Option<Result<NativeBuild, NativeError>>,
    tests: usize,
) -> Result<Option<NativeBuild>, Error> {
    match build {
        Some(Err(error)) if tests > 0 => Err(refuse_native(error)),
        Some(build) => Ok(build.ok()),
        None => Ok(None),
    }
}

fn refuse_campaign(error: FunctionError) -> Error {
    match error {
        FunctionError::Run(error) => refuse_run(error),
        FunctionError::NoInputs => Error::Input {
            message: error.to_string(),
            way_out: "loosen what --range, --assume or obligato.toml say of them".to_owned(),
        },
        other => Error::Internal(other.to_string()),
    }
}

/// What a walk came to, with its result.
struct Kept<'a> {
    request: &'a GenerateRequest,
    /// The given tests that are kept, and the new ones.
    given: Vec<TestCase>,
    made: Vec<MadeTest>,
    left_out: usize,
    assessment: vocabulary::Assessment,
    evidence: obligato_criteria::Evidence,
    runs: Vec<TestRun>,
    agreement: Agreement,
    phases: Vec<obligato_campaign::PhaseReport>,
    found: FunctionFindings,
    expectations: Expectations,
    /// Per test, where it comes from, how it ended and where its outputs are not as it expects.
    details: Vec<TestDetails>,
    result: StoredResult,
    notes: Vec<String>,
}

impl<'a> Kept<'a> {
    fn new(
        loaded: &LoadedUnit,
        interface: &Interface,
        request: &'a GenerateRequest,
        given: GivenTests,
        walked: Walked<FunctionLanguage<'_>>,
    ) -> Result<Self, Error> {
        let judging = &request.judging;
        let program = loaded.unit.program();
        let result = StoredResult::new(TOOL, &judging.criteria, &walked.assessment, program)?
            .observing(LoadedUnit::observed(interface))
            .of_shard(shards::of_request(request, given.len())?);
        let expectations = given.expectations;
        let details = test_details(loaded, &walked, &expectations);
        let suite_runs = SuiteRuns {
            program,
            evidence: &walked.evidence,
            assessment: &walked.assessment,
            expectations: &expectations,
            details: &details,
        };
        let result = suite_runs.complete(result)?;
        let (result, notes) = judging.complete(result, program, &loaded.codes())?;
        let Walked { given, made, left_out, assessment, evidence, runs, mut agreement, .. } =
            walked;
        agreement.add_contradicted(&walked.contradicted);
        let (phases, found) = (walked.phases, walked.found);
        Ok(Self {
            request,
            given,
            made,
            left_out,
            assessment,
            evidence,
            runs,
            agreement,
            phases,
            found,
            expectations,
            details,
            result,
            notes,
        })
    }

    /// Writes and stores what was asked for.
    fn conclude(
        mut self,
        loaded: &LoadedUnit,
        interface: &Interface,
        confirmed: ConfirmedErrors,
        search: Duration,
        stop: &Stop,
        mut recording: Recording<'_>,
    ) -> Result<Generated, Error> {
        let ConfirmedErrors { errors, notes, agreement } = confirmed;
        self.notes.extend(notes);
        self.agreement.extend(agreement);
        let inputs = loaded.unit.variables(interface).inputs;
        let made = self.made.iter().map(|made| made.test.clone());
        let tests: Vec<TestCase> = self.given.iter().cloned().chain(made).collect();
        let suite = Suite { inputs, tests };
        let timeline = recording.recorder.finish(&self.result)?;
        let mut written = Vec::new();
        if let Some(path) = &self.request.output {
            let new = self.given.len();
            write_recorded(loaded, path, interface, &suite.tests[new..], &self.runs[new..])?;
            let path = printable(&path.display().to_string());
            written.push(format!("Written: {path}, with what the function gave"));
        }
        if let Some(path) = &self.request.errors {
            let tests = errors.iter().map(|found| found.error.test.clone()).collect();
            let suite = Suite { inputs: suite.inputs.clone(), tests };
            let options = loaded.options(self.request.judging.tables);
            let runs = loaded.unit.run(interface, &suite, options).map_err(refuse_run)?;
            write_recorded(loaded, path, interface, &suite.tests, &runs)?;
            let path = printable(&path.display().to_string());
            written.push(format!("Written: {path}, the tests that run into faults"));
        }
        if let Some(directory) = &self.request.judging.store {
            let errors = errors.iter().map(|found| found.details.clone()).collect();
            written.push(self.store(directory, loaded, interface, &suite, errors, &timeline)?);
        }
        let endings = Endings::new(loaded, &suite, &self.runs);
        let Self { agreement, runs, .. } = self;
        Ok(Generated {
            name: loaded.path.clone(),
            function: interface.function.clone(),
            kind: SubjectKind::Unit,
            program: loaded.unit.program().clone(),
            evidence: self.evidence,
            assessment: self.assessment,
            given: self.given.iter().map(|test| test.steps.len()).collect(),
            made: self.made,
            left_out: self.left_out,
            phases: self.phases,
            remarks: loaded.remarks(),
            notes: self.notes,
            findings: RunFindings::Unit { runs, endings, agreement },
            failed: self.expectations.failed(&self.result.tests),
            result: self.result,
            extras: Extras::Unit(Box::new(UnitExtras {
                errors,
                statistics: self.found.statistics,
            })),
            written,
            stopped: stop.is_requested(),
            times: Times { all: recording.start.elapsed(), search },
        })
    }

    /// The proofs that hold for every caller, and what they settle; `None` if there are none.
    fn proofs(&self, program: &Program, interface: &Interface) -> Option<StoredProofs> {
        let found = &self.found.proofs;
        let keys = settled(program, &self.result.criteria, found);
        let keys: HashSet<String> = keys.iter().map(ToString::to_string).collect();
        let settles =
            self.result.obligations.iter().filter(|one| {
                matches!(one.verdict, Verdict::Uncoverable(_)) && keys.contains(&one.id)
            });
        (!found.is_empty()).then(|| StoredProofs {
            tool: TOOL.to_owned(),
            main: interface.function.clone(),
            inline: false,
            criteria: self.result.criteria.clone(),
            observed: self.result.observed.clone(),
            properties: Vec::new(),
            settles: settles.map(|one| one.id.clone()).collect(),
            proofs: stored(found),
        })
    }

    /// Stores suite, result and what stands behind it; says where.
    fn store(
        &self,
        directory: &Path,
        loaded: &LoadedUnit,
        interface: &Interface,
        suite: &Suite,
        errors: Vec<ErrorDetails>,
        timeline: &str,
    ) -> Result<String, Error> {
        let program = loaded.unit.program();
        let document = obligato_store::result::print(&self.result)?;
        let tracer = Tracer { loaded, interface, suite };
        let lost = losses(&tracer, &self.assessment, &self.evidence)?;
        let basis = Basis {
            name: &loaded.path,
            subject: SubjectKind::Unit,
            command: "generate",
            program,
            evidence: &self.evidence,
            assessment: &self.assessment,
            sources: sources(program, Path::new("")),
            tests: self.details.clone(),
            phases: stored_phases(&self.phases, self.given.len()),
            errors,
            lost,
        };
        let details = basis.print(&self.result)?;
        let proofs = self.proofs(program, interface);
        let proofs = proofs.map(|proofs| obligato_store::proofs::print(&proofs)).transpose()?;
        let facts = SubjectFacts { function: Some(interface.function.clone()), ..loaded.facts() };
        let judging = &self.request.judging;
        let evidence = evidence::document(judging, "generate", &loaded.path, facts, &self.result);
        let documents = Documents {
            result: &document,
            details: Some(&details),
            proofs: proofs.as_deref(),
            timeline: Some(timeline),
            evidence: Some(&evidence),
        };
        storage::store(directory, &documents, |path| {
            loaded.keep_suite(path, interface, suite, &self.runs).map(Some)
        })
    }
}

/// Per test, where it comes from, how it ended and where its outputs are not as it expects.
fn test_details(
    loaded: &LoadedUnit,
    walked: &Walked<FunctionLanguage<'_>>,
    expectations: &Expectations,
) -> Vec<TestDetails> {
    let given = walked.given.iter().map(|test| (test, None));
    let made = walked.made.iter().map(|made| (&made.test, Some(made.phase.name().to_owned())));
    let details = given.chain(made).zip(&walked.runs).map(|((test, phase), run)| TestDetails {
        phase,
        differences: expectations.differences(&test.name).to_vec(),
        ..loaded.test_details(run)
    });
    details.collect()
}

/// Writes tests with what the function gave.
fn write_recorded(
    loaded: &LoadedUnit,
    path: &Path,
    interface: &Interface,
    tests: &[TestCase],
    runs: &[TestRun],
) -> Result<(), Error> {
    let unit = &loaded.unit;
    let signature = Signature::new(&unit.variables(interface));
    let suite = Suite { inputs: signature.inputs().to_vec(), tests: tests.to_vec() };
    let completed = unit.complete(interface, &suite, loaded.options(false)).map_err(refuse_run)?;
    let records = completed.into_iter().zip(runs).map(|(test, run)| {
        let steps = loaded.found(interface, run);
        let trace = Trace { steps, failures: Vec::new(), exhausted: None };
        Ok(Record::of_completed(test, trace, &signature).test)
    });
    write_suite(path, &signature, records)
}
