//! The reductions that were asked for, one after the other.

use std::time::{Duration, Instant};

use obligato_model::TestId;
use obligato_reduce::{Problem, exact, greedy, randomised};

use crate::args::{Algorithm, ReduceArgs};

/// What an algorithm found.
pub struct Reduction {
    /// Its name.
    pub algorithm: &'static str,
    /// The tests it keeps, in order.
    pub kept: Vec<TestId>,
    /// Of random reductions, the size of each.
    pub sizes: Option<Vec<usize>>,
    /// Of the exact one, how many tests are needed at least.
    pub at_least: Option<usize>,
    /// How long it took.
    pub time: Duration,
}

/// Runs the algorithms.
pub fn run(arguments: &ReduceArgs, problem: &Problem) -> Vec<Reduction> {
    let wanted = |algorithm| [algorithm, Algorithm::All].contains(&arguments.algorithm);
    let mut reductions: Vec<Reduction> = Vec::new();
    if wanted(Algorithm::Greedy) {
        reductions.push(timed(|| Reduction::new("greedy", greedy::reduce(problem))));
    }
    if wanted(Algorithm::Random) {
        reductions.push(timed(|| randomly(arguments, problem)));
    }
    if wanted(Algorithm::Exact) {
        let known = reductions.iter().map(|one| &one.kept).min_by_key(|kept| kept.len());
        let known = known.cloned().unwrap_or_default();
        reductions.push(timed(|| {
            let bounds = exact::reduce(problem, &known, arguments.budget);
            let at_least = Some(bounds.at_least);
            Reduction { at_least, ..Reduction::new("exact", bounds.kept) }
        }));
    }
    reductions
}

/// The first of the smallest.
fn randomly(arguments: &ReduceArgs, problem: &Problem) -> Reduction {
    let (mut sizes, mut smallest) = (Vec::new(), None::<Vec<TestId>>);
    for kept in randomised::reductions(problem, arguments.seed, arguments.reductions as usize) {
        sizes.push(kept.len());
        if smallest.as_ref().is_none_or(|smallest| kept.len() < smallest.len()) {
            smallest = Some(kept);
        }
    }
    Reduction { sizes: Some(sizes), ..Reduction::new("random", smallest.unwrap_or_default()) }
}

fn timed(run: impl FnOnce() -> Reduction) -> Reduction {
    let start = Instant::now();
    let reduction = run();
    Reduction { time: start.elapsed(), ..reduction }
}

impl Reduction {
    fn new(algorithm: &'static str, kept: Vec<TestId>) -> Self {
        Self { algorithm, kept, sizes: None, at_least: None, time: Duration::ZERO }
    }
}
