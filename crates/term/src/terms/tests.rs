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

const FLOATS: [FloatOp; 16] = [
    FloatOp::Add,
    FloatOp::Subtract,
    FloatOp::Multiply,
    FloatOp::Divide,
    FloatOp::Remainder,
    FloatOp::MultiplyAdd,
    FloatOp::SquareRoot,
    FloatOp::Round(Rounding::Down),
    FloatOp::Round(Rounding::Up),
    FloatOp::Round(Rounding::Even),
    FloatOp::Less,
    FloatOp::Equal,
    FloatOp::FromSigned,
    FloatOp::FromUnsigned,
    FloatOp::ToSigned,
    FloatOp::ToUnsigned,
];

/// Terms, each with the value that its operation gives for the values of its operands.
struct Built {
    terms: Terms,
    built: Vec<(Term, u128)>,
}

impl Built {
    /// Variables with these values, and some numbers.
    fn new(numbers: &[u16]) -> (Self, Assignment) {
        let (mut terms, mut assignment) = (Terms::new(), Assignment::default());
        let mut built = Vec::new();
        for (index, width) in [8_u8, 8, 16, 1, 1].into_iter().enumerate() {
            let term = terms.variable(width);
            let value = u128::from(numbers[index]) & mask(width);
            assignment.set(VariableId(index as u32), value);
            built.push((term, value));
        }
        for (value, width) in [(0, 8), (1, 8), (0xff, 8), (3, 16), (1, 1), (0x80, 8)] {
            built.push((terms.constant(value, width), value));
        }
        (Self { terms, built }, assignment)
    }

    fn pick(&self, at: u8) -> (Term, u128) {
        self.built[usize::from(at) % self.built.len()]
    }

    /// A term, cut or filled up to a width.
    fn fitted(&mut self, at: u8, width: u8) -> (Term, u128) {
        let (term, value) = self.pick(at);
        if self.terms.width(term) < width {
            (self.terms.zero_extend(term, width), value)
        } else {
            (self.terms.extract(term, 0, width), value & mask(width))
        }
    }

    fn step(&mut self, (op, first, second, third): Step) {
        let (left, x) = self.pick(first);
        let p = self.terms.width(left);
        let next = match op % 32 {
            op @ 0..16 => {
                let op = BINARY[usize::from(op)];
                let (right, y) = self.fitted(second, p);
                (self.terms.binary(op, left, right), meaning::binary(op, p, x, y))
            }
            16 => (self.terms.not(left), meaning::unary(UnaryOp::Not, p, x)),
            17 => (self.terms.unary(UnaryOp::Negate, left), meaning::unary(UnaryOp::Negate, p, x)),
            18 | 19 => {
                let (right, y) = self.fitted(second, p);
                let (test, tested) = self.test(third);
                (self.terms.choose(test, left, right), if tested { x } else { y })
            }
            20 => {
                let low = third % p;
                let width = 1 + second % (p - low);
                (self.terms.extract(left, low, width), x >> low & mask(width))
            }
            21 => {
                let (right, y) = self.fitted(second, 8);
                if p > 56 {
                    return;
                }
                (self.terms.concat(left, right), x << 8 | y)
            }
            22 => (self.terms.zero_extend(left, 64), x),
            23 | 24 => {
                (self.terms.sign_extend(left, 64), meaning::signed(x, p).cast_unsigned() & mask(64))
            }
            25 | 26 => {
                // A choice between numbers, or between a number and something.
                let (test, tested) = self.test(third);
                let number = u128::from(second) & mask(p);
                let constant = self.terms.constant(number, p);
                (self.terms.choose(test, constant, left), if tested { number } else { x })
            }
            27 | 28 => {
                let number = u128::from(second) & mask(p);
                let (op, constant) =
                    (BINARY[usize::from(third % 16)], self.terms.constant(number, p));
                (self.terms.binary(op, left, constant), meaning::binary(op, p, x, number))
            }
            29 => {
                let number = u128::from(second) & mask(p);
                let (op, constant) =
                    (BINARY[usize::from(third % 16)], self.terms.constant(number, p));
                (self.terms.binary(op, constant, left), meaning::binary(op, p, number, x))
            }
            _ => self.float(first, second, third),
        };
        self.built.push(next);
    }

    /// Is a term zero?
    fn test(&mut self, at: u8) -> (Term, bool) {
        let (term, value) = self.pick(at);
        let zero = self.terms.constant(0, self.terms.width(term));
        (self.terms.equal(term, zero), value == 0)
    }

    fn float(&mut self, first: u8, second: u8, third: u8) -> (Term, u128) {
        let op = FLOATS[usize::from(third % 16)];
        let format =
            if second.is_multiple_of(2) { FloatFormat::Single } else { FloatFormat::Double };
        let width = format.width();
        let operands = [first, second, third].map(|at| self.fitted(at, width));
        let to = if matches!(op, FloatOp::Less | FloatOp::Equal) { 1 } else { width };
        let term = self.terms.float(op, format, &operands.map(|one| one.0), to);
        let mut values = operands.map(|one| one.1);
        for extra in op.arity()..3 {
            values[extra] = values[0];
        }
        (term, floats::float(op, format, width, to, values))
    }
}

