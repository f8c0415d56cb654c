//! The sizes of reductions, as JSON; described in the help of `obligato reduce`.

use serde::Serialize;

use super::{ReducedSuite, Size};
use crate::subject::SubjectKind;

#[derive(Serialize)]
struct Document<'a> {
    schema: u32,
    #[serde(flatten)]
    subject: SubjectDocument<'a>,
    suite: &'a str,
    criteria: Vec<CoverageDocument>,
    before: SizeDocument,
    reductions: Vec<ReductionDocument<'a>>,
    written: Option<&'static str>,
}

/// The program, in the words of its language.
#[derive(Serialize)]
#[serde(untagged)]
enum SubjectDocument<'a> {
    Model { model: &'a str, main: &'a str },
    Unit { unit: &'a str, function: &'a str },
}

#[derive(Serialize)]
struct CoverageDocument {
    criterion: String,
    obligations: usize,
    covered: usize,
}

#[derive(Serialize)]
struct SizeDocument {
    tests: usize,
    steps: usize,
}

#[derive(Serialize)]
struct ReductionDocument<'a> {
    algorithm: &'static str,
    #[serde(flatten)]
    size: SizeDocument,
    kept: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    sizes: Option<&'a [usize]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    at_least: Option<usize>,
}

impl ReducedSuite {
    /// The JSON document, with a line break at its end.
    pub fn to_json(&self) -> String {
        let criteria = self.coverage.iter().map(|one| CoverageDocument {
            criterion: one.criterion.to_string(),
            obligations: one.obligations,
            covered: one.covered,
        });
        let reductions = self.reductions.iter().map(|one| ReductionDocument {
            algorithm: one.algorithm.name(),
            size: one.size.into(),
            kept: &one.kept,
            sizes: one.sizes.as_deref(),
            at_least: one.at_least,
        });
        let (name, main) = (self.name.as_str(), self.main.as_str());
        let subject = match self.kind {
            SubjectKind::Unit => SubjectDocument::Unit { unit: name, function: main },
            SubjectKind::Model | SubjectKind::Decisions | SubjectKind::Outline => {
                SubjectDocument::Model { model: name, main }
            }
        };
        let document = Document {
            schema: 1,
            subject,
            suite: &self.suite,
            criteria: criteria.collect(),
            before: self.before.into(),
            reductions: reductions.collect(),
            written: self.written.as_ref().map(|written| written.algorithm.name()),
        };
        let json = serde_json::to_string_pretty(&document)
            .expect("invariant: the document has only string keys and finite values");
        json + "\n"
    }
}

impl From<Size> for SizeDocument {
    fn from(Size { tests, steps }: Size) -> Self {
        Self { tests, steps }
    }
}
