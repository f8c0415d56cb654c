//! What a step costs per lane, against the same compiled program run one lane at
//! a time by a plain interpreter, on random systems of 2,000 nodes with 50 inputs
//! and 50 latches. The ratio is what counts.
//!
//! `cargo bench -p obligato-transition-system --bench lanes`

mod scalar;
mod systems;

use std::hint::black_box;
use std::io::Write;
use std::time::Instant;

use obligato_model::Value;
use obligato_transition_system::Simulator;
use obligato_transition_system::lanes::{File, LaneOptions, LaneProgram};
use scalar::{Ratio, Scalar};
use systems::{Flavour, Random, system};

const STEPS: usize = 100;
const ROUNDS: usize = 15;
const NODES: usize = 2_000;

const FLAVOURS: [Flavour; 4] = [
    Flavour { name: "Boolean", bools: 16, ints: 0 },
    Flavour { name: "integer", bools: 2, ints: 14 },
    Flavour { name: "mixed", bools: 10, ints: 4 },
    Flavour { name: "real", bools: 4, ints: 0 },
];

fn main() -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "ns per step and lane, best of {ROUNDS} rounds; ratio to one lane at a time")?;
    writeln!(
        out,
        "{:<10} {:>6} {:>16} {:>9} {:>16} {:>16} {:>16} {:>16}",
        "system", "instr", "registers b/w/r", "one lane", "64", "128", "256", "512 lanes"
    )?;
    for flavour in FLAVOURS {
        let system = system(flavour, NODES);
        let program = LaneProgram::new(&system, &LaneOptions::default()).expect("a valid system");
        agree(&program);
        let registers =
            [File::Bool, File::Word, File::Real].map(|file| program.registers(file).to_string());
        let one = one_lane(&program);
        let cells = [
            cell::<1>(&program, one),
            cell::<2>(&program, one),
            cell::<4>(&program, one),
            cell::<8>(&program, one),
        ];
        writeln!(
            out,
            "{:<10} {:>6} {:>16} {:>9.0} {:>16} {:>16} {:>16} {:>16}",
            flavour.name,
            program.operands().len(),
            registers.join("/"),
            one,
            cells[0],
            cells[1],
            cells[2],
            cells[3]
        )?;
    }
    writeln!(out, "\nbytes of registers per lane, and ns per instruction for 64 W lanes")?;
    for flavour in FLAVOURS {
        let system = system(flavour, NODES);
        let program = LaneProgram::new(&system, &LaneOptions::default()).expect("a valid system");
        let count = |file| number(program.registers(file));
        let bytes = count(File::Bool) / 8.0 + count(File::Word) * 8.0 + count(File::Real) * 16.0;
        let instructions = number(program.operands().len());
        let each =
            [many::<1>(&program) * 64.0 / instructions, many::<4>(&program) * 256.0 / instructions];
        writeln!(
            out,
            "{:<10} {bytes:>8.1} bytes {:>8.2} ns (W = 1) {:>8.2} ns (W = 4), {} runs",
            flavour.name,
            each[0],
            each[1],
            program.runs().len()
        )?;
    }
    writeln!(
        out,
        "\ngrowth, Boolean system: ms to build, ms to compile, ns per step and lane (256)"
    )?;
    for size in [1_000, 10_000, 100_000, 1_000_000] {
        let start = Instant::now();
        let system = system(FLAVOURS[0], size);
        let built = start.elapsed();
        let start = Instant::now();
        let program = LaneProgram::new(&system, &LaneOptions::default()).expect("a valid system");
        let compiled = start.elapsed();
        let step = steps::<4>(&program, (2_000_000 / size).clamp(2, STEPS), 5);
        writeln!(
            out,
            "{size:>8} nodes {:>8.1} {:>8.1} {step:>10.1}",
            built.as_secs_f64() * 1e3,
            compiled.as_secs_f64() * 1e3
        )?;
    }
    Ok(())
}

fn number(count: usize) -> f64 {
    f64::from(u32::try_from(count).expect("a small count"))
}

fn cell<const W: usize>(program: &LaneProgram<'_>, one: f64) -> String {
    let many = many::<W>(program);
    format!("{many:8.2} ({:.0}x)", one / many)
}

