//! The overview: how many obligations ended how, per criterion and per file, and how coverage grew.

use std::fmt::Write;

use obligato_model::{Criterion, Tally};

use obligato_store::details::ErrorDetails;

use super::{bounded, evidence, plot};
use crate::report::Report;
use crate::words::{counted, failing, in_address, percent};
use crate::xml::escaped;

/// Per verdict: its name, and what it is called where a tally is told.
const VERDICTS: [&str; 5] = ["covered", "uncoverable", "justified", "bounded", "unresolved"];

/// Writes it.
pub fn write(text: &mut String, report: &Report) {
    let result = &report.result;
    line!(text, "<h2>Criteria</h2>\n<div class=\"scroll\"><table class=\"numbers\">");
    line!(text, "<caption>How the obligations of each criterion ended</caption>\n<thead><tr>");
    line!(text, "<th scope=\"col\">criterion</th><th scope=\"col\" class=\"wide\">share</th>");
    for verdict in VERDICTS {
        line!(
            text,
            "<th scope=\"col\" class=\"n\"><span class=\"key {verdict}\"></span>{verdict}</th>"
        );
    }
    line!(
        text,
        "<th scope=\"col\" class=\"n\">total</th><th scope=\"col\" class=\"n\">closed</th></tr></thead>\n<tbody>"
    );
    for criterion in &result.criteria {
        write_row(text, *criterion, result.tally(*criterion));
    }
    line!(text, "</tbody></table></div>");
    bounded::write(text, report);
    if let Some(failing) = failing(result) {
        line!(text, "<p class=\"note\">{}.</p>", escaped(&failing));
    }
    let by_errors = result.obligations.iter().filter(|one| one.ends_in.is_some()).count();
    if by_errors > 0 {
        let count = counted(by_errors, "obligation");
        line!(
            text,
            "<p class=\"note\">{count} covered only by tests that end with a runtime error.</p>"
        );
    }
    write_errors(text, report.errors());
    let files = report.files();
    if !files.is_empty() {
        line!(text, "<h2>Files</h2>\n<div class=\"scroll\"><table class=\"numbers\">");
        line!(text, "<caption>The same for each file</caption>\n<thead><tr>");
        line!(text, "<th scope=\"col\">file</th><th scope=\"col\">criterion</th>");
        line!(
            text,
            "<th scope=\"col\" class=\"wide\">share</th><th scope=\"col\" class=\"n\">closed</th>"
        );
        line!(text, "<th scope=\"col\" class=\"n\">bounded</th>");
        line!(text, "<th scope=\"col\" class=\"n\">unresolved</th></tr></thead>\n<tbody>");
        for (file, tallies) in files {
            write_file(text, file, &tallies);
        }
        line!(text, "</tbody></table></div>");
    }
    plot::write(text, report);
    evidence::write(text, report);
}

/// Runtime errors: those that need something that a caller passes come last.
fn write_errors(text: &mut String, errors: &[ErrorDetails]) {
    if errors.is_empty() {
        return;
    }
    line!(text, "<h2>Runtime errors</h2>\n<ul class=\"errors\">");
    let (dependent, others): (Vec<_>, Vec<_>) =
        errors.iter().partition(|one| !one.callers.is_empty());
    for one in others.into_iter().chain(dependent) {
        let when = one.condition().map_or_else(String::new, |when| format!("; {when}"));
        let options: Vec<&str> = one.options().collect();
        let ruled_out = match options.as_slice() {
            [] => String::new(),
            options => format!(" (ruled out by {})", options.join(" or ")),
        };
        line!(text, "<li>{}</li>", escaped(&format!("{}{when}{ruled_out}", one.text)));
    }
    line!(text, "</ul>");
}

fn write_row(text: &mut String, criterion: Criterion, tally: Tally) {
    let title = escaped(&criterion.title());
    let counts = counts(tally);
    if tally.total() == 0 {
        line!(
            text,
            "<tr><th scope=\"row\">{title}</th><td colspan=\"8\" class=\"faint\">nothing to cover</td></tr>"
        );
        return;
    }
    line!(text, "<tr><th scope=\"row\">{title}</th><td>{}</td>", bar(tally));
    for (verdict, count) in VERDICTS.into_iter().zip(counts) {
        let link = format!("#/obligations?criterion={criterion}&amp;verdict={verdict}");
        match count {
            0 => line!(text, "<td class=\"n faint\">0</td>"),
            _ => line!(text, "<td class=\"n\"><a href=\"{link}\">{count}</a></td>"),
        }
    }
    let closed = percent(tally.total() - tally.open(), tally.total());
    line!(
        text,
        "<td class=\"n\"><a href=\"#/obligations?criterion={criterion}\">{}</a></td><td class=\"n\">{closed} %</td></tr>",
        tally.total()
    );
}

fn write_file(text: &mut String, file: &str, tallies: &[(Criterion, Tally)]) {
    let asked: Vec<&(Criterion, Tally)> =
        tallies.iter().filter(|(_, tally)| tally.total() > 0).collect();
    for (index, (criterion, tally)) in asked.iter().enumerate() {
        line!(text, "<tr>");
        if index == 0 {
            let link = in_address(file, "");
            line!(
                text,
                "<th scope=\"rowgroup\" rowspan=\"{}\"><a href=\"#/source/{link}\">{}</a></th>",
                asked.len(),
                escaped(file)
            );
        }
        let closed = percent(tally.total() - tally.open(), tally.total());
        line!(text, "<td>{}</td><td>{}</td>", escaped(&criterion.title()), bar(*tally));
        let cell = |verdict: &str, count: usize| {
            let place = in_address(file, "");
            let link = format!(
                "#/obligations?criterion={criterion}&amp;file={place}&amp;verdict={verdict}"
            );
            match count {
                0 => "<td class=\"n faint\">0</td>".to_owned(),
                count => format!("<td class=\"n\"><a href=\"{link}\">{count}</a></td>"),
            }
        };
        let open = [cell("bounded", tally.bounded), cell("unresolved", tally.unresolved)].concat();
        line!(text, "<td class=\"n\">{closed} %</td>{open}</tr>");
    }
}

fn counts(tally: Tally) -> [usize; 5] {
    let Tally { covered, uncoverable, justified, bounded, unresolved } = tally;
    [covered, uncoverable, justified, bounded, unresolved]
}

/// A bar whose parts are as wide as their counts.
pub fn bar(tally: Tally) -> String {
    let counts = VERDICTS.into_iter().zip(counts(tally));
    let words: Vec<String> =
        counts.clone().map(|(verdict, count)| format!("{count} {verdict}")).collect();
    let parts: String = counts
        .filter(|(_, count)| *count > 0)
        .map(|(verdict, count)| format!("<span class=\"{verdict}\" style=\"flex:{count}\"></span>"))
        .collect();
    format!("<div class=\"bar\" role=\"img\" aria-label=\"{}\">{parts}</div>", words.join(", "))
}
