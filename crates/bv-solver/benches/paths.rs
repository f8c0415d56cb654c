//! What queries about paths cost: 2,000 of them over words of 32 bits, linear and mixed, and 100 over floats. Each is the prefix of a
//! run with its last branch turned around. Compared in one run: the solver with all its layers, one SAT solver along each path
//! without them, and a fresh one for each query.
//!
//! `cargo bench -p obligato-bv-solver --bench paths`, and behind `--` words that choose lines of the table.

#![allow(clippy::cast_precision_loss, reason = "figures for people")]

use std::io::Write;
use std::time::Instant;

use obligato_bv_solver::{Blaster, BvSolver, Query, QueryAnswer};
use obligato_solver::{Answer as SatAnswer, Engine, Stop};
use obligato_term::{
    Assignment, BinaryOp as Op, FloatFormat, FloatOp, Term, Terms, Values, VariableId,
};
use obligato_test_support::Numbers;

const BRANCHES: usize = 20;
const VARIABLES: u32 = 6;

/// A run: its inputs, and its branches as terms that held.
struct Run {
    inputs: Assignment,
    branches: Vec<Term>,
}

/// What branches compare.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Linear,
    Mixed,
    Floats,
}

fn operand(terms: &mut Terms, numbers: &mut Numbers, kind: Kind) -> Term {
    let variable = |numbers: &mut Numbers, terms: &Terms| {
        terms.variables()[numbers.below(VARIABLES.into()) as usize]
    };
    let mut sum = variable(numbers, terms);
    for _ in 0..=numbers.below(2) {
        let next = variable(numbers, terms);
        let op = numbers.below(if kind == Kind::Linear { 2 } else { 7 });
        if kind == Kind::Floats {
            let op = [FloatOp::Add, FloatOp::Multiply, FloatOp::Subtract][op as usize % 3];
            sum = terms.float(op, FloatFormat::Single, &[sum, next], 32);
            continue;
        }
        let factor = terms.constant(1 + u128::from(numbers.below(9)), 32);
        let product = terms.binary(Op::Multiply, next, factor);
        sum = match op {
            0 => terms.binary(Op::Add, sum, product),
            1 => terms.binary(Op::Subtract, sum, product),
            2 => terms.binary(Op::And, sum, next),
            3 => terms.binary(Op::Xor, sum, product),
            4 => terms.binary(Op::Multiply, sum, next),
            5 => terms.binary(Op::DivideUnsigned, sum, factor),
            _ => {
                let few = terms.constant(31, 32);
                let distance = terms.and(next, few);
                terms.binary(Op::ShiftRightSigned, sum, distance)
            }
        };
    }
    sum
}

fn branch(terms: &mut Terms, numbers: &mut Numbers, kind: Kind) -> Term {
    let left = operand(terms, numbers, kind);
    if kind == Kind::Floats {
        let right = terms.constant(f32::to_bits(numbers.below(1000) as f32 / 8.0).into(), 32);
        return terms.float(FloatOp::Less, FloatFormat::Single, &[left, right], 1);
    }
    let right = if numbers.below(2) == 0 {
        terms.constant(numbers.below(2000).into(), 32)
    } else {
        operand(terms, numbers, kind)
    };
    match numbers.below(4) {
        0 => terms.equal(left, right),
        1 => terms.binary(Op::LessUnsigned, left, right),
        _ => terms.binary(Op::LessSigned, left, right),
    }
}

fn runs(kind: Kind, count: usize) -> (Terms, Vec<Run>) {
    let (mut terms, mut numbers) = (Terms::new(), Numbers(0x9e37_79b9_7f4a_7c15));
    for _ in 0..VARIABLES {
        terms.variable(32);
    }
    let mut runs = Vec::new();
    for _ in 0..count {
        let mut inputs = Assignment::default();
        for variable in 0..VARIABLES {
            let value = numbers.below(1000);
            let float = f32::to_bits(value as f32 / 4.0).into();
            inputs
                .set(VariableId(variable), if kind == Kind::Floats { float } else { value.into() });
        }
        let mut values = Values::new(&inputs);
        let mut branches = Vec::new();
        while branches.len() < BRANCHES {
            let test = branch(&mut terms, &mut numbers, kind);
            if terms.as_constant(test).is_none() {
                let holds = values.holds(&terms, test);
                branches.push(if holds { test } else { terms.not(test) });
            }
        }
        runs.push(Run { inputs, branches });
    }
    (terms, runs)
}

/// How many queries of all runs can hold, and how many are not known.
type Counts = (usize, usize);

