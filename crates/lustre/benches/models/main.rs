//! What models cost: reading, checking and lowering them, a step of the lanes against one lane at
//! a time and against what the machine could do at best, and how all of it grows with the size of
//! a model. All figures that are compared are from one run.
//!
//! `cargo bench -p obligato-lustre --bench models`
#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

mod growth;
#[path = "../../../transition-system/benches/lanes/scalar.rs"]
mod scalar;
mod steps;

use std::collections::HashMap;
use std::fs;
use std::time::Instant;

use obligato_lustre::analysis::{Options, analyse};
use obligato_lustre::lowering::{self, Lowered, lower};
use obligato_lustre_syntax::{parse, print};
use obligato_test_support::models::text;

const MODELS: [&str; 4] = [
    "kind2/GPCA_State_machine.kind.lus",
    "kind2/microwave.lus",
    "kind2/DockingExample.lus",
    "steering-framework/infusion_manager.lus",
];

fn main() {
    let texts: Vec<_> = MODELS.iter().filter_map(|name| text(name)).collect();
    if texts.len() == MODELS.len() {
        // First, while the peak of memory is its own.
        one_large_model(&texts[0]);
        println!("\nms, best of several; the yardstick counts the words of the text in a table");
        for (name, text) in MODELS.iter().zip(&texts) {
            loading(name, text);
        }
        steps::print_table(MODELS.iter().copied().zip(&texts));
    }
    growth::print_curve();
}

/// Parses, checks and lowers a model.
fn load(text: &[u8]) -> Lowered {
    let program = parse(text).expect("the model parses").program;
    let model = analyse(program, &Options::default()).expect("the model is right");
    lower(&model, "model.lus", text, &lowering::Options::default()).expect("the model is lowered")
}

/// The whole way of the largest model, once, with the most memory it took.
fn one_large_model(text: &[u8]) {
    let start = Instant::now();
    let lowered = load(text);
    let seconds = start.elapsed().as_secs_f64();
    let lines = text.split(|byte| *byte == b'\n').count();
    println!(
        "{}: {lines} lines, {} equations and more; parse, check and lower, cold: {seconds:.3} s (goal 2), peak {:.0} MB (goal 500)",
        MODELS[0],
        lowered.variables.len(),
        peak_megabytes()
    );
}

fn peak_megabytes() -> f64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok());
    kilobytes.unwrap_or(f64::NAN) / 1024.0
}

/// A run that is longer than this many milliseconds shares the processor with others.
const UNDISTURBED: f64 = 20.0;

/// The milliseconds that this thread was on a processor, to within a few.
fn on_processor() -> Option<f64> {
    let status = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(status.split_whitespace().next()?.parse::<f64>().ok()? / 1e6)
}

/// The best time of several runs, in milliseconds, and the last result.
fn best<T>(runs: usize, mut work: impl FnMut() -> T) -> (f64, T) {
    let mut timed = || {
        let (start, before) = (Instant::now(), on_processor());
        let made = work();
        let time = start.elapsed().as_secs_f64() * 1e3;
        match (before, on_processor()) {
            (Some(before), Some(after)) if time > UNDISTURBED => (time.min(after - before), made),
            _ => (time, made),
        }
    };
    let (mut least, mut made) = timed();
    for _ in 1..runs {
        let (time, again) = timed();
        least = least.min(time);
        made = again;
    }
    (least, made)
}

fn loading(name: &str, text: &[u8]) {
    let (words, _) = best(10, || {
        let mut counts: HashMap<&[u8], u32> = HashMap::new();
        for word in text.split(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_') {
            *counts.entry(word).or_default() += 1;
        }
        counts.len()
    });
    let (parsing, parsed) = best(10, || parse(text).expect("the model parses"));
    let (printing, _) = best(10, || print(&parsed.program));
    let clones = (0..5).map(|_| parsed.program.clone()).collect::<Vec<_>>();
    let mut clones = clones.into_iter();
    let (checking, model) = best(5, || {
        let program = clones.next().expect("a clone per run");
        analyse(program, &Options::default()).expect("the model is right")
    });
    let options = lowering::Options::default();
    let (lowering, _) = best(5, || lower(&model, name, text, &options).expect("it is lowered"));
    println!(
        "{name:<40} words {words:>6.2}  parse {parsing:>6.2} ({:.1}x)  print {printing:>6.2} ({:.1}x)  \
         check {checking:>6.2} ({:.1}x)  lower {lowering:>6.2} ({:.1}x)",
        parsing / words,
        printing / words,
        checking / words,
        lowering / words
    );
}
