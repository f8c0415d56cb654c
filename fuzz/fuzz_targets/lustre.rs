//! Any bytes: the parser must end with a tree or with errors whose places exist, and what is
//! printed must parse to the same tree.
#![no_main]

use libfuzzer_sys::fuzz_target;
use obligato_lustre_syntax::{Severity, Source, SyntaxTree, parse, print};

fuzz_target!(|bytes: &[u8]| {
    match parse(bytes) {
        Err(diagnostics) => {
            assert!(diagnostics.iter().any(|one| one.severity == Severity::Error));
            let source = Source::new(bytes);
            for diagnostic in diagnostics {
                assert!(diagnostic.span.end as usize <= bytes.len(), "{diagnostic:?}");
                let span = source.span(diagnostic.span);
                assert!((span.start.line as usize) <= source.line_count());
            }
        }
        Ok(parsed) => {
            let text = print(&parsed.program);
            let again = parse(text.as_bytes()).unwrap_or_else(|why| panic!("{why:#?}\n{text}"));
            assert_eq!(without_spans(&parsed.program), without_spans(&again.program), "{text}");
            assert_eq!(print(&again.program), text);
        }
    }
});

/// Everything of a program but where it stands.
fn without_spans(program: &SyntaxTree) -> String {
    let text = format!("{program:?}");
    let mut out = String::new();
    let mut rest = text.as_str();
    while let Some(at) = rest.find('@') {
        out.push_str(&rest[..at]);
        rest = rest[at + 1..].trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    }
    out + rest
}
