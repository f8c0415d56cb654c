//! Words against machine arithmetic, for all numbers of a few bits.

use super::*;
use crate::simulation::Simulation;

const LONG: u32 = 5;
const SHORT: u32 = 3;

/// A word of so many inputs.
fn variable(circuit: &mut Circuit, bits: u32) -> Word {
    Word::new((0..bits).map(|_| circuit.input()).collect())
}

fn numbers(bits: u32) -> std::ops::Range<i128> {
    -(1 << (bits - 1))..1 << (bits - 1)
}

/// What a word or a literal is worth in a step.
fn worth(simulation: &Simulation, word: &Word) -> i128 {
    word.value(|lit| Some(simulation.value(lit) & 1 == 1)).expect("every literal has a value")
}

/// Compares an operation with what it should be, for all pairs of numbers, of equal and of different
/// lengths, and with a constant on either side.
fn check(
    operation: impl Fn(&mut Circuit, &Word, &Word) -> Word,
    expected: impl Fn(i128, i128) -> i128,
) {
    for (left, right) in [(LONG, SHORT), (SHORT, LONG), (LONG, LONG)] {
        let mut circuit = Circuit::new();
        let (a, b) = (variable(&mut circuit, left), variable(&mut circuit, right));
        let result = operation(&mut circuit, &a, &b);
        for x in numbers(left) {
            for y in numbers(right) {
                let mut simulation = Simulation::new(&circuit);
                let inputs = (x & ((1 << left) - 1)) | y << left;
                simulation.step(&circuit, |input| u64::from(inputs >> input & 1 == 1));
                assert_eq!(worth(&simulation, &result), expected(x, y), "{x}, {y}");
            }
        }
    }
    for constant in numbers(LONG) {
        let mut circuit = Circuit::new();
        let (a, b) = (variable(&mut circuit, LONG), Word::constant(constant));
        let (first, second) = (operation(&mut circuit, &a, &b), operation(&mut circuit, &b, &a));
        for x in numbers(LONG) {
            let mut simulation = Simulation::new(&circuit);
            simulation.step(&circuit, |input| u64::from(x >> input & 1 == 1));
            assert_eq!(worth(&simulation, &first), expected(x, constant), "{x}, {constant}");
            assert_eq!(worth(&simulation, &second), expected(constant, x), "{constant}, {x}");
        }
    }
}

/// A literal as the word 0 or 1.
fn digit(lit: Lit) -> Word {
    Word::new(vec![lit, Lit::FALSE])
}

#[test]
fn sums_and_products_are_exact() {
    check(|circuit, a, b| a.add(circuit, b), |a, b| a + b);
    check(|circuit, a, b| a.subtract(circuit, b), |a, b| a - b);
    check(|circuit, a, b| a.multiply(circuit, b, a.len() + b.len()), |a, b| a * b);
}

#[test]
fn a_product_cut_short_is_the_product_modulo_a_power_of_two() {
    for bits in [1, 2, 4, 7] {
        let low = |value: i128| value & ((1 << bits) - 1);
        check(|circuit, a, b| a.multiply(circuit, b, bits).unsigned(bits), move |a, b| low(a * b));
    }
}

#[test]
fn quotients_and_remainders_are_rounded_as_smt_lib_and_c_do() {
    let or_zero =
        |of: fn(i128, i128) -> i128| move |a: i128, b: i128| if b == 0 { 0 } else { of(a, b) };
    check(|circuit, a, b| a.euclidean_quotient(circuit, b), or_zero(i128::div_euclid));
    check(|circuit, a, b| a.euclidean_remainder(circuit, b), or_zero(i128::rem_euclid));
    check(|circuit, a, b| a.truncated_quotient(circuit, b), or_zero(|a, b| a / b));
    check(|circuit, a, b| a.truncated_remainder(circuit, b), or_zero(|a, b| a % b));
}

#[test]
fn comparisons_choices_and_magnitudes_are_what_they_say() {
    check(|circuit, a, b| digit(a.less(circuit, b)), |a, b| i128::from(a < b));
    check(|circuit, a, b| digit(a.equal(circuit, b)), |a, b| i128::from(a == b));
    check(|circuit, a, b| a.magnitude(circuit).add(circuit, b), |a, b| a.abs() + b);
    check(
        |circuit, a, b| {
            let less = a.less(circuit, b);
            Word::ite(circuit, less, a, b)
        },
        i128::min,
    );
    check(
        |circuit, a, b| {
            let sum = a.add(circuit, b);
            digit(sum.exceeds(circuit, 4))
        },
        |a, b| i128::from(!(-8..8).contains(&(a + b))),
    );
}

#[test]
fn constants_cost_nothing() {
    let mut circuit = Circuit::new();
    let (a, b) = (Word::constant(-1234), Word::constant(77));
    assert_eq!(a.multiply(&mut circuit, &b, 64).as_constant(), Some(-1234 * 77));
    assert_eq!(a.euclidean_quotient(&mut circuit, &b).as_constant(), Some(-17));
    let x = variable(&mut circuit, 8);
    let gates = circuit.len();
    let _ = x.euclidean_quotient(&mut circuit, &Word::constant(16));
    let _ = x.euclidean_remainder(&mut circuit, &Word::constant(4));
    let _ = x.multiply(&mut circuit, &Word::constant(8), 16);
    assert_eq!(circuit.len(), gates);
}
