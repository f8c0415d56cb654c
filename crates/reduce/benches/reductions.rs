//! What reducing costs: 5,000 tests and 5,000 obligations, plain and with pairs, from few tests
//! per obligation to many.
#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::time::{Duration, Instant};

use obligato_criteria::Grounds;
use obligato_model::TestId;
use obligato_reduce::{ExactBudget, Problem, exact, greedy, randomised};
use obligato_solver::Stop;

const TESTS: usize = 5000;
const OBLIGATIONS: usize = 5000;
const BUDGET: ExactBudget = ExactBudget::Time(Duration::from_secs(5));

fn main() {
    for share in [2, 10, 100, 1000] {
        let mut random = Xorshift(share as u64);
        let plain: Vec<Grounds> =
            (0..OBLIGATIONS).map(|_| Grounds { ways: vec![vec![random.tests(share)]] }).collect();
        reduce(&format!("plain, 1 in {share}"), &plain);
        let mut pair = || vec![random.tests(share), random.tests(share)];
        let pairs: Vec<Grounds> =
            (0..OBLIGATIONS).map(|_| Grounds { ways: vec![pair(), pair()] }).collect();
        reduce(&format!("pairs, 1 in {share}"), &pairs);
    }
}

fn reduce(name: &str, grounds: &[Grounds]) {
    let (problem, made) = timed(|| Problem::new(TESTS, grounds));
    let (greedy, by_greedy) = timed(|| greedy::reduce(&problem));
    let (random, by_random) = timed(|| randomised::reduce(&problem, 1));
    let (bounds, by_exact) = timed(|| exact::reduce(&problem, &greedy, BUDGET, &Stop::never()));
    println!(
        "{name:<18} problem {made:.2} s; greedy {} in {by_greedy:.2} s; random {} in \
         {by_random:.2} s; exact {}..={} in {by_exact:.2} s",
        greedy.len(),
        random.len(),
        bounds.at_least,
        bounds.kept.len(),
    );
}

fn timed<T>(run: impl FnOnce() -> T) -> (T, f64) {
    let start = Instant::now();
    let result = run();
    (result, start.elapsed().as_secs_f64())
}

/// A small generator of pseudo-random numbers.
struct Xorshift(u64);

impl Xorshift {
    /// About one in `share` tests, and at least one.
    fn tests(&mut self, share: usize) -> Vec<TestId> {
        let mut next = || {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            (self.0 >> 20) as usize
        };
        let one = next() % TESTS;
        (0..TESTS).filter(|test| next() % share == 0 || *test == one).map(TestId::new).collect()
    }
}
