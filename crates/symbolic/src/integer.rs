//! Operations on integers, and when they overflow.

use obligato_bytecode::{Binary, Unary};
use obligato_term::{BinaryOp, Node, Term, Terms, UnaryOp, signed};

/// An operation on two integers of one width, cut to it.
pub(crate) fn binary(terms: &mut Terms, op: Binary, left: Term, right: Term) -> Term {
    let plain = match op {
        Binary::Add => BinaryOp::Add,
        Binary::Subtract | Binary::Difference => BinaryOp::Subtract,
        Binary::Multiply => BinaryOp::Multiply,
        Binary::DivideUnsigned => BinaryOp::DivideUnsigned,
        Binary::DivideSigned => BinaryOp::DivideSigned,
        Binary::RemainderUnsigned => BinaryOp::RemainderUnsigned,
        Binary::RemainderSigned => BinaryOp::RemainderSigned,
        Binary::ShiftLeft => BinaryOp::ShiftLeft,
        Binary::ShiftRightUnsigned => BinaryOp::ShiftRightUnsigned,
        Binary::ShiftRightSigned => BinaryOp::ShiftRightSigned,
        Binary::And => BinaryOp::And,
        Binary::Or => BinaryOp::Or,
        Binary::Xor => BinaryOp::Xor,
        Binary::MinimumUnsigned | Binary::MaximumUnsigned => {
            let less = terms.binary(BinaryOp::LessUnsigned, left, right);
            return pick(terms, less, op == Binary::MinimumUnsigned, left, right);
        }
        Binary::MinimumSigned | Binary::MaximumSigned => {
            let less = terms.binary(BinaryOp::LessSigned, left, right);
            return pick(terms, less, op == Binary::MinimumSigned, left, right);
        }
    };
    terms.binary(plain, left, right)
}

/// The smaller or the larger of two, of which `less` says whether the first is the smaller.
fn pick(terms: &mut Terms, less: Term, smaller: bool, left: Term, right: Term) -> Term {
    if smaller { terms.choose(less, left, right) } else { terms.choose(less, right, left) }
}

/// An operation on one integer.
pub(crate) fn unary(terms: &mut Terms, op: Unary, one: Term) -> Term {
    let width = terms.width(one);
    match op {
        Unary::SwapBytes => reversed(terms, one, 8),
        Unary::ReverseBits => reversed(terms, one, 1),
        Unary::Absolute => {
            let negative = terms.extract(one, width - 1, 1);
            let negated = terms.unary(UnaryOp::Negate, one);
            terms.choose(negative, negated, one)
        }
        Unary::CountOnes => {
            let mut count = terms.constant(0, COUNT);
            for index in 0..width {
                let bit = terms.extract(one, index, 1);
                let bit = terms.zero_extend(bit, COUNT);
                count = terms.binary(BinaryOp::Add, count, bit);
            }
            count
        }
        Unary::CountLeadingZeros => {
            first_one(terms, one, (0..width).map(|index| (index, width - 1 - index)))
        }
        Unary::CountTrailingZeros => {
            first_one(terms, one, (0..width).rev().map(|index| (index, index)))
        }
    }
}

/// Bits in which all counts have room.
const COUNT: u8 = 8;

/// Pieces of so many bits in the opposite order.
fn reversed(terms: &mut Terms, one: Term, piece: u8) -> Term {
    let mut result = terms.extract(one, 0, piece);
    for low in (piece..terms.width(one)).step_by(piece.into()) {
        let next = terms.extract(one, low, piece);
        result = terms.concat(result, next);
    }
    result
}

/// The count that belongs to the last of the listed bits that is one; the width if there is none.
fn first_one(terms: &mut Terms, one: Term, bits: impl Iterator<Item = (u8, u8)>) -> Term {
    let mut count = terms.constant(terms.width(one).into(), COUNT);
    for (index, here) in bits {
        let bit = terms.extract(one, index, 1);
        let here = terms.constant(here.into(), COUNT);
        count = terms.choose(bit, here, count);
    }
    count
}

/// One bit: does a sum, difference or product of signed numbers not fit?
pub(crate) fn overflows_signed(terms: &mut Terms, op: Binary, left: Term, right: Term) -> Term {
    let width = terms.width(left);
    let (here, there) = (signed_bits(terms, left), signed_bits(terms, right));
    match op {
        Binary::Add | Binary::Subtract if here.max(there) < width => terms.bit(false),
        Binary::Add | Binary::Subtract => {
            let result = binary(terms, op, left, right);
            let sign = |terms: &mut Terms, term| terms.extract(term, width - 1, 1);
            let (a, b, c) = (sign(terms, left), sign(terms, right), sign(terms, result));
            let mixed = terms.binary(BinaryOp::Xor, a, b);
            // Sums overflow only of equal signs, differences only of different ones.
            let risky = if op == Binary::Add { terms.not(mixed) } else { mixed };
            let changed = terms.binary(BinaryOp::Xor, a, c);
            terms.and(risky, changed)
        }
        Binary::Multiply if u16::from(here) + u16::from(there) <= u16::from(width) => {
            terms.bit(false)
        }
        Binary::Multiply => product_overflows(terms, left, right),
        _ => terms.bit(false),
    }
}

