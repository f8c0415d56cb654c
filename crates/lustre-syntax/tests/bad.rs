//! Files with mistakes: each gives the messages in the file next to it.

mod support;

use std::fs;

use obligato_lustre_syntax::parse;
use support::{assert_golden, crate_directory, render};

#[test]
fn every_bad_file_gives_its_messages() {
    let directory = crate_directory().join("tests/bad");
    let mut cases: Vec<_> = fs::read_dir(&directory)
        .expect("the bad files")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "lus"))
        .collect();
    cases.sort();
    assert!(cases.len() >= 40, "only {} bad files", cases.len());
    for path in cases {
        let text = fs::read(&path).expect("a bad file");
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        let Err(diagnostics) = parse(&text) else { panic!("{name} parses") };
        assert_golden(&path.with_extension("txt"), &render(&name, &text, &diagnostics));
    }
}

#[test]
fn bytes_that_are_not_utf8_are_shown_with_their_place() {
    let text = b"node n() returns ();\nlet\n  -- caf\xe9\ntel;\n";
    let shown = render("latin1.lus", text, &parse(text).unwrap_err());
    assert_eq!(
        shown,
        "latin1.lus:3:9: error: the file is not UTF-8: byte 0xE9 here\n    \
         -- caf\u{fffd}\n          ^\n  \
         help: save the file as UTF-8; outside of comments a model is plain ASCII\n"
    );
}

#[test]
fn nul_bytes_are_refused_with_their_place() {
    let text = b"node n() returns (x: int);\nlet\n  x = \0\0 1;\ntel;\n";
    let shown = render("nul.lus", text, &parse(text).unwrap_err());
    assert!(
        shown.starts_with("nul.lus:3:7: error: the character U+0000 means nothing here"),
        "{shown}"
    );
    assert_eq!(shown.matches("error").count(), 1, "{shown}");
}

#[test]
fn no_more_errors_are_reported_than_a_person_reads() {
    let text =
        "node n() returns (x: int);\nlet\n".to_owned() + &"  x = ;\n".repeat(1000) + "tel;\n";
    let diagnostics = parse(text.as_bytes()).unwrap_err();
    assert_eq!(diagnostics.len(), 21);
    assert_eq!(diagnostics[20].message, "stopped reading after 20 errors");
}

#[test]
fn one_mistake_gives_one_error_and_the_rest_is_still_read() {
    let text =
        b"node n() returns (x, y: int);\nlet\n  x = 1 +;\n  y = 2\ntel;\nnode m( returns ();\n\
        let tel;\nnode k() returns (z: int);\nlet z = if true then 1; tel;\n";
    let diagnostics = parse(text).unwrap_err();
    let messages: Vec<&str> = diagnostics.iter().map(|one| one.message.as_str()).collect();
    assert_eq!(
        messages,
        [
            "expected an expression, found ';'",
            "expected an operator or ';', found the keyword 'tel'",
            "expected the name of a variable, found the keyword 'returns'",
            "expected 'else' or an operator, found ';'",
        ]
    );
}
