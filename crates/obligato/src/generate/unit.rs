//! C functions in the walk that generates tests.

use std::thread;
use std::time::{Duration, Instant};

use obligato_c_unit::{
    Interface, NativeBuild, NativeError, NativeOptions, RunOptions, TestRun, Unit,
};
use obligato_campaign::language::{Confirmed, Language, Purpose, Replayed, Searched};
use obligato_campaign::walk::{Superfluous, walk};
use obligato_campaign::{Gaps, Request, Watcher};
use obligato_criteria::Vectors;
use obligato_engines_c::{FunctionError, FunctionFindings, FunctionUnderTest, Statistics};
use obligato_model::{self as vocabulary, Criterion, Program, Step, Suite, TestCase};
use obligato_solver::Stop;
use obligato_store::Signature;

use super::errors::{ConfirmedError, confirm_errors};
use super::{
    GenerateObserver, GenerateRequest, Generated, GivenTests, Recording, expect_writable,
    refuse_walk,
};
use crate::error::Error;
use crate::unit::{Agreement, Doubts, LoadedUnit, refuse_native, refuse_run};

mod kept;

use kept::Kept;

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
    let confirmed = confirm_errors(loaded, build.as_ref(), &interface, kept.errors())?;
    kept.conclude(confirmed, search, stop, recording)
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
