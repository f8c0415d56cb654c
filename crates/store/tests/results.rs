//! Results that release 0.1.0 has stored, from before limits and assumptions were data: they are read, into data where
//! their words are known, and printed as they were.

use obligato_model::{Assumption, Bound, Limit, Spent, Undecided, Verdict};
use obligato_store::StoredResult;
use obligato_store::result::{parse, print};

const RESULTS: [(&str, &str); 5] = [
    ("a model", include_str!("results/model.json")),
    ("a shard of a model", include_str!("results/model_shard.json")),
    ("a measured suite", include_str!("results/measured.json")),
    ("a C function", include_str!("results/unit.json")),
    ("a C function with a small budget", include_str!("results/unit_small_budget.json")),
];

fn stored(name: &str) -> StoredResult {
    let (_, text) = RESULTS.iter().find(|(known, _)| *known == name).expect("a stored result");
    parse(text.as_bytes()).expect("it is read")
}

fn limits(result: &StoredResult) -> impl Iterator<Item = &Limit> {
    result.obligations.iter().filter_map(|one| match &one.verdict {
        Verdict::Unresolved(limit) => Some(limit),
        _ => None,
    })
}

fn assumptions(result: &StoredResult) -> impl Iterator<Item = &Assumption> {
    result.obligations.iter().flat_map(|one| match &one.verdict {
        Verdict::Uncoverable(proof) => proof.assumptions.as_slice(),
        _ => &[],
    })
}

/// The results of C functions with proofs that took bounds of the tool for granted.
const WITH_BOUNDS: [&str; 2] = ["a C function", "a C function with a small budget"];

#[test]
fn stored_results_are_printed_as_they_were_read() {
    for (name, text) in RESULTS {
        let result = parse(text.as_bytes()).expect(name);
        let printed = print(&result).expect(name);
        if WITH_BOUNDS.contains(&name) {
            assert_eq!(parse(printed.as_bytes()).expect(name), result, "{name}");
        } else {
            assert_eq!(printed, text, "{name}");
        }
    }
}

#[test]
fn stored_proofs_that_took_bounds_for_granted_are_bounded() {
    let text = include_str!("results/unit.json");
    let claimed = text.matches("\"tests have one step\"").count();
    assert!(claimed > 0, "the stored proofs name a bound");
    let unit = stored("a C function");
    let bounded = limits(&unit).filter(|limit| {
        matches!(limit, Limit::NotWithinBounds(bounds) if bounds.contains(&Bound::Steps(1)))
    });
    assert_eq!(bounded.count(), claimed);
}

#[test]
fn the_words_of_stored_assumptions_become_data() {
    let model = stored("a model");
    assert!(assumptions(&model).count() > 0);
    let unknown = assumptions(&model).find(|one| matches!(one, Assumption::Other(_)));
    assert_eq!(unknown, None);
}

#[test]
fn the_words_of_stored_limits_become_data_where_they_are_known() {
    assert!(limits(&stored("a shard of a model")).all(|limit| *limit == Limit::AnotherShard));
    let unit = stored("a C function");
    let has = |wanted: Undecided| limits(&unit).any(|limit| *limit == wanted.clone().into());
    assert!(has(Undecided::Unobservable));
    assert!(has(Undecided::Other("a loop came round 40 times".to_owned())));
    let is_other = |limit: &Limit| matches!(limit, Limit::Spent(Spent::Other(name, _)) if name == "units of work");
    assert!(limits(&stored("a C function with a small budget")).any(is_other));
}
