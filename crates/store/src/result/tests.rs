//! Results: verdicts and their fields, damage, counting.

use obligato_model::{
    FunctionId, Goal, Independence, Key, Limit, Obligation, Plan, Shortfall, Spent, TestId,
};
use proptest::prelude::*;

use super::*;
use crate::program;
use crate::samples::{self, documented};
use crate::tests::{assert_truncation_is_noticed, complaint};

const MCDC: Criterion = Criterion::Mcdc(Independence::Masking);

/// A result with two tests and one obligation with this verdict.
fn with_verdict(verdict: &str) -> String {
    format!(
        "{{\"format\": \"obligato-result\", \"version\": 1, \"tool\": \"x\", \"criteria\": [\"mcdc\"],\n\
         \"tests\": [\"a\", \"b\"], \"obligations\": [\n\
         {{\"id\": \"k\", \"criterion\": \"mcdc\", \"file\": \"f\", \"function\": \"g\", \
         \"span\": \"1:1-1:2\", \"text\": \"t\",\n{verdict}}}]}}"
    )
}

#[test]
fn bounds_are_read_as_text_as_earlier_versions_wrote_them_and_as_objects() {
    use obligato_model::{Bound, Verdict};
    let earlier = with_verdict(
        r#""verdict": "unresolved", "limit": "not-within-bounds", "bounds": ["steps at most 1", "no aliasing"]"#,
    );
    let read = parse(earlier.as_bytes()).unwrap();
    let bounds = vec![Bound::Steps(1), Bound::NoAliasing];
    let expected = Verdict::Unresolved(Limit::NotWithinBounds(bounds));
    assert_eq!(read.obligations[0].verdict, expected);
    let printed = print(&read).unwrap();
    let group = r#""bounded": [
    {"obligations": 1, "bounds": [{"kind": "steps", "value": 1, "text": "one step", "option": "--steps 4"}, {"kind": "no-aliasing", "text": "no two pointers to one object", "option": "--alias"}], "next": "--steps 4 --alias"}
  ],"#;
    assert!(printed.contains(group), "{printed}");
    assert_eq!(parse(printed.as_bytes()).unwrap(), read);
    // A kind that nobody knows keeps its words.
    let later = with_verdict(
        r#""verdict": "unresolved", "limit": "not-within-bounds", "bounds": [{"kind": "moons", "value": 2, "text": "two moons"}]"#,
    );
    let bounds = vec![Bound::Other("two moons".to_owned())];
    let read = parse(later.as_bytes()).unwrap();
    assert_eq!(read.obligations[0].verdict, Verdict::Unresolved(Limit::NotWithinBounds(bounds)));
}

