//! How long it takes to make a formula of a function and to ask it for everything, beside what is aimed at.
#![allow(clippy::print_stdout, reason = "a benchmark prints its results")]

#[path = "../tests/support/mod.rs"]
mod support;

use std::time::Instant;

use obligato_c_bmc::{EventAnswer, MergeLimits, Merged};
use obligato_c_unit::Settings;
use obligato_model::{Criterion, Independence};
use obligato_test_support::crate_directory;
use support::{events, load};

/// File, steps, seconds aimed at.
const UNITS: [(&str, usize, f64); 6] = [
    ("triangle.c", 1, 0.1),
    ("nextdate.c", 1, 0.1),
    ("controller.c", 12, 2.0),
    ("ten.c", 1, 0.5),
    ("forty.c", 1, 5.0),
    ("bubble.c", 1, 1.0),
];

fn main() {
    let criteria = [Criterion::Branch, Criterion::Mcdc(Independence::Masking)];
    for (name, steps, aim) in UNITS {
        let path = crate_directory().join("tests/corpus").join(name);
        let text = std::fs::read_to_string(path).expect("in the corpus");
        let unit = load(&text, Settings { elements: 6, ..Settings::default() });
        let interface = unit.interface("f").expect("an interface");
        let events = events(&unit, &criteria);
        let start = Instant::now();
        let mut merged =
            Merged::build(&unit, &interface, steps, &MergeLimits::default()).expect("a formula");
        let built = start.elapsed().as_secs_f64();
        let (mut tests, mut never, mut unknown) = (0, 0, 0);
        for event in &events {
            match merged.find(event) {
                EventAnswer::Test(_) => tests += 1,
                EventAnswer::Infeasible(_) | EventAnswer::NotWithinBounds(_) => never += 1,
                EventAnswer::Unknown(_) => unknown += 1,
            }
        }
        let all = start.elapsed().as_secs_f64();
        println!(
            "{name:14} {steps:2} steps: {all:6.3} s of {aim} s (formula {built:.3} s, {} terms); {} events: \
             {tests} with a test, {never} never, {unknown} unknown",
            merged.size(),
            events.len()
        );
    }
}
