//! The overview: how many obligations ended how, per criterion and per file, and how coverage grew.

use std::fmt::Write;

use obligato_model::{Criterion, Tally};

use super::plot;
use crate::report::Report;
use crate::words::{in_address, percent};
use crate::xml::escaped;

/// Per verdict: its name, and what it is called where a tally is told.
const VERDICTS: [&str; 4] = ["covered", "uncoverable", "justified", "unresolved"];

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
    let files = report.files();
    if !files.is_empty() {
        line!(text, "<h2>Files</h2>\n<div class=\"scroll\"><table class=\"numbers\">");
        line!(text, "<caption>The same for each file</caption>\n<thead><tr>");
        line!(text, "<th scope=\"col\">file</th><th scope=\"col\">criterion</th>");
        line!(
            text,
            "<th scope=\"col\" class=\"wide\">share</th><th scope=\"col\" class=\"n\">closed</th>"
        );
        line!(text, "<th scope=\"col\" class=\"n\">unresolved</th></tr></thead>\n<tbody>");
        for (file, tallies) in files {
            write_file(text, file, &tallies);
        }
        line!(text, "</tbody></table></div>");
    }
    plot::write(text, report);
}

fn write_row(text: &mut String, criterion: Criterion, tally: Tally) {
    let title = escaped(&criterion.title());
    let counts = counts(tally);
    if tally.total() == 0 {
        line!(
            text,
            "<tr><th scope=\"row\">{title}</th><td colspan=\"7\" class=\"faint\">nothing to cover</td></tr>"
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
    let closed = percent(tally.total() - tally.unresolved, tally.total());
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
        let closed = percent(tally.total() - tally.unresolved, tally.total());
        line!(text, "<td>{}</td><td>{}</td>", escaped(&criterion.title()), bar(*tally));
        let link = format!(
            "#/obligations?criterion={criterion}&amp;file={}&amp;verdict=unresolved",
            in_address(file, "")
        );
        let open = match tally.unresolved {
            0 => "<td class=\"n faint\">0</td>".to_owned(),
            open => format!("<td class=\"n\"><a href=\"{link}\">{open}</a></td>"),
        };
        line!(text, "<td class=\"n\">{closed} %</td>{open}</tr>");
    }
}

fn counts(tally: Tally) -> [usize; 4] {
    [tally.covered, tally.uncoverable, tally.justified, tally.unresolved]
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