/// Builds terms by steps, and compares them with the values of the operations.
fn check(steps: &[Step], numbers: &[u16]) {
    let (mut built, assignment) = Built::new(numbers);
    for step in steps {
        built.step(*step);
    }
    let mut values = Values::new(&assignment);
    for (term, value) in built.built {
        let found = values.of(&built.terms, term);
        assert_eq!(found, value, "{:?}", built.terms.node(term));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6000))]

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

#[test]
fn sums_in_any_order_are_one_and_common_factors_are_joined() {
    let mut terms = Terms::new();
    let [x, y, z] = [(); 3].map(|()| terms.variable(32));
    let seven = terms.constant(7, 32);
    let first = {
        let sum = terms.binary(BinaryOp::Add, x, seven);
        let sum = terms.binary(BinaryOp::Subtract, sum, y);
        terms.binary(BinaryOp::Add, sum, z)
    };
    let second = {
        let sum = terms.binary(BinaryOp::Subtract, z, y);
        let sum = terms.binary(BinaryOp::Add, seven, sum);
        terms.binary(BinaryOp::Add, sum, x)
    };
    assert_eq!(first, second);
    let (xy, xz) = (terms.binary(BinaryOp::Multiply, x, y), terms.binary(BinaryOp::Multiply, z, x));
    let sum = terms.binary(BinaryOp::Add, y, z);
    let product = terms.binary(BinaryOp::Multiply, sum, x);
    assert_eq!(terms.binary(BinaryOp::Add, xy, xz), product);
    // 3 * x = 21 has one solution, 4 * x = 2 none.
    let (three, four) = (terms.constant(3, 32), terms.constant(4, 32));
    let tripled = terms.binary(BinaryOp::Multiply, x, three);
    let number = terms.constant(21, 32);
    assert_eq!(terms.equal(tripled, number), terms.equal(x, seven));
    let fourfold = terms.binary(BinaryOp::Multiply, x, four);
    let two = terms.constant(2, 32);
    let never = terms.equal(fourfold, two);
    assert_eq!(terms.as_constant(never), Some(0));
}

#[test]
fn what_is_computed_from_chosen_numbers_is_a_condition_on_the_tests() {
    let mut terms = Terms::new();
    let selector = terms.variable(8);
    let mut address = terms.constant(0, 64);
    let mut tests = Vec::new();
    for index in 1..100_u128 {
        let number = terms.constant(index, 8);
        let test = terms.equal(selector, number);
        tests.push(test);
        let object = terms.constant(index << 32, 64);
        address = terms.choose(test, object, address);
    }
    let eight = terms.constant(8, 64);
    let moved = terms.binary(BinaryOp::Add, address, eight);
    let object = terms.extract(moved, 32, 32);
    let wanted = terms.constant(99, 32);
    assert_eq!(terms.equal(object, wanted), tests[98]);
    let low = terms.extract(moved, 0, 32);
    assert_eq!(terms.as_constant(low), Some(8));
}

#[test]
fn comparisons_of_extended_words_are_those_of_the_words() {
    let mut terms = Terms::new();
    let (byte, other) = (terms.variable(8), terms.variable(8));
    let less = terms.binary(BinaryOp::LessSigned, byte, other);
    let (long, longer) = (terms.sign_extend(byte, 32), terms.sign_extend(other, 32));
    assert_eq!(terms.binary(BinaryOp::LessSigned, long, longer), less);
    // (int)c + 1 < 5 is c < 4.
    let (one, five) = (terms.constant(1, 32), terms.constant(5, 32));
    let sum = terms.binary(BinaryOp::Add, long, one);
    let four = terms.constant(4, 8);
    let expected = terms.binary(BinaryOp::LessSigned, byte, four);
    assert_eq!(terms.binary(BinaryOp::LessSigned, sum, five), expected);
    let far = terms.constant(1000, 32);
    let always = terms.binary(BinaryOp::LessSigned, sum, far);
    assert_eq!(terms.as_constant(always), Some(1));
}

#[test]
fn chains_of_conditions_say_each_thing_once() {
    let mut terms = Terms::new();
    let bits: Vec<Term> = (0..5).map(|_| terms.variable(1)).collect();
    let all = terms.all(bits.iter().copied());
    assert_eq!(terms.and(all, bits[2]), all);
    let not = terms.not(bits[1]);
    let never = terms.and(all, not);
    assert_eq!(terms.as_constant(never), Some(0));
}

#[test]
fn building_does_not_take_long_or_deep_whatever_is_shared() {
    let mut terms = Terms::new();
    let (mut one, other) = (terms.variable(64), terms.variable(64));
    for index in 0..20_000 {
        let number = terms.constant(index, 64);
        let sum = terms.binary(BinaryOp::Add, one, number);
        let mixed = terms.binary(BinaryOp::Xor, one, other);
        one = terms.binary(BinaryOp::Multiply, sum, mixed);
    }
    let low = terms.extract(one, 0, 8);
    assert_eq!(terms.width(low), 8);
    assert!(terms.len() < 200_000);
}
