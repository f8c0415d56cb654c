//! What a suite for a program may say: values for its inputs, and what it expects of its outputs.

use obligato_model::{Step, SuiteInterface, TestCase, Variable};

/// The inputs of a program and then its outputs: a column for each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    variables: Vec<Variable>,
    inputs: usize,
}

impl Signature {
    /// The signature of a program with this interface.
    pub fn new(interface: &SuiteInterface) -> Self {
        let SuiteInterface { inputs, outputs } = interface;
        Self { variables: [inputs.as_slice(), outputs].concat(), inputs: inputs.len() }
    }

    /// The inputs and then the outputs.
    pub fn variables(&self) -> &[Variable] {
        &self.variables
    }

    /// The inputs.
    pub fn inputs(&self) -> &[Variable] {
        &self.variables[..self.inputs]
    }

    /// The outputs.
    pub fn outputs(&self) -> &[Variable] {
        &self.variables[self.inputs..]
    }

    /// A test that was read for this signature as a test of the inputs, and what it expects
    /// of the outputs in each step; nothing at all if it has no expectation.
    pub fn split(&self, mut test: TestCase) -> (TestCase, Vec<Step>) {
        let cut = |step: &mut Step| step.split_off(self.inputs.min(step.len()));
        let mut expected: Vec<Step> = test.steps.iter_mut().map(cut).collect();
        if expected.iter().all(|step| step.iter().all(Option::is_none)) {
            expected.clear();
        }
        (test, expected)
    }
}
