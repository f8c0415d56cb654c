//! C functions in the walk that generates tests.

use obligato_c_unit::{Interface, NativeBuild, NativeError, RunOptions, TestRun, Unit};
use obligato_campaign::language::{Confirmed, Language, Purpose, Replayed, Searched};
use obligato_campaign::walk::walk;
use obligato_campaign::{Gaps, Request, Watcher};
use obligato_criteria::Vectors;
use obligato_engines_c::{FunctionError, FunctionFindings, Statistics};
use obligato_model::{self as vocabulary, Criterion, Program, Step, Suite, TestCase};
use obligato_solver::Stop;
use obligato_store::Signature;

use super::errors::{ConfirmedError, confirm_errors};
use super::rounds::{self, Rounds};
use super::{
    GenerateObserver, GenerateRequest, Generated, GivenTests, Recording, expect_writable,
    refuse_walk,
};
use crate::error::Error;
use crate::unit::{Agreement, Doubts, LoadedUnit, refuse_native, refuse_run};

mod kept;

use kept::Kept;

/// Conflicts of the solver for one query.
pub(super) const MOST_CONFLICTS: u64 = 200_000;

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
    let signature = Signature::new(&loaded.unit.variables(&interface));
    for path in [&request.output, &request.errors].into_iter().flatten() {
        expect_writable(path, &signature)?;
    }
    let Rounds { interface, variables, given, searched, build, took } =
        rounds::search(loaded, request, stop, &mut recording)?;
    let mut language = FunctionLanguage {
        loaded,
        interface: &interface,
        request,
        inputs: variables.inputs.clone(),
        searched: Some(searched),
        build,
        doubts: Doubts::default(),
    };
    let campaign = request.campaign(&given.counted);
    let (failing, superfluous) = (&given.failing, request.superfluous);
    let walked = walk(&mut language, &campaign, failing, superfluous, stop, &mut recording);
    let walked = walked.map_err(refuse_walk)?;
    let build = language.build;
    let kept = Kept::new(loaded, &interface, request, given, walked)?;
    let confirmed = confirm_errors(loaded, build.as_ref(), &interface, kept.errors())?;
    kept.conclude(confirmed, took, stop, recording)
}

/// The tests that are there already, and whether their expected outputs come out.
pub(super) fn read_given(
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
    /// What engines have found.
    searched: Option<Searched<FunctionFindings>>,
    /// The machine code, made beside the search.
    build: Option<NativeBuild>,
    /// What is not certain of tests, because machine code does something else.
    doubts: Doubts,
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

    /// The engines have run already, in rounds.
    fn search(
        &mut self,
        _: &Request<()>,
        _: &Stop,
        _: &mut dyn Watcher,
    ) -> Result<Searched<FunctionFindings>, Error> {
        Ok(self.searched.take().expect("invariant: a walk searches once"))
    }

    fn confirm(&mut self, tests: &[TestCase]) -> Result<Confirmed<Agreement>, Error> {
        let options = self.options(self.request.judging.tables);
        let suite = self.suite(tests);
        // What engines have found until a stop is confirmed to its end.
        let (build, stop) = (self.build.as_ref(), Stop::never());
        let compared = self.loaded.compare_each(build, self.interface, &suite, options, &stop)?;
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
pub(super) fn needed_build(
    build: Option<Result<NativeBuild, NativeError>>,
    tests: usize,
) -> Result<Option<NativeBuild>, Error> {
    match build {
        Some(Err(error)) if tests > 0 => Err(refuse_native(error)),
        Some(build) => Ok(build.ok()),
        None => Ok(None),
    }
}

pub(super) fn refuse_campaign(error: FunctionError) -> Error {
    match error {
        FunctionError::Run(error) => refuse_run(error),
        FunctionError::NoInputs => Error::Input {
            message: error.to_string(),
            way_out: "loosen what --range, --assume or obligato.toml say of them".to_owned(),
        },
        other => Error::Internal(other.to_string()),
    }
}