fn layered(terms: &mut Terms, runs: &[Run]) -> Counts {
    let mut solver = BvSolver::new(&Stop::never(), Some(LIMIT));
    let mut counts = (0, 0);
    for run in runs {
        for turned in 0..run.branches.len() {
            let mut constraints = run.branches[..turned].to_vec();
            constraints.push(terms.not(run.branches[turned]));
            let query = Query { constraints: &constraints, near: &run.inputs };
            match solver.ask(terms, query) {
                QueryAnswer::Satisfiable(_) => counts.0 += 1,
                QueryAnswer::Unsatisfiable => {}
                QueryAnswer::Unknown(_) => counts.1 += 1,
            }
        }
    }
    if std::env::var_os("OBLIGATO_STATISTICS").is_some() {
        let _ = writeln!(std::io::stderr(), "{:?}", solver.statistics());
    }
    counts
}

/// The conflicts that a query may cost.
const LIMIT: u64 = 20_000;

fn along(terms: &mut Terms, runs: &[Run], engine: Engine) -> Counts {
    let mut counts = (0, 0);
    for run in runs {
        let mut blaster = Blaster::new(engine, &Stop::never());
        for branch in &run.branches {
            let turned = terms.not(*branch);
            count(&mut counts, blaster.solve(terms, &[turned], Some(LIMIT)));
            blaster.require(terms, *branch);
        }
    }
    counts
}

fn fresh(terms: &mut Terms, runs: &[Run], engine: Engine) -> Counts {
    let mut counts = (0, 0);
    for run in runs {
        for (index, branch) in run.branches.iter().enumerate() {
            let mut blaster = Blaster::new(engine, &Stop::never());
            for earlier in &run.branches[..index] {
                blaster.require(terms, *earlier);
            }
            let turned = terms.not(*branch);
            count(&mut counts, blaster.solve(terms, &[turned], Some(LIMIT)));
        }
    }
    counts
}

fn count(counts: &mut Counts, sat_answer: SatAnswer) {
    match sat_answer {
        SatAnswer::Sat => counts.0 += 1,
        SatAnswer::Unsat => {}
        SatAnswer::Unknown => counts.1 += 1,
    }
}

/// Seconds of this thread on a processor, or since `origin` where the system does not say.
fn clock(origin: Instant) -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let on_processor = text.as_deref().and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    on_processor.map_or_else(|| origin.elapsed().as_secs_f64(), |time| time / 1e9)
}

/// How queries are answered, and every how many runs: what is slow does not need as many.
type Way = (&'static str, usize, fn(&mut Terms, &[Run]) -> Counts);

const WAYS: [Way; 5] = [
    ("fresh CaDiCaL", 10, |terms, runs| fresh(terms, runs, Engine::Cadical)),
    ("fresh batsat", 10, |terms, runs| fresh(terms, runs, Engine::Batsat)),
    ("CaDiCaL along the path", 1, |terms, runs| along(terms, runs, Engine::Cadical)),
    ("batsat along the path", 1, |terms, runs| along(terms, runs, Engine::Batsat)),
    ("all layers", 1, layered),
];

fn main() -> std::io::Result<()> {
    let origin = Instant::now();
    let words: Vec<String> =
        std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let mut out = std::io::stdout().lock();
    writeln!(out, "questions per second on a processor; each as a ratio to a fresh CaDiCaL")?;
    writeln!(
        out,
        "{:<8} {:<24} {:>9} {:>8} {:>8} {:>8} {:>8}",
        "kind", "way", "per s", "ratio", "asked", "hold", "unknown"
    )?;
    let kinds =
        [("linear", Kind::Linear, 100), ("mixed", Kind::Mixed, 100), ("floats", Kind::Floats, 5)];
    for (name, kind, count) in kinds {
        let (mut terms, runs) = runs(kind, count);
        let mut base = None;
        for (way, every, answer) in WAYS {
            let line = format!("{name} {way}");
            if !words.iter().all(|word| line.contains(word)) {
                continue;
            }
            let runs = &runs[..(runs.len() / every).max(1)];
            let start = clock(origin);
            let (hold, unknown) = answer(&mut terms, runs);
            let asked = runs.len() * BRANCHES;
            let rate = asked as f64 / (clock(origin) - start);
            let ratio = rate / *base.get_or_insert(rate);
            writeln!(
                out,
                "{name:<8} {way:<24} {rate:>9.0} {ratio:>8.2} {asked:>8} {hold:>8} {unknown:>8}"
            )?;
        }
    }
    Ok(())
}
