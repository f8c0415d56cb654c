//! The fewest tests that keep everything, or bounds on their number.
//!
//! First the problem is made smaller without losing its solutions ([`simplify`]): often
//! nothing is left. Of what is left, the greedy reduction bounds the number from above and facts
//! that no test shares bound it from below. Between the two a SAT solver is asked
//! whether so many tests can do ([`query`]), halving the gap each time, until the bounds meet or
//! the budget is spent.

use std::ops::Range;
use std::time::Duration;

use obligato_model::TestId;
use obligato_solver::Stop;

use crate::greedy;
use crate::problem::{FactId, Problem};
use crate::progress::Progress;

mod budget;
mod query;
mod simplify;

use budget::RunningBudget;
use query::{Answer, Query};

/// What the search may spend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExactBudget {
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

/// The fewest tests, as far as the budget goes and nobody asks to stop. Tests already `known` to do save the
/// search for as many; others are of no use.
pub fn reduce(problem: &Problem, known: &[TestId], budget: ExactBudget, stop: &Stop) -> Bounds {
    let mut budget = RunningBudget::new(budget, stop);
    let (essential, rest) = simplify::simplify(problem, &budget);
    let useful = problem.is_kept_by(known);
    // What is known may have tests that the simpler problem is without, but its size holds.
    let at_most = if useful { known.len() - essential.len() } else { usize::MAX };
    let (more, at_least) = search(&rest, at_most, &mut budget);
    let mut kept = match more {
        None => known.to_vec(),
        Some(more) => [essential.as_slice(), &more].concat(),
    };
    kept.sort_unstable();
    Bounds { kept, at_least: essential.len() + at_least }
}

/// Fewer tests than `at_most` that solve a simplified problem, if any are found, and how many
/// are needed at least.
fn search(
    problem: &Problem,
    at_most: usize,
    budget: &mut RunningBudget,
) -> (Option<Vec<TestId>>, usize) {
    let mut found = Some(greedy::reduce(problem)).filter(|found| found.len() < at_most);
    let mut open = count_apart(problem)..found.as_ref().map_or(at_most, Vec::len);
    if open.is_empty() {
        return (found, open.start);
    }
    let Some(mut query) = Query::new(problem, open.clone()) else { return (found, open.start) };
    // The sizes that took too long, as one range: answers are hardest close to the minimum.
    let mut hard: Option<(usize, usize)> = None;
    while let Some(size) = next_size(&open, hard) {
        let Some(share) = budget.share() else { break };
        match query.ask(size, share, budget) {
            Answer::Enough(tests) => {
                let tests = tidied(problem, tests);
                open.end = tests.len();
                found = Some(tests);
            }
            Answer::TooFew => open.start = size + 1,
            Answer::Unknown => {
                let (least, most) = hard.unwrap_or((size, size));
                hard = Some((least.min(size), most.max(size)));
            }
        }
    }
    (found, open.start)
}

/// The size to ask about next: in the middle of those that are open, and beside the hard ones
/// first below, then above them.
fn next_size(open: &Range<usize>, hard: Option<(usize, usize)>) -> Option<usize> {
    let middle = |sizes: Range<usize>| {
        (!sizes.is_empty()).then(|| sizes.start + (sizes.end - 1 - sizes.start) / 2)
    };
    match hard {
        None => middle(open.clone()),
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
