//! One decision of a program: its truth table with the tests of each row, the pairs of its conditions, and where their
//! effects got lost.
//!
//! [`explain`] is the walk: [`place`] finds the decisions, the suite is measured if there is one, [`explanation`] puts
//! together what is known, [`lost`](crate::lost) follows effects. [`unit`] does the same for C, [`document`] says it as JSON.

use std::path::PathBuf;

use obligato_criteria::{Evidence, Vectors};
use obligato_lustre_replay::{Measurement, Meter, Watch};
use obligato_model::{DecisionId, Observability, Program, Watched};

use crate::campaign::{Stop, or_stopped, unless_stopped};
use crate::error::Error;
use crate::expectations::{Expectations, FailedTest};
use crate::failures::FailedCheck;
use crate::language::Command;
use crate::lost::model::{Tracer, pick};
use crate::measure::MeasuredFormat;
use crate::measuring::{Exhausted, ModelSuite, measure_suite};
use crate::model::{LoadedModel, suite_format};
use crate::observed::ObservedVariables;
use crate::progress::OnProgress;
use crate::subject::{FileLanguage, SubjectOptions};
use crate::unit::Endings;

mod document;
mod explanation;
mod place;
mod unit;

pub use explanation::{ConditionExplained, Explanation, Half, Row, Shown};
pub use place::DecisionPlace;

use explanation::Verdicts;

/// Whose effects are followed in models.
const SEMANTICS: Observability = Observability::Strict;

/// Which decision to explain, and by which tests.
#[derive(Debug, Clone)]
pub struct ExplainRequest {
    /// The program.
    pub subject: SubjectOptions,
    /// Where the decision stands.
    pub place: DecisionPlace,
    /// The call that the decision is part of, such as `main/f#2`; all calls if none is named.
    pub instance: Option<String>,
    /// The suite to look for in the tables.
    pub tests: Option<PathBuf>,
    /// What that file is; its name and content say so where nothing is said.
    pub format: Option<MeasuredFormat>,
    /// The variables that are observed; the outputs if there are none.
    pub observe: Vec<String>,
}

/// Decisions, explained.
pub struct Explained {
    /// The program's file, as it was given.
    pub path: String,
    /// By place, then by instance.
    pub explanations: Vec<Explanation>,
    /// What is to be known of the program.
    pub remarks: Vec<String>,
    /// What else the tests did.
    pub found: ExplainFindings,
}

/// What tests did besides taking part in explanations.
pub enum ExplainFindings {
    /// There are none, or they ran elsewhere.
    Nothing,
    /// Tests of a model.
    Model {
        /// The checks that they failed.
        failures: Vec<FailedCheck>,
        /// Those that were given up.
        exhausted: Vec<Exhausted>,
    },
    /// Tests of a C function: those that ended early.
    Unit(Endings),
}

impl Explained {
    /// The explanations as JSON: an `obligato-explanation` document, described in `docs/formats.md`.
    pub fn document(&self) -> Result<String, Error> {
        document::print(&self.path, &self.explanations)
    }
}

/// Finds the decisions at a place, measures the suite if there is one, and explains them.
///
/// ```
/// use obligato::explain::{ExplainRequest, DecisionPlace, explain};
/// use obligato::{Stop, progress, subject::SubjectOptions};
///
/// let directory = tempfile::tempdir()?;
/// let file = directory.path().join("both.lus");
/// std::fs::write(&file, "node both(a, b: bool) returns (c: bool);\nlet c = a and b; tel")?;
/// let request = ExplainRequest {
///     subject: SubjectOptions::new(file),
///     place: DecisionPlace { line: 2, column: None },
///     instance: None,
///     tests: None,
///     format: None,
///     observe: Vec::new(),
/// };
/// let explained = explain(&request, &Stop::never(), &mut progress::ignore)?;
/// let decision = &explained.explanations[0];
/// assert_eq!(decision.conditions.len(), 2);
/// assert!(decision.rows.iter().all(|row| row.tests.is_empty()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn explain(
    request: &ExplainRequest,
    stop: &Stop,
    on_progress: OnProgress<'_>,
) -> Result<Explained, Error> {
    unless_stopped(stop)?;
    let explained = match request.subject.expect_language(Command::Explain)? {
        FileLanguage::C => unit::explain(request, stop),
        _ => explain_model(request, stop, on_progress),
    };
    or_stopped(explained, stop)
}

