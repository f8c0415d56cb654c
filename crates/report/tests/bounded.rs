//! A refutation within bounds only is told from a proof and from what nobody could decide, in every format.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use obligato_model::{Bound, Limit, Method, Proof, Spent, Verdict};
use obligato_report::{Report, cobertura, html, json, junit, lcov, markdown, sarif};
use serde_json::Value;

mod sample;

/// Two conditions: the first is bounded twice, the second is uncoverable and out of time.
fn report() -> Report {
    let one = |asked: &str, text: &str, verdict| {
        sample::obligation(sample::MASKING, "f.c", asked, sample::span(7, 5, 9), text, verdict)
    };
    let bounded = || {
        let bounds = vec![Bound::Steps(1), Bound::ZeroedMemory];
        Verdict::Unresolved(Limit::NotWithinBounds(bounds))
    };
    let proof = Proof { method: Method::Exploration, assumptions: Vec::new() };
    let late = Verdict::Unresolved(Limit::Spent(Spent::Seconds(2)));
    let mut result = sample::empty();
    result.criteria = vec![sample::MASKING];
    result.obligations = vec![
        one("decision-aa.1/c1=T", "condition 1 `a` is true", bounded()),
        one("decision-aa.1/c1=F", "condition 1 `a` is false", bounded()),
        one("decision-aa.1/c2=T", "condition 2 `b` is true", Verdict::Uncoverable(proof)),
        one("decision-aa.1/c2=F", "condition 2 `b` is false", late),
    ];
    Report::new(result, None, None)
}

#[test]
fn json_counts_it_apart_and_lists_bounds_per_obligation_and_per_group() {
    let found: Value = serde_json::from_str(&json::render(&report())).unwrap();
    let counts = &found["criteria"][0];
    assert_eq!((&counts["bounded"], &counts["unresolved"]), (&2.into(), &1.into()));
    let group = &found["bounded"][0];
    assert_eq!(group["obligations"].as_array().unwrap().len(), 2);
    assert_eq!(group["next"], "--steps 4; a justification");
    let bound = &found["obligations"][0]["bounds"][0];
    assert_eq!((&bound["kind"], &bound["option"]), (&"steps".into(), &"--steps 4".into()));
    assert!(found["obligations"][3]["bounds"].is_null());
}

#[test]
fn sarif_has_a_rule_of_its_own_for_it_with_the_bounds() {
    let found: Value = serde_json::from_str(&sarif::render(&report())).unwrap();
    let results = found["runs"][0]["results"].as_array().unwrap();
    let rules: Vec<&str> = results.iter().map(|one| one["ruleId"].as_str().unwrap()).collect();
    assert_eq!(rules, ["mcdc/bounded", "mcdc/bounded", "mcdc", "mcdc"]);
    assert_eq!(results[0]["kind"], "open");
    assert_eq!(results[0]["properties"]["verdict"], "bounded");
    assert_eq!(results[0]["properties"]["bounds"][0]["text"], "one step");
    assert_eq!(results[2]["kind"], "informational");
}

#[test]
fn traces_for_other_tools_never_leave_it_out() {
    let text = lcov::render(&report());
    assert!(text.contains("MCDC:7,2,t,0,0,a\nMCDC:7,2,f,0,0,a\nMCDC:7,U2,t,0,1,b"), "{text}");
    let text = cobertura::render(&report());
    assert!(text.contains("branches-covered=\"0\" branches-valid=\"3\""), "{text}");
    let text = junit::render(&report());
    assert!(text.contains("2 not within bounds, 1 unresolved of 4"), "{text}");
}

#[test]
fn people_read_of_each_group_once_and_it_closes_nothing() {
    let text = markdown::render(&report());
    assert!(text.contains("| 0 | 1 | 0 | 2 | 1 | 4 | 25.0 % |"), "{text}");
    assert!(text.contains("<summary>2 not within bounds</summary>"), "{text}");
    assert!(text.contains("- 2 obligations: one step, zeros in memory"), "{text}");
    assert!(text.contains("<summary>1 unresolved</summary>"), "{text}");
    let page = html::render(&report());
    assert!(page.contains("verdict=bounded\">2</a>"), "the page counts it apart");
    assert!(page.contains("<td>one step</td><td>--steps 4</td>"), "the page lists the groups");
}
