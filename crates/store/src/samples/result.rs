//! Random results.

use obligato_model::verdict::Names;
use obligato_model::{
    Assumption, Bound, Justification, Limit, Method, Pair, Proof, Shortfall, Spent, TestId,
    TooMany, Unsupported, Verdict, criterion,
};
use proptest::collection::{btree_set, vec};
use proptest::prelude::*;

use super::{name, names, span};
use crate::result::{Expectation, StoredFunction, StoredShard, TestOutcome};
use crate::{StoredObligation, StoredResult};

fn verdict(tests: usize) -> impl Strategy<Value = Verdict> {
    let number = 0..tests.max(1);
    let covered = (btree_set(number, 1..4), any::<Option<(u8, u8)>>());
    let covered = covered.prop_map(|(tests, pair)| {
        let tests: Vec<TestId> = tests.into_iter().map(TestId::new).collect();
        let pick = |choice: u8| tests[usize::from(choice) % tests.len()];
        let pair = pair.map(|(with_true, with_false)| Pair {
            with_true: pick(with_true),
            with_false: pick(with_false),
        });
        Verdict::Covered { tests, pair }
    });
    let methods = vec![
        Method::Constant,
        Method::OutOfRange,
        Method::Induction(7),
        Method::Invariant,
        Method::Exploration,
    ];
    let proof = (proptest::sample::select(methods), vec(name(), 0..3));
    let shortfalls = vec![
        Shortfall::NeverReached,
        Shortfall::NeverWithValue,
        Shortfall::NeverFinished,
        Shortfall::AlwaysMasked,
        Shortfall::NoPartner,
        Shortfall::NeverObserved,
        Shortfall::Survived,
    ];
    prop_oneof![
        covered,
        proof.prop_map(|(method, words)| {
            let assumptions = words.iter().map(|text| Assumption::read(text)).collect();
            Verdict::Uncoverable(Proof { method, assumptions })
        }),
        ("[a-z \n]{0,5}x", "[A-Z]{1,3}").prop_map(|(reason, author)| {
            let date = "2026-03-01".to_owned();
            Verdict::Justified(Justification { reason, author, date })
        }),
        proptest::sample::select(shortfalls)
            .prop_map(|shortfall| Verdict::Unresolved(Limit::Suite(shortfall))),
        (name(), any::<u64>())
            .prop_map(|(name, at)| Verdict::Unresolved(Limit::Spent(Spent::read(&name, at)))),
        any::<u64>().prop_map(|seconds| Verdict::Unresolved(Limit::Spent(Spent::Seconds(seconds)))),
        name().prop_map(|text| Verdict::Unresolved(Limit::Unsupported(Unsupported::read(&text)))),
        name().prop_map(|text| Verdict::Unresolved(Limit::TooMany(TooMany::read(&text)))),
        name().prop_map(|text| Verdict::Unresolved(Limit::undecided(&text))),
        vec(bound(), 0..3).prop_map(|bounds| Verdict::Unresolved(Limit::NotWithinBounds(bounds))),
        Just(Verdict::Unresolved(Limit::AnotherShard)),
    ]
}

fn bound() -> impl Strategy<Value = Bound> {
    prop_oneof![
        name().prop_map(|text| Bound::read(&text)),
        any::<u64>().prop_map(Bound::Steps),
        names(1..7).prop_map(|all| {
            let all = Names::new(all.iter().map(String::as_str));
            Bound::StubEffects(all.expect("invariant: there is a name"))
        }),
        Just(Bound::NoAliasing),
    ]
}

fn function(name: &str) -> StoredFunction {
    let fingerprint = obligato_model::Fingerprint::of(name).to_string();
    let code = name.is_ascii().then(|| format!("{fingerprint}{fingerprint}"));
    StoredFunction { file: name.to_owned(), function: name.to_owned(), fingerprint, code }
}

/// Nothing is known of the outcomes of some suites.
fn outcomes(tests: &[String]) -> Vec<TestOutcome> {
    let kinds = [Expectation::Passed, Expectation::Failed, Expectation::Unchecked];
    let outcome = |(at, name): (usize, &String)| TestOutcome {
        expectation: kinds[at % kinds.len()],
        error: (at % 2 == 1).then(|| name.clone()),
    };
    if tests.len() == 3 { Vec::new() } else { tests.iter().enumerate().map(outcome).collect() }
}

fn shard(tests: usize) -> StoredShard {
    StoredShard {
        number: obligato_model::Shard { index: 1, count: tests as u32 },
        command: "generate".to_owned(),
        program: "0123abcd".to_owned(),
        seed: u64::MAX,
        budget: "500000".to_owned(),
        given: tests,
    }
}

pub fn result() -> impl Strategy<Value = StoredResult> {
    let criteria = proptest::sample::subsequence(criterion::ALL.to_vec(), 1..5);
    (name(), criteria, names(1..5)).prop_flat_map(|(tool, criteria, tests)| {
        let detail = (name(), name(), span(), name(), verdict(tests.len()), any::<u8>());
        (names(0..6), vec(detail, 6)).prop_map(move |(ids, details)| {
            let obligation = |(id, detail): (String, _)| {
                let (file, function, span, text, verdict, choice) = detail;
                let choice: u8 = choice;
                StoredObligation {
                    criterion: criteria[usize::from(choice) % criteria.len()],
                    file,
                    function,
                    span,
                    text,
                    review: matches!(verdict, Verdict::Uncoverable(_)).then(|| Justification {
                        reason: "read".to_owned(),
                        author: "A".to_owned(),
                        date: "2026-03-01".to_owned(),
                    }),
                    ends_in: matches!(verdict, Verdict::Covered { .. }).then(|| id.clone()),
                    verdict,
                    id,
                }
            };
            StoredResult {
                tool: tool.clone(),
                criteria: criteria.clone(),
                tests: tests.clone(),
                outcomes: outcomes(&tests),
                observed: tests.iter().take(3).cloned().collect(),
                functions: tests.iter().take(2).map(|name| function(name)).collect(),
                shard: (tests.len() % 2 == 0).then(|| shard(tests.len())),
                obligations: ids.into_iter().zip(details).map(obligation).collect(),
            }
        })
    })
}
