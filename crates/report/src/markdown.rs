//! Markdown for a comment on a pull request: the numbers, and the first of what is open.

use std::fmt::Write;

use obligato_model::BoundedGroup;
use obligato_store::StoredObligation;

use crate::report::Report;
use crate::words::{PURPOSE, counted, failing, percent, reason_of, squeezed};

/// So many obligations of a kind are listed.
const MOST_LISTED: usize = 25;
/// No comment needs more of one text than this.
const WIDEST: usize = 200;

/// The text.
pub fn render(report: &Report) -> String {
    let result = &report.result;
    let mut text = String::new();
    line!(text, "### Coverage of {}\n", code(report.subject()));
    line!(
        text,
        "| criterion | covered | uncoverable | justified | bounded | unresolved | total | closed |"
    );
    line!(text, "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
    for criterion in &result.criteria {
        let tally = result.tally(*criterion);
        let (total, title) = (tally.total(), plain(&criterion.title()));
        if total == 0 {
            line!(text, "| {title} | | | | | | 0 | nothing to cover |");
            continue;
        }
        let closed = percent(total - tally.open(), total);
        line!(
            text,
            "| {title} | {} | {} | {} | {} | {} | {total} | {closed} % |",
            tally.covered,
            tally.uncoverable,
            tally.justified,
            tally.bounded,
            tally.unresolved
        );
    }
    line!(text, "\n{} in the suite.", counted(result.tests.len(), "test"));
    if let Some(failing) = failing(result) {
        line!(text, "\n**{}.**", plain(&failing));
    }
    let by_errors = result.obligations.iter().filter(|one| one.ends_in.is_some()).count();
    if by_errors > 0 {
        let count = counted(by_errors, "obligation");
        line!(text, "\n{count} covered only by tests that end with a runtime error.");
    }
    for verdict in ["unresolved", "uncoverable", "justified"] {
        let all = result.obligations.iter().filter(|one| one.verdict.class() == verdict);
        write_list(&mut text, verdict, &all.collect::<Vec<_>>());
        if verdict == "unresolved" {
            write_bounded(&mut text, report);
        }
    }
    for note in &report.notes {
        line!(text, "\n_{}_", plain(note));
    }
    if report.has_made_tests() {
        line!(text, "\n> {PURPOSE}");
    }
    text
}

/// What was refuted within bounds only, once per group of equal bounds.
fn write_bounded(text: &mut String, report: &Report) {
    let groups = BoundedGroup::of(report.result.obligations.iter().map(|one| &one.verdict));
    let count: usize = groups.iter().map(|group| group.members.len()).sum();
    if count == 0 {
        return;
    }
    line!(text, "\n<details><summary>{count} not within bounds</summary>\n");
    for group in groups.iter().take(MOST_LISTED) {
        let obligations = counted(group.members.len(), "obligation");
        let (bounds, next) = (plain(&group.words()), plain(&group.next()));
        line!(text, "- {obligations}: {bounds}<br>Next: {next}");
    }
    if groups.len() > MOST_LISTED {
        line!(text, "- … and {} more groups", groups.len() - MOST_LISTED);
    }
    line!(text, "\n</details>");
}

fn write_list(text: &mut String, verdict: &str, all: &[&StoredObligation]) {
    if all.is_empty() {
        return;
    }
    line!(text, "\n<details><summary>{} {verdict}</summary>\n", all.len());
    for one in all.iter().take(MOST_LISTED) {
        let place = format!("{}:{}", one.file, one.span.start);
        let why = reason_of(one).unwrap_or_default();
        line!(
            text,
            "- {} {} {}<br>{}",
            code(&place),
            plain(&one.criterion.to_string()),
            words(&one.text),
            plain(&why)
        );
    }
    if all.len() > MOST_LISTED {
        line!(text, "- … and {} more", all.len() - MOST_LISTED);
    }
    line!(text, "\n</details>");
}

/// The words of an obligation, in which back quotes stand around code.
fn words(text: &str) -> String {
    let mut parts = Vec::new();
    for (index, part) in cut(&squeezed(text)).split('`').enumerate() {
        match (index % 2, part.is_empty()) {
            (_, true) => {}
            (0, _) => parts.push(plain(part)),
            _ => parts.push(code(part)),
        }
    }
    parts.concat()
}

/// A text that means nothing but itself.
fn plain(text: &str) -> String {
    let mut safe = String::new();
    for character in cut(&squeezed_keeping_ends(text)).chars() {
        match character {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '\\' | '`' | '*' | '_' | '{' | '}' | '[' | ']' | '#' | '|' | '~' | '@' => {
                safe.extend(['\\', character]);
            }
            other => safe.push(other),
        }
    }
    safe
}

/// A text as code, between more back quotes than it has in a row.
fn code(text: &str) -> String {
    let text = cut(&squeezed(text));
    let mut longest = 0;
    let mut run = 0;
    for character in text.chars() {
        run = if character == '`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    let fence = "`".repeat(longest + 1);
    let space = if longest > 0 { " " } else { "" };
    format!("{fence}{space}{text}{space}{fence}")
}

fn squeezed_keeping_ends(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

fn cut(text: &str) -> String {
    if text.chars().count() <= WIDEST {
        return text.to_owned();
    }
    text.chars().take(WIDEST).chain(['…']).collect()
}
