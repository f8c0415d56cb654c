//! The smaller suite as a file.

use std::path::Path;

use obligato_model::{Interface, TestCase, TestId};
use obligato_store::Signature;

use super::measuring::ModelSuite;
use crate::error::CliError;
use obligato::suite_writer::write_suite;

/// Writes these tests of the suite, with what they expect.
pub fn write(path: &Path, suite: &ModelSuite, kept: &[TestId]) -> Result<(), CliError> {
    let signature = Signature::new(&Interface {
        inputs: suite.signature().inputs().to_vec(),
        outputs: suite.expected.clone(),
    });
    let tests = suite.tests(Some(kept))?;
    Ok(write_suite(path, &signature, tests.map(|test| Ok(without_unexpected(test?, suite))))?)
}

/// The test without columns for outputs of which no test expects anything.
fn without_unexpected(mut test: TestCase, suite: &ModelSuite) -> TestCase {
    let inputs = suite.signature().inputs().len();
    let stays: Vec<bool> = (suite.signature().inputs().iter().map(|_| true))
        .chain(suite.signature().outputs().iter().map(|output| suite.expected.contains(output)))
        .collect();
    if stays[inputs..].iter().all(|stays| *stays) {
        return test;
    }
    for step in &mut test.steps {
        let mut column = stays.iter();
        step.retain(|_| column.next() == Some(&true));
    }
    test
}
