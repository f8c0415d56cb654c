//! The tests that a suite lacks, and proofs that the rest cannot be covered.
//!
//! [`generate`] is the walk for every language: the program and the given tests are read; [`walk`] lets the engines of the
//! language search, confirms what they found, leaves out superfluous tests, replays what is kept and judges; the result is
//! completed, written and stored. [`model`] and [`unit`] supply what differs.

use std::path::Path;
use std::time::{Duration, Instant};

use obligato_campaign::walk::WalkError;
use obligato_campaign::{MadeTest, Phase, PhaseReport, Status, Watcher};
use obligato_criteria::Evidence;
use obligato_model::{Assessment, Program, TestCase, Verdict};
use obligato_solver::Stop;
use obligato_store::StoredResult;
use obligato_store::generation::StoredPhase;

use crate::campaign::stored_phase;
use crate::error::{Blame, Error};
use crate::expectations::{Expectations, FailedTest, FailingTests};
use crate::language::Command;
use crate::model::ModelSubject;
use crate::shards;
use crate::subject::{FileLanguage, RunFindings, SubjectKind};
use crate::timeline::Recorder;
use crate::unit::{Cause, LoadedUnit};

mod document;
mod errors;
mod model;
mod mutation;
mod request;
mod rounds;
mod unit;

pub use document::document;
pub(crate) use document::list;
pub use errors::ConfirmedError;
pub use model::ModelExtras;
pub use obligato_c_unit::Confirmation;
pub use obligato_concolic::search::{Filtering, Strategy};
pub use request::{GenerateRequest, SearchOptions, Steps};
pub use unit::UnitExtras;

/// Is told what is worked on and how far that is.
pub trait GenerateObserver: Watcher {
    /// Work on a function or model begins.
    fn begin(&mut self, name: &str);
}

/// For whoever does not want to know.
pub struct Unobserved;

impl Watcher for Unobserved {
    fn watch(&mut self, _: &Status) {}
}

impl GenerateObserver for Unobserved {
    fn begin(&mut self, _: &str) {}
}

/// What came of a request.
#[derive(Debug)]
pub enum Generation {
    /// Of a model, or of a C function that was named or is the only one of its file.
    One(Box<Generated>),
    /// Of every function of a C file.
    Each(Vec<FunctionGeneration>),
}

/// What came of a function among those of a file.
#[derive(Debug)]
pub enum FunctionGeneration {
    /// A result.
    Done(Box<Generated>),
    /// Nothing: what is wrong with one function ends none of the others.
    Lost(LostFunction),
}

/// A function without a result.
#[derive(Debug)]
pub struct LostFunction {
    /// The file, as the request named it.
    pub file: String,
    /// The function.
    pub function: String,
    /// Why there is none.
    pub why: String,
}

/// What came of a model or a function.
#[derive(Debug)]
pub struct Generated {
    /// The file, as the request named it.
    pub name: String,
    /// The main node or the function under test.
    pub function: String,
    /// What kind of program it is.
    pub kind: SubjectKind,
    /// Its decisions and what else criteria ask about.
    pub program: Program,
    /// What the tests have shown.
    pub evidence: Evidence,
    /// The verdicts over the evidence and the proofs.
    pub assessment: Assessment,
    /// The verdicts as they are stored, with the reasons of people.
    pub result: StoredResult,
    /// How many steps each given test has; these tests come first in the suite.
    pub given: Vec<usize>,
    /// The new tests that are kept.
    pub made: Vec<MadeTest>,
    /// How many others were made and are superfluous.
    pub left_out: usize,
    /// What each phase did.
    pub phases: Vec<PhaseReport>,
    /// What is to be known of the program.
    pub remarks: Vec<String>,
    /// What is to be known of justifications, and what else is to be said.
    pub notes: Vec<String>,
    /// What the runs showed besides coverage.
    pub findings: RunFindings,
    /// The given tests whose expected outputs do not come out; they cover nothing unless the request says otherwise.
    pub failed: Vec<FailedTest>,
    /// What only engines of this language find.
    pub extras: Extras,
    /// What was written and stored, in words.
    pub written: Vec<String>,
    /// Was it stopped early?
    pub stopped: bool,
    /// How long it took, in all and only to search.
    pub times: Times,
}

