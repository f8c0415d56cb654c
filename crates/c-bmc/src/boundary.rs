//! Boundaries of comparisons: the operands on and next to the border.

use obligato_model::{Boundary, Offset, OperandOrder, Relation, Signedness, Type};
use obligato_term::{BinaryOp, FloatFormat, FloatOp, Term, Terms};

/// The bit that two registers are at a boundary of their comparison; `None` for types that are not compared in a register.
pub fn meets(
    terms: &mut Terms,
    relation: &Relation,
    boundary: Boundary,
    left: Term,
    right: Term,
) -> Option<Term> {
    match relation.kind {
        Type::Machine(signedness, width @ 1..=64) => {
            let (left, right) =
                (terms.extract(left, 0, width as u8), terms.extract(right, 0, width as u8));
            Some(integers(terms, signedness, boundary, left, right))
        }
        Type::Float32 => {
            let (left, right) = (terms.extract(left, 0, 32), terms.extract(right, 0, 32));
            Some(floats(terms, FloatFormat::Single, boundary, left, right))
        }
        Type::Float64 => Some(floats(terms, FloatFormat::Double, boundary, left, right)),
        _ => None,
    }
}

fn integers(
    terms: &mut Terms,
    signedness: Signedness,
    boundary: Boundary,
    left: Term,
    right: Term,
) -> Term {
    let width = terms.width(left);
    let (less, smallest, largest) = match signedness {
        Signedness::Signed => {
            (BinaryOp::LessSigned, 1 << (width - 1), obligato_term::mask(width - 1))
        }
        Signedness::Unsigned => (BinaryOp::LessUnsigned, 0, obligato_term::mask(width)),
    };
    let (step, end) = match boundary.offset {
        Offset::At => (0, None),
        Offset::Above => (1, Some(largest)),
        Offset::Below => (u128::MAX, Some(smallest)),
    };
    let step = terms.constant(step, width);
    let shifted = terms.binary(BinaryOp::Add, right, step);
    let holds = match boundary.comparison {
        OperandOrder::Equal => terms.equal(left, shifted),
        OperandOrder::Less => terms.binary(less, left, shifted),
        OperandOrder::Greater => terms.binary(less, shifted, left),
    };
    let Some(end) = end else { return holds };
    // Past the end of the type there is nothing.
    let end = terms.constant(end, width);
    let at_end = terms.equal(right, end);
    let exists = terms.not(at_end);
    terms.and(exists, holds)
}

fn floats(
    terms: &mut Terms,
    format: FloatFormat,
    boundary: Boundary,
    left: Term,
    right: Term,
) -> Term {
    let (shifted, exists) = match boundary.offset {
        Offset::At => (right, terms.bit(true)),
        Offset::Above => neighbour(terms, format, right, true),
        Offset::Below => neighbour(terms, format, right, false),
    };
    let holds = match boundary.comparison {
        OperandOrder::Equal => terms.float(FloatOp::Equal, format, &[left, shifted], 1),
        OperandOrder::Less => terms.float(FloatOp::Less, format, &[left, shifted], 1),
        OperandOrder::Greater => terms.float(FloatOp::Less, format, &[shifted, left], 1),
    };
    terms.and(exists, holds)
}

/// The next float above or below, and whether there is one.
fn neighbour(terms: &mut Terms, format: FloatFormat, float: Term, up: bool) -> (Term, Term) {
    let width = format.width();
    let sign = terms.extract(float, width - 1, 1);
    let magnitude = terms.extract(float, 0, width - 1);
    let (one, minus_one) = (terms.constant(1, width), terms.constant(u128::MAX, width));
    let (further, nearer) =
        (terms.binary(BinaryOp::Add, float, one), terms.binary(BinaryOp::Add, float, minus_one));
    // Away from zero the bits count up; the step out of zero goes to the side.
    let stepped =
        if up { terms.choose(sign, nearer, further) } else { terms.choose(sign, further, nearer) };
    let smallest = if up { 1 } else { 1 | 1 << (width - 1) };
    let smallest = terms.constant(smallest, width);
    let zero = terms.constant(0, width - 1);
    let is_zero = terms.equal(magnitude, zero);
    let shifted = terms.choose(is_zero, smallest, stepped);
    // Nothing lies beyond an infinity, and next to what is no number.
    let infinity = ((1_u128 << format.exponent()) - 1) << format.fraction();
    let infinity = terms.constant(infinity, width - 1);
    let nan = terms.binary(BinaryOp::LessUnsigned, infinity, magnitude);
    let endless = terms.equal(magnitude, infinity);
    let outwards = if up { terms.not(sign) } else { sign };
    let last = terms.and(endless, outwards);
    let neither = terms.or(nan, last);
    (shifted, terms.not(neither))
}
