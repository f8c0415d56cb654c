//! State machines resolved over any number of calls, by tests and unbounded proofs, beside what is aimed at and beside the
//! formula of so many calls as the longest test needs.
#![allow(clippy::print_stdout, reason = "a benchmark prints its results")]

#[path = "../tests/support/mod.rs"]
mod support;

use std::time::{Duration, Instant};

use obligato_c_bmc::{MergeLimits, Merged};
use obligato_c_unit::Settings;
use obligato_campaign::{Budget, Standing};
use obligato_model::Criterion;
use obligato_test_support::repository;
use support::{MCDC, load, machine, request, run};

/// Seconds that each may take.
const AIM: f64 = 2.0;

fn main() {
    let controller = repository().join("crates/c-bmc/tests/corpus/controller.c");
    let controller = std::fs::read_to_string(controller).expect("in the corpus");
    for (name, text) in
        [("controller of 12 states", controller), ("switch of 20 states", machine(20))]
    {
        let unit = load(&text, "f", Settings::default());
        let interface = unit.interface("f").expect("an interface");
        let mut request = request(&unit, &interface, &[Criterion::Branch, MCDC]);
        request.subject.most_steps = 64;
        request.budget = Budget::Time(Duration::from_mins(1));
        let start = Instant::now();
        let outcome = run(&request);
        let all = start.elapsed().as_secs_f64();
        let standings = (0..outcome.ledger.len()).map(|index| outcome.ledger.standing(index));
        let (mut covered, mut proved, mut left) = (0, 0, 0);
        for standing in standings {
            match standing {
                Standing::Covered => covered += 1,
                Standing::Refuted(_) => proved += 1,
                Standing::Settled => {}
                _ => left += 1,
            }
        }
        let longest = outcome.tests.iter().map(|made| made.test.steps.len()).max().unwrap_or(1);
        let start = Instant::now();
        let formula = Merged::build(&unit, &interface, longest, &MergeLimits::default());
        let formula = formula.map(|_| start.elapsed().as_secs_f64()).unwrap_or_default();
        println!(
            "{name}: {all:.3} s of {AIM} s, {:.1} times the mere building of the formula of {longest} calls; \
             {covered} covered, {proved} proved over any number of calls, {left} left; longest test {longest} calls",
            all / formula
        );
    }
}
