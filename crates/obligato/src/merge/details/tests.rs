//! Rows, counts, places and names of parts that share some tests.

use obligato_store::StoredResult;
use obligato_store::details::SubjectKind;

use super::*;

/// What merging needs of a part that has these tests.
fn part(name: &str, tests: &[&str]) -> Part {
    let text = "{\"format\": \"obligato-result\", \"version\": 1, \"tool\": \"t\", \
                \"criteria\": [], \"tests\": [], \"obligations\": []}";
    let empty = obligato_store::result::parse(text.as_bytes()).expect("a result");
    let tests = tests.iter().map(|test| (*test).to_owned()).collect();
    let result = StoredResult { tests, ..empty };
    Part { path: name.into(), result, suite: None, details: None, proofs: None }
}

fn row(values: &str, tests: &[usize], more: usize) -> RowDetails {
    let outcome = values.starts_with('T');
    RowDetails {
        values: values.to_owned(),
        outcome,
        deciding: vec![0],
        tests: tests.to_vec(),
        more,
    }
}

fn details(tests: usize, listed: Listed, rows: Vec<RowDetails>) -> Details {
    let decision = DecisionDetails {
        file: "f".to_owned(),
        function: "m".to_owned(),
        span: "1:1-1:2".parse().expect("a span"),
        text: "a and b".to_owned(),
        conditions: Vec::new(),
        listed,
        rows,
    };
    Details {
        tool: String::new(),
        result: String::new(),
        subject: String::new(),
        kind: SubjectKind::Model,
        command: "generate".to_owned(),
        sources: Vec::new(),
        tests: vec![TestDetails::default(); tests],
        phases: Vec::new(),
        errors: Vec::new(),
        decisions: vec![decision],
        obligations: Vec::new(),
    }
}

fn suite(names: &[&str], places: &[&[usize]]) -> MergedSuite {
    let names = names.iter().map(|name| (*name).to_owned()).collect();
    let places = places.iter().map(|of_part| of_part.to_vec()).collect();
    MergedSuite { suite: None, names, places }
}

/// The only table of two parts.
fn table(suite: &MergedSuite, one: &Details, two: &Details) -> (Listed, Vec<RowDetails>) {
    let parts = [part("one", &[]), part("two", &[])];
    let merging = Merging { parts: &parts, known: &[one, two], suite };
    merging.table(0).expect("tables fit together")
}

#[test]
fn rows_of_all_parts_are_listed_with_the_tests_of_each() {
    let suite = suite(&["a", "b", "c"], &[&[0, 1], &[0, 2]]);
    let one = details(2, Listed::Executed, vec![row("TF", &[0, 1], 0), row("F-", &[1], 0)]);
    let two = details(2, Listed::Executed, vec![row("TT", &[1], 0), row("TF", &[0, 1], 0)]);
    let expected = vec![row("TT", &[2], 0), row("TF", &[0, 1, 2], 0), row("F-", &[1], 0)];
    assert_eq!(table(&suite, &one, &two), (Listed::Executed, expected));
    // What a part did not keep is not known of all.
    let none = details(2, Listed::None, Vec::new());
    assert_eq!(table(&suite, &one, &none), (Listed::None, Vec::new()));
}

#[test]
fn more_tests_are_counted_only_as_far_as_they_are_certain() {
    let visible: Vec<usize> = (0..MOST_TESTS).collect();
    let first: Vec<usize> = (0..40).collect();
    let many = |more| details(40, Listed::All, vec![row("T", &visible, more)]);
    // No test is shared: the sum.
    let apart: Vec<usize> = (40..80).collect();
    let (_, rows) = table(&suite(&["x"; 80], &[&first, &apart]), &many(4), &many(24));
    assert_eq!(rows, [row("T", &visible, 20 + 40 - MOST_TESTS)]);
    // All are: nobody knows whether the hidden ones are the same.
    let (_, rows) = table(&suite(&["x"; 40], &[&first, &first]), &many(4), &many(9));
    assert_eq!(rows, [row("T", &visible, 9)]);
}

#[test]
fn many_rows_become_some_of_them() {
    let rows = |bit: char| {
        let all = (0..200).map(|number| row(&format!("{number:08b}{bit}"), &[0], 0));
        let letters = all.map(|row| RowDetails { values: row.values.replace('0', "F"), ..row });
        let mut rows: Vec<RowDetails> =
            letters.map(|row| RowDetails { values: row.values.replace('1', "T"), ..row }).collect();
        for row in &mut rows {
            row.outcome = row.values.starts_with('T');
        }
        rows.sort_by_key(|row| Reverse(row.values.clone()));
        rows
    };
    let suite = suite(&["a", "b"], &[&[0], &[1]]);
    let one = details(1, Listed::Executed, rows('T'));
    let two = details(1, Listed::Executed, rows('F'));
    let (listed, found) = table(&suite, &one, &two);
    assert_eq!((listed, found.len()), (Listed::Some, MOST_ROWS));
    assert!(found.is_sorted_by(|a, b| a.values > b.values));
}

#[test]
fn an_obligation_is_covered_since_a_part_s_tests_are_there() {
    let suite = suite(&["a", "b", "c", "d"], &[&[0, 1], &[0, 2, 3]]);
    let about = |since| ObligationDetails { since, ..ObligationDetails::default() };
    let with = |tests, since: [Option<usize>; 3]| Details {
        obligations: since.map(about).to_vec(),
        ..details(tests, Listed::All, Vec::new())
    };
    let (one, two) = (with(2, [Some(1), None, None]), with(3, [Some(0), Some(2), None]));
    let parts = [part("one", &[]), part("two", &[])];
    let merging = Merging { parts: &parts, known: &[&one, &two], suite: &suite };
    assert_eq!([0, 1, 2].map(|at| merging.since(at)), [Some(0), Some(3), None]);
}

#[test]
fn where_effects_got_lost_is_told_with_the_new_names_of_tests() {
    let suite = suite(&["g1", "g1@2", "g1: x"], &[&[0], &[1, 2]]);
    let parts = [part("one", &["g1"]), part("two", &["g1", "g1: x"])];
    let known = details(1, Listed::All, Vec::new());
    let merging = Merging { parts: &parts, known: &[&known, &known], suite: &suite };
    assert_eq!(merging.renamed(1, "g1, step 3: masked"), "g1@2, step 3: masked");
    assert_eq!(merging.renamed(1, "g1: nothing depends"), "g1@2: nothing depends");
    assert_eq!(merging.renamed(1, "g1: x: nothing depends"), "g1: x: nothing depends");
    assert_eq!(merging.renamed(0, "g1, step 3: masked"), "g1, step 3: masked");
    assert_eq!(merging.renamed(1, "g10, step 3: masked"), "g10, step 3: masked");
}
