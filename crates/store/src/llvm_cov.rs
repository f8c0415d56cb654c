//! Coverage that clang measured: the JSON of `llvm-cov export` and the text of `llvm-cov show`.
//!
//! Both say for positions of source files how often what stands there was executed, came out true, or came out false. Of decisions with
//! several conditions they list the executed test vectors: the text since LLVM 18, the JSON since LLVM 22 (format
//! version 3.1). Only what was seen at all is kept; how often does not matter to any criterion.

use std::path::Path;

use obligato_model::Position;

use crate::error::StoreError;
use crate::file;
use crate::source::Source;

mod json;
mod text;

/// What clang measured of one source file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClangFile {
    /// Its name; none in a text that shows a single file.
    pub name: Option<String>,
    /// Conditions and labels of `switch` that are written here and not in a macro.
    pub branches: Vec<ClangBranch>,
    /// Decisions with several conditions.
    pub decisions: Vec<ClangDecision>,
    /// Where executed and other code begins, in order; a text does not have it.
    pub segments: Option<Vec<ClangSegment>>,
}

/// A condition or a label.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClangBranch {
    /// Where it starts.
    pub at: Position,
    /// Was it ever true, or gone to?
    pub taken: bool,
    /// Was it ever false, or passed by?
    pub passed: bool,
    /// The compiler knows its value, so nothing was counted.
    pub folded: bool,
}

/// A decision with several conditions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClangDecision {
    /// Where it starts.
    pub at: Position,
    /// Where its conditions start, in the order of the vectors. Empty if that is not known.
    pub conditions: Vec<Position>,
    /// The executed vectors; none if the export does not have them.
    pub vectors: Option<Vec<Vec<Option<bool>>>>,
}

/// The start of a stretch of code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClangSegment {
    /// Where it starts.
    pub at: Position,
    /// Was it executed? None where clang does not count.
    pub executed: Option<bool>,
}

/// Loads what clang measured.
pub fn load(path: &Path) -> Result<Vec<ClangFile>, StoreError> {
    parse(&file::read(path)?).map_err(|error| error.in_file(path))
}

/// Reads what clang measured: JSON if it starts with a brace, else text.
pub fn parse(bytes: &[u8]) -> Result<Vec<ClangFile>, StoreError> {
    let source = Source::of(bytes)?;
    if source.0.trim_start().starts_with('{') { json::read(source) } else { text::read(source) }
}

#[cfg(test)]
mod tests;
