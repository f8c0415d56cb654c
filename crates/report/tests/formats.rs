//! Every format, of names that try to be something else, goes through what reads it: genhtml, xmllint and a validator of JSON
//! schemas. Without one of these its test says that it was skipped.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::{Path, PathBuf};
use std::process::Command;

use obligato_model::Shortfall;
use obligato_report::{Report, cobertura, html, json, junit, lcov, markdown, sarif};
use serde_json::Value;

mod sample;

use sample::{NASTY, nasty};

fn here(path: &str) -> PathBuf {
    Path::new(&std::env::var("CARGO_MANIFEST_DIR").unwrap()).join(path)
}

/// Runs a tool on a text. `None` if the tool is not there.
fn consume(
    tool: &str,
    name: &str,
    text: &str,
    arguments: &[&str],
) -> Option<Result<String, String>> {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join(name);
    std::fs::write(&path, text).unwrap();
    let arguments = arguments.iter().map(|one| match *one {
        "FILE" => path.display().to_string(),
        "DIR" => directory.path().join("out").display().to_string(),
        other => other.to_owned(),
    });
    let run = match Command::new(tool).args(arguments).output() {
        Ok(run) => run,
        Err(error) => {
            #[expect(clippy::print_stderr, reason = "whoever reads the log should know")]
            {
                eprintln!("skipped: {tool}: {error}");
            }
            return None;
        }
    };
    let said = [run.stdout, run.stderr].concat();
    let said = String::from_utf8_lossy(&said).into_owned();
    Some(if run.status.success() { Ok(said) } else { Err(said) })
}

/// The validator of Debian's python3-jsonschema, whatever other Python is first in the path.
fn validate(text: &str, schema: &Path) -> Option<Result<String, String>> {
    let schema = schema.display().to_string();
    consume("/usr/bin/jsonschema", "in.json", text, &["-i", "FILE", &schema])
}

#[test]
fn genhtml_reads_the_trace_and_counts_what_it_says() {
    let text = lcov::render(&nasty());
    assert!(text.contains("MCDC:2,U2,t,0,1,"), "{text}");
    assert!(text.contains("MCDC:2,2,f,0,1,"), "{text}");
    assert!(text.lines().all(|line| line.contains(':') || line == "end_of_record"), "{text}");
    // genhtml wants the source where it renders it, so the trace is made one of a file that is there.
    let directory = tempfile::tempdir().unwrap();
    let source = directory.path().join("näm \"e\".lus");
    std::fs::write(&source, "a\nb\n").unwrap();
    let text = text.replace("SF:d<i>r/näm \"e\".lus", &format!("SF:{}", source.display()));
    let arguments = ["--branch-coverage", "-o", "DIR", "FILE"];
    let Some(found) = consume("genhtml", "trace.info", &text, &arguments) else { return };
    let said = found.unwrap();
    assert!(said.contains("(2 of 2 lines)"), "{said}");
    assert!(said.contains("(1 of 3 branches)"), "{said}");
}

#[test]
fn decisions_of_one_size_on_one_line_are_all_in_the_trace() {
    let one = |asked: &str, text: &str, verdict| {
        sample::obligation(sample::MASKING, "f.c", asked, sample::span(7, 5, 9), text, verdict)
    };
    let mut result = sample::empty();
    result.criteria = vec![sample::MASKING];
    result.tests = vec!["t1".to_owned()];
    result.obligations = vec![
        one("decision-aa.1/c1=T", "condition 1 `a` is true", sample::covered(&[0], None)),
        one(
            "decision-aa.1/c1=F",
            "condition 1 `a` is false",
            sample::lacking(Shortfall::NeverWithValue),
        ),
        one(
            "decision-bb.1/c1=T",
            "condition 1 `b` is true",
            sample::lacking(Shortfall::NeverWithValue),
        ),
        one("decision-bb.1/c1=F", "condition 1 `b` is false", sample::covered(&[0], None)),
    ];
    let text = lcov::render(&Report::new(result, None, None));
    let conditions: Vec<&str> = text.lines().filter(|line| line.starts_with("MC")).collect();
    let expected = [
        "MCDC:7,1,t,1,0,a",
        "MCDC:7,1,f,0,0,a",
        "MCDC:7,1,t,0,1,b",
        "MCDC:7,1,f,1,1,b",
        "MCF:4",
        "MCH:2",
    ];
    assert_eq!(conditions, expected);
}

#[test]
fn cobertura_is_valid_by_its_dtd_and_says_what_became_of_mcdc() {
    let text = cobertura::render(&nasty());
    assert!(text.contains("Cobertura has no MC/DC"), "{text}");
    assert!(text.contains("type=\"mcdc\" coverage=\"100%\""), "{text}");
    let dtd = here("tests/schemas/coverage-04.dtd").display().to_string();
    let arguments = ["--noout", "--nonet", "--dtdvalid", &dtd, "FILE"];
    let Some(found) = consume("xmllint", "coverage.xml", &text, &arguments) else { return };
    found.unwrap();
    let broken = text.replacen(" hits=", " strikes=", 1);
    consume("xmllint", "coverage.xml", &broken, &arguments).unwrap().unwrap_err();
}

#[test]
fn junit_is_valid_by_its_schema_and_names_failures() {
    let text = junit::render(&nasty());
    assert!(text.contains("failures=\"1\""), "{text}");
    assert!(text.contains("<failure type=\"fault\" message=\"step 1: &lt;/script&gt;"), "{text}");
    assert!(
        text.contains("<failure type=\"difference\" message=\"step 0: no &lt;/script"),
        "{text}"
    );
    let schema = here("tests/schemas/junit.xsd").display().to_string();
    let arguments = ["--noout", "--nonet", "--schema", &schema, "FILE"];
    let Some(found) = consume("xmllint", "tests.xml", &text, &arguments) else { return };
    found.unwrap();
    let broken = text.replacen(" name=", " title=", 2);
    consume("xmllint", "tests.xml", &broken, &arguments).unwrap().unwrap_err();
}

