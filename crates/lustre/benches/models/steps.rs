//! Steps of models: 256 lanes at once, one lane at a time, and the least that the instructions
//! could take.
//!
//! What a profile shows, and so what would bring a step closer to the floor: four in five
//! instructions on integers are selections, and these take about half of a step; a division costs
//! as much as a dozen of them, so a model with a few divisions is furthest from the floor. Vectors
//! of 256 bits instead of 128 would do a digit of 256 lanes in one operation instead of two. Reals
//! still have a word per lane, so a model full of them gains least.

use std::hint::black_box;
use std::time::Instant;

use obligato_model::{Integer, Rational, Type, Value};
use obligato_transition_system::Simulator;
use obligato_transition_system::lanes::{LaneOptions, LaneProgram, Operation};

use crate::load;
use crate::scalar::{Ratio, Scalar};

const STEPS: usize = 200;
const ROUNDS: usize = 15;
const WORDS: usize = 4;
const LANES: usize = 64 * WORDS;
/// Integers within ±100 take eight digits, and a lane holds them digit by digit.
const DIGITS: f64 = 8.0;

/// Prints a row per model.
pub fn print_table<'t>(models: impl Iterator<Item = (&'t str, &'t Vec<u8>)>) {
    let floor = Floor::measure();
    println!(
        "\na step of {LANES} lanes against one lane at a time (ns per step and lane), and against the \
         same number of operations on registers in order ({:.1} ns per Boolean and per each of the {DIGITS} \
         digits of an integer, {:.1} ns per word of a real)",
        floor.bool_ns, floor.word_ns
    );
    for (name, text) in models {
        let lowered = load(text);
        let program =
            LaneProgram::new(&lowered.system, &LaneOptions::default()).expect("a valid system");
        let one = scalar_time(&program);
        let all = lanes_time(&program, STEPS, ROUNDS);
        let (bools, words, reals) = count(&program);
        // A real is a numerator and a denominator.
        let least = floor.bool_ns * (bools + DIGITS * words) + floor.word_ns * 2.0 * reals;
        let lanes = all / number(LANES);
        println!(
            "{name:<40} {bools:>5} Boolean, {words:>5} word, {reals:>4} real instructions in {:>4} runs: \
             one lane {one:>7.0}, lanes {lanes:>6.2} ({:.0}x), {:.0} M steps/s, {:.0}% of the floor's speed",
            program.runs().len(),
            one / lanes,
            1e3 / lanes,
            least / all * 100.0
        );
    }
}

fn number(count: usize) -> f64 {
    f64::from(u32::try_from(count).expect("a small count"))
}

/// How many instructions work on Booleans, on words and on reals.
fn count(program: &LaneProgram<'_>) -> (f64, f64, f64) {
    let mut counts = [0.0; 3];
    for run in program.runs() {
        let file = match run.operation {
            Operation::Bool(_) => 0,
            Operation::Word(_) | Operation::CompareWords(_) => 1,
            _ => 2,
        };
        counts[file] += f64::from(run.end - run.start);
    }
    counts.into()
}

/// What one operation on all lanes takes when registers are close and come in order.
struct Floor {
    bool_ns: f64,
    word_ns: f64,
}

impl Floor {
    fn measure() -> Self {
        Self {
            bool_ns: in_order::<WORDS, 256>(|a, b| a & b),
            word_ns: in_order::<LANES, 4>(u64::wrapping_add),
        }
    }
}

fn in_order<const W: usize, const N: usize>(operation: impl Fn(u64, u64) -> u64) -> f64 {
    let left = black_box(vec![[3_u64; W]; N]);
    let right = black_box(vec![[5_u64; W]; N]);
    let mut result = vec![[0_u64; W]; N];
    let mut best = f64::INFINITY;
    for _ in 0..200 {
        let start = Instant::now();
        for _ in 0..100 {
            for ((to, a), b) in result.iter_mut().zip(&left).zip(&right) {
                for word in 0..W {
                    to[word] = operation(a[word], b[word]);
                }
            }
            black_box(&mut result);
        }
        best = best.min(start.elapsed().as_secs_f64());
    }
    best * 1e9 / number(100 * N)
}

struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) % bound
    }

    fn value(&mut self, kind: &Type) -> Value {
        match kind {
            Type::Bool => Value::Bool(self.below(2) == 1),
            Type::Real => {
                let tenths = Rational::from(Integer::from(self.below(200)) - Integer::from(100));
                Value::Real(tenths / Rational::from(10))
            }
            Type::Enumeration(names) => {
                let at = usize::try_from(self.below(names.len() as u64)).unwrap_or(0);
                Value::Symbol(names[at].clone())
            }
            Type::Subrange(low, high) => {
                let size = u64::try_from(&(high - low)).unwrap_or(100).min(100);
                Value::Int(low + Integer::from(self.below(size + 1)))
            }
            Type::Machine(..) => Value::int(self.below(100)),
            _ => Value::Int(Integer::from(self.below(200)) - Integer::from(100)),
        }
    }
}

/// The time of a step of all lanes, in nanoseconds: the mean over the steps of a run, each at the
/// best of its rounds. Rounds do the same, so what is above the best is the machine's; steps differ,
/// as integers take as many planes as their values need. Inputs change before each step.
pub fn lanes_time(program: &LaneProgram<'_>, steps: usize, rounds: usize) -> f64 {
    let mut best = vec![f64::INFINITY; steps];
    for _ in 0..rounds {
        let mut simulator = Simulator::<WORDS>::new(program);
        let mut random = Random(77);
        for (step, best) in best.iter_mut().enumerate() {
            for (index, input) in program.system().inputs.iter().enumerate() {
                for lane in (step % 16..LANES).step_by(16) {
                    let value = random.value(&input.kind);
                    simulator.set_input(index, lane, &value).expect("a value of its type");
                }
            }
            let start = Instant::now();
            simulator.step();
            *best = best.min(start.elapsed().as_secs_f64());
        }
        assert_eq!(simulator.redone(), 0, "no lane leaves its word here");
        black_box(&simulator);
    }
    mean_of(&best)
}

/// Seconds as nanoseconds.
fn mean_of(times: &[f64]) -> f64 {
    times.iter().sum::<f64>() * 1e9 / number(times.len())
}

/// The time of a step of one lane, in nanoseconds, found in the same way.
fn scalar_time(program: &LaneProgram<'_>) -> f64 {
    let mut best = vec![f64::INFINITY; STEPS];
    for _ in 0..ROUNDS {
        let mut scalar = Scalar::new(program);
        let mut random = Random(77);
        for best in &mut best {
            for (input, (_, slot)) in program.system().inputs.iter().zip(program.input_slots()) {
                set(&mut scalar, &input.kind, slot as usize, &random.value(&input.kind));
            }
            let start = Instant::now();
            scalar.step();
            *best = best.min(start.elapsed().as_secs_f64());
        }
        assert!(!scalar.overflow, "the yardstick has to stay within words");
        black_box(&scalar.bools);
    }
    mean_of(&best)
}

fn set(scalar: &mut Scalar<'_>, kind: &Type, slot: usize, value: &Value) {
    let small = |value: &Integer| i64::try_from(value).expect("a small input");
    match (kind, value) {
        (Type::Enumeration(names), Value::Symbol(name)) => {
            let position = names.iter().position(|other| other == name).unwrap_or(0);
            scalar.words[slot] = i64::try_from(position).expect("a small enumeration");
        }
        (_, Value::Bool(value)) => scalar.bools[slot] = u8::from(*value),
        (_, Value::Int(value)) => scalar.words[slot] = small(value),
        (_, Value::Real(value)) => {
            let below = Integer::from(value.denominator().clone());
            scalar.reals[slot] = Ratio { above: small(value.numerator()), below: small(&below) };
        }
        _ => {}
    }
}
