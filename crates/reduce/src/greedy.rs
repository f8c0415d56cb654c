//! The greedy reduction: always the test that adds most, the first of equals.
//!
//! A test adds a required fact, or completes a way of a choice; among tests that add equally
//! many of those, it counts how many facts nearer to completion it brings choices. At the
//! end, tests that later ones made superfluous go again, the last kept first.
//!
//! Gains are kept up to date rather than computed anew: a required fact, once shown, counts
//! for none of its tests any more, so all updates together cost what the facts take in memory.
//! What a choice counts for each test is computed again when one of its facts is shown, which
//! happens few times before the choice is made.

use obligato_model::TestId;

use crate::problem::{ChoiceId, FactId, Problem};
use crate::progress::Progress;

/// The reduction, in the order of the suite.
pub fn reduce(problem: &Problem) -> Vec<TestId> {
    let mut progress = Progress::new(problem);
    let mut gains = Gains::new(problem);
    let mut kept = Vec::new();
    while let Some(test) = gains.best() {
        let new = progress.add(test);
        gains.update(&progress, &new);
        kept.push(test);
    }
    let mut kept = progress.drop_superfluous(kept.into_iter().rev());
    kept.sort_unstable();
    kept
}

/// What a test adds: in the upper half what it completes, in the lower the facts it brings
/// nearer. Neither overflows: a problem has fewer than 2^32 facts and choices.
type Gain = u64;

const COMPLETION: Gain = 1 << 32;

/// What each test would add.
struct Gains<'p> {
    problem: &'p Problem,
    by_test: Vec<Gain>,
    /// Per choice, what it counts for which test.
    by_choice: Vec<Vec<(TestId, Gain)>>,
    /// Per test, how many facts of the way at hand it shows, and how many facts are missing from a choice
    /// with it; both all at rest between uses.
    hits: Vec<usize>,
    missing: Vec<usize>,
}

const RESTING: usize = usize::MAX;

impl<'p> Gains<'p> {
    fn new(problem: &'p Problem) -> Self {
        let mut gains = Self {
            problem,
            by_test: vec![0; problem.tests()],
            by_choice: vec![Vec::new(); problem.choices().len()],
            hits: vec![0; problem.tests()],
            missing: vec![RESTING; problem.tests()],
        };
        for fact in problem.required() {
            for test in problem.tests_of(*fact) {
                gains.by_test[test.index()] += COMPLETION;
            }
        }
        let nothing = Progress::new(problem);
        for choice in 0..problem.choices().len() {
            gains.count_choice(&nothing, ChoiceId::new(choice));
        }
        gains
    }

    /// The first test that adds most, if one adds anything.
    fn best(&self) -> Option<TestId> {
        let all = self.by_test.iter().enumerate();
        let best = all.max_by_key(|(index, gain)| (**gain, std::cmp::Reverse(*index)));
        best.filter(|(_, gain)| **gain > 0).map(|(index, _)| TestId::new(index))
    }

    /// Takes note of facts that are newly shown.
    fn update(&mut self, progress: &Progress<'_>, new: &[FactId]) {
        for fact in new {
            if self.problem.is_required(*fact) {
                for test in self.problem.tests_of(*fact) {
                    self.by_test[test.index()] -= COMPLETION;
                }
            }
        }
        let touched = new.iter().flat_map(|fact| self.problem.choices_with(*fact));
        let mut touched: Vec<ChoiceId> = touched.copied().collect();
        touched.sort_unstable();
        touched.dedup();
        for choice in touched {
            for (test, gain) in std::mem::take(&mut self.by_choice[choice.index()]) {
                self.by_test[test.index()] -= gain;
            }
            if !progress.has_made(choice) {
                self.count_choice(progress, choice);
            }
        }
    }

    /// Counts what an open choice is worth to each test.
    fn count_choice(&mut self, progress: &Progress<'_>, choice: ChoiceId) {
        let mut missing_now = RESTING;
        let mut touched = Vec::new();
        for way in self.problem.choice(choice) {
            let unshown = || way.iter().filter(|fact| !progress.shows(**fact));
            let missing = unshown().count();
            missing_now = missing_now.min(missing);
            for fact in unshown() {
                for test in self.problem.tests_of(*fact) {
                    self.hits[test.index()] += 1;
                }
            }
            // Each test once: its hits are back at rest the second time.
            for test in unshown().flat_map(|fact| self.problem.tests_of(*fact)) {
                let hits = std::mem::take(&mut self.hits[test.index()]);
                if hits == 0 {
                    continue;
                }
                let least = &mut self.missing[test.index()];
                if *least == RESTING {
                    touched.push(*test);
                }
                *least = (*least).min(missing - hits);
            }
        }
        for test in touched {
            let missing = std::mem::replace(&mut self.missing[test.index()], RESTING);
            if missing < missing_now {
                let whole = if missing == 0 { COMPLETION } else { 0 };
                let gain = whole + (missing_now - missing) as Gain;
                self.by_test[test.index()] += gain;
                self.by_choice[choice.index()].push((test, gain));
            }
        }
    }
}
