//! Timelines: `obligato-timeline` documents, how far making tests had come after which time.
//!
//! Time differs from run to run, so it is kept apart from whatever is the same: a result and its details do not know it.

use std::path::Path;

use crate::document;
use crate::error::StoreError;
use crate::file;
use crate::json::Json;
use crate::json::print::{Fields, lines, quote};
use crate::source::Source;

/// What a timeline document calls itself.
pub const FORMAT: &str = "obligato-timeline";

/// How the obligations of one result were settled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timeline {
    /// What wrote it: `obligato 0.1.0`.
    pub tool: String,
    /// The [`digest`](crate::details::digest) of the result that it belongs to.
    pub result: String,
    /// In the order of time.
    pub samples: Vec<Sample>,
}

/// How far it was at one time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sample {
    /// Milliseconds since it began.
    pub elapsed: u64,
    /// What was being done.
    pub phase: String,
    /// Obligations that tests cover by then.
    pub covered: usize,
    /// Obligations that are proved to be uncoverable by then.
    pub uncoverable: usize,
}

/// Reads a timeline document.
pub fn parse(bytes: &[u8]) -> Result<Timeline, StoreError> {
    let known = &["format", "version", "tool", "result", "samples"];
    let root = document::open(Source::of(bytes)?, FORMAT, known)?;
    let samples = root.need("samples")?;
    let timeline = Timeline {
        tool: root.need("tool")?.owned_string()?,
        result: root.need("result")?.owned_string()?,
        samples: samples.items()?.into_iter().map(read_sample).collect::<Result<_, _>>()?,
    };
    check(&timeline).map_err(|reason| samples.invalid(reason))?;
    Ok(timeline)
}

/// Loads a timeline document.
pub fn load(path: &Path) -> Result<Timeline, StoreError> {
    parse(&file::read(path)?).map_err(|error| error.in_file(path))
}

/// Prints a timeline document. Refuses what [`parse`] would refuse.
pub fn print(timeline: &Timeline) -> Result<String, StoreError> {
    check(timeline).map_err(StoreError::unwritable)?;
    Ok(document::start(FORMAT)
        .with_line(2, "tool", quote(&timeline.tool))
        .with_line(2, "result", quote(&timeline.result))
        .with_line(2, "samples", lines(2, timeline.samples.iter().map(print_sample)))
        .close_line())
}

fn read_sample(json: Json<'_>) -> Result<Sample, StoreError> {
    let object = json.object(&["elapsed", "phase", "covered", "uncoverable"])?;
    Ok(Sample {
        elapsed: object.need("elapsed")?.whole()?,
        phase: object.need("phase")?.owned_string()?,
        covered: object.need("covered")?.whole()?,
        uncoverable: object.need("uncoverable")?.whole()?,
    })
}

fn print_sample(sample: &Sample) -> String {
    let Sample { elapsed, phase, covered, uncoverable } = sample;
    Fields::new()
        .with("elapsed", elapsed)
        .with_text("phase", phase)
        .with("covered", covered)
        .with("uncoverable", uncoverable)
        .close()
}

/// Time does not go back.
fn check(timeline: &Timeline) -> Result<(), String> {
    let mut pairs = timeline.samples.windows(2).enumerate();
    match pairs.find(|(_, pair)| pair[1].elapsed < pair[0].elapsed) {
        Some((at, _)) => Err(format!("sample {} is earlier than the one before it", at + 1)),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests;
