//! What details say, and which are refused.

use super::*;
use crate::samples::documented;
use crate::tests::{assert_truncation_is_noticed, complaint};
use crate::{StoredResult, result};

fn documented_result() -> StoredResult {
    result::parse(documented("json result").as_bytes()).unwrap()
}

#[test]
fn the_example_of_the_documentation_is_read_and_printed_as_it_stands() {
    let text = documented("json details");
    let details = parse(text.as_bytes()).unwrap();
    assert_eq!(print(&details).unwrap(), text);
    assert_truncation_is_noticed(parse, text);
}

#[test]
fn what_points_nowhere_is_refused() {
    let text = documented("json details");
    let damaged = |from: &str, to: &str| {
        assert!(text.contains(from), "{from}");
        text.replacen(from, to, 1)
    };
    let cases = [
        damaged("\"values\": \"TF", "\"values\": \"TX"),
        damaged("\"deciding\": [0]", "\"deciding\": [7]"),
        damaged("\"since\": 0", "\"since\": 99"),
        damaged("{\"decision\": 0", "{\"decision\": 99"),
        damaged("\"condition\": 0", "\"condition\": 99"),
    ];
    let messages = [
        "decision 0: a row needs T, F or - for each of 3 conditions",
        "decision 0: there is no condition 7",
        "obligation 0: there is no test 99",
        "obligation 0: there is no decision 99",
        "obligation 4: there is no condition 99 of its decision",
    ];
    for (case, expected) in cases.iter().zip(messages) {
        let error = complaint(parse(case.as_bytes()));
        assert!(error.starts_with("in:") && error.ends_with(expected), "{error}");
    }
}

#[test]
fn damaged_documents_say_what_is_wrong() {
    let found = complaint(parse(b"{}"));
    assert!(found.contains("expected an obligato-details document"), "{found}");
    let text = documented("json details");
    let later = text.replacen("\"version\": 1", "\"version\": 2", 1);
    let found = complaint(parse(later.as_bytes()));
    assert!(found.starts_with("in:3:14:") && found.contains("version 2"), "{found}");
}

#[test]
fn a_digest_tells_results_apart_by_what_tests_cover_and_not_by_what_people_say() {
    let result = documented_result();
    let before = digest(&result);
    let mut justified = result.clone();
    let open = justified
        .obligations
        .iter_mut()
        .find(|one| matches!(one.verdict, obligato_model::Verdict::Unresolved(_)));
    open.unwrap().verdict = obligato_model::Verdict::Justified(obligato_model::Justification {
        reason: "on the bench".into(),
        author: "R. Hooke".into(),
        date: "2026-03-01".into(),
    });
    assert_eq!(digest(&justified), before);
    let mut renamed = result.clone();
    renamed.tests[0].push('x');
    assert_ne!(digest(&renamed), before);
    let mut without = result;
    without.obligations.pop();
    assert_ne!(digest(&without), before);
}