/// What only engines of a language find.
#[derive(Debug)]
pub enum Extras {
    /// For models.
    Model(ModelExtras),
    /// For C functions.
    Unit(Box<UnitExtras>),
}

/// How long it took.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Times {
    /// In all.
    pub all: Duration,
    /// Only to search and solve: without loading, machine code and measuring again.
    pub search: Duration,
}

impl Generated {
    /// How many obligations are neither covered nor closed in another way, and not for another shard to close.
    pub fn unresolved(&self) -> usize {
        let obligations = self.result.obligations.iter();
        let open = obligations.filter(|one| matches!(one.verdict, Verdict::Unresolved(_)));
        open.filter(|one| !shards::is_left(&one.verdict)).count()
    }

    /// What the phases did; the given tests are those of the first one.
    pub fn reports(&self) -> impl Iterator<Item = PhaseReport> + use<'_> {
        reports(&self.phases, self.given.len())
    }

    /// Errors of this tool: where machine code does something else than the executor, a sentence each.
    pub fn tool_errors(&self) -> Vec<String> {
        match &self.findings {
            RunFindings::Unit { agreement, .. } => {
                agreement.causes.iter().map(Cause::words).collect()
            }
            RunFindings::Model { .. } | RunFindings::Elsewhere(_) => Vec::new(),
        }
    }

    /// Do machine code and executor agree, where both ran?
    pub fn is_confirmed(&self) -> bool {
        match &self.findings {
            RunFindings::Unit { agreement, .. } => agreement.is_full(),
            RunFindings::Model { .. } | RunFindings::Elsewhere(_) => true,
        }
    }
}

/// Generates tests and proofs. `stop` ends the search early: what was done by then counts, is written and stored.
///
/// ```
/// use obligato::generate::{GenerateRequest, Generation, Unobserved, generate};
/// use obligato::judging::JudgingOptions;
/// use obligato::subject::SubjectOptions;
/// use obligato::{Criterion, Stop};
///
/// let directory = tempfile::tempdir()?;
/// let file = directory.path().join("latch.lus");
/// let model = "node latch(set, reset: bool) returns (on: bool);
///              let on = set or (false -> pre on) and not reset; tel";
/// std::fs::write(&file, model)?;
/// let judging = JudgingOptions::new(["mcdc".parse::<Criterion>()?]);
/// let request = GenerateRequest::new(SubjectOptions::new(file), judging);
/// let Generation::One(generated) = generate(&request, &Stop::never(), &mut Unobserved)? else {
///     unreachable!("a model has one main node");
/// };
/// assert_eq!(generated.unresolved(), 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn generate(
    request: &GenerateRequest,
    stop: &Stop,
    observer: &mut dyn GenerateObserver,
) -> Result<Generation, Error> {
    if request.subject.expect_language(Command::Generate)? == FileLanguage::Lustre {
        let subject = ModelSubject::load(&request.subject, &request.observe)?;
        let generated = model::generate(&subject, request, stop, observer)?;
        return Ok(Generation::One(Box::new(generated)));
    }
    let loaded = LoadedUnit::load(&request.subject, &request.observe)?;
    let functions = loaded.unit.functions();
    if request.subject.unit.function.is_none() && functions.len() > 1 {
        return generate_each(request, &loaded, stop, observer).map(Generation::Each);
    }
    let generated = unit::generate(&loaded, request, stop, observer)?;
    Ok(Generation::One(Box::new(generated)))
}

