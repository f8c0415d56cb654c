//! Simplified terms are worth what the operations say.

use proptest::prelude::*;

use super::*;
use crate::evaluate::{Assignment, Values};
use crate::node::Rounding;

/// A step of building: an operation and where its operands are among the terms so far.
type Step = (u8, u8, u8, u8);

const BINARY: [BinaryOp; 16] = [
    BinaryOp::Add,
    BinaryOp::Subtract,
    BinaryOp::Multiply,
    BinaryOp::DivideUnsigned,
    BinaryOp::DivideSigned,
    BinaryOp::RemainderUnsigned,
    BinaryOp::RemainderSigned,
    BinaryOp::ShiftLeft,
    BinaryOp::ShiftRightUnsigned,
    BinaryOp::ShiftRightSigned,
    BinaryOp::And,
    BinaryOp::Or,
    BinaryOp::Xor,
    BinaryOp::Equal,
    BinaryOp::LessUnsigned,
    BinaryOp::LessSigned,
];

/// Builds terms by steps, with the value that each operation gives for the values of its operands.
#[expect(clippy::many_single_char_names, reason = "operands and their values, by turns")]
fn check(steps: &[Step], numbers: &[u16]) {
    let mut terms = Terms::new();
    let mut assignment = Assignment::default();
    let mut built: Vec<(Term, u128)> = Vec::new();
    for (index, width) in [8_u8, 8, 16, 1, 1].into_iter().enumerate() {
        let term = terms.variable(width);
        let value = u128::from(numbers[index]) & mask(width);
        assignment.set(VariableId(index as u32), value);
        built.push((term, value));
    }
    for (value, width) in [(0, 8), (1, 8), (0xff, 8), (3, 16), (1, 1), (0x80, 8)] {
        built.push((terms.constant(value, width), value));
    }
    for &(op, first, second, third) in steps {
        let pick = |at: u8| built[usize::from(at) % built.len()];
        let ((a, x), (b, y), (test, tested)) = (pick(first), pick(second), pick(third));
        let (p, q) = (terms.width(a), terms.width(b));
        let fitted = |terms: &mut Terms| {
            if q < p { (terms.zero_extend(b, p), y) } else { (terms.extract(b, 0, p), y & mask(p)) }
        };
        let next = match op % 24 {
            op @ 0..16 => {
                let op = BINARY[usize::from(op)];
                let (b, y) = fitted(&mut terms);
                (terms.binary(op, a, b), meaning::binary(op, p, x, y))
            }
            16 => (terms.not(a), meaning::unary(UnaryOp::Not, p, x)),
            17 => (terms.unary(UnaryOp::Negate, a), meaning::unary(UnaryOp::Negate, p, x)),
            18 | 19 => {
                let (b, y) = fitted(&mut terms);
                let zero = terms.constant(0, terms.width(test));
                let test = terms.equal(test, zero);
                (terms.choose(test, a, b), if tested == 0 { x } else { y })
            }
            20 => {
                let low = third % p;
                let width = 1 + second % (p - low);
                (terms.extract(a, low, width), x >> low & mask(width))
            }
            21 if p + q <= 64 => (terms.concat(a, b), x << q | y),
            22 => (terms.zero_extend(a, 64), x),
            _ => (terms.sign_extend(a, 64), meaning::signed(x, p).cast_unsigned() & mask(64)),
        };
        built.push(next);
    }
    let mut values = Values::new(&assignment);
    for (term, value) in built {
        assert_eq!(values.of(&terms, term), value, "{:?}", terms.node(term));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn simplified_terms_are_worth_what_their_operations_say(
        steps in proptest::collection::vec(any::<Step>(), 1..40),
        numbers in proptest::collection::vec(any::<u16>(), 5),
    ) {
        check(&steps, &numbers);
    }
}

#[test]
fn equal_terms_are_one() {
    let mut terms = Terms::new();
    let (a, b) = (terms.variable(32), terms.variable(32));
    assert_eq!(terms.binary(BinaryOp::Add, a, b), terms.binary(BinaryOp::Add, b, a));
    let bytes: Vec<Term> = (0..4).map(|at| terms.extract(a, at * 8, 8)).collect();
    let high = terms.concat(bytes[3], bytes[2]);
    let low = terms.concat(bytes[1], bytes[0]);
    assert_eq!(terms.concat(high, low), a);
    let stepwise = bytes[1..].iter().fold(bytes[0], |low, high| terms.concat(*high, low));
    assert_eq!(stepwise, a);
}

#[test]
fn floats_are_computed_as_the_host_does() {
    let mut terms = Terms::new();
    let half = terms.constant(u128::from(0.5_f64.to_bits()), 64);
    let third = terms.constant(u128::from((1.0_f64 / 3.0).to_bits()), 64);
    let sum = terms.float(FloatOp::Add, FloatFormat::Double, &[half, third], 64);
    assert_eq!(terms.as_constant(sum), Some(u128::from((0.5 + 1.0_f64 / 3.0).to_bits())));
    let up = terms.float(FloatOp::Round(Rounding::Up), FloatFormat::Double, &[third], 64);
    assert_eq!(terms.as_constant(up), Some(u128::from(1.0_f64.to_bits())));
    let whole = terms.float(FloatOp::ToSigned, FloatFormat::Double, &[up], 32);
    assert_eq!(terms.as_constant(whole), Some(1));
}
