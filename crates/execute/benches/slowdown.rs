//! How much slower the executor is than machine code that clang makes without optimising, for programs of
//! different kinds. `cargo bench -p obligato-execute -- sort` takes one of them.
#![allow(clippy::print_stdout, clippy::cast_precision_loss, reason = "a benchmark prints figures")]

#[path = "../tests/support/native.rs"]
mod native;

use std::path::Path;
use std::time::{Duration, Instant};

use native::{build, clang_is_there, load, run_native};
use obligato_execute::{Limits, Machine, Options, Program, Variables};

/// So many rounds more for the machine, which is too quick to be measured otherwise.
const MORE: u32 = 20;

fn main() {
    if !clang_is_there() {
        return;
    }
    let named: Vec<String> =
        std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let header = ["program", "ns/op", "in registers", "in memory"];
    println!("{:<10} {:>8} {:>14} {:>14}", header[0], header[1], header[2], header[3]);
    for name in ["loop", "sort", "calls", "state", "floats"] {
        if named.is_empty() || named.iter().any(|word| name.contains(word.as_str())) {
            measure(name);
        }
    }
}

fn measure(name: &str) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("benches/programs/{name}.c"));
    let directory = tempfile::tempdir().expect("a directory");
    let rounds = 2000;
    let machine = {
        let many = build(&source, directory.path(), &[&format!("-DROUNDS={}", rounds * MORE)]);
        let long = best(|| drop(run_native(&many, "60")));
        let none = build(&source, directory.path(), &["-DROUNDS=0"]);
        let start = best(|| drop(run_native(&none, "60")));
        long.saturating_sub(start).as_secs_f64() / f64::from(MORE)
    };
    let module = load(&source, directory.path(), &[&format!("-DROUNDS={rounds}")]);
    let mut ratios = Vec::new();
    let mut per_operation = 0.0;
    for variables in [Variables::InRegisters, Variables::InMemory] {
        let options = Options { variables, ..Options::default() };
        let program = Program::new(&module, &[], options).expect("well-formed");
        let limits = Limits { steps: u64::MAX, ..Limits::default() };
        let mut runner = Machine::new(&program, limits, (), (), ());
        let main = module.function_named("main").expect("a main function");
        let mut steps = 0;
        let seconds = best(|| {
            runner.reset();
            runner.call(main, &[]).expect("no finding");
            steps = runner.steps();
        })
        .as_secs_f64();
        if per_operation == 0.0 {
            per_operation = seconds * 1e9 / steps as f64;
        }
        ratios.push(seconds / machine);
    }
    println!("{name:<10} {per_operation:>8.2} {:>13.1}x {:>13.1}x", ratios[0], ratios[1]);
}

/// The shortest of some runs: the others were disturbed.
fn best(mut run: impl FnMut()) -> Duration {
    let runs = (0..5).map(|_| {
        let start = Instant::now();
        run();
        start.elapsed()
    });
    runs.min().unwrap_or_default()
}
