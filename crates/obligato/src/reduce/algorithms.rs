//! The reductions that were asked for, one after the other.

use std::time::{Duration, Instant};

use obligato_model::TestId;
use obligato_reduce::{Problem, exact, greedy, randomised};
use obligato_solver::Stop;

use super::ReduceRequest;

/// How tests are chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Algorithm {
    /// Always the test that adds most, the first of equals.
    Greedy,
    /// Tests in random order, each kept if it adds something; the smallest of several such suites.
    Random,
    /// The fewest tests that can do, by a SAT solver.
    Exact,
}

impl Algorithm {
    /// All of them, in the order in which they run: the exact search starts from the smallest suite known.
    pub const ALL: [Self; 3] = [Self::Greedy, Self::Random, Self::Exact];

    /// The name that commands and reports use.
    pub fn name(self) -> &'static str {
        match self {
            Self::Greedy => "greedy",
            Self::Random => "random",
            Self::Exact => "exact",
        }
    }
}

/// What an algorithm found.
pub struct Answer {
    pub algorithm: Algorithm,
    /// The tests it keeps, in order.
    pub kept: Vec<TestId>,
    /// Of random reductions, the size of each.
    pub sizes: Option<Vec<usize>>,
    /// Of the exact one, how many tests are needed at least.
    pub at_least: Option<usize>,
    /// How long it took.
    pub time: Duration,
}

/// Runs the algorithms. When somebody asks to stop, the one that is running ends with what it has, and no other begins.
pub fn run(request: &ReduceRequest, problem: &Problem, stop: &Stop) -> Vec<Answer> {
    let mut answers: Vec<Answer> = Vec::new();
    for algorithm in Algorithm::ALL.into_iter().filter(|one| request.algorithms.contains(one)) {
        if stop.is_due() && !answers.is_empty() {
            break;
        }
        let start = Instant::now();
        let answer = match algorithm {
            Algorithm::Greedy => Answer::new(algorithm, greedy::reduce(problem)),
            Algorithm::Random => randomly(request, problem, stop),
            Algorithm::Exact => {
                let known = answers.iter().map(|one| &one.kept).min_by_key(|kept| kept.len());
                let known = known.cloned().unwrap_or_default();
                let bounds = exact::reduce(problem, &known, request.budget, stop);
                let at_least = Some(bounds.at_least);
                Answer { at_least, ..Answer::new(algorithm, bounds.kept) }
            }
        };
        answers.push(Answer { time: start.elapsed(), ..answer });
    }
    answers
}

/// The first of the smallest.
fn randomly(request: &ReduceRequest, problem: &Problem, stop: &Stop) -> Answer {
    let (mut sizes, mut smallest) = (Vec::new(), None::<Vec<TestId>>);
    for kept in randomised::reductions(problem, request.seed, request.reductions) {
        sizes.push(kept.len());
        if smallest.as_ref().is_none_or(|smallest| kept.len() < smallest.len()) {
            smallest = Some(kept);
        }
        if stop.is_due() {
            break;
        }
    }
    let answer = Answer::new(Algorithm::Random, smallest.unwrap_or_default());
    Answer { sizes: Some(sizes), ..answer }
}

impl Answer {
    fn new(algorithm: Algorithm, kept: Vec<TestId>) -> Self {
        Self { algorithm, kept, sizes: None, at_least: None, time: Duration::ZERO }
    }
}
