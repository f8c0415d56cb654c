//! The randomised reduction of Whalen et al., section V-C: tests are taken from the suite at
//! random, and one is kept if it adds coverage to those kept before it.
//!
//! The paper's criteria credit each test with obligations of its own. Where an obligation needs
//! two tests, the first of them adds nothing yet, and dropped it would be gone when its partner
//! comes. So a test is also kept for a part of what is still open; at the end those that were
//! kept only for parts go again if nothing is lost without them. Without such obligations
//! this is the paper's algorithm to the letter.

use obligato_model::{Random, TestId};

use crate::problem::Problem;
use crate::progress::{Addition, Progress};

/// So many reductions the paper makes of each suite, so that neither a good nor a bad one by
/// accident decides an experiment.
pub const USUAL_REDUCTIONS: usize = 10;

/// One reduction, in the order of the suite.
pub fn reduce(problem: &Problem, seed: u64) -> Vec<TestId> {
    reduce_in_order(problem, &mut Random::new(seed))
}

/// So many reductions, each with an order of its own.
pub fn reductions(problem: &Problem, seed: u64, count: usize) -> impl Iterator<Item = Vec<TestId>> {
    let mut random = Random::new(seed);
    (0..count).map(move |_| reduce_in_order(problem, &mut random))
}

fn reduce_in_order(problem: &Problem, random: &mut Random) -> Vec<TestId> {
    let mut order: Vec<TestId> = (0..problem.tests()).map(TestId::new).collect();
    random.shuffle(&mut order);
    let mut progress = Progress::new(problem);
    let (mut kept, mut for_parts) = (Vec::new(), Vec::new());
    for test in order {
        match progress.addition(test) {
            Addition::Nothing => continue,
            Addition::Parts => for_parts.push(test),
            Addition::Whole => kept.push(test),
        }
        progress.add(test);
    }
    kept.extend(progress.drop_superfluous(for_parts.into_iter().rev()));
    kept.sort_unstable();
    kept
}
