//! What IC3 costs on circuits of several kinds: the first proof or run, the same question with what the first proof has
//! left, and the check of the proof as a ratio to finding it.
//!
//! `cargo bench -p obligato-prove --bench ic3`

use std::io::Write;
use std::time::Instant;

use obligato_prove::Invariant;
use obligato_prove::certificate::check;
use obligato_prove::ic3::{Limits, Outcome, prove};
use obligato_solver::{Engine, Stop};

#[path = "../tests/support/circuits.rs"]
mod circuits;

const ROUNDS: usize = 5;

fn main() -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "milliseconds, best of {ROUNDS} rounds; the check as a ratio to the proof")?;
    writeln!(
        out,
        "{:<28} {:>8} {:>8} {:>10} {:>10} {:>8}  answer",
        "circuit", "latches", "gates", "first", "again", "check"
    )?;
    let larger = [circuits::ring(32), circuits::fifo(4), circuits::counters_in_step(32)];
    for case in circuits::small_cases().into_iter().chain(larger) {
        let limits = Limits { work: 10_000_000, levels: 10_000, stop: Stop::never() };
        let ask = |known: &Invariant| prove(&case.circuit, case.bad, known, &limits);
        let (first, outcome) = time(|| ask(&Invariant::new()));
        let (again, checked, answer) = match outcome {
            Outcome::Proved(proof) => {
                let (again, _) = time(|| ask(&proof));
                let bads = [case.bad];
                let stop = Stop::never();
                let (checked, verdict) =
                    time(|| check(&case.circuit, &bads, &proof, Engine::Cadical, &stop));
                verdict.map_err(std::io::Error::other)?;
                assert!(case.steps.is_none(), "{} is reachable", case.name);
                let ratio = format!("{:.2}", checked / first);
                (format!("{again:.3}"), ratio, format!("{} clauses", proof.clauses.len()))
            }
            Outcome::Reached(run) => {
                assert!(case.steps.is_some_and(|steps| steps <= run.steps.len()), "{}", case.name);
                ("-".to_owned(), "-".to_owned(), format!("{} steps", run.steps.len()))
            }
            Outcome::Unknown(reason) => ("-".to_owned(), "-".to_owned(), reason.to_string()),
        };
        writeln!(
            out,
            "{:<28} {:>8} {:>8} {first:>10.3} {again:>10} {checked:>8}  {answer}",
            case.name,
            case.circuit.latches().len(),
            case.circuit.len(),
        )?;
    }
    Ok(())
}

/// The shortest time of several rounds, in milliseconds, and what came out.
fn time<T>(mut work: impl FnMut() -> T) -> (f64, T) {
    let mut round = || {
        let start = Instant::now();
        let result = work();
        (start.elapsed().as_secs_f64() * 1000.0, result)
    };
    (1..ROUNDS).fold(round(), |best, _| {
        let next = round();
        if next.0 < best.0 { next } else { best }
    })
}
