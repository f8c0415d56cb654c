//! Random tests: values that programs tend to compare with, and now and then anything.

use obligato_model::{Integer, Random, Step, Suite, TestCase, Type, Value};

use crate::interface::Interface;

/// How many tests, how long, and by which seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Draw {
    /// How many tests.
    pub tests: usize,
    /// How many steps each has.
    pub steps: usize,
    /// The same seed gives the same tests.
    pub seed: u64,
}

/// Draws tests over these inputs.
pub fn draw_suite(interface: &obligato_model::SuiteInterface, draw: Draw) -> Suite {
    let mut random = Random::for_purpose(draw.seed, "tests of a C unit");
    let mut tests = Vec::with_capacity(draw.tests);
    for index in 0..draw.tests {
        let mut steps: Vec<Step> = Vec::with_capacity(draw.steps);
        for _ in 0..draw.steps {
            let values = interface.inputs.iter().map(|input| draw_value(&input.kind, &mut random));
            steps.push(values.collect());
        }
        tests.push(TestCase { name: TestCase::default_name(index), steps });
    }
    Suite { inputs: interface.inputs.clone(), tests }
}

/// Gives constants that somebody else defines the same value in all steps of a test, which is all that a suite may say of them.
pub fn hold_constants(interface: &Interface, suite: &mut Suite) {
    let is_constant = |name: &str| {
        let mut cells = interface.inputs.iter().filter(|cell| cell.name == name);
        cells.any(|cell| interface.is_constant(cell))
    };
    let inputs = suite.inputs.iter().enumerate();
    let constants: Vec<usize> =
        inputs.filter(|(_, input)| is_constant(&input.name)).map(|(at, _)| at).collect();
    for test in &mut suite.tests {
        let Some((first, later)) = test.steps.split_first_mut() else { continue };
        for step in later {
            for at in &constants {
                step[*at].clone_from(&first[*at]);
            }
        }
    }
}

/// Numbers up to this size are as likely as all others.
const SMALL: usize = 12;

fn draw_value(kind: &Type, random: &mut Random) -> Option<Value> {
    Some(match kind {
        Type::Bool => Value::Bool(random.below(2) == 1),
        Type::Enumeration(names) => {
            // Most programs do nothing on a null pointer, which is the first.
            let at = random.below(names.len()).max(random.below(names.len()));
            Value::Symbol(names[at].clone())
        }
        Type::OpenEnumeration(enumeration) => match enumeration.names.as_slice() {
            names if !names.is_empty() && random.below(4) > 0 => {
                enumeration.value(&names[random.below(names.len())].1)?
            }
            _ => enumeration.value(&draw_integer(kind, random))?,
        },
        Type::Machine(..) | Type::Subrange(..) => Value::Int(draw_integer(kind, random)),
        Type::Float32 => Value::float32(draw_float(random) as f32),
        Type::Float64 => Value::float64(draw_float(random)),
        Type::Int | Type::Real => return None,
    })
}

fn draw_integer(kind: &Type, random: &mut Random) -> Integer {
    let (low, high) = kind.bounds().expect("invariant: machine integers have bounds");
    let small = Integer::from(random.below(SMALL));
    let drawn = match random.below(8) {
        0..=3 => small,
        4 => -small,
        5 => &low + small,
        6 => &high - small,
        _ => {
            let wide = Integer::from(random.next()) * Integer::from(random.next());
            let count = &high - &low + Integer::ONE;
            &low + wide % count
        }
    };
    drawn.clamp(low, high)
}

fn draw_float(random: &mut Random) -> f64 {
    match random.below(8) {
        0 => 0.0,
        1 => -1.0,
        2 => f64::NAN,
        3 => f64::INFINITY,
        4 => f64::from_bits(random.next()),
        _ => f64::from(random.below(2000) as u32) / 100.0 - 10.0,
    }
}
