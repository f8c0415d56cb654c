//! Decisions of C functions.

use obligato_c_unit::Effect;
use obligato_criteria::Vectors;
use obligato_model::{Criterion, Observability};

use super::{ExplainFindings, ExplainRequest, Explained, explain_each, explain_untested, failing};
use crate::campaign::{Stop, unless_stopped};
use crate::error::Error;
use crate::lost::unit::Tracer;
use crate::measure::MeasuredFormat;
use crate::model::suite_format;
use crate::unit::{Endings, LoadedUnit, refuse_run};

/// Whose effects are followed: those that a run with the condition turned shows.
const SEMANTICS: Observability = Observability::Exact;

/// Finds, measures, explains.
pub fn explain(request: &ExplainRequest, stop: &Stop) -> Result<Explained, Error> {
    let loaded = LoadedUnit::load(&request.subject, &request.observe)?;
    let program = loaded.unit.program();
    let decisions = request.place.find(&loaded.path, program, request.instance.as_deref())?;
    let mut found = ExplainFindings::Nothing;
    let mut remarks = loaded.remarks();
    let explanations = match (&request.tests, request.format) {
        (None, _) => explain_untested(program, &decisions, SEMANTICS)?,
        (Some(tests), Some(MeasuredFormat::LlvmCov)) => {
            let measured = loaded.measured_elsewhere(tests, Vectors::Keep)?;
            explain_each(program, &decisions, &measured.evidence)?
        }
        (Some(tests), format) => {
            let format = format.map(suite_format).transpose()?;
            let interface = loaded.interface_for(&request.subject, tests)?;
            let read = loaded.read_suite(tests, format, &interface)?;
            let suite = &read.suite;
            let criteria = [Criterion::Omcdc(SEMANTICS)];
            let options = loaded.options(true);
            let (unit, is_due) = (&loaded.unit, || stop.is_due());
            let shown = unit.measure_unless(&is_due, &interface, suite, &criteria, options);
            let shown = shown.map_err(refuse_run)?;
            let mut explanations = explain_each(program, &decisions, &shown.evidence)?;
            let tracer = Tracer { loaded: &loaded, interface: &interface, suite };
            for explanation in &mut explanations {
                explanation.follow(|condition, value, test| {
                    unless_stopped(stop)?;
                    tracer.trace_one(SEMANTICS, Effect { test, condition, value })
                })?;
            }
            let expectations = loaded.expectations(&interface, &read, suite, &shown.runs);
            let names: Vec<String> = suite.tests.iter().map(|test| test.name.clone()).collect();
            remarks.extend(failing(&expectations, &names));
            found = ExplainFindings::Unit(Endings::new(&loaded, suite, &shown.runs));
            explanations
        }
    };
    Ok(Explained { path: loaded.path, explanations, remarks, found })
}
