//! How fast models are read and printed: milliseconds and megabytes per second.
//!
//! The largest model of the collection if it is there, and a file made here: the same
//! equations again and again, to show that the time grows with the size and not faster.
#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::fmt::Write as _;
use std::time::Instant;

use obligato_lustre_syntax::{parse, print};
use obligato_test_support::models::text;

fn main() {
    if let Some(text) = text("kind2/GPCA_State_machine.kind.lus") {
        measure("GPCA_State_machine.kind.lus", &text);
    }
    for equations in [1_000, 10_000, 100_000] {
        measure(&format!("{equations} equations"), made(equations).as_bytes());
    }
}

/// The best of several runs, as the others are disturbed.
fn measure(name: &str, text: &[u8]) {
    let megabytes = f64::from(u32::try_from(text.len()).expect("less than 4 GB")) / 1e6;
    let runs = if megabytes > 5.0 { 3 } else { 20 };
    let mut reading = f64::INFINITY;
    let mut printing = f64::INFINITY;
    for _ in 0..runs {
        let start = Instant::now();
        let parsed = parse(text).expect("the model parses");
        reading = reading.min(start.elapsed().as_secs_f64());
        let start = Instant::now();
        let printed = print(&parsed.program);
        printing = printing.min(start.elapsed().as_secs_f64());
        assert!(!printed.is_empty());
    }
    println!(
        "{name}: {megabytes:.2} MB, parse {:.2} ms ({:.0} MB/s), print {:.2} ms",
        reading * 1e3,
        megabytes / reading,
        printing * 1e3
    );
}

fn made(equations: usize) -> String {
    let mut text = "node made(a, b: bool; i: int) returns (ok: bool);\nvar\n".to_owned();
    for index in 0..equations {
        let _ = writeln!(text, "  v{index}: int;");
    }
    text += "let\n";
    for index in 0..equations {
        let before = index.saturating_sub(1);
        let _ = writeln!(
            text,
            "  v{index} = 0 -> if (a and not b) or v{before} > {index} \
             then pre v{index} + 1 else (i * 3 - v{before});"
        );
    }
    text + "  ok = true;\ntel;\n"
}