#[test]
fn damaged_verdicts_are_refused_with_their_place() {
    for (verdict, expected) in [
        (
            r#""verdict": "done""#,
            "in:4:12: no verdict is called 'done'; there are covered, uncoverable, justified, unresolved",
        ),
        (r#""verdict": "covered""#, "in:3:1: the field 'tests' is missing"),
        (
            r#""verdict": "covered", "tests": []"#,
            "in:3:1: obligation 'k': it is covered, but by no test",
        ),
        (
            r#""verdict": "covered", "tests": [2]"#,
            "in:3:1: obligation 'k': there is no test 2; 2 tests are listed, counted from 0",
        ),
        (
            r#""verdict": "covered", "tests": [-1]"#,
            "in:4:33: expected a whole number from 0 that is not too large, found '-1'",
        ),
        (
            r#""verdict": "covered", "tests": [4294967296]"#,
            "in:4:33: expected a whole number from 0 that is not too large, found '4294967296'",
        ),
        (
            r#""verdict": "covered", "tests": [1, 1]"#,
            "in:3:1: obligation 'k': test 1 is listed twice",
        ),
        (
            r#""verdict": "covered", "tests": [1], "pair": [0, 0]"#,
            "in:3:1: obligation 'k': neither test of its pair is among its tests",
        ),
        (
            r#""verdict": "covered", "tests": [1], "pair": [1]"#,
            "in:4:45: a pair is two tests: the one with true, the one with false",
        ),
        (
            r#""verdict": "covered", "tests": [1], "limit": "time""#,
            "in:4:37: the field 'limit' does not belong to a covered obligation",
        ),
        (r#""verdict": "uncoverable""#, "in:3:1: the field 'method' is missing"),
        (
            r#""verdict": "uncoverable", "method": "bounded""#,
            "in:4:37: no method is called 'bounded'; \
             there are constant, out-of-range, induction, invariant, exploration",
        ),
        (
            r#""verdict": "uncoverable", "method": "induction""#,
            "in:3:1: the field 'depth' is missing",
        ),
        (
            r#""verdict": "uncoverable", "method": "constant", "depth": 3"#,
            "in:4:49: the field 'depth' does not belong to an obligation uncoverable by constant",
        ),
        (
            r#""verdict": "justified", "reason": " ", "author": "A", "date": "2026-03-01""#,
            "in:3:1: obligation 'k': a justification needs a reason and an author",
        ),
        (
            r#""verdict": "justified", "reason": "r", "author": "A", "date": "1.3.2026""#,
            "in:3:1: obligation 'k': '1.3.2026' is not a date; one is written YYYY-MM-DD",
        ),
        (
            r#""verdict": "justified", "reason": "r", "author": "A", "date": "2026-13-01""#,
            "in:3:1: obligation 'k': '2026-13-01' is not a date; one is written YYYY-MM-DD",
        ),
        (
            r#""verdict": "unresolved", "limit": "patience""#,
            "in:4:35: no limit is called 'patience'; \
             there are suite, bound, time, unsupported, too-many, undecided, not-within-bounds",
        ),
        (
            r#""verdict": "unresolved", "limit": "suite", "shortfall": "lazy""#,
            "in:4:57: no shortfall is called 'lazy'; there are never-reached, never-so, \
             never-finished, always-masked, no-partner, never-observed, survived",
        ),
        (
            r#""verdict": "unresolved", "limit": "time", "seconds": 1.5"#,
            "in:4:54: expected a whole number from 0 that is not too large, found '1.5'",
        ),
        (
            r#""verdict": "unresolved", "limit": "time", "seconds": 1, "value": 2"#,
            "in:4:57: the field 'value' does not belong to an obligation unresolved for the limit time",
        ),
    ] {
        let source = with_verdict(verdict);
        assert_eq!(complaint(parse(source.as_bytes())), expected);
    }
}

#[test]
fn damaged_results_are_refused_with_their_place() {
    let good = with_verdict(r#""verdict": "covered", "tests": [1]"#);
    parse(good.as_bytes()).unwrap();
    let twice = {
        let at = good.find("{\"id\"").unwrap();
        let obligation = &good[at..good.len() - 2];
        format!("{},\n{obligation}]}}", &good[..good.len() - 2])
    };
    for (source, expected) in [
        (twice, "in:5:1: there are two of obligation 'k'"),
        (good.replace("\"a\"", "\"b\""), "in:2:16: there are two of test 'b'"),
        (good.replace("\"k\"", "\"\""), "in:3:1: the id of this obligation is empty"),
        (
            good.replace("\"mcdc\", \"file\"", "\"bvc\", \"file\""),
            "in:3:1: obligation 'k': 'bvc' is not among the criteria",
        ),
        (
            good.replace("[\"mcdc\"]", "[\"mcdc\", \"mcdc:masking\"]"),
            "in:1:79: there are two of criterion 'mcdc'",
        ),
        (
            good.replace("1:1-1:2", "1-2"),
            "in:3:72: '1-2': a span is written line:column-line:column, counted from 1, \
             with its end not before its start",
        ),
    ] {
        assert_eq!(complaint(parse(source.as_bytes())), expected, "{source}");
    }
    let unknown = good.replace("[\"mcdc\"]", "[\"mcdc2\"]");
    let message = complaint(parse(unknown.as_bytes()));
    assert!(
        message.starts_with("in:1:71: no criterion is called 'mcdc2'; there are statement, "),
        "{message}"
    );
}

#[test]
fn an_assessment_is_stored_with_its_places_and_counted() {
    let program = program::parse(documented("json program").as_bytes()).unwrap();
    let obligation = |key: &str, criterion| Obligation {
        key: Key::new(key),
        criterion,
        goal: Goal::Enter(FunctionId::new(0)),
        function: FunctionId::new(0),
        span: "4:7-4:17".parse().unwrap(),
        text: "what is asked".to_owned(),
        settled: None,
    };
    let mut assessment = Assessment {
        plan: Plan {
            obligations: vec![
                obligation("one", MCDC),
                obligation("two", MCDC),
                obligation("three", Criterion::Bvc),
            ],
        },
        tests: vec!["t1".to_owned()],
        verdicts: vec![
            Verdict::Covered { tests: vec![TestId::new(0)], pair: None },
            Verdict::Unresolved(Limit::Suite(Shortfall::NeverReached)),
            Verdict::Unresolved(Limit::Spent(Spent::Seconds(3))),
        ],
    };
    let criteria = [MCDC, Criterion::Bvc, Criterion::Branch];
    let stored = StoredResult::new("obligato 0", &criteria, &assessment, &program).unwrap();
    assert_eq!(stored.obligations[0].file, "brake.c");
    assert_eq!(stored.obligations[0].function, "apply");
    for criterion in criteria {
        assert_eq!(stored.tally(criterion), assessment.tally(criterion));
    }
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("result.json");
    save(&path, &stored).unwrap();
    assert_eq!(load(&path).unwrap(), stored);

    let refused = print(&StoredResult { criteria: vec![MCDC], ..stored });
    assert_eq!(
        refused.unwrap_err().to_string(),
        "obligation 'three': 'bvc' is not among the criteria"
    );
    assessment.verdicts.pop();
    let refused = StoredResult::new("obligato 0", &criteria, &assessment, &program);
    assert_eq!(refused.unwrap_err().to_string(), "there are 2 verdicts for 3 obligations");
}

#[test]
fn the_semantics_are_compared_both_ways_and_wrong_numbers_are_refused() {
    let text = documented("json measure");
    let result = parse(text.as_bytes()).unwrap();
    assert_eq!(result.observed, ["o"]);
    let counts: Vec<_> = comparisons(&result)
        .iter()
        .map(|one| (one.both, one.first_only, one.second_only, one.neither))
        .collect();
    assert_eq!(counts, [(0, 0, 2, 0), (0, 0, 0, 2), (0, 2, 0, 0)]);
    let complaint_of =
        |from: &str, to: &str| complaint(parse(text.replacen(from, to, 1).as_bytes()));
    let other = "the obligations give other comparisons than these";
    for (from, to) in [
        ("\"first_only\": 2", "\"first_only\": 1"),
        ("\"second\": \"omcdc:tags\"", "\"second\": \"omcdc:exact\""),
        (
            "\"verdict\": \"covered\", \"tests\": [0]",
            "\"verdict\": \"unresolved\", \"limit\": \"time\", \"seconds\": 1",
        ),
    ] {
        assert!(complaint_of(from, to).ends_with(other), "{from}");
    }
    assert!(complaint_of("\"both\": 0", "\"both\": -1").contains("expected a whole number"));
    assert!(complaint_of("\"o\"\n", "\"o\",\n\"o\"\n").ends_with("two of observed variable 'o'"));
    // What was not watched for is not compared.
    let unwatched = text.replace(
        "\"limit\": \"suite\", \"shortfall\": \"never-observed\"",
        "\"limit\": \"unsupported\", \"construct\": \"nobody looked\"",
    );
    let (before, rest) = unwatched.split_once("  \"comparisons\"").unwrap();
    let (_, after) = rest.split_once("],\n").unwrap();
    let result = parse(format!("{before}{after}").as_bytes()).unwrap();
    assert_eq!(comparisons(&result), []);
}

#[test]
fn a_cut_document_is_noticed() {
    assert_truncation_is_noticed(parse, documented("json result"));
}

proptest! {
    #[test]
    fn every_result_reads_back(stored in samples::result()) {
        let text = print(&stored).unwrap();
        prop_assert_eq!(parse(text.as_bytes()).unwrap(), stored);
    }
}

#[test]
fn outcomes_are_of_tests_that_are_there_each_once() {
    let covered = with_verdict(r#""verdict": "covered", "tests": [0], "ends_in": "f.c:1:2: trap""#);
    let with = |outcomes: &str| {
        covered.replacen(
            "\"obligations\"",
            &format!("\"outcomes\": {outcomes}, \"obligations\""),
            1,
        )
    };
    let text =
        with(r#"{"passed": [], "failed": [1], "errors": [{"test": 0, "text": "f.c:1:2: trap"}]}"#);
    let read = parse(text.as_bytes()).unwrap();
    assert_eq!(read.failed_tests().collect::<Vec<_>>(), ["b"]);
    assert_eq!(read.outcomes[0].error.as_deref(), Some("f.c:1:2: trap"));
    assert_eq!(read.obligations[0].ends_in, read.outcomes[0].error);
    assert_eq!(parse(print(&read).unwrap().as_bytes()).unwrap(), read);
    for (outcomes, expected) in [
        (
            r#"{"passed": [2], "failed": []}"#,
            "there is no test 2; 2 tests are listed, counted from 0",
        ),
        (r#"{"passed": [1], "failed": [1]}"#, "this test is listed twice"),
        (r#"{"passed": []}"#, "failed"),
    ] {
        let error = complaint(parse(with(outcomes).as_bytes()));
        assert!(error.contains(expected), "{error}");
    }
    // Only what tests cover can end with one of them.
    let open = with_verdict(
        r#""verdict": "unresolved", "limit": "suite", "shortfall": "survived", "ends_in": "x""#,
    );
    assert!(parse(open.as_bytes()).is_err());
    // Nothing is kept where there is nothing to say.
    let silent = read.clone().with_outcomes(vec![TestOutcome::default(); 2]);
    assert_eq!(silent.outcomes, []);
}
