//! Tests with what the model did in them: suites that expect what was found.

use std::collections::HashSet;
use std::path::Path;

use obligato_engines_lustre::MadeTest;
use obligato_engines_lustre::undefined::{self, UndefinedValue};
use obligato_lustre::lowering::Lowered;
use obligato_lustre_replay::{Failure, LANES, Runner, Trace, TracedNode, default_value};
use obligato_model::{TestCase, Value};
use obligato_store::file::Draft;
use obligato_store::{Signature, can_hold};
use obligato_transition_system::{LaneProgram, lanes};

use crate::error::Error;
use crate::measuring::ModelSuite;
use crate::model::LoadedModel;
use crate::storage;
use crate::suite_writer::write_suite;

/// A test as it ran.
pub struct Record {
    /// Each step with inputs and shown values, as far as files can hold them: a suite that
    /// expects what was found.
    pub test: TestCase,
    /// What was shown, whatever its type.
    pub trace: Trace,
    /// How many values the test left open.
    pub open: usize,
    /// How many values that were shown are not among its steps.
    pub left_out: usize,
    /// Outputs that are nowhere in this test, by position: tables do not show them.
    pub absent: HashSet<usize>,
}

impl Record {
    /// A test of a model and the trace of what the outputs of the signature were in it. Open inputs have the value that a run
    /// takes for them.
    pub fn new(mut test: TestCase, trace: Trace, signature: &Signature) -> Self {
        let mut open = 0;
        for step in &mut test.steps {
            for (value, input) in step.iter_mut().zip(signature.inputs()) {
                open += usize::from(value.is_none());
                value.get_or_insert_with(|| default_value(&input.kind));
            }
        }
        Self { open, ..Self::of_completed(test, trace, signature) }
    }

    /// A test whose open inputs have the values that they had, as far as a test can set them, and the trace of what the outputs of the
    /// signature were in it.
    pub fn of_completed(mut test: TestCase, trace: Trace, signature: &Signature) -> Self {
        let (inputs, outputs) = (signature.inputs(), signature.outputs());
        let (mut open, mut left_out) = (0, 0);
        for (index, step) in test.steps.iter_mut().enumerate() {
            open += step.iter().filter(|value| value.is_none()).count();
            let found = trace.steps.get(index).map_or(&[][..], Vec::as_slice).iter();
            for (value, output) in found.zip(outputs) {
                let holds = can_hold(&output.kind, value);
                left_out += usize::from(!holds);
                step.push(holds.then(|| value.clone()));
            }
            step.resize(inputs.len() + outputs.len(), None);
        }
        Self { test, trace, open, left_out, absent: HashSet::new() }
    }
}

/// Writes tests that were made for a model, with its outputs.
pub fn write_made(path: &Path, lowered: &Lowered, made: &[MadeTest]) -> Result<(), Error> {
    let signature = Signature::new(&lowered.interface);
    let tests: Vec<TestCase> = made.iter().map(|made| made.test.clone()).collect();
    let records = record_outputs(lowered, &signature, &tests)?;
    write_suite(path, &signature, records.into_iter().map(|record| Ok(record.test)))
}

/// A suite on its way into the store, with what the model gave for its outputs if it is short enough to be read.
/// What a test leaves open stays open.
pub fn keep_suite(path: &Path, loaded: &LoadedModel, suite: &ModelSuite) -> Result<Draft, Error> {
    if suite.len() > storage::MOST_DETAILED {
        let tests = suite.tests()?.map(|test| Ok(test?));
        return storage::write_tests(path, suite.inputs(), tests);
    }
    let signature = Signature::new(&loaded.lowered.interface);
    let tests: Vec<TestCase> = suite.tests()?.collect::<Result<_, _>>()?;
    let records = record_outputs(&loaded.lowered, &signature, &tests)?;
    let inputs = signature.inputs().len();
    let recorded = tests.into_iter().zip(records).map(|(mut test, record)| {
        for (step, recorded) in test.steps.iter_mut().zip(record.test.steps) {
            step.truncate(inputs);
            step.extend(recorded.into_iter().skip(inputs));
        }
        Ok(test)
    });
    storage::write_recorded(path, &signature, recorded)
}

/// Runs tests of a model and records its outputs.
pub fn record_outputs(
    lowered: &Lowered,
    signature: &Signature,
    tests: &[TestCase],
) -> Result<Vec<Record>, Error> {
    let outputs = lowered.interface.outputs.iter().zip(&lowered.system.outputs);
    let shown: Vec<TracedNode> = outputs
        .map(|(variable, output)| TracedNode { node: output.node, kind: variable.kind.clone() })
        .collect();
    let observe = shown.iter().map(|shown| shown.node).collect();
    let options = lanes::LaneOptions { observe, ..lanes::LaneOptions::default() };
    let program = LaneProgram::new(&lowered.system, &options)?;
    let mut runner = Runner::new(&program, &shown);
    let mut records = Vec::with_capacity(tests.len());
    for batch in tests.chunks(LANES) {
        let traces = runner.run(batch)?;
        let recorded = batch.iter().cloned().zip(traces);
        records.extend(recorded.map(|(test, trace)| Record::new(test, trace, signature)));
    }
    Ok(records)
}

/// Runs a test of a model with these values for what nothing defines, and records its outputs.
pub fn record_undefined(
    lowered: &Lowered,
    signature: &Signature,
    test: TestCase,
    values: &[UndefinedValue],
) -> Result<Record, Error> {
    let mut evaluator = undefined::start(lowered, values)?;
    let mut trace = Trace { steps: Vec::new(), failures: Vec::new(), exhausted: None };
    let checks = &lowered.system.checks;
    for (step, given) in test.steps.iter().enumerate() {
        let inputs = given.iter().zip(&lowered.system.inputs);
        let inputs = inputs
            .map(|(value, input)| value.clone().unwrap_or_else(|| default_value(&input.kind)));
        evaluator.step(&inputs.collect::<Vec<_>>())?;
        let outputs = (0..lowered.system.outputs.len()).map(|output| evaluator.output(output));
        trace.steps.push(outputs.flatten().collect());
        for (check, stated) in checks.iter().enumerate() {
            let fails = evaluator.value(stated.node) == Some(&Value::Bool(false));
            if fails && !trace.failures.iter().any(|failure| failure.check == check) {
                trace.failures.push(Failure { step, check });
            }
        }
    }
    Ok(Record::new(test, trace, signature))
}
