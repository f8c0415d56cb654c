//! One verdict on an obligation that several parts of a result have judged, each with tests of its own.

use obligato_model::{Bound, Limit, Pair, TestId, Verdict, strongest};

use super::left_to_another_shard;

/// A test in one part and a proof in another say the opposite of an obligation: one of the two is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartsContradict {
    /// The part with the test.
    pub covering: usize,
    /// The part with the proof.
    pub proving: usize,
}

/// The best verdict that a part has, and the number of that part, or of the first of several. `place` says where a test of a
/// part is in the suite of all.
pub fn merge_parts(
    verdicts: &[&Verdict],
    place: impl Fn(usize, TestId) -> TestId,
) -> Result<(usize, Verdict), PartsContradict> {
    let first = |is: fn(&Verdict) -> bool| verdicts.iter().position(|verdict| is(verdict));
    let covering = first(|verdict| matches!(verdict, Verdict::Covered { .. }));
    let proving = first(|verdict| matches!(verdict, Verdict::Uncoverable(_)));
    let justified = first(|verdict| matches!(verdict, Verdict::Justified(_)));
    match (covering, proving) {
        (Some(covering), Some(proving)) => Err(PartsContradict { covering, proving }),
        (Some(part), None) => Ok((part, covered(verdicts, place))),
        (None, Some(part)) => Ok((part, verdicts[part].clone())),
        (None, None) => match justified {
            Some(part) => Ok((part, verdicts[part].clone())),
            None => Ok(open(verdicts)),
        },
    }
}

/// By the tests of all parts that cover it.
fn covered(verdicts: &[&Verdict], place: impl Fn(usize, TestId) -> TestId) -> Verdict {
    let mut all: Vec<TestId> = Vec::new();
    let mut shown: Option<Pair> = None;
    for (part, verdict) in verdicts.iter().enumerate() {
        let Verdict::Covered { tests, pair } = verdict else { continue };
        all.extend(tests.iter().map(|test| place(part, *test)));
        if let (None, Some(pair)) = (shown, pair) {
            shown = Some(Pair {
                with_true: place(part, pair.with_true),
                with_false: place(part, pair.with_false),
            });
        }
    }
    all.sort_unstable();
    all.dedup();
    Verdict::Covered { tests: all, pair: shown }
}

/// A refutation within bounds, the one that says most; else what stood in the way of whoever tried; of suites, the furthest
/// that one got.
fn open(verdicts: &[&Verdict]) -> (usize, Verdict) {
    let numbered = || verdicts.iter().copied().enumerate();
    let bounded = numbered().filter_map(|(part, verdict)| Some((part, verdict.bounds()?)));
    let (parts, bounds): (Vec<usize>, Vec<&[Bound]>) = bounded.unzip();
    // Each part has shown its own refutation, so the one that is kept is kept as it is: no bound is left out of it.
    if let Some(part) = strongest(&bounds).map(|at| parts[at]) {
        return (part, verdicts[part].clone());
    }
    let is_left = |verdict: &Verdict| matches!(verdict, Verdict::Unresolved(Limit::AnotherShard));
    let tried = numbered().filter(|(_, verdict)| !is_left(verdict));
    let furthest = tried.reduce(|best, other| match (best.1, other.1) {
        (Verdict::Unresolved(Limit::Suite(one)), Verdict::Unresolved(Limit::Suite(two)))
            if two > one =>
        {
            other
        }
        _ => best,
    });
    match furthest.or(numbered().next()) {
        Some((part, verdict)) => (part, verdict.clone()),
        None => (0, left_to_another_shard()),
    }
}
