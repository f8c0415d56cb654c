//! What timelines say, and which are refused.

use super::*;
use crate::samples::documented;
use crate::tests::{assert_truncation_is_noticed, complaint};
use crate::{details, result};

#[test]
fn the_example_of_the_documentation_is_read_and_printed_as_it_stands() {
    let text = documented("json timeline");
    let timeline = parse(text.as_bytes()).unwrap();
    assert_eq!(print(&timeline).unwrap(), text);
    assert_truncation_is_noticed(parse, text);
    let result = result::parse(documented("json result").as_bytes()).unwrap();
    assert_eq!(timeline.result, details::digest(&result));
}

#[test]
fn time_that_goes_back_is_refused_when_it_is_read_and_when_it_is_written() {
    let text = documented("json timeline").replacen("\"elapsed\": 0", "\"elapsed\": 99999", 1);
    let expected = "sample 1 is earlier than the one before it";
    let error = complaint(parse(text.as_bytes()));
    assert!(error.ends_with(expected), "{error}");
    let mut timeline = parse(documented("json timeline").as_bytes()).unwrap();
    timeline.samples[0].elapsed = 99_999;
    let error = complaint(print(&timeline));
    assert!(error.ends_with(expected), "{error}");
}

#[test]
fn damaged_documents_say_what_is_wrong() {
    let found = complaint(parse(b"{}"));
    assert!(found.contains("expected an obligato-timeline document"), "{found}");
    let text = documented("json timeline").replacen("\"covered\": 0", "\"covered\": -1", 1);
    let found = complaint(parse(text.as_bytes()));
    assert!(found.contains("in:7:49: "), "{found}");
}
