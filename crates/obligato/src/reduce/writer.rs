//! The smaller suite as a file.

use std::path::Path;

use obligato_model::{SuiteInterface, TestCase, TestId};
use obligato_store::Signature;

use crate::error::Error;
use crate::subject::SubjectTests;
use crate::suite_writer::write_suite;

/// Writes these tests of the suite, which are in order, with what they expect. Outputs of which no test of the
/// whole suite expects anything have no column.
pub fn write(path: &Path, suite: &impl SubjectTests, kept: &[TestId]) -> Result<(), Error> {
    let is_expected = expected(suite)?;
    let signature = suite.signature();
    let (inputs, outputs) = (signature.inputs(), signature.outputs());
    let columns = outputs.iter().zip(&is_expected).filter(|(_, is)| **is);
    let written = Signature::new(&SuiteInterface {
        inputs: inputs.to_vec(),
        outputs: columns.map(|(output, _)| output.clone()).collect(),
    });
    let stays: Vec<bool> = inputs.iter().map(|_| true).chain(is_expected).collect();
    let tests = suite.with_expected()?.enumerate();
    let tests = tests.filter(|(index, _)| kept.binary_search(&TestId::new(*index)).is_ok());
    write_suite(path, &written, tests.map(|(_, test)| Ok(with_columns(test?, &stays))))
}

/// Per output, whether some test expects something of it.
fn expected(suite: &impl SubjectTests) -> Result<Vec<bool>, Error> {
    let signature = suite.signature();
    let mut is_expected = vec![false; signature.outputs().len()];
    for test in suite.with_expected()? {
        let (_, expected) = signature.split(test?);
        for step in &expected {
            for (is_expected, value) in is_expected.iter_mut().zip(step) {
                *is_expected |= value.is_some();
            }
        }
    }
    Ok(is_expected)
}

/// The test with only the columns that stay.
fn with_columns(mut test: TestCase, stays: &[bool]) -> TestCase {
    if stays.iter().all(|stays| *stays) {
        return test;
    }
    for step in &mut test.steps {
        let mut column = stays.iter();
        step.retain(|_| column.next() == Some(&true));
    }
    test
}
