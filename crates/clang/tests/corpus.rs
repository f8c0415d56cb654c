//! Every construct that has decisions in it, with what is read of it beside it.

mod support;

use std::fs;

use obligato_clang::{BooleanOperators, Syntax, Text};
use support::debug::{misplaced, places};
use support::{assert_golden, crate_directory, names_in, plan::plan, source};

#[test]
fn every_construct_has_the_plan_beside_it() {
    let directory = crate_directory().join("tests/corpus");
    for name in names_in(&directory, "c") {
        let file = format!("{name}.c");
        let content = fs::read_to_string(directory.join(&file)).expect("a file of the corpus");
        let flags = content.strip_prefix("/* flags: ").and_then(|rest| rest.split_once(" */"));
        let flags: Vec<&str> = flags.map_or(Vec::new(), |(flags, _)| flags.split(' ').collect());
        let text = Text::read(&source(&directory, &file, &flags))
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        let syntax = Syntax::parse(&text, BooleanOperators::All)
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_golden(&directory.join(format!("{name}.plan")), &plan(&text, &syntax));
        let built = tempfile::tempdir().expect("a directory");
        let (_, misplaced) = misplaced(&text, &syntax, &places(&text, built.path()));
        assert_eq!(misplaced, [""; 0], "{name}: conditions without code at their places");
    }
}

#[test]
fn without_the_option_only_logical_operators_join_conditions() {
    let directory = crate_directory().join("tests/corpus");
    let text = Text::read(&source(&directory, "operators.c", &[])).expect("it compiles");
    let syntax = Syntax::parse(&text, BooleanOperators::Logical).expect("it parses");
    assert_golden(&directory.join("operators.logical.plan"), &plan(&text, &syntax));
}