/// Every function of a file, each by itself and with a store of its own. What is wrong with the request for each of them is an error.
fn generate_each(
    request: &GenerateRequest,
    file: &LoadedUnit,
    stop: &Stop,
    observer: &mut dyn GenerateObserver,
) -> Result<Vec<FunctionGeneration>, Error> {
    if request.tests.is_some() || request.output.is_some() || request.errors.is_some() {
        return Err(Error::Input {
            message: format!("{} defines several functions, and suites are of one", file.path),
            way_out: "name it with --function".to_owned(),
        });
    }
    let (mut all, mut errors) = (Vec::new(), Vec::new());
    for function in file.unit.functions() {
        if stop.is_due() {
            break;
        }
        let mut request = request.clone();
        request.subject.unit.function = Some(function.clone());
        if let Some(store) = &mut request.judging.store {
            crate::directory::ensure_directory(store)?;
            store.push(function);
        }
        let loaded = LoadedUnit::load(&request.subject, &request.observe);
        match loaded.and_then(|loaded| unit::generate(&loaded, &request, stop, observer)) {
            Ok(generated) => all.push(FunctionGeneration::Done(Box::new(generated))),
            Err(error) => {
                let (file, function, why) =
                    (file.path.clone(), function.clone(), error.to_string());
                all.push(FunctionGeneration::Lost(LostFunction { file, function, why }));
                errors.push(error);
            }
        }
    }
    let is_of_all = errors.len() == all.len();
    if is_of_all && errors.iter().all(|error| error.blame() == Blame::Input) {
        return errors.into_iter().next().map_or(Ok(all), Err);
    }
    Ok(all)
}

/// Passes on how a campaign stands, and records it for the store.
struct Recording<'a> {
    observer: &'a mut dyn GenerateObserver,
    recorder: Recorder,
    start: Instant,
}

impl<'a> Recording<'a> {
    fn new(name: &str, observer: &'a mut dyn GenerateObserver) -> Self {
        observer.begin(name);
        Self { observer, recorder: Recorder::new(), start: Instant::now() }
    }
}

impl Watcher for Recording<'_> {
    fn watch(&mut self, status: &Status) {
        self.recorder.note(status.phase.name(), status.covered, status.uncoverable);
        self.observer.watch(status);
    }
}

/// The tests that are there already.
#[derive(Default)]
struct GivenTests {
    /// Those that count.
    counted: Vec<TestCase>,
    /// Those that do not, because their expected outputs do not come out.
    failing: Vec<TestCase>,
    /// Which of all gave the outputs that they expect.
    expectations: Expectations,
}

impl GivenTests {
    fn new(tests: Vec<TestCase>, expectations: Expectations, failing: FailingTests) -> Self {
        let counts =
            |test: &TestCase| failing == FailingTests::Count || !expectations.is_failed(&test.name);
        let (counted, failing) = tests.into_iter().partition(counts);
        Self { counted, failing, expectations }
    }

    /// How many there are.
    fn len(&self) -> usize {
        self.counted.len() + self.failing.len()
    }
}

/// The error of a walk.
fn refuse_walk(error: WalkError<Error>) -> Error {
    match error {
        WalkError::Language(error) => error,
        other => Error::Internal(other.to_string()),
    }
}

/// The error that a file cannot be written, before long work is done for it.
fn expect_writable(path: &Path, signature: &obligato_store::Signature) -> Result<(), Error> {
    crate::suite_writer::expect_writable(path, signature)
}

fn reports(phases: &[PhaseReport], given: usize) -> impl Iterator<Item = PhaseReport> + use<'_> {
    phases.iter().copied().filter_map(move |report| match report.phase {
        Phase::Given if given == 0 => None,
        Phase::Given => Some(PhaseReport { tests: given, ..report }),
        _ => Some(report),
    })
}

/// What phases did, as it is stored.
pub fn stored_phases(phases: &[PhaseReport], given: usize) -> Vec<StoredPhase> {
    reports(phases, given).map(|report| stored_phase(&report)).collect()
}