/// In how many bits a word fits as a signed number, as far as its form says.
fn signed_bits(terms: &Terms, term: Term) -> u8 {
    let width = terms.width(term);
    match terms.node(term) {
        Node::SignExtend(inner) => terms.width(inner),
        Node::ZeroExtend(inner) => terms.width(inner) + 1,
        Node::Constant(value) => {
            let value = signed(value, width);
            let magnitude = if value < 0 { !value } else { value };
            (129 - magnitude.leading_zeros()) as u8
        }
        _ => width,
    }
}

fn product_overflows(terms: &mut Terms, left: Term, right: Term) -> Term {
    if let Some(value) = terms.as_constant(right) {
        return product_with_overflows(terms, left, value);
    }
    if let Some(value) = terms.as_constant(left) {
        return product_with_overflows(terms, right, value);
    }
    let width = terms.width(left);
    if width <= 64 {
        let (left, right) =
            (terms.sign_extend(left, 2 * width), terms.sign_extend(right, 2 * width));
        let product = terms.binary(BinaryOp::Multiply, left, right);
        let low = terms.extract(product, 0, width);
        let back = terms.sign_extend(low, 2 * width);
        let fits = terms.equal(product, back);
        return terms.not(fits);
    }
    // There is no wider word: divide back. Only the smallest number times minus one divides back wrongly.
    let product = terms.binary(BinaryOp::Multiply, left, right);
    let back = terms.binary(BinaryOp::DivideSigned, product, left);
    let same = terms.equal(back, right);
    let (zero, ones) = (terms.constant(0, width), terms.constant(u128::MAX, width));
    let smallest = terms.constant(1 << (width - 1), width);
    let (is_zero, is_minus_one) = (terms.equal(left, zero), terms.equal(left, ones));
    let is_smallest = terms.equal(right, smallest);
    let special = terms.and(is_minus_one, is_smallest);
    let divides = terms.or(is_zero, same);
    let wrong = terms.not(divides);
    terms.or(wrong, special)
}

/// A product with a number fits between two numbers.
fn product_with_overflows(terms: &mut Terms, other: Term, value: u128) -> Term {
    let width = terms.width(other);
    let value = signed(value, width);
    let (low, high) = (signed(1 << (width - 1), width), !signed(1 << (width - 1), width));
    let smallest = terms.constant(low.cast_unsigned(), width);
    match value {
        0 | 1 => terms.bit(false),
        -1 => terms.equal(other, smallest),
        _ => {
            let (first, last) =
                if value > 0 { (low / value, high / value) } else { (high / value, low / value) };
            let first = terms.constant(first.cast_unsigned(), width);
            let last = terms.constant(last.cast_unsigned(), width);
            let below = terms.binary(BinaryOp::LessSigned, other, first);
            let above = terms.binary(BinaryOp::LessSigned, last, other);
            terms.or(below, above)
        }
    }
}

/// One bit: does a sum, difference or product of unsigned numbers not fit?
pub(crate) fn overflows_unsigned(terms: &mut Terms, op: Binary, left: Term, right: Term) -> Term {
    let width = terms.width(left);
    match op {
        Binary::Subtract => terms.binary(BinaryOp::LessUnsigned, left, right),
        Binary::Multiply if width <= 64 => {
            let (left, right) =
                (terms.zero_extend(left, 2 * width), terms.zero_extend(right, 2 * width));
            let product = terms.binary(BinaryOp::Multiply, left, right);
            let high = terms.extract(product, width, width);
            let zero = terms.constant(0, width);
            let fits = terms.equal(high, zero);
            terms.not(fits)
        }
        Binary::Multiply => {
            let product = terms.binary(BinaryOp::Multiply, left, right);
            let back = terms.binary(BinaryOp::DivideUnsigned, product, left);
            let same = terms.equal(back, right);
            let zero = terms.constant(0, width);
            let is_zero = terms.equal(left, zero);
            let fits = terms.or(is_zero, same);
            terms.not(fits)
        }
        _ => {
            let sum = terms.binary(BinaryOp::Add, left, right);
            terms.binary(BinaryOp::LessUnsigned, sum, left)
        }
    }
}
