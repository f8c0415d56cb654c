//! What was refuted within bounds only, in groups of equal bounds, with what lifts each.

use std::fmt::Write;

use obligato_model::BoundedGroup;

use crate::report::Report;
use crate::xml::escaped;

/// Writes the groups; nothing if there is none.
pub fn write(text: &mut String, report: &Report) {
    let groups = groups(report);
    if groups.is_empty() {
        return;
    }
    line!(
        text,
        "<h2>Not within bounds</h2>\n<p>No test within these bounds covers the obligation, and nothing is proved beyond them.</p>"
    );
    line!(text, "<div class=\"scroll\"><table class=\"numbers\" id=\"bounded\">");
    line!(text, "<caption>Obligations by the bounds within which they were refuted</caption>");
    line!(text, "<thead><tr><th scope=\"col\" class=\"n\">obligations</th>");
    line!(text, "<th scope=\"col\">bound</th><th scope=\"col\">next</th></tr></thead>\n<tbody>");
    for group in groups {
        let count = group.members.len();
        let rows = group.bounds.len().max(1);
        line!(
            text,
            "<tr><td class=\"n\" rowspan=\"{rows}\"><a href=\"#/obligations?verdict=bounded\">{count}</a></td>"
        );
        if group.bounds.is_empty() {
            line!(text, "<td></td><td></td></tr>");
        }
        for (index, bound) in group.bounds.iter().enumerate() {
            let start = if index == 0 { "" } else { "<tr>" };
            let next = escaped(&bound.remedy().to_string());
            line!(text, "{start}<td>{}</td><td>{next}</td></tr>", escaped(&bound.to_string()));
        }
    }
    line!(text, "</tbody></table></div>");
}

/// The groups of a report, as its page numbers them.
pub fn groups(report: &Report) -> Vec<BoundedGroup> {
    BoundedGroup::of(report.result.obligations.iter().map(|one| &one.verdict))
}
