//! Tests of C functions that ended before their last step did: why, at which line, called from where.

use std::path::PathBuf;

use obligato_c_unit::{Ending, Finding, TestRun};
use obligato_model::{Position, Suite};
use obligato_store::Place;

use super::LoadedUnit;
use crate::snippet::snippet_at;
use crate::text::printable;

/// So many callers are listed.
const MOST_LISTED: usize = 16;

impl LoadedUnit {
    /// How a test ended, in words that point into the source.
    pub fn describe(&self, ending: &Ending) -> String {
        match ending {
            Ending::Exit(status) => format!("exit({status})"),
            Ending::Finding(finding) => match self.unit.place_of(finding) {
                Some((file, at)) => format!("{file}:{at}: {}", finding.kind),
                None => finding.kind.to_string(),
            },
        }
    }

    /// The line at which a run ended, with a caret, and who called whom.
    fn picture(&self, finding: &Finding) -> String {
        let mut text = self.unit.place_of(finding).map_or_else(String::new, |(file, at)| {
            let Position { line, column } = at;
            let (line, column) = (Some(line as usize), Some(column as usize));
            snippet_at(&Place { path: Some(PathBuf::from(file)), line, column })
        });
        let stack = self.unit.stack_of(finding);
        for (depth, (function, place)) in stack.iter().take(MOST_LISTED).enumerate() {
            let word = if depth == 0 { "in" } else { "called by" };
            let place =
                place.as_ref().map_or_else(String::new, |(file, at)| format!(" at {file}:{at}"));
            let line = printable(&format!("{function}{place}"));
            text.extend(["  ", word, " ", &line, "\n"]);
        }
        if stack.len() > MOST_LISTED {
            let more = (stack.len() - MOST_LISTED).to_string();
            text.extend(["  … and ", &more, " more calls\n"]);
        }
        text
    }
}

/// The tests that ended before their last step did.
#[derive(Debug, Clone, Default)]
pub struct Endings(pub Vec<Ended>);

/// A test that ended early.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ended {
    /// Which, when and why.
    pub line: String,
    /// The source line with a caret, and the stack of calls; the same for all tests that end there.
    pub picture: String,
}

impl Endings {
    /// In the order of the suite.
    pub fn new(loaded: &LoadedUnit, suite: &Suite, runs: &[TestRun]) -> Self {
        let pairs = suite.tests.iter().zip(runs);
        let ended = pairs.filter_map(|(test, run)| {
            let ending = run.ending.as_ref()?;
            let (name, step) = (&test.name, run.steps.len());
            let line = format!("{name}, step {step}: {}", loaded.describe(ending));
            let picture = match ending {
                Ending::Exit(_) => String::new(),
                Ending::Finding(finding) => loaded.picture(finding),
            };
            Some(Ended { line, picture })
        });
        Self(ended.collect())
    }
}
