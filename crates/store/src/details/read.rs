//! Reading details documents.

use super::{
    CallerDetails, ConditionDetails, DecisionDetails, Details, EndingDetails, EndingKind,
    ErrorDetails, FORMAT, Listed, ObligationDetails, OutputDifference, RowDetails, SourceFile,
    SubjectKind, TestDetails, check,
};
use crate::document;
use crate::error::StoreError;
use crate::generation::StoredPhase;
use crate::json::words::Words;
use crate::json::{Json, Object};
use crate::source::Source;

pub(super) const LISTED: Words<Listed> = Words {
    what: "choice of rows",
    all: &[
        ("all", Listed::All),
        ("executed", Listed::Executed),
        ("some", Listed::Some),
        ("none", Listed::None),
    ],
};

pub(super) const SUBJECT_KINDS: Words<SubjectKind> = Words {
    what: "kind of program",
    all: &[
        ("decisions", SubjectKind::Decisions),
        ("outline", SubjectKind::Outline),
        ("model", SubjectKind::Model),
        ("unit", SubjectKind::Unit),
    ],
};

pub(super) const ENDING_KINDS: Words<EndingKind> = Words {
    what: "end of a test",
    all: &[
        ("fault", EndingKind::RuntimeError),
        ("exit", EndingKind::Exit),
        ("unsupported", EndingKind::Unsupported),
        ("limit", EndingKind::Limit),
    ],
};

const KNOWN: &[&str] = &[
    "format",
    "version",
    "tool",
    "result",
    "subject",
    "kind",
    "command",
    "sources",
    "tests",
    "phases",
    "errors",
    "decisions",
    "obligations",
];

/// Reads a details document.
pub fn parse(bytes: &[u8]) -> Result<Details, StoreError> {
    let root = document::open(Source::of(bytes)?, FORMAT, KNOWN)?;
    let text = |name: &str| root.need(name)?.owned_string();
    let details = Details {
        tool: text("tool")?,
        result: text("result")?,
        subject: text("subject")?,
        kind: SUBJECT_KINDS.read(root.need("kind")?)?,
        command: text("command")?,
        sources: each(&root, "sources", read_source)?,
        tests: each(&root, "tests", read_test)?,
        phases: each(&root, "phases", read_phase)?,
        errors: root.list("errors")?.into_iter().map(read_error).collect::<Result<_, _>>()?,
        decisions: each(&root, "decisions", read_decision)?,
        obligations: each(&root, "obligations", read_obligation)?,
    };
    match check(&details) {
        Err((field, reason)) => Err(root.need(field)?.invalid(reason)),
        Ok(()) => Ok(details),
    }
}

fn each<'a, T>(
    object: &Object<'a>,
    name: &str,
    read: impl Fn(Json<'a>) -> Result<T, StoreError>,
) -> Result<Vec<T>, StoreError> {
    object.need(name)?.items()?.into_iter().map(read).collect()
}

/// A field that may be left out.
fn maybe<'a, T>(
    object: &Object<'a>,
    name: &str,
    read: impl Fn(Json<'a>) -> Result<T, StoreError>,
) -> Result<Option<T>, StoreError> {
    object.get(name).map(read).transpose()
}

fn read_source(json: Json<'_>) -> Result<SourceFile, StoreError> {
    let object = json.object(&["file", "lines"])?;
    Ok(SourceFile {
        file: object.need("file")?.owned_string()?,
        lines: each(&object, "lines", Json::owned_string)?,
    })
}

fn read_test(json: Json<'_>) -> Result<TestDetails, StoreError> {
    let object = json.object(&["phase", "ending", "differences"])?;
    let ending = |json: Json<'_>| {
        let object = json.object(&["kind", "step", "text"])?;
        Ok(EndingDetails {
            kind: ENDING_KINDS.read(object.need("kind")?)?,
            step: object.need("step")?.whole()?,
            text: object.need("text")?.owned_string()?,
        })
    };
    Ok(TestDetails {
        phase: maybe(&object, "phase", Json::owned_string)?,
        ending: maybe(&object, "ending", ending)?,
        differences: object
            .list("differences")?
            .into_iter()
            .map(read_difference)
            .collect::<Result<_, _>>()?,
    })
}

