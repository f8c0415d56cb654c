//! Nothing on the way from text to a step program takes more than its share of a large model.
//!
//! The bound on growth is generous, as caches are finite; what it catches is a pass that
//! looks at everything for everything.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed")]

mod reference;
mod runs;
mod support;

use std::fmt::Write as _;
use std::fs;
use std::time::Instant;

use obligato_transition_system::lanes::{LaneOptions, LaneProgram};
use runs::load;
use support::models;

/// The seconds that this thread was on a processor, so that other work does not count; the time
/// of day where that is not known.
fn on_processor(start: Instant) -> f64 {
    let status = fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = status.split_whitespace().next().and_then(|text| text.parse::<f64>().ok());
    nanoseconds.map_or(start.elapsed().as_secs_f64(), |nanoseconds| nanoseconds / 1e9)
}

/// The seconds that so many ways from text to a step program take.
fn time(text: &str, times: usize) -> f64 {
    let start = Instant::now();
    let before = on_processor(start);
    for _ in 0..times {
        let (_, lowered) = load("made.lus", text.as_bytes(), None).unwrap();
        LaneProgram::new(&lowered.system, &LaneOptions::default()).unwrap();
    }
    on_processor(start) - before
}

/// Equations with state, decisions and calls.
fn equations(count: usize) -> String {
    let mut text = "node count(x: int) returns (n: int); let n = x + (0 -> pre n); tel;\n\
                    node main(a, b: bool; x: int) returns (y: int);\nvar\n"
        .to_owned();
    for index in 0..count {
        let _ = writeln!(text, "  v{index}: int;");
    }
    text += "let\n  v0 = x;\n";
    for index in 1..count {
        let before = index - 1;
        let _ = match index % 3 {
            0 => writeln!(text, "  v{index} = count(v{before});"),
            1 => writeln!(text, "  v{index} = if a and v{before} > {index} then 0 else v{before};"),
            _ => writeln!(text, "  v{index} = 0 -> if b then pre v{before} else v{before} + 1;"),
        };
    }
    let _ = writeln!(text, "  y = v{};\ntel;", count - 1);
    text
}

#[test]
fn one_large_model_takes_about_as_long_as_ten_of_a_tenth_of_its_size() {
    let (small, large) = (equations(2_000), equations(20_000));
    let (small, large) = (time(&small, 10), time(&large, 1));
    assert!(large < 4.0 * small, "{small:.3} s and {large:.3} s");
}

#[test]
fn the_largest_model_is_lowered_within_seconds() {
    for (name, text) in models() {
        if name.ends_with("GPCA_State_machine.kind.lus") {
            let start = Instant::now();
            let before = on_processor(start);
            load(&name, &text, None).unwrap();
            let spent = on_processor(start) - before;
            assert!(spent < 2.0, "{name}: {spent:.3} s");
        }
    }
}
