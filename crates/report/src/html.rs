//! One self-contained page that needs no network and no server.
//!
//! The overview is plain HTML, so that it is there at once, is printed, and is read without scripts. Everything
//! else can be large and is made when somebody looks at it, from data that is part of the page
//! ([`data`]); `page/*.js` do that, and never turn data into markup. A policy in the page itself forbids it
//! to load anything.

use std::fmt::Write;

use obligato_store::details::SubjectKind;

use crate::report::Report;
use crate::words::{PURPOSE, counted};
use crate::xml::escaped;

mod bounded;
mod data;
mod evidence;
mod mutants;
mod overview;
mod plot;

const STYLE: &str = include_str!("html/page/style.css");
/// In the order in which they use each other.
const SCRIPTS: [&str; 7] = [
    include_str!("html/page/data.js"),
    include_str!("html/page/elements.js"),
    include_str!("html/page/decision.js"),
    include_str!("html/page/source.js"),
    include_str!("html/page/obligations.js"),
    include_str!("html/page/tests.js"),
    include_str!("html/page/main.js"),
];
const ABOUT: &str = include_str!("html/page/about.html");

/// The page.
pub fn render(report: &Report) -> String {
    let subject = escaped(report.subject());
    let mut text = String::new();
    line!(text, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">");
    line!(
        text,
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src \
         'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\">"
    );
    line!(text, "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">");
    line!(text, "<meta name=\"generator\" content=\"{}\">", escaped(&report.result.tool));
    line!(text, "<title>Coverage of {subject}</title>");
    // An empty icon keeps browsers from asking a server for one.
    line!(text, "<link rel=\"icon\" href=\"data:,\">\n<style>\n{STYLE}</style>\n</head>\n<body>");
    line!(text, "<a class=\"skip\" href=\"#main\">Skip to the content</a>");
    write_header(&mut text, report, &subject);
    line!(text, "<main id=\"main\" tabindex=\"-1\">");
    line!(
        text,
        "<noscript><p class=\"note\">Without scripts only this overview is shown.</p></noscript>"
    );
    line!(text, "<section id=\"view-overview\" aria-label=\"Overview\">");
    write_notes(&mut text, report);
    overview::write(&mut text, report);
    line!(text, "</section>");
    for (name, label) in [("source", "Source"), ("obligations", "Obligations"), ("tests", "Tests")]
    {
        line!(text, "<section id=\"view-{name}\" aria-label=\"{label}\" hidden></section>");
    }
    line!(text, "<section id=\"view-mutation\" aria-label=\"Mutation\" hidden>");
    mutants::write(&mut text, report);
    line!(
        text,
        "</section>\n<section id=\"view-about\" aria-label=\"About\" hidden>\n{ABOUT}</section>"
    );
    line!(text, "</main>");
    line!(text, "<footer><p>{}</p><p>{PURPOSE}</p></footer>", escaped(&report.result.tool));
    line!(text, "<script type=\"application/json\" id=\"data\">{}</script>", data::render(report));
    line!(text, "<script>\n\"use strict\";\n(() => {{");
    for script in SCRIPTS {
        text.push_str(script);
    }
    line!(text, "}})();\n</script>\n</body>\n</html>");
    text
}

fn write_header(text: &mut String, report: &Report, subject: &str) {
    let kind = report.details.as_ref().map(|details| match details.kind {
        SubjectKind::Model => "Lustre model",
        SubjectKind::Unit => "C unit",
        SubjectKind::Outline => "program outline",
        SubjectKind::Decisions => "decisions",
    });
    let about = [
        kind.map(str::to_owned),
        Some(counted(report.result.obligations.len(), "obligation")),
        Some(counted(report.result.tests.len(), "test")),
        report.details.as_ref().map(|details| format!("by obligato {}", details.command)),
    ];
    let about: Vec<String> = about.into_iter().flatten().collect();
    line!(text, "<header>\n<div class=\"title\"><h1>{subject}</h1>");
    line!(text, "<p>Coverage report · {}</p></div>", escaped(&about.join(" · ")));
    line!(text, "<nav aria-label=\"Parts of the report\">");
    let mut parts = vec![("overview", "Overview"), ("source", "Source")];
    parts.extend([("obligations", "Obligations"), ("tests", "Tests")]);
    if !crate::mutation::by_operator(report).is_empty() {
        parts.push(("mutation", "Mutation"));
    }
    parts.push(("about", "How to read this"));
    for (name, label) in parts {
        line!(text, "<a href=\"#/{name}\" data-view=\"{name}\">{label}</a>");
    }
    line!(
        text,
        "<button type=\"button\" id=\"theme\" aria-label=\"Colours: as the system\">◐ auto</button>"
    );
    line!(text, "</nav>\n</header>");
}

fn write_notes(text: &mut String, report: &Report) {
    if report.has_made_tests() || report.tests.as_ref().is_some_and(|one| !one.outputs.is_empty()) {
        line!(text, "<p class=\"note\">{PURPOSE}</p>");
    }
    for note in &report.notes {
        line!(text, "<p class=\"note warning\">{}</p>", escaped(note));
    }
}
