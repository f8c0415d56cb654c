//! C functions in the walk that generates tests.

use obligato_c_unit::{NativeBuild, NativeError};
use obligato_campaign::walk::walk;
use obligato_engines_c::{FunctionError, Statistics};
use obligato_model::{Step, Suite, SuiteInterface, TestCase};
use obligato_solver::Stop;
use obligato_store::Signature;

use super::errors::{ConfirmedError, confirm_errors};
use super::rounds::RoundInputs;
use super::{
    GenerateObserver, GenerateRequest, Generated, GivenTests, Recording, expect_writable,
    refuse_walk,
};
use crate::error::Error;
use crate::unit::{LoadedUnit, refuse_native, refuse_run};

mod kept;
mod language;

use kept::Kept;
use language::FunctionLanguage;

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
    let settings = match &request.tests {
        Some(tests) => loaded.settings_for(&request.subject, tests)?,
        None => loaded.settings().clone(),
    };
    let inputs = RoundInputs::new(loaded, &request.subject, settings)?;
    let given = read_given(loaded, &inputs, request)?;
    let mut language = FunctionLanguage::new(loaded, request, inputs, given.len());
    let campaign = request.campaign(&given.counted);
    let (failing, superfluous) = (&given.failing, request.superfluous);
    let walked = walk(&mut language, &campaign, failing, superfluous, stop, &mut recording);
    let walked = walked.map_err(refuse_walk)?;
    let FunctionLanguage { inputs, build, took, .. } = language;
    let (interface, build) = (&inputs.interface, build.as_ref());
    let confirmed = confirm_errors(loaded, build, interface, &walked.found.errors)?;
    let kept = Kept { loaded, interface, request, given, walked, confirmed };
    kept.conclude(took, stop, recording)
}

/// The tests that are there already, and whether their expected outputs come out.
fn read_given(
    loaded: &LoadedUnit,
    inputs: &RoundInputs,
    request: &GenerateRequest,
) -> Result<GivenTests, Error> {
    let Some(path) = &request.tests else { return Ok(GivenTests::default()) };
    let RoundInputs { interface, variables, .. } = inputs;
    let read = loaded.read_suite(path, request.format, interface)?;
    let runs = loaded.unit.run(interface, &read.suite, loaded.options(false));
    let runs = runs.map_err(refuse_run)?;
    let expectations = loaded.expectations(interface, &read, &read.suite, &runs);
    let tests = complete(&read.suite, variables);
    Ok(GivenTests::new(tests, expectations, request.judging.failing))
}

/// The given tests, with all columns.
fn complete(suite: &Suite, variables: &SuiteInterface) -> Vec<TestCase> {
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
