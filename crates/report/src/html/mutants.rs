//! Mutants by kind of fault, and those that survive.

use std::fmt::Write;

use obligato_model::Tally;

use super::overview::bar;
use crate::mutation::{FaultRow, by_operator};
use crate::report::Report;
use crate::words::percent;
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
    let Some(mutants) = &report.mutants else { return };
    let alive: Vec<_> = mutants
        .mutants
        .iter()
        .filter(|one| !["killed", "faulted", "equivalent"].contains(&one.fate.as_str()))
        .collect();
    if alive.is_empty() {
        return;
    }
    line!(
        text,
        "<h2>Survivors</h2>\n<p>Of {} in {}.</p>",
        mutants.mutants.len(),
        escaped(&mutants.model)
    );
    line!(
        text,
        "<div class=\"scroll\"><table><caption class=\"sr\">Mutants that no test kills</caption>"
    );
    line!(
        text,
        "<thead><tr><th scope=\"col\">place</th><th scope=\"col\">operator</th><th scope=\"col\">original</th><th scope=\"col\">replacement</th><th scope=\"col\">how far it got</th></tr></thead><tbody>"
    );
    for one in alive.iter().take(MOST_LISTED) {
        line!(
            text,
            "<tr><td>{}</td><td>{}</td><td><code>{}</code></td><td><code>{}</code></td><td>{}</td></tr>",
            one.span.start,
            escaped(&one.operator),
            escaped(&one.original),
            escaped(&one.replacement),
            escaped(&one.fate)
        );
    }
    line!(text, "</tbody></table></div>");
    if alive.len() > MOST_LISTED {
        line!(text, "<p>… and {} more.</p>", alive.len() - MOST_LISTED);
    }
}
