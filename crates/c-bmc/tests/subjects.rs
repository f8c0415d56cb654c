//! Real C files: a formula is made of each, or what stood in the way is named, and every test that is found does what it is for.
//!
//! Where the sources come from is said in `obligato_test_support::subjects`; without them there is nothing to do here. `ONLY` narrows the run to functions with that in their name.

mod support;

use std::env;
use std::path::Path;
use std::time::{Duration, Instant};

use obligato_c_bmc::{EventAnswer, MergeLimits, Merged};
use obligato_c_unit::random::{Draw, draw_suite, hold_constants};
use obligato_c_unit::{LoadOptions, Unit};
use obligato_clang::{Flags, Limits as Reading, Source};
use obligato_model::{Criterion, Independence};
use obligato_solver::Stop;
use obligato_test_support::subjects::{self, Subject};
use support::{PLAIN, events, shown};

/// A line for the table, and the problems.
fn examine(root: &Path, subject: &Subject) -> (String, Vec<String>) {
    let function = subject.function.as_str();
    let source = Source {
        file: subject.file.clone().into(),
        directory: root.to_owned(),
        flags: Flags::new(&subject.flags).expect("flags"),
        limits: Reading::default(),
    };
    let options = LoadOptions { function: Some(function.to_owned()), ..LoadOptions::default() };
    let unit = match Unit::load(&source, options) {
        Ok(unit) => unit,
        Err(error) => return (format!("not loaded: {error}"), Vec::new()),
    };
    let interface = unit.interface(function).expect("an interface");
    let events = events(&unit, &[Criterion::Branch, Criterion::Mcdc(Independence::Masking)]);
    let start = Instant::now();
    let stop = Stop::never().by(start + Duration::from_secs(8));
    let limits = MergeLimits { stop, unwinding: 10, conflicts: 5000, ..MergeLimits::default() };
    let mut merged = Merged::build(&unit, &interface, 1, &limits).expect("a formula");
    let built = start.elapsed().as_secs_f64();
    let (mut tests, mut never, mut reasons) = (Vec::new(), Vec::new(), Vec::new());
    for event in &events {
        match merged.find(event) {
            EventAnswer::Test(test) => tests.push((event.clone(), test)),
            EventAnswer::Infeasible(_) | EventAnswer::NotWithinBounds(_) => {
                never.push(event.clone());
            }
            EventAnswer::Unknown(reason) => reasons.push(reason.to_string()),
        }
    }
    let took = start.elapsed().as_secs_f64();
    let mut problems = Vec::new();
    let found = tests.len();
    for (event, test) in tests {
        let again = shown(&unit, &interface, vec![test], PLAIN, std::slice::from_ref(&event));
        if !again[0] {
            problems.push(format!("{function}: {event:?} is not shown by its test"));
        }
    }
    let mut drawn = draw_suite(&unit.variables(&interface), Draw { tests: 60, steps: 1, seed: 1 });
    hold_constants(&interface, &mut drawn);
    let disproved = shown(&unit, &interface, drawn.tests, PLAIN, &never);
    for (event, _) in never.iter().zip(disproved).filter(|(_, happens)| *happens) {
        problems.push(format!("{function}: {event:?} is said to happen never, and does"));
    }
    reasons.sort();
    reasons.dedup();
    let line = format!(
        "{} events: {found} tests, {} never; formula {built:.2} s of {} terms, all {took:.2} s; {reasons:?}",
        events.len(),
        never.len(),
        merged.size()
    );
    (line, problems)
}

#[test]
fn real_units_are_followed_or_cut_with_a_reason() {
    let root = subjects::root();
    let only = env::var("ONLY").unwrap_or_default();
    let mut problems = Vec::new();
    for subject in subjects::listed() {
        if subject.function.contains(&only) {
            let (line, found) = examine(&root, &subject);
            println!("{}: {line}", subject.function);
            problems.extend(found);
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
