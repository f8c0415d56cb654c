//! Mutants by kind of fault, and those that survive.

use std::fmt::Write;

use obligato_model::{Tally, Verdict};
use obligato_store::details::ObligationDetails;

use super::overview::bar;
use crate::mutation::{FaultRow, by_operator};
use crate::report::{DetailedObligation, Report};
use crate::words::{percent, reason};
use crate::xml::escaped;

/// So many survivors are listed.
const MOST_LISTED: usize = 500;

/// Writes them.
pub fn write(text: &mut String, report: &Report) {
    let rows = by_operator(report);
    if rows.is_empty() {
        return;
    }
    line!(
        text,
        "<h2>Mutants by kind of fault</h2>\n<p class=\"told\">Faults put into the program, one at a time, and whether a test tells the result from the original.</p>"
    );
    line!(
        text,
        "<div class=\"scroll\"><table class=\"numbers\"><caption class=\"sr\">Mutants by kind of fault</caption>"
    );
    line!(text, "<thead><tr><th scope=\"col\">by</th><th scope=\"col\">operator</th>");
    line!(text, "<th scope=\"col\" class=\"wide\">share</th>");
    for (class, word) in
        [("covered", "killed"), ("uncoverable", "equivalent"), ("unresolved", "survived")]
    {
        line!(text, "<th scope=\"col\" class=\"n\"><span class=\"key {class}\"></span>{word}</th>");
    }
    line!(text, "<th scope=\"col\" class=\"n\">score</th></tr></thead>\n<tbody>");
    for row in &rows {
        write_row(text, row);
    }
    line!(text, "</tbody></table></div>");
    write_survivors(text, report);
}

fn write_row(text: &mut String, row: &FaultRow) {
    let tally = Tally {
        covered: row.killed,
        uncoverable: row.equivalent,
        justified: row.justified,
        bounded: 0,
        unresolved: row.survived,
    };
    let score = percent(row.killed, row.total() - row.equivalent);
    line!(
        text,
        "<tr><td>{}</td><th scope=\"row\">{}</th><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td \
         class=\"n\">{}</td><td class=\"n\">{score} %</td></tr>",
        escaped(&row.source),
        escaped(&row.operator),
        bar(tally),
        row.killed,
        row.equivalent,
        row.survived
    );
}

fn write_survivors(text: &mut String, report: &Report) {
    let mutants = || report.obligations().filter(|one| one.details.is_some_and(is_mutant));
    let alive: Vec<_> =
        mutants().filter(|one| matches!(one.stored.verdict, Verdict::Unresolved(_))).collect();
    if alive.is_empty() {
        return;
    }
    line!(text, "<h2>Survivors</h2>\n<p>{} of {}.</p>", alive.len(), mutants().count());
    line!(
        text,
        "<div class=\"scroll\"><table><caption class=\"sr\">Mutants that no test kills</caption>"
    );
    line!(
        text,
        "<thead><tr><th scope=\"col\">place</th><th scope=\"col\">operator</th><th scope=\"col\">mutant</th><th scope=\"col\">why it is open</th></tr></thead><tbody>"
    );
    for DetailedObligation { stored: one, details: more } in alive.iter().take(MOST_LISTED) {
        let operator = more.and_then(|more| more.operator.as_deref()).unwrap_or_default();
        line!(
            text,
            "<tr><td>{}:{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
            escaped(&one.file),
            one.span.start,
            escaped(operator),
            escaped(&one.text),
            escaped(&reason(&one.verdict).unwrap_or_default())
        );
    }
    line!(text, "</tbody></table></div>");
    if alive.len() > MOST_LISTED {
        line!(text, "<p>… and {} more.</p>", alive.len() - MOST_LISTED);
    }
}

fn is_mutant(details: &ObligationDetails) -> bool {
    details.operator.is_some()
}
