//! What the tests share: where the models are, golden files, programs without their spans.
#![allow(dead_code)]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use obligato_lustre_syntax::{Diagnostic, Severity, Source, SyntaxTree};

/// The directory of this crate, which may not be where it was compiled.
pub fn crate_directory() -> PathBuf {
    PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets the directory"))
}

/// Every model, by its path below the directory of models; none if that is not there.
#[allow(clippy::print_stdout, reason = "a test that is skipped says so")]
pub fn models() -> Vec<(String, Vec<u8>)> {
    let root = crate_directory().join("../../../shared/models");
    let mut models = Vec::new();
    if !root.is_dir() {
        println!("skipped: the models are not at ../shared/models");
        return models;
    }
    let mut directories = vec![root.clone()];
    while let Some(directory) = directories.pop() {
        for entry in fs::read_dir(&directory).expect("a directory of models") {
            let path = entry.expect("an entry of a directory").path();
            if path.is_dir() {
                directories.push(path);
            } else if path.extension().is_some_and(|extension| extension == "lus") {
                let name = path.strip_prefix(&root).expect("below the root").display().to_string();
                models.push((name, with_includes(&path)));
            }
        }
    }
    models.sort();
    assert!(!models.is_empty(), "{} has no models", root.display());
    models
}

/// The text of a model with the files that it includes in their places, as the analysis wants it.
fn with_includes(path: &Path) -> Vec<u8> {
    let mut text = fs::read(path).expect("a model");
    let directive = |window: &[u8]| window == b"\ninclude \"";
    while let Some(start) = text.windows(10).position(directive) {
        let name = start + 10;
        let length = text[name..].iter().position(|byte| *byte == b'"').expect("a closing quote");
        let file = String::from_utf8_lossy(&text[name..name + length]).into_owned();
        let included = fs::read(path.with_file_name(file)).expect("an included file");
        text.splice(start + 1..=name + length, included);
    }
    text
}

/// Compares with a golden file, or rewrites it if `BLESS` is set.
pub fn assert_golden(path: &Path, actual: &str) {
    if env::var_os("BLESS").is_some() {
        fs::write(path, actual).expect("a golden file can be written");
        return;
    }
    let expected = fs::read_to_string(path).unwrap_or_default();
    assert!(
        expected == actual,
        "{} differs; run with BLESS=1 and read the difference\n{actual}",
        path.display()
    );
}

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
