//! What a suite expects of the outputs of a model, held against what they were.

use obligato_lustre_replay::{LANES, Runner, Trace};
use obligato_model::{Step, TestCase};
use obligato_store::StoreError;
use obligato_store::run::Difference;
use obligato_transition_system::{CheckKind, LaneProgram, lanes};

use super::LoadedModel;
use crate::error::Error;
use crate::expectations::{Expectations, differing};
use crate::measuring::ModelSuite;
use crate::observed::ObservedVariables;

impl LoadedModel {
    /// Which tests of a suite, which was read for what is observed, gave the outputs that they expect. Tests that expect nothing do not
    /// run.
    pub fn expectations(
        &self,
        observed: &ObservedVariables,
        suite: &ModelSuite,
    ) -> Result<Expectations, Error> {
        let mut expectations = Expectations::default();
        let signature = suite.signature();
        let shown = observed.traced(&self.lowered);
        let nodes = shown.iter().map(|shown| shown.node).collect();
        let options = lanes::LaneOptions { observe: nodes, ..lanes::LaneOptions::default() };
        let program = LaneProgram::new(&self.lowered.system, &options)?;
        let mut runner = Runner::new(&program, &shown);
        let tests = suite.tests_with_expected()?.map(|test| test.map(|test| signature.split(test)));
        let mut tests = tests.filter(|test| match test {
            Ok((_, expected)) => !expected.is_empty(),
            Err(_) => true,
        });
        loop {
            let batch = tests.by_ref().take(LANES).collect::<Result<Vec<_>, StoreError>>()?;
            if batch.is_empty() {
                return Ok(expectations);
            }
            let (inputs, expected): (Vec<TestCase>, Vec<Vec<Step>>) = batch.into_iter().unzip();
            let traces = runner.run(&inputs)?;
            for ((test, expected), trace) in inputs.iter().zip(&expected).zip(traces) {
                let differences = self.differing(expected, &trace);
                expectations.add(&test.name, signature.outputs(), &differences);
            }
        }
    }

    /// Where a trace is not as its test expects. From a violated assertion on nothing is expected.
    pub fn differing(&self, expected: &[Step], trace: &Trace) -> Vec<Difference> {
        let checks = &self.lowered.system.checks;
        let mut failures = trace.failures.iter();
        let outside = failures.find(|one| checks[one.check].kind == CheckKind::Assertion);
        let end = outside.map_or(expected.len(), |outside| outside.step.min(expected.len()));
        differing(&expected[..end], &trace.steps, Some)
    }
}
