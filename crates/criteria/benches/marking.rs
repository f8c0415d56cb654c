//! What marking one condition evaluation costs, against the least any coverage
//! tool does: incrementing a counter per condition. Both walk the same stream of
//! evaluations of decisions of several shapes; the ratio is what counts.
//!
//! `cargo bench -p obligato-criteria --bench marking`

use std::hint::black_box;
use std::io::Write;
use std::time::Instant;

use obligato_criteria::marking::{Conditions, Marker, Shown};
use obligato_criteria::tracker::{Frames, Tracker, Vectors};
use obligato_model::{BitSet, tree};

const EVALUATIONS: usize = 1 << 16;
const ROUNDS: usize = 25;

/// One condition evaluation: which condition, and its value.
type Item = (u32, bool);

fn main() -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(
        out,
        "ns per condition evaluation, best of {ROUNDS} rounds; ratio to a counter increment"
    )?;
    writeln!(
        out,
        "{:<26} {:>8} {:>14} {:>14} {:>14}",
        "decision", "counter", "marking", "tracking", "with vectors"
    )?;
    for (name, text) in shapes() {
        let decision = tree::parse(&text).expect("invariant: a shape is a decision").tree;
        let stream = stream(&decision);
        let free = vec![None; decision.conditions()];
        let counter = time(&stream, || {
            let mut counters = vec![[0_u64; 2]; decision.conditions()];
            move |stream: &[Item]| {
                for &(condition, value) in stream {
                    // A probe is a store of its own; keep the compiler from joining them.
                    *black_box(&mut counters[condition as usize][usize::from(value)]) += 1;
                }
            }
        });
        let marking = if decision.conditions() <= 64 {
            time(&stream, || mark_all(Marker::<u64>::new(&decision, &free)))
        } else {
            time(&stream, || mark_all(Marker::<BitSet>::new(&decision, &free)))
        };
        let track = |vectors| {
            if decision.conditions() <= 64 {
                time(&stream, || {
                    track_all(Tracker::<u64>::new(Marker::new(&decision, &free), vectors))
                })
            } else {
                time(&stream, || {
                    track_all(Tracker::<BitSet>::new(Marker::new(&decision, &free), vectors))
                })
            }
        };
        let (tracking, with_vectors) = (track(Vectors::Drop), track(Vectors::Keep));
        let cell = |cost: f64| format!("{cost:6.2} ({:4.1}x)", cost / counter);
        writeln!(
            out,
            "{name:<26} {counter:>8.2} {:>14} {:>14} {:>14}",
            cell(marking),
            cell(tracking),
            cell(with_vectors)
        )?;
    }
    Ok(())
}

fn shapes() -> Vec<(&'static str, String)> {
    let chain = |operator: &str, count: usize| vec!["a"; count].join(operator);
    let nested = |count: usize, operators: [&str; 2]| {
        let open: String = (0..count - 1).map(|at| format!("a {} (", operators[at % 2])).collect();
        format!("{open}a{}", ")".repeat(count - 1))
    };
    vec![
        ("a", "a".to_owned()),
        ("a && (b || c)", "a && (b || c)".to_owned()),
        ("(a || b) && !(c && d)", "(a || b) && !(c && d)".to_owned()),
        ("(a ^ b) && (c == d)", "(a ^ b) && (c == d)".to_owned()),
        ("8 alternating && ||", nested(8, ["&&", "||"])),
        ("8 full and/or", nested(8, ["and", "or"])),
        ("64 chained ||", chain(" || ", 64)),
        ("64 alternating && ||", nested(64, ["&&", "||"])),
        ("64 full and/or", nested(64, ["and", "or"])),
        ("64 nested xor", nested(64, ["xor", "="])),
        ("1000 chained ||", chain(" || ", 1000)),
        ("1000 alternating && ||", nested(1000, ["&&", "||"])),
    ]
}

/// Random evaluations, as the sequence of condition evaluations they make.
/// Values lean towards letting evaluations run long.
fn stream(decision: &obligato_model::BoolTree) -> Vec<Item> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let rows = (EVALUATIONS / decision.conditions()).max(16);
    let mut stream = Vec::new();
    for _ in 0..rows {
        let lean = random() % 8;
        let values: Vec<bool> = (0..decision.conditions())
            .map(|at| if random() % 8 < lean { at % 2 == 0 } else { random() % 2 == 0 })
            .collect();
        let evaluation = decision.evaluate(&values);
        stream.extend(evaluation.evaluated().iter().map(|at| (at as u32, values[at])));
    }
    stream
}

/// The best time per item of a walk over the stream.
fn time<W: FnMut(&[Item])>(stream: &[Item], make: impl Fn() -> W) -> f64 {
    let mut walk = make();
    let round = |walk: &mut W| {
        let start = Instant::now();
        walk(black_box(stream));
        start.elapsed().as_secs_f64()
    };
    let best = (0..ROUNDS).map(|_| round(&mut walk)).fold(f64::INFINITY, f64::min);
    best * 1e9 / f64::from(u32::try_from(stream.len()).expect("invariant: a short stream"))
}

/// Marking alone: the paper's figure 4.
fn mark_all<S: Conditions>(marker: Marker<S>) -> impl FnMut(&[Item]) {
    let mut activation = marker.start();
    let mut shown = Shown::nothing(marker.conditions());
    move |stream| {
        for &(condition, value) in stream {
            marker.mark_into(&mut shown, &mut activation, condition as usize, value);
        }
        black_box(&mut shown);
    }
}

/// Marking with everything a run needs: re-entry, order, all four halves.
fn track_all<S: Conditions + Eq + std::hash::Hash>(mut tracker: Tracker<S>) -> impl FnMut(&[Item]) {
    let frames = Frames::default();
    move |stream| {
        for &(condition, value) in stream {
            let taken = tracker.evaluate(&frames, condition as usize, value);
            debug_assert!(taken.is_ok(), "invariant: the stream is in order");
        }
        black_box(&tracker);
    }
}
