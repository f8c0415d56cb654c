//! What IC3 costs on circuits of several kinds: the first proof or run, the same question with what the first proof has
//! left, the check of the proof as a ratio to finding it, and the first answer as a ratio to abc's `pdr` on the same file, if
//! abc is installed. Properties of models come last, if the models are at hand.
//!
//! `cargo bench -p obligato-prove --bench ic3`

use std::io::Write;
use std::time::Instant;

use obligato_circuit::{Circuit, Lit};
use obligato_prove::Invariant;
use obligato_prove::certificate::check;
use obligato_prove::ic3::{Ic3Limits, Ic3Outcome, prove};
use obligato_solver::{Engine, Stop};

#[path = "ic3/abc.rs"]
mod abc;
#[path = "../tests/support/circuits.rs"]
mod circuits;
#[path = "ic3/models.rs"]
mod models;

/// What takes longer than this, in milliseconds, is not repeated.
const LONG: f64 = 500.0;
const ROUNDS: usize = 5;

fn main() -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(
        out,
        "milliseconds on a processor, best of {ROUNDS} rounds; the check as a ratio to the proof, the first answer to abc's"
    )?;
    writeln!(
        out,
        "{:<38} {:>8} {:>8} {:>10} {:>10} {:>8} {:>10} {:>8}  answer",
        "circuit", "latches", "gates", "first", "again", "check", "abc", "ratio"
    )?;
    let larger = [circuits::ring(32), circuits::fifo(4), circuits::counters_in_step(32)];
    for case in circuits::small_cases().into_iter().chain(larger) {
        let is_proved = compare(&mut out, &case.name, &case.circuit, case.bad)?;
        assert!(is_proved.is_none_or(|is| is == case.steps.is_none()), "{}", case.name);
    }
    for (name, circuit, bad) in models::violations() {
        compare(&mut out, &name, &circuit, bad)?;
    }
    Ok(())
}

/// A line of the table. Is it proved, or reached?
fn compare(
    out: &mut impl Write,
    name: &str,
    circuit: &Circuit,
    bad: Lit,
) -> std::io::Result<Option<bool>> {
    let limits = Ic3Limits { work: 10_000_000, levels: 10_000, stop: Stop::never() };
    let ask = |known: &Invariant| prove(circuit, bad, known, &limits);
    let (first, outcome) = time(|| ask(&Invariant::new()));
    let (mut again, mut checked) = ("-".to_owned(), "-".to_owned());
    let (answer, is_proved) = match &outcome {
        Ic3Outcome::Proved(proof) => {
            again = format!("{:.3}", time(|| ask(proof)).0);
            let stop = Stop::never();
            let (time, verdict) = time(|| check(circuit, &[bad], proof, Engine::Cadical, &stop));
            verdict.map_err(std::io::Error::other)?;
            checked = format!("{:.2}", time / first);
            (format!("{} clauses", proof.clauses.len()), Some(true))
        }
        Ic3Outcome::Reached(run) => (format!("{} steps", run.steps.len()), Some(false)),
        Ic3Outcome::Unknown(reason) => (reason.to_string(), None),
    };
    let (mut theirs, mut ratio) = ("-".to_owned(), "-".to_owned());
    if let Some((time, proved)) = abc::pdr(circuit, bad)? {
        assert!(is_proved.is_none_or(|is| is == proved), "{name}: abc says otherwise");
        theirs = format!("{time:.0}");
        // It counts hundredths of seconds.
        if time > 0.0 {
            ratio = format!("{:.2}", first / time);
        }
    }
    let (latches, gates) = (circuit.latches().len(), circuit.len());
    writeln!(
        out,
        "{name:<38} {latches:>8} {gates:>8} {first:>10.3} {again:>10} {checked:>8} {theirs:>10} {ratio:>8}  {answer}",
    )?;
    Ok(is_proved)
}

/// Milliseconds of this thread on a processor, which is what abc counts, or since `origin` where the system does not say.
fn clock(origin: Instant) -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let on_processor = text.as_deref().and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    on_processor.map_or_else(|| origin.elapsed().as_secs_f64() * 1000.0, |time| time / 1e6)
}

/// The shortest time of several rounds, in milliseconds, and what came out.
fn time<T>(mut work: impl FnMut() -> T) -> (f64, T) {
    let origin = Instant::now();
    let mut round = || {
        let start = clock(origin);
        let result = work();
        (clock(origin) - start, result)
    };
    let mut best = round();
    for _ in 1..ROUNDS {
        if best.0 > LONG {
            break;
        }
        let next = round();
        if next.0 < best.0 {
            best = next;
        }
    }
    best
}
