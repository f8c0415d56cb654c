//! What the tests share: models, golden files, programs without their spans, diagnostics as text.
#![allow(dead_code, unused_imports, reason = "each test uses a part of it")]

use std::fmt::Write as _;

use obligato_lustre_syntax::{Diagnostic, Severity, Source, SyntaxTree};
pub use obligato_test_support::models::complete_texts as models;
pub use obligato_test_support::{assert_golden, crate_directory};

/// Everything of a program but where it stands.
pub fn without_spans(program: &SyntaxTree) -> String {
    let text = format!("{program:#?}");
    let mut out = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some(at) = rest.find('@') {
        out.push_str(&rest[..at]);
        rest = rest[at + 1..].trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    }
    out + rest
}

/// Checks that a text parses, prints, and parses to the same again; gives what is printed.
pub fn assert_round_trip(name: &str, text: &[u8]) -> String {
    let parsed = obligato_lustre_syntax::parse(text).unwrap_or_else(|why| {
        panic!("{name}: {}", render(name, text, &why));
    });
    let printed = obligato_lustre_syntax::print(&parsed.program);
    let again = obligato_lustre_syntax::parse(printed.as_bytes()).unwrap_or_else(|why| {
        panic!("{name}, printed: {}\n{printed}", render(name, printed.as_bytes(), &why));
    });
    let (before, after) = (without_spans(&parsed.program), without_spans(&again.program));
    let difference = before.lines().zip(after.lines()).find(|(one, other)| one != other);
    assert!(before == after, "{name} differs after printing: {difference:?}\n{printed}");
    assert_eq!(obligato_lustre_syntax::print(&again.program), printed, "{name}: printing twice");
    printed
}

/// Diagnostics as a person reads them: file, line, column, the line and a caret.
pub fn render(file: &str, text: &[u8], diagnostics: &[Diagnostic]) -> String {
    let source = Source::new(text);
    let mut out = String::new();
    for diagnostic in diagnostics {
        let severity = match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        let span = source.span(diagnostic.span);
        let _ = writeln!(out, "{file}:{}: {severity}: {}", span.start, diagnostic.message);
        let line = source.line(span.start.line);
        if !line.trim().is_empty() {
            let shown: String =
                line.chars().take(80).map(|c| if c.is_control() { ' ' } else { c }).collect();
            let column = (span.start.column as usize).min(81);
            let last = if span.end.line == span.start.line { span.end.column as usize } else { 0 };
            let carets = "^".repeat(last.min(81).saturating_sub(column).max(1));
            let _ = writeln!(out, "  {}\n  {}{carets}", shown.trim_end(), " ".repeat(column - 1));
        }
        for (place, what) in &diagnostic.related {
            let _ = writeln!(out, "  {}: {what}", source.position(place.start));
        }
        if let Some(help) = &diagnostic.help {
            let _ = writeln!(out, "  help: {help}");
        }
    }
    out
}
