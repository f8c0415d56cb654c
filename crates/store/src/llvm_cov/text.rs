//! The text of `llvm-cov show --show-mcdc --show-branches=count`.
//!
//! Behind a line of source, between rules, stand its branches and its decisions, each line behind one bar. What stands behind more bars
//! belongs to a macro and is passed over.

use obligato_model::Position;

use super::{ClangBranch, ClangDecision, ClangFile};
use crate::error::{Place, StoreError, quoted};
use crate::source::Source;

const BRANCH: &str = "  |  Branch (";
const DECISION: &str = "  |---> MC/DC Decision Region (";
const CONDITION: &str = "  |     Condition C";
/// A line of source, with its number and count, or of a title.
const BAR: char = '|';

/// Reads a text.
pub fn read(source: Source<'_>) -> Result<Vec<ClangFile>, StoreError> {
    let mut files = vec![ClangFile::default()];
    let mut is_coverage = false;
    for (index, line) in source.0.lines().enumerate() {
        let wrong = |reason: &str| StoreError::Syntax {
            place: Place { path: None, line: Some(index + 1), column: Some(1) },
            reason: format!("{reason}, found {}", quoted(line.trim())),
        };
        if let Some(name) = title(line) {
            files.push(ClangFile { name: Some(name.to_owned()), ..ClangFile::default() });
            continue;
        }
        is_coverage |= is_source(line);
        let Some(file) = files.last_mut() else { continue };
        if let Some(rest) = line.strip_prefix(BRANCH) {
            let branch = read_branch(rest);
            file.branches.push(branch.ok_or_else(|| wrong("expected the counts of a branch"))?);
        } else if let Some(rest) = line.strip_prefix(DECISION) {
            let at =
                read_position(rest).ok_or_else(|| wrong("expected the place of a decision"))?;
            let vectors = Some(Vec::new());
            file.decisions.push(ClangDecision { at, conditions: Vec::new(), vectors });
        } else if let Some(decision) = file.decisions.last_mut() {
            if line.starts_with(CONDITION) {
                let at = line.split_once("--> (").and_then(|(_, rest)| read_position(rest));
                let at = at.ok_or_else(|| wrong("expected the place of a condition"))?;
                decision.conditions.push(at);
            } else if let Some(row) = vector_of(line) {
                let vector = read_vector(row).filter(|one| one.len() == decision.conditions.len());
                let vector = vector.ok_or_else(|| wrong("expected a value for each condition"))?;
                decision.vectors.get_or_insert_default().push(vector);
            }
        }
    }
    if !is_coverage {
        let place = Place { path: None, line: Some(1), column: Some(1) };
        let reason =
            "this is neither the JSON of 'llvm-cov export' nor the text of 'llvm-cov show'";
        return Err(StoreError::Syntax { place, reason: reason.to_owned() });
    }
    files.retain(|file| !(file.branches.is_empty() && file.decisions.is_empty()));
    Ok(files)
}

/// `path:`, before the lines of a file.
fn title(line: &str) -> Option<&str> {
    let name = line.strip_suffix(':')?;
    (!name.is_empty() && !name.starts_with(' ') && !name.contains(BAR)).then_some(name)
}

/// `   12|      3|code`
fn is_source(line: &str) -> bool {
    let number = line.split(BAR).next().unwrap_or_default().trim();
    line.contains(BAR) && !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
}

/// `4:7): [True: 2, False: 1]`, with percentages for counts, or `[Folded - Ignored]`.
fn read_branch(rest: &str) -> Option<ClangBranch> {
    let at = read_position(rest)?;
    if rest.contains("[Folded") {
        return Some(ClangBranch { at, taken: false, passed: false, folded: true });
    }
    let (_, counts) = rest.split_once("[True: ")?;
    let (taken, passed) = counts.strip_suffix(']')?.split_once(", False: ")?;
    let seen = |count: &str| count.bytes().any(|byte| matches!(byte, b'1'..=b'9'));
    Some(ClangBranch { at, taken: seen(taken), passed: seen(passed), folded: false })
}

/// `4:7)…`
fn read_position(rest: &str) -> Option<Position> {
    rest.split_once(')')?.0.parse().ok()
}

/// The values in `  |  1 { T,  F,  -  = F      }`.
fn vector_of(line: &str) -> Option<&str> {
    let (number, rest) = line.strip_prefix("  |")?.split_once('{')?;
    let is_number = number.trim().bytes().all(|byte| byte.is_ascii_digit());
    (is_number && !number.trim().is_empty()).then_some(rest.split_once('=')?.0)
}

fn read_vector(row: &str) -> Option<Vec<Option<bool>>> {
    let read = |value: &str| match value.trim() {
        "T" => Some(Some(true)),
        "F" => Some(Some(false)),
        "-" => Some(None),
        _ => None,
    };
    row.split(',').map(read).collect()
}
