//! How the tests of a result went: whether each gave the outputs that it expects, and the runtime error that ended it.
//!
//! Stores of earlier versions have no outcomes, and neither have results of tests that ran elsewhere: nothing is known of their tests then.

use crate::error::StoreError;
use crate::json::print::{Fields, lines, row};
use crate::json::{Json, Object};

/// The fields of outcomes.
const FIELDS: [&str; 3] = ["passed", "failed", "errors"];

/// How a test went.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TestOutcome {
    /// Whether it gave the outputs that it expects.
    pub expectation: Expectation,
    /// The runtime error that ended it, in words that point into the source.
    pub error: Option<String>,
}

/// Whether a test gave the outputs that it expects.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Expectation {
    /// It expects none.
    #[default]
    Unchecked,
    /// It did.
    Passed,
    /// It did not.
    Failed,
}

/// The outcomes of all tests, by their positions.
pub(super) fn print(outcomes: &[TestOutcome]) -> String {
    let of = |wanted: Expectation| {
        let numbered = outcomes.iter().enumerate();
        row(numbered.filter(|(_, one)| one.expectation == wanted).map(|(at, _)| at))
    };
    let numbered = outcomes.iter().enumerate();
    let errors = numbered.filter_map(|(at, one)| {
        let error = one.error.as_ref()?;
        Some(Fields::new().with("test", at).with_text("text", error).close())
    });
    let errors: Vec<String> = errors.collect();
    let fields = Fields::new()
        .with("passed", of(Expectation::Passed))
        .with("failed", of(Expectation::Failed));
    if errors.is_empty() {
        return fields.close();
    }
    fields.with_line(5, "errors", lines(5, errors)).close()
}

/// Reads the outcomes of so many tests.
pub(super) fn read(json: Json<'_>, tests: usize) -> Result<Vec<TestOutcome>, StoreError> {
    let object = json.object(&FIELDS)?;
    let mut outcomes = vec![TestOutcome::default(); tests];
    for (name, expectation) in [("passed", Expectation::Passed), ("failed", Expectation::Failed)] {
        for item in object.need(name)?.items()? {
            let outcome = &mut outcomes[position(item, tests)?];
            if outcome.expectation != Expectation::Unchecked {
                return Err(item.invalid("this test is listed twice"));
            }
            outcome.expectation = expectation;
        }
    }
    for item in object.list("errors")? {
        let error: Object<'_> = item.object(&["test", "text"])?;
        let at = position(error.need("test")?, tests)?;
        let text = error.need("text")?.owned_string()?;
        if outcomes[at].error.replace(text).is_some() {
            return Err(item.invalid("this test ends twice"));
        }
    }
    Ok(outcomes)
}

fn position(json: Json<'_>, tests: usize) -> Result<usize, StoreError> {
    let at = json.whole::<u32>()? as usize;
    if at < tests {
        return Ok(at);
    }
    Err(json.invalid(format!("there is no test {at}; {tests} tests are listed, counted from 0")))
}
