//! Random types, values, suites, programs, recordings and results for the property
//! tests, and the examples of `docs/formats.md`.

use obligato_model::{
    Integer, OpenEnumeration, Position, Rational, Signedness, Span, Suite, TestCase, Type, Value,
    Variable,
};
use proptest::collection::{btree_set, vec};
use proptest::option;
use proptest::prelude::*;

mod program;
mod result;

pub use program::{program, recording};
pub use result::result;

const DOCUMENTATION: &str = include_str!("../../../docs/formats.md");

/// The fenced block of the documentation that starts with this tag.
pub fn documented(tag: &str) -> &'static str {
    let (_, rest) = DOCUMENTATION
        .split_once(&format!("```{tag}\n"))
        .unwrap_or_else(|| panic!("no block '{tag}' in the documentation"));
    rest.split_once("```").unwrap().0
}

/// A name with anything in it.
pub fn name() -> impl Strategy<Value = String> {
    "(\\PC|[\n\r\t\"\\\\,#é]){1,6}"
}

pub fn names(range: std::ops::Range<usize>) -> impl Strategy<Value = Vec<String>> {
    btree_set(name(), range).prop_map(|names| names.into_iter().collect::<Vec<_>>())
}

fn integer() -> impl Strategy<Value = Integer> {
    prop_oneof![
        any::<i8>().prop_map(Integer::from),
        any::<i128>().prop_map(Integer::from),
        (any::<i128>(), 1_usize..40).prop_map(|(base, power)| Integer::from(base).pow(power)),
    ]
}

pub fn number_type() -> impl Strategy<Value = Type> {
    prop_oneof![
        Just(Type::Int),
        (integer(), integer()).prop_map(|(a, b)| {
            let (low, high) = if a < b { (a, b) } else { (b, a) };
            Type::Subrange(low, high)
        }),
        (1_u32..=128).prop_map(|bits| Type::Machine(Signedness::Signed, bits)),
        (1_u32..=128).prop_map(|bits| Type::Machine(Signedness::Unsigned, bits)),
        Just(Type::Real),
        Just(Type::Float32),
        Just(Type::Float64),
    ]
}

pub fn any_type() -> impl Strategy<Value = Type> {
    prop_oneof![
        Just(Type::Bool),
        number_type(),
        btree_set("[A-Za-z#\"é][A-Za-z0-9_ \"]{0,4}[A-Za-z0-9\u{feff}]", 1..5)
            .prop_map(|names| Type::Enumeration(names.into_iter().collect())),
        btree_set("[A-Za-z_][A-Za-z0-9_]{0,4}", 0..5).prop_map(|names| {
            let names = names.into_iter().zip((0..3).map(Integer::from).cycle()).collect();
            let (low, high) = (Integer::from(-4), Integer::from(9));
            Type::OpenEnumeration(Box::new(OpenEnumeration { low, high, names }))
        }),
    ]
}

/// A value of `kind`, made from two numbers.
pub fn value_of(kind: &Type, a: &Integer, b: u64) -> Value {
    match kind {
        Type::Bool => Value::Bool(b.is_multiple_of(2)),
        Type::Int => Value::Int(a.clone()),
        Type::Subrange(..) | Type::Machine(..) => {
            let (low, high) = kind.bounds().unwrap();
            let width: Integer = high - low.clone() + Integer::ONE;
            let shift = ((a % &width) + &width) % &width;
            Value::Int(low + shift)
        }
        Type::Real => {
            let below = if b.is_multiple_of(3) {
                Integer::from(10).pow((b % 24) as usize)
            } else {
                Integer::from(b % 1000 + 1)
            };
            Value::Real(Rational::from(a.clone()) / Rational::from(below))
        }
        Type::Float32 => Value::Float32(b as u32),
        Type::Float64 => Value::Float64(b),
        Type::Enumeration(names) => Value::Symbol(names[b as usize % names.len()].clone()),
        Type::OpenEnumeration(enumeration) => {
            let number = &enumeration.low + Integer::from(b % 14);
            enumeration.value(&number).expect("a number within the bounds")
        }
    }
}

/// What [`value_of`] makes a value from.
pub type Seeds = (Integer, u64);

fn seeds() -> impl Strategy<Value = Seeds> {
    let special = [
        0,
        1 << 63,
        1 << 31,
        f64::INFINITY.to_bits(),
        u64::from(f32::INFINITY.to_bits()),
        f64::NAN.to_bits() | 1,
        u64::from(f32::NAN.to_bits()) | 1,
    ];
    let word = prop_oneof![any::<u64>(), proptest::sample::select(special.to_vec())];
    (integer(), word)
}

pub fn value(kind: Type) -> impl Strategy<Value = Value> {
    seeds().prop_map(move |(a, b)| value_of(&kind, &a, b))
}

fn variables() -> impl Strategy<Value = Vec<Variable>> {
    (names(0..5), vec(any_type(), 5)).prop_map(|(names, kinds)| {
        let pairs = names.into_iter().zip(kinds);
        pairs.map(|(name, kind)| Variable { name, kind }).collect()
    })
}

pub fn suite() -> impl Strategy<Value = Suite> {
    variables().prop_flat_map(|inputs| {
        let values: Vec<_> =
            inputs.iter().map(|input| option::of(value(input.kind.clone()))).collect();
        let tests = (names(0..5), vec(vec(values, 0..4), 5));
        tests.prop_map(move |(names, steps)| Suite {
            inputs: inputs.clone(),
            tests: names
                .into_iter()
                .zip(steps)
                .map(|(name, steps)| TestCase { name, steps })
                .collect(),
        })
    })
}

pub fn span() -> impl Strategy<Value = Span> {
    (1..9_u32, 1..9_u32, 0..9_u32, 0..9_u32).prop_map(|(line, column, lines, columns)| Span {
        start: Position { line, column },
        end: Position { line: line + lines, column: column + columns },
    })
}