fn read_difference(json: Json<'_>) -> Result<OutputDifference, StoreError> {
    let object = json.object(&["step", "output", "expected", "found"])?;
    Ok(OutputDifference {
        step: object.need("step")?.whole()?,
        output: object.need("output")?.owned_string()?,
        expected: object.need("expected")?.owned_string()?,
        found: maybe(&object, "found", Json::owned_string)?,
    })
}

fn read_error(json: Json<'_>) -> Result<ErrorDetails, StoreError> {
    let object = json.object(&["file", "function", "at", "text", "callers"])?;
    let callers = object.list("callers")?.into_iter().map(read_caller);
    Ok(ErrorDetails {
        file: object.need("file")?.owned_string()?,
        function: object.need("function")?.owned_string()?,
        at: maybe(&object, "at", Json::parsed)?,
        text: object.need("text")?.owned_string()?,
        callers: callers.collect::<Result<_, _>>()?,
    })
}

fn read_caller(json: Json<'_>) -> Result<CallerDetails, StoreError> {
    let object = json.object(&["passes", "ruled_out_by"])?;
    Ok(CallerDetails {
        passes: object.need("passes")?.owned_string()?,
        ruled_out_by: maybe(&object, "ruled_out_by", Json::owned_string)?,
    })
}

fn read_phase(json: Json<'_>) -> Result<StoredPhase, StoreError> {
    let object = json.object(&["phase", "tests", "covered", "uncoverable", "work"])?;
    Ok(StoredPhase {
        phase: object.need("phase")?.owned_string()?,
        tests: object.need("tests")?.whole()?,
        covered: object.need("covered")?.whole()?,
        uncoverable: object.need("uncoverable")?.whole()?,
        work: object.need("work")?.whole()?,
    })
}

fn read_decision(json: Json<'_>) -> Result<DecisionDetails, StoreError> {
    let known = &["file", "function", "span", "text", "listed", "conditions", "rows"];
    let object = json.object(known)?;
    Ok(DecisionDetails {
        file: object.need("file")?.owned_string()?,
        function: object.need("function")?.owned_string()?,
        span: object.need("span")?.parsed()?,
        text: object.need("text")?.owned_string()?,
        conditions: each(&object, "conditions", read_condition)?,
        listed: LISTED.read(object.need("listed")?)?,
        rows: each(&object, "rows", read_row)?,
    })
}

fn read_condition(json: Json<'_>) -> Result<ConditionDetails, StoreError> {
    let object = json.object(&["span", "text", "constant"])?;
    Ok(ConditionDetails {
        span: object.need("span")?.parsed()?,
        text: object.need("text")?.owned_string()?,
        constant: maybe(&object, "constant", Json::boolean)?,
    })
}

fn read_row(json: Json<'_>) -> Result<RowDetails, StoreError> {
    let object = json.object(&["values", "outcome", "deciding", "tests", "more"])?;
    Ok(RowDetails {
        values: object.need("values")?.owned_string()?,
        outcome: object.need("outcome")?.boolean()?,
        deciding: each(&object, "deciding", Json::whole)?,
        tests: each(&object, "tests", Json::whole)?,
        more: maybe(&object, "more", Json::whole)?.unwrap_or(0),
    })
}

fn read_obligation(json: Json<'_>) -> Result<ObligationDetails, StoreError> {
    let known = &["decision", "condition", "value", "since", "operator", "lost"];
    let object = json.object(known)?;
    Ok(ObligationDetails {
        decision: maybe(&object, "decision", Json::whole)?,
        condition: maybe(&object, "condition", Json::whole)?,
        value: maybe(&object, "value", Json::boolean)?,
        since: maybe(&object, "since", Json::whole)?,
        operator: maybe(&object, "operator", Json::owned_string)?,
        lost: object.list("lost")?.into_iter().map(Json::owned_string).collect::<Result<_, _>>()?,
    })
}
