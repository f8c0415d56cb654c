//! How much slower the executor is than machine code that clang makes without optimising, for programs of
//! different kinds; and what it costs to watch every branch. `cargo bench -p obligato-execute -- sort` takes one of them.
#![allow(clippy::print_stdout, clippy::cast_precision_loss, reason = "a benchmark prints figures")]

#[path = "../tests/support/native.rs"]
mod native;

use std::fs;
use std::path::Path;
use std::time::Instant;

use native::{build, clang_is_there, load, run_native};
use obligato_bytecode::{CodeId, Module, Operation};
use obligato_execute::{
    Executable, ExecutableOptions, ExecutionLimits, Machine, Moment, Observer, Variables, WatchId,
    WatchPoint,
};

/// So many rounds more for the machine, which is too quick to be measured otherwise.
const MORE: u32 = 100;

fn main() {
    if !clang_is_there() {
        return;
    }
    let named: Vec<String> =
        std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let header = ["program", "ns/op", "in registers", "in memory", "watched"];
    let [name, speed, quick, plain, watched] = header;
    println!("{name:<10} {speed:>8} {quick:>14} {plain:>14} {watched:>10}");
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
        best(Whose::Children, || drop(run_native(&many, "60"))) / f64::from(MORE)
    };
    let module = load(&source, directory.path(), &[&format!("-DROUNDS={rounds}")]);
    let tests = watch_all_tests(&module);
    let (quick, steps) = execute(&module, &[], Variables::InRegisters);
    let (plain, _) = execute(&module, &[], Variables::InMemory);
    let (watched, _) = execute(&module, &tests, Variables::InRegisters);
    let per_operation = quick * 1e9 / steps as f64;
    println!(
        "{name:<10} {per_operation:>8.2} {:>13.1}x {:>13.1}x {:>+9.1}%",
        quick / machine,
        plain / machine,
        (watched / quick - 1.0) * 100.0
    );
}

/// Seconds and steps of a run.
fn execute(module: &Module, watches: &[WatchPoint], variables: Variables) -> (f64, u64) {
    let options = ExecutableOptions { variables, ..ExecutableOptions::default() };
    let program = Executable::new(module, watches, options).expect("well-formed");
    let limits = ExecutionLimits { steps: u64::MAX, ..ExecutionLimits::default() };
    let mut runner = Machine::new(&program, limits, (), Marks(vec![0; watches.len()]), ());
    let main = module.function_named("main").expect("a main function");
    let mut steps = 0;
    let seconds = best(Whose::Own, || {
        runner.reset();
        runner.call(main, &[]).expect("no finding");
        steps = runner.steps();
    });
    (seconds, steps)
}

/// Remembers which values each watch point has seen: about what measuring coverage does.
struct Marks(Vec<u8>);

impl Observer for Marks {
    fn saw(&mut self, watch: WatchId, _: u32, value: &mut u64) {
        self.0[watch.0 as usize] |= 1 << (*value & 1);
    }
}

/// A watch point on what every branch tests, and on every entry.
fn watch_all_tests(module: &Module) -> Vec<WatchPoint> {
    let mut watches = Vec::new();
    for (index, function) in module.functions.iter().enumerate() {
        let function_id = CodeId::new(index);
        for (at, operation) in function.code.iter().enumerate() {
            let register = match operation {
                Operation::Branch { test, .. } => Some(*test),
                _ if at == 0 => None,
                _ => continue,
            };
            let (operation, moment) = (at as u32, Moment::Before);
            watches.push(WatchPoint { function: function_id, operation, moment, register });
        }
    }
    watches
}

/// Which processor time is counted.
#[derive(Clone, Copy)]
enum Whose {
    /// That of this process.
    Own,
    /// That of the processes it has waited for.
    Children,
}

/// The seconds of processor time of the shortest of some runs: the others were disturbed.
fn best(whose: Whose, mut run: impl FnMut()) -> f64 {
    let runs = (0..5).map(|_| {
        let (wall, start) = (Instant::now(), processor_time(whose));
        run();
        let seconds = processor_time(whose).zip(start).map(|(end, start)| end - start);
        seconds.unwrap_or(wall.elapsed().as_secs_f64())
    });
    runs.fold(f64::INFINITY, f64::min)
}

/// As Linux says it: nanoseconds for oneself, hundredths of seconds for others.
fn processor_time(whose: Whose) -> Option<f64> {
    match whose {
        Whose::Own => {
            let text = fs::read_to_string("/proc/self/schedstat").ok()?;
            Some(text.split(' ').next()?.parse::<f64>().ok()? / 1e9)
        }
        Whose::Children => {
            let text = fs::read_to_string("/proc/self/stat").ok()?;
            let fields = text.rsplit(") ").next()?;
            Some(fields.split(' ').nth(13)?.parse::<f64>().ok()? / 100.0)
        }
    }
}