fn explain_model(
    request: &ExplainRequest,
    stop: &Stop,
    on_progress: OnProgress<'_>,
) -> Result<Explained, Error> {
    let loaded = LoadedModel::load(&request.subject)?;
    let program = &loaded.lowered.program;
    let decisions = request.place.find(&loaded.path, program, request.instance.as_deref())?;
    let mut remarks = Vec::new();
    let (explanations, found) = match &request.tests {
        None => (explain_untested(program, &decisions, SEMANTICS)?, ExplainFindings::Nothing),
        Some(tests) => {
            let observed = ObservedVariables::new(&loaded, &request.observe)?;
            let signature = observed.signature(&loaded.lowered.interface);
            let format = request.format.map(suite_format).transpose()?;
            let suite = ModelSuite::read(tests, format, signature)?;
            let expectations = loaded.expectations(&observed, &suite)?;
            let names = suite.tests()?.map(|test| test.map(|test| test.name));
            remarks = failing(&expectations, &names.collect::<Result<Vec<_>, _>>()?);
            explain_with(&loaded, &suite, &observed, &decisions, stop, on_progress)?
        }
    };
    let LoadedModel { path, remarks: mut all, .. } = loaded;
    all.extend(remarks);
    Ok(Explained { path, explanations, remarks: all, found })
}

/// Says of tests that fail that they cover nothing, though tables show what they execute.
fn failing(expectations: &Expectations, tests: &[String]) -> Vec<String> {
    let failed = expectations.failed(tests).into_iter();
    let remark = |FailedTest { name, differences }: FailedTest| {
        let first = differences.first().map_or_else(String::new, ToString::to_string);
        format!("note: {name} fails, {first}; 'measure' counts nothing of it")
    };
    failed.map(remark).collect()
}

/// Without a suite: no test does anything.
fn explain_untested(
    program: &Program,
    decisions: &[DecisionId],
    semantics: Observability,
) -> Result<Vec<Explanation>, Error> {
    let watched = Watched { effects: vec![semantics], kills: Vec::new() };
    explain_each(program, decisions, &Evidence::new(program, watched, Vectors::Keep))
}

fn explain_each(
    program: &Program,
    decisions: &[DecisionId],
    evidence: &Evidence,
) -> Result<Vec<Explanation>, Error> {
    let verdicts = Verdicts::new(program, decisions, evidence)?;
    Ok(decisions.iter().map(|id| Explanation::new(program, *id, &verdicts)).collect())
}

fn explain_with(
    loaded: &LoadedModel,
    suite: &ModelSuite,
    observed: &ObservedVariables,
    decisions: &[DecisionId],
    stop: &Stop,
    on_progress: OnProgress<'_>,
) -> Result<(Vec<Explanation>, ExplainFindings), Error> {
    let lowered = &loaded.lowered;
    let watch = Watch {
        effects: vec![SEMANTICS],
        observed: observed.nodes().to_vec(),
        boundaries: false,
        vectors: Vectors::Keep,
    };
    let measurement = Measurement::new(lowered, watch)?;
    let compiled = measurement.compile()?;
    let meter = Meter::new(&measurement, &compiled);
    let measured = measure_suite(loaded, suite, meter, stop, on_progress)?;
    let mut explanations = explain_each(&lowered.program, decisions, &measured.evidence)?;
    let wanted = explanations.iter().flat_map(Explanation::tests_to_follow);
    let tests = pick(suite, wanted.collect())?;
    let tracer = Tracer {
        loaded,
        measurement: &measurement,
        compiled: &compiled,
        semantics: SEMANTICS,
        tests: &tests,
    };
    for explanation in &mut explanations {
        explanation.follow(|condition, value, test| {
            unless_stopped(stop)?;
            tracer.trace(condition, value, test)
        })?;
    }
    let failures = measured.failures.describe(measured.evidence.tests().len());
    Ok((explanations, ExplainFindings::Model { failures, exhausted: measured.exhausted }))
}
