//! The test format of Test-Comp: a file with the inputs of each test, in the order in which the program asks for them, and one about the suite.

use crate::ExportedFile;
use crate::unit::{Input, UnitTests};

/// Written as the time of creation, so that the same suite gives the same bytes every time.
const EPOCH: &str = "1970-01-01T00:00:00Z";

/// The files; they name the program by the SHA-256 of its text.
pub fn write(tests: &UnitTests, tool: &str, sha256: &str) -> Vec<ExportedFile> {
    let mut files = vec![ExportedFile::of_text("metadata.xml", metadata(tests, tool, sha256))];
    for (index, test) in tests.tests.iter().enumerate() {
        let name = format!("testcase-{}.xml", index + 1);
        files.push(ExportedFile::of_text(name, test_case(&test.name, &test.inputs)));
    }
    files
}

fn metadata(tests: &UnitTests, tool: &str, sha256: &str) -> String {
    let fields = [
        ("sourcecodelang", "C".to_owned()),
        ("producer", tool.to_owned()),
        ("specification", "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )".to_owned()),
        ("programfile", tests.file.clone()),
        ("programhash", sha256.to_owned()),
        ("entryfunction", tests.function.clone()),
        ("architecture", "64bit".to_owned()),
        ("creationtime", EPOCH.to_owned()),
    ];
    let mut text = heading("test-metadata");
    text.push_str("<test-metadata>\n");
    for (name, value) in fields {
        line!(text, "  <{name}>{}</{name}>", escaped(&value));
    }
    text + "</test-metadata>\n"
}

fn test_case(name: &str, inputs: &[Input]) -> String {
    let mut text = heading("testcase");
    // A comment may not have two dashes in a row, nor end with one.
    let name = escaped(name).replace('-', "‐");
    line!(text, "<!-- {name} -->\n<testcase>");
    for Input { name, kind, value } in inputs {
        let (name, kind, value) = (escaped(name), escaped(kind), escaped(value));
        line!(text, "  <input variable=\"{name}\" type=\"{kind}\">{value}</input>");
    }
    text + "</testcase>\n"
}

fn heading(kind: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n<!DOCTYPE {kind} PUBLIC \
         \"+//IDN sosy-lab.org//DTD test-format {kind} 1.1//EN\" \
         \"https://sosy-lab.org/test-format/{kind}-1.1.dtd\">\n"
    )
}

/// A text as XML takes it. Characters that XML has no way to write are replaced.
fn escaped(text: &str) -> String {
    let mut found = String::new();
    for character in text.chars() {
        match character {
            '&' => found.push_str("&amp;"),
            '<' => found.push_str("&lt;"),
            '>' => found.push_str("&gt;"),
            '"' => found.push_str("&quot;"),
            '\n' | '\t' => found.push(' '),
            '\u{fffe}' | '\u{ffff}' => found.push('\u{fffd}'),
            _ if character.is_control() => found.push('\u{fffd}'),
            _ => found.push(character),
        }
    }
    found
}
