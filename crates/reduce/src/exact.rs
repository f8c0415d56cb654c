//! The fewest tests that keep everything, or bounds on their number.
//!
//! First the problem is made smaller without losing its solutions ([`simplify`]): often
//! nothing is left. Of what is left, the greedy reduction bounds the number from above and facts
//! that no test shares bound it from below. Between the two a SAT solver is asked
//! whether so many tests can do ([`query`]), halving the gap each time, until the bounds meet or
//! the budget is spent.

use std::time::Duration;

use obligato_model::TestId;

use crate::greedy;
use crate::problem::{FactId, Problem};
use crate::progress::Progress;

mod budget;
mod query;
mod simplify;

use budget::Purse;
use query::{Answer, Query};

/// What the search may spend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// So much time.
    Time(Duration),
    /// So many conflicts of the solver: the same everywhere and every time.
    Conflicts(u64),
}

/// What is known of the fewest tests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Tests that do, in the order of the suite: no more than these are needed.
    pub kept: Vec<TestId>,
    /// No fewer than this can do.
    pub at_least: usize,
}

impl Bounds {
    /// Are there no fewer tests that do?
    pub fn is_minimum(&self) -> bool {
        self.kept.len() == self.at_least
    }
}

/// The fewest tests, as far as the budget goes.
pub fn reduce(problem: &Problem, budget: Budget) -> Bounds {
    let mut purse = Purse::new(budget);
    let (mut kept, rest) = simplify::simplify(problem, &purse);
    let essential = kept.len();
    let Bounds { kept: more, at_least } = search(&rest, &mut purse);
    kept.extend(more);
    kept.sort_unstable();
    Bounds { kept, at_least: essential + at_least }
}

/// Narrows the bounds of a simplified problem.
fn search(problem: &Problem, purse: &mut Purse) -> Bounds {
    let mut bounds = Bounds { kept: greedy::reduce(problem), at_least: count_apart(problem) };
    if bounds.is_minimum() {
        return bounds;
    }
    let sizes = bounds.at_least..bounds.kept.len();
    let Some(mut query) = Query::new(problem, sizes) else { return bounds };
    // The sizes that took too long, as one range: answers are hardest close to the minimum.
    let mut hard: Option<(usize, usize)> = None;
    while let Some(size) = next_size(&bounds, hard) {
        let Some(share) = purse.share() else { break };
        match query.ask(size, share, purse) {
            Answer::Enough(tests) => bounds.kept = tidied(problem, tests),
            Answer::TooFew => bounds.at_least = size + 1,
            Answer::Unknown => {
                let (least, most) = hard.unwrap_or((size, size));
                hard = Some((least.min(size), most.max(size)));
            }
        }
    }
    bounds
}

/// The size to ask about next: in the middle of those that are open, and beside the hard ones
/// first below, then above them.
fn next_size(bounds: &Bounds, hard: Option<(usize, usize)>) -> Option<usize> {
    let open = bounds.at_least..bounds.kept.len();
    let middle = |sizes: std::ops::Range<usize>| {
        (!sizes.is_empty()).then(|| sizes.start + (sizes.end - 1 - sizes.start) / 2)
    };
    match hard {
        None => middle(open),
        Some((least, most)) => middle(open.start..least.min(open.end))
            .or_else(|| middle((most + 1).max(open.start)..open.end)),
    }
}

/// The tests without those that a solver chose for no reason.
fn tidied(problem: &Problem, tests: Vec<TestId>) -> Vec<TestId> {
    let mut progress = Progress::new(problem);
    for test in &tests {
        progress.add(*test);
    }
    progress.drop_superfluous(tests.into_iter())
}

/// How many of what is asked for share no test: each needs one of its own.
fn count_apart(problem: &Problem) -> usize {
    let of_facts = |facts: &mut dyn Iterator<Item = &FactId>| {
        let mut tests: Vec<TestId> =
            facts.flat_map(|fact| problem.tests_of(*fact)).copied().collect();
        tests.sort_unstable();
        tests.dedup();
        tests
    };
    let required = problem.required().iter().map(|fact| of_facts(&mut std::iter::once(fact)));
    let choices = problem.choices().iter().map(|ways| of_facts(&mut ways.iter().flatten()));
    let mut sets: Vec<Vec<TestId>> = required.chain(choices).collect();
    // Small sets are in the way of few others.
    sets.sort_by_key(Vec::len);
    let mut taken = vec![false; problem.tests()];
    let mut count = 0;
    for tests in sets {
        if tests.iter().all(|test| !taken[test.index()]) {
            count += 1;
            for test in tests {
                taken[test.index()] = true;
            }
        }
    }
    count
}
