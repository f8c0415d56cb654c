//! The JSON of `llvm-cov export`, versions 2 and 3.
//!
//! Records are arrays by position. A record of MC/DC grew with the versions: in version 2 its
//! conditions come seventh; in 3.0 tenth; 3.1 adds the test vectors behind them.

use obligato_model::Position;

use super::{ClangBranch, ClangDecision, ClangFile, ClangSegment};
use crate::error::{StoreError, quoted};
use crate::json::Json;
use crate::source::Source;

/// What the document calls itself.
const TYPE: &str = "llvm.coverage.json.export";
/// The kinds of regions that have an outcome: a branch, and one that is a condition of a decision.
const BRANCHES: [u64; 2] = [4, 6];
/// The kind of a condition of a decision with several.
const CONDITION: u64 = 6;

/// Reads a document.
pub fn read(source: Source<'_>) -> Result<Vec<ClangFile>, StoreError> {
    let json = Json::parse(source)?;
    let kind = need(json, "type")?;
    if kind.string()? != TYPE {
        let reason = format!("this is {}, not what 'llvm-cov export' writes", quoted(kind.text()));
        return Err(kind.invalid(reason));
    }
    let version = need(json, "version")?;
    if !["2.", "3."].iter().any(|major| version.text().trim_start_matches('"').starts_with(major)) {
        return Err(version.invalid(format!("version {} is not known", quoted(version.text()))));
    }
    let mut files = Vec::new();
    for data in need(json, "data")?.items()? {
        for file in need(data, "files")?.items()? {
            files.push(read_file(file)?);
        }
    }
    Ok(files)
}

fn read_file(file: Json<'_>) -> Result<ClangFile, StoreError> {
    let name = Some(need(file, "filename")?.owned_string()?);
    let Some(segments) = get(file, "segments")? else {
        let reason = "this export has only summaries; leave --summary-only out";
        return Err(file.invalid(reason));
    };
    let segments = segments.items()?.into_iter().map(read_segment);
    let segments = Some(segments.collect::<Result<_, _>>()?);
    let (mut branches, mut conditions) = (Vec::new(), Vec::new());
    for record in list(file, "branches")? {
        let fields = record.items()?;
        let [line, column, .., taken, passed, file_id, _, kind] = fields[..] else {
            return Err(record.invalid("a branch has nine numbers"));
        };
        // Those of macros count in a file of their own.
        if file_id.whole::<u64>()? != 0 || !BRANCHES.contains(&kind.whole()?) {
            continue;
        }
        let at = position(line, column)?;
        let (taken, passed) = (taken.whole::<u64>()? > 0, passed.whole::<u64>()? > 0);
        branches.push(ClangBranch { at, taken, passed, folded: false });
        if kind.whole::<u64>()? == CONDITION {
            conditions.push(at);
        }
    }
    conditions.sort_unstable();
    conditions.dedup();
    let decisions = list(file, "mcdc_records")?.into_iter();
    let decisions = decisions.map(|record| read_decision(record, &conditions));
    let decisions = decisions.collect::<Result<_, _>>()?;
    Ok(ClangFile { name, branches, decisions, segments })
}

fn read_segment(segment: Json<'_>) -> Result<ClangSegment, StoreError> {
    let fields = segment.items()?;
    let [line, column, count, has_count, ..] = fields[..] else {
        return Err(segment.invalid("a segment has at least four fields"));
    };
    let executed = has_count.boolean()?.then(|| count.whole::<u64>().map(|count| count > 0));
    Ok(ClangSegment { at: position(line, column)?, executed: executed.transpose()? })
}

fn read_decision(record: Json<'_>, conditions: &[Position]) -> Result<ClangDecision, StoreError> {
    let fields = record.items()?;
    let flags = fields.iter().position(|field| field.text().starts_with('['));
    let ([line, column, end_line, end_column, ..], Some(flags)) = (&fields[..], flags) else {
        return Err(record.invalid("a record of MC/DC has a place and a list of conditions"));
    };
    let (at, end) = (position(*line, *column)?, position(*end_line, *end_column)?);
    let count = fields[flags].items()?.len();
    let from = conditions.partition_point(|one| *one < at);
    let to = conditions.partition_point(|one| *one < end).max(from);
    // Some may stand in a macro, and some of another decision in between.
    let conditions = if to - from == count { conditions[from..to].to_vec() } else { Vec::new() };
    let vectors = fields.get(flags + 1).map(|vectors| read_vectors(*vectors, count)).transpose()?;
    Ok(ClangDecision { at, conditions, vectors })
}

fn read_vectors(list: Json<'_>, count: usize) -> Result<Vec<Vec<Option<bool>>>, StoreError> {
    let mut vectors = Vec::new();
    for item in list.items()? {
        if get(item, "executed")?.is_some_and(|executed| executed.text() == "false") {
            continue;
        }
        let values = need(item, "conditions")?;
        let vector = values.items()?.into_iter().map(|value| match value.text() {
            "null" => Ok(None),
            _ => value.boolean().map(Some),
        });
        let vector = vector.collect::<Result<Vec<_>, _>>()?;
        if vector.len() != count {
            return Err(values.invalid(format!("expected the values of {count} conditions")));
        }
        vectors.push(vector);
    }
    Ok(vectors)
}

fn position(line: Json<'_>, column: Json<'_>) -> Result<Position, StoreError> {
    Ok(Position { line: line.whole()?, column: column.whole()? })
}

fn get<'a>(json: Json<'a>, name: &str) -> Result<Option<Json<'a>>, StoreError> {
    Ok(json.entries()?.into_iter().find(|entry| entry.name == name).map(|entry| entry.value))
}

fn need<'a>(json: Json<'a>, name: &str) -> Result<Json<'a>, StoreError> {
    get(json, name)?.ok_or_else(|| json.invalid(format!("the field '{name}' is missing")))
}

fn list<'a>(json: Json<'a>, name: &str) -> Result<Vec<Json<'a>>, StoreError> {
    get(json, name)?.map_or(Ok(Vec::new()), Json::items)
}