#[test]
fn sarif_is_valid_and_tells_what_fails_from_what_is_open_and_what_is_suppressed() {
    let text = sarif::render(&nasty());
    let log: Value = serde_json::from_str(&text).unwrap();
    let results = log["runs"][0]["results"].as_array().unwrap();
    let kinds: Vec<&str> = results.iter().map(|one| one["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["review", "informational", "fail", "fail", "open", "fail"]);
    // A runtime error that depends on the caller.
    assert_eq!(
        (&results[5]["ruleId"], &results[5]["level"]),
        (&"runtime-error".into(), &"note".into())
    );
    let suppressed = &results[2]["suppressions"][0];
    assert_eq!(suppressed["status"], "accepted");
    assert!(suppressed["justification"].as_str().unwrap().contains("O'Brien <o@b>"));
    let uri = &results[0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
    assert_eq!(uri, "d%3Ci%3Er/n%C3%A4m%20%22e%22.lus");
    let schema = here("tests/schemas/sarif-2.1.0.json");
    let Some(found) = validate(&text, &schema) else { return };
    found.unwrap();
    let broken = text.replacen("\"kind\": \"open\"", "\"kind\": \"ajar\"", 1);
    validate(&broken, &schema).unwrap().unwrap_err();
}

#[test]
fn the_report_as_json_is_valid_by_its_schema_and_keeps_every_name() {
    let text = json::render(&nasty());
    let document: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(document["tests"][0]["name"], NASTY);
    assert_eq!(document["obligations"].as_array().unwrap().len(), 8);
    assert_eq!(document["mutation"][0]["operator"], "relational <");
    assert_eq!(document["decisions"][0]["rows"][0]["more_tests"], 3);
    let schema = here("../../docs/report.schema.json");
    let Some(found) = validate(&text, &schema) else { return };
    found.unwrap();
    for (from, to) in [("\"covered\",", "\"hidden\","), ("\"id\":", "\"ident\":")] {
        validate(&text.replacen(from, to, 1), &schema).unwrap().unwrap_err();
    }
}

#[test]
fn markdown_lets_no_name_be_anything_but_itself() {
    let text = markdown::render(&nasty());
    assert!(text.contains("| mcdc (masking) | 2 | 1 | 1 | 0 | 0 | 4 | 100.0 % |"), "{text}");
    assert!(!text.contains("<b>") || text.contains("`</script><b>"), "{text}");
    // Outside of code, brackets are escaped; a line of the list is a line.
    for line in text.lines().filter(|line| line.starts_with("- ")) {
        let plain: String = line.split('`').step_by(2).collect();
        let plain = plain.replace("<br>", "");
        assert!(!plain.contains('<') && !plain.contains('>'), "{line}");
    }
    assert!(text.contains("characterisation"), "{text}");
}

#[test]
fn markdown_is_rendered_as_it_is_meant() {
    let text = markdown::render(&nasty());
    let arguments = ["--unsafe", "-e", "table", "FILE"];
    let Some(found) = consume("cmark-gfm", "comment.md", &text, &arguments) else { return };
    let page = found.unwrap();
    assert!(page.contains("<td>mcdc (masking)</td>"), "{page}");
    assert_eq!(page.matches("<details>").count(), page.matches("</details>").count());
    // Of a name that is long enough to be cut, and of one that is not.
    assert!(page.contains("&lt;/script&gt;&lt;b&gt;&quot;it's&quot;"), "{page}");
    for markup in ["<b>", "<i>", "<script", "</script>", "<em>", "<a "] {
        assert!(!page.contains(markup), "{markup} in {page}");
    }
}

#[test]
fn the_page_turns_no_name_into_markup_and_loads_nothing() {
    let text = html::render(&nasty());
    assert_eq!(text.matches("</script>").count(), text.matches("<script").count());
    assert!(!text.contains("<b>"), "a name became markup");
    for outside in ["http://", "https://", "src=", "@import", "url("] {
        assert!(!text.contains(outside), "{outside}");
    }
    assert!(text.contains("closes structural gaps after requirements-based testing"));
    assert!(text.contains("a characterisation of what the program does"));
}

#[test]
fn ten_thousand_obligations_fit_into_five_megabytes() {
    let report = sample::large(1250);
    assert_eq!(report.result.obligations.len(), 10_000);
    let size = html::render(&report).len();
    assert!(size < 5_000_000, "{size} bytes");
}

#[test]
fn the_same_store_gives_the_same_bytes() {
    let (one, two) = (nasty(), nasty());
    for render in [html::render, lcov::render, cobertura::render, json::render, sarif::render] {
        assert_eq!(render(&one), render(&two));
    }
}

#[test]
fn what_belongs_to_another_run_is_left_out_and_said() {
    let report = nasty();
    let mut other = report.details.clone().unwrap();
    other.result = "0".repeat(16);
    let mixed = Report::new(report.result.clone(), Some(other), None);
    assert!(mixed.details.is_none());
    assert!(mixed.notes[0].contains("belongs to another result"), "{:?}", mixed.notes);
    assert!(html::render(&mixed).contains("belongs to another result"));
    let bare = Report::new(report.result, None, None);
    assert!(bare.notes[0].contains("no details.json"), "{:?}", bare.notes);
    for render in [html::render, lcov::render, cobertura::render, json::render, sarif::render] {
        assert!(!render(&bare).is_empty());
    }
}
