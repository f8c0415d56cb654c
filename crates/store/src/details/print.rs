//! Printing details documents.

use super::{
    CallerDetails, ConditionDetails, DecisionDetails, Details, EndingDetails, ErrorDetails, FORMAT,
    ObligationDetails, OutputDifference, RowDetails, SourceFile, TestDetails, check, read,
};
use crate::document;
use crate::error::StoreError;
use crate::generation::print_phase;
use crate::json::print::{Fields, lines, quote, row};

/// Prints a details document. Refuses what [`parse`](super::parse) would refuse.
pub fn print(details: &Details) -> Result<String, StoreError> {
    check(details).map_err(|(_, reason)| StoreError::unwritable(reason))?;
    let document = document::start(FORMAT)
        .with_line(2, "tool", quote(&details.tool))
        .with_line(2, "result", quote(&details.result))
        .with_line(2, "subject", quote(&details.subject))
        .with_line(2, "kind", quote(details.kind.word()))
        .with_line(2, "command", quote(&details.command))
        .with_line(2, "sources", lines(2, details.sources.iter().map(print_source)))
        .with_line(2, "tests", lines(2, details.tests.iter().map(print_test)))
        .with_line(2, "phases", lines(2, details.phases.iter().map(print_phase)));
    let document = if details.errors.is_empty() {
        document
    } else {
        document.with_line(2, "errors", lines(2, details.errors.iter().map(print_error)))
    };
    Ok(document
        .with_line(2, "decisions", lines(2, details.decisions.iter().map(print_decision)))
        .with_line(2, "obligations", lines(2, details.obligations.iter().map(print_obligation)))
        .close_line())
}

fn print_source(source: &SourceFile) -> String {
    let text = lines(5, source.lines.iter().map(|line| quote(line)));
    Fields::new().with_text("file", &source.file).with_line(5, "lines", text).close()
}

fn print_test(test: &TestDetails) -> String {
    let mut fields = Fields::new();
    if let Some(phase) = &test.phase {
        fields = fields.with_text("phase", phase);
    }
    if let Some(EndingDetails { kind, step, text }) = &test.ending {
        let ending =
            Fields::new().with_text("kind", kind.word()).with("step", step).with_text("text", text);
        fields = fields.with("ending", ending.close());
    }
    if !test.differences.is_empty() {
        fields = fields.with("differences", row(test.differences.iter().map(print_difference)));
    }
    fields.close()
}

fn print_difference(difference: &OutputDifference) -> String {
    let OutputDifference { step, output, expected, found } = difference;
    let fields = Fields::new()
        .with("step", step)
        .with_text("output", output)
        .with_text("expected", expected);
    match found {
        Some(found) => fields.with_text("found", found).close(),
        None => fields.close(),
    }
}

/// A runtime error on one line.
pub(crate) fn print_error(error: &ErrorDetails) -> String {
    let ErrorDetails { file, function, at, text, callers } = error;
    let mut fields = Fields::new().with_text("file", file).with_text("function", function);
    if let Some(at) = at {
        fields = fields.with_text("at", at);
    }
    fields = fields.with_text("text", text);
    if !callers.is_empty() {
        fields = fields.with("callers", row(callers.iter().map(print_caller)));
    }
    fields.close()
}

fn print_caller(caller: &CallerDetails) -> String {
    let fields = Fields::new().with_text("passes", &caller.passes);
    match &caller.ruled_out_by {
        Some(option) => fields.with_text("ruled_out_by", option).close(),
        None => fields.close(),
    }
}

fn print_decision(decision: &DecisionDetails) -> String {
    let DecisionDetails { file, function, span, text, conditions, listed, rows } = decision;
    Fields::new()
        .with_text("file", file)
        .with_text("function", function)
        .with_text("span", span)
        .with_text("text", text)
        .with_text("listed", read::LISTED.word(*listed))
        .with_line(5, "conditions", lines(5, conditions.iter().map(print_condition)))
        .with_line(5, "rows", lines(5, rows.iter().map(print_row)))
        .close()
}

fn print_condition(condition: &ConditionDetails) -> String {
    let ConditionDetails { span, text, constant } = condition;
    let fields = Fields::new().with_text("span", span).with_text("text", text);
    match constant {
        None => fields.close(),
        Some(value) => fields.with("constant", value).close(),
    }
}

fn print_row(line: &RowDetails) -> String {
    let RowDetails { values, outcome, deciding, tests, more } = line;
    let fields = Fields::new()
        .with_text("values", values)
        .with("outcome", outcome)
        .with("deciding", row(deciding))
        .with("tests", row(tests));
    if *more == 0 { fields.close() } else { fields.with("more", more).close() }
}

fn print_obligation(obligation: &ObligationDetails) -> String {
    let ObligationDetails { decision, condition, value, since, operator, lost } = obligation;
    let mut fields = Fields::new();
    for (name, number) in [("decision", decision), ("condition", condition)] {
        if let Some(number) = number {
            fields = fields.with(name, number);
        }
    }
    if let Some(value) = value {
        fields = fields.with("value", value);
    }
    if let Some(since) = since {
        fields = fields.with("since", since);
    }
    if let Some(operator) = operator {
        fields = fields.with_text("operator", operator);
    }
    if !lost.is_empty() {
        fields = fields.with("lost", row(lost.iter().map(|text| quote(text))));
    }
    fields.close()
}