/// The best time per step and lane of the plain interpreter.
fn one_lane(program: &LaneProgram<'_>) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..ROUNDS {
        let mut scalar = Scalar::new(program);
        let mut random = Random(77);
        let mut total = 0.0;
        for _ in 0..STEPS {
            set_scalar(&mut scalar, program, &mut random);
            let start = Instant::now();
            scalar.step();
            total += start.elapsed().as_secs_f64();
        }
        assert!(!scalar.overflow, "the yardstick has to stay within words");
        black_box(&scalar.bools);
        best = best.min(total);
    }
    best * 1e9 / number(STEPS)
}

fn set_scalar(scalar: &mut Scalar<'_>, program: &LaneProgram<'_>, random: &mut Random) {
    for (file, slot) in program.input_slots() {
        match file {
            File::Bool => scalar.bools[slot as usize] = (random.next() & 1) as u8,
            File::Word => scalar.words[slot as usize] = word(random),
            File::Real => {
                let (above, below) = (word(random), 10);
                let divisor = [1, 2, 5, 10]
                    .into_iter()
                    .rfind(|divisor| above % divisor == 0 && below % divisor == 0);
                let divisor = divisor.expect("one divides all");
                scalar.reals[slot as usize] =
                    Ratio { above: above / divisor, below: below / divisor };
            }
        }
    }
}

fn word(random: &mut Random) -> i64 {
    (random.next() >> 32).cast_signed() % 200 - 100
}

/// The best time per step and lane of the lanes.
fn many<const W: usize>(program: &LaneProgram<'_>) -> f64 {
    steps::<W>(program, STEPS, ROUNDS)
}

fn steps<const W: usize>(program: &LaneProgram<'_>, steps: usize, rounds: usize) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..rounds {
        let mut simulator = Simulator::<W>::new(program);
        let mut random = Random(77);
        let mut total = 0.0;
        for _ in 0..steps {
            set_lanes(&mut simulator, program, &mut random);
            let start = Instant::now();
            simulator.step();
            total += start.elapsed().as_secs_f64();
            assert_eq!(simulator.redone(), 0, "no lane leaves its word here");
        }
        black_box(&simulator);
        best = best.min(total);
    }
    best * 1e9 / number(steps) / number(64 * W)
}

fn set_lanes<const W: usize>(
    simulator: &mut Simulator<'_, W>,
    program: &LaneProgram<'_>,
    random: &mut Random,
) {
    for (index, (file, _)) in program.input_slots().enumerate() {
        let mut words = || std::array::from_fn(|_| std::array::from_fn(|_| word(random)));
        let set = match file {
            File::Word => simulator.set_words(index, &words()),
            File::Real => simulator.set_reals(index, &words(), 10),
            File::Bool => simulator.set_bools(index, std::array::from_fn(|_| random.next())),
        };
        set.expect("an input of its type");
    }
}

/// The yardstick computes the same: lane 0 against it, output by output.
fn agree(program: &LaneProgram<'_>) {
    let mut simulator = Simulator::<1>::new(program);
    let mut scalar = Scalar::new(program);
    let mut random = Random(5);
    for _ in 0..50 {
        set_lanes(&mut simulator, program, &mut random);
        for (index, (file, slot)) in program.input_slots().enumerate() {
            let node = program.system().inputs[index].node;
            let value = simulator.value(node, 0).expect("inputs are observed");
            match (file, value) {
                (File::Bool, Value::Bool(value)) => {
                    scalar.bools[slot as usize] = u8::from(value);
                }
                (File::Word, Value::Int(value)) => {
                    scalar.words[slot as usize] = i64::try_from(value).expect("a small input");
                }
                (_, Value::Real(value)) => {
                    let above = i64::try_from(value.numerator()).expect("a small input");
                    let below = i64::try_from(value.denominator()).expect("a small input");
                    scalar.reals[slot as usize] = Ratio { above, below };
                }
                _ => {}
            }
        }
        simulator.step();
        scalar.step();
        for ((file, _, next), latch) in program.latch_slots().zip(&program.system().latches) {
            let value = simulator.value(latch.next, 0).expect("next values are observed");
            let same = match (file, value) {
                (File::Bool, Value::Bool(value)) => u8::from(value) == scalar.bools[next as usize],
                (File::Word, Value::Int(value)) => value == scalar.words[next as usize].into(),
                (_, Value::Real(value)) => {
                    let Ratio { above, below } = scalar.reals[next as usize];
                    i64::try_from(value.numerator()) == Ok(above)
                        && i64::try_from(value.denominator()) == Ok(below)
                }
                _ => false,
            };
            assert!(same, "the yardstick and the lanes compute the same");
        }
    }
}
