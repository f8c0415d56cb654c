//! Operations on floats.
//!
//! Signs are bits, so what only moves them is no arithmetic. The smaller and the larger of two are those of the
//! machine: the one that is a number, and of equal ones the first.

use obligato_bytecode::{FloatBinary, FloatComparison, FloatUnary, FloatWidth};
use obligato_term::{BinaryOp, FloatFormat, FloatOp, Rounding, Term, Terms};

use crate::operation::cut;

/// The format of a width.
pub(crate) fn format_of(width: FloatWidth) -> FloatFormat {
    match width {
        FloatWidth::Single => FloatFormat::Single,
        FloatWidth::Double => FloatFormat::Double,
    }
}

/// One bit: is the first less than the second?
pub(crate) fn less(terms: &mut Terms, format: FloatFormat, left: Term, right: Term) -> Term {
    terms.float(FloatOp::Less, format, &[left, right], 1)
}

/// An operation on two floats in registers; `None` if it has no term.
pub(crate) fn binary(
    terms: &mut Terms,
    op: FloatBinary,
    width: FloatWidth,
    left: Term,
    right: Term,
) -> Option<Term> {
    let format = format_of(width);
    let (left, right) = (cut(terms, left, format.width()), cut(terms, right, format.width()));
    let op = match op {
        FloatBinary::Add => FloatOp::Add,
        FloatBinary::Subtract => FloatOp::Subtract,
        FloatBinary::Multiply => FloatOp::Multiply,
        FloatBinary::Divide => FloatOp::Divide,
        FloatBinary::Remainder => FloatOp::Remainder,
        FloatBinary::Minimum | FloatBinary::Maximum => {
            let (low, high) =
                if op == FloatBinary::Minimum { (right, left) } else { (left, right) };
            let replaces = less(terms, format, low, high);
            let number = terms.choose(replaces, right, left);
            let missing = is_nan(terms, format, left);
            return Some(terms.choose(missing, right, number));
        }
        FloatBinary::CopySign => {
            let low = terms.extract(left, 0, format.width() - 1);
            let sign = terms.extract(right, format.width() - 1, 1);
            return Some(terms.concat(sign, low));
        }
        FloatBinary::Power => return None,
    };
    Some(terms.float(op, format, &[left, right], format.width()))
}

/// An operation on a float in a register.
pub(crate) fn unary(terms: &mut Terms, op: FloatUnary, width: FloatWidth, one: Term) -> Term {
    let format = format_of(width);
    let one = cut(terms, one, format.width());
    let op = match op {
        FloatUnary::Negate => {
            let sign = terms.constant(1 << (format.width() - 1), format.width());
            return terms.binary(BinaryOp::Xor, one, sign);
        }
        FloatUnary::Absolute => {
            let low = terms.extract(one, 0, format.width() - 1);
            return terms.zero_extend(low, format.width());
        }
        FloatUnary::SquareRoot => FloatOp::SquareRoot,
        FloatUnary::Floor => FloatOp::Round(Rounding::Down),
        FloatUnary::Ceiling => FloatOp::Round(Rounding::Up),
        FloatUnary::Truncate => FloatOp::Round(Rounding::TowardsZero),
        FloatUnary::Round => FloatOp::Round(Rounding::Away),
        FloatUnary::RoundEven | FloatUnary::Rint | FloatUnary::NearbyInt => {
            FloatOp::Round(Rounding::Even)
        }
    };
    terms.float(op, format, &[one], format.width())
}

/// `left * right + addend`.
pub(crate) fn multiply_add(
    terms: &mut Terms,
    fused: bool,
    width: FloatWidth,
    operands: [Term; 3],
) -> Term {
    let format = format_of(width);
    let [left, right, addend] = operands.map(|one| cut(terms, one, format.width()));
    if fused {
        let operands = [left, right, addend];
        return terms.float(FloatOp::MultiplyAdd, format, &operands, format.width());
    }
    let product = terms.float(FloatOp::Multiply, format, &[left, right], format.width());
    terms.float(FloatOp::Add, format, &[product, addend], format.width())
}

/// One bit: is the order of the two one of those listed?
pub(crate) fn compare(
    terms: &mut Terms,
    op: FloatComparison,
    width: FloatWidth,
    left: Term,
    right: Term,
) -> Term {
    let format = format_of(width);
    let (left, right) = (cut(terms, left, format.width()), cut(terms, right, format.width()));
    // Exactly one of the four holds, so with "unordered" in the list it is easier to say when it does not.
    let flip = op.unordered;
    let op = FloatComparison {
        less: op.less != flip,
        equal: op.equal != flip,
        greater: op.greater != flip,
        unordered: false,
    };
    let holds = if op.less && op.equal && op.greater {
        let (one, other) = (is_nan(terms, format, left), is_nan(terms, format, right));
        let unordered = terms.or(one, other);
        terms.not(unordered)
    } else {
        let mut any = terms.bit(false);
        if op.less {
            any = less(terms, format, left, right);
        }
        if op.equal {
            let equal = terms.float(FloatOp::Equal, format, &[left, right], 1);
            any = terms.or(any, equal);
        }
        if op.greater {
            let greater = less(terms, format, right, left);
            any = terms.or(any, greater);
        }
        any
    };
    if flip { terms.not(holds) } else { holds }
}

/// One bit: is it no number?
pub(crate) fn is_nan(terms: &mut Terms, format: FloatFormat, one: Term) -> Term {
    let magnitude = terms.extract(one, 0, format.width() - 1);
    let infinity = terms.constant(infinity(format), format.width() - 1);
    terms.binary(BinaryOp::LessUnsigned, infinity, magnitude)
}

/// The bits of infinity.
fn infinity(format: FloatFormat) -> u128 {
    ((1 << format.exponent()) - 1) << format.fraction()
}

/// One bit: is the float in one of the classes of LLVM's mask? From bit 0 on: signalling and quiet NaN, then minus
/// infinity, normal, subnormal, zero, then the positive ones in reverse.
pub(crate) fn is_class(terms: &mut Terms, mask: u16, width: FloatWidth, register: Term) -> Term {
    let format = format_of(width);
    let one = cut(terms, register, format.width());
    let magnitude = terms.extract(one, 0, format.width() - 1);
    let negative = terms.extract(one, format.width() - 1, 1);
    let number = |terms: &mut Terms, value: u128| terms.constant(value, format.width() - 1);
    let (infinite, quiet) = (infinity(format), infinity(format) | 1 << (format.fraction() - 1));
    // The classes by magnitude: each begins where the one before ends.
    let starts = [0, 1, 1 << format.fraction(), infinite, infinite + 1, quiet];
    let pick = |bit: u32| mask >> bit & 1 == 1;
    let wanted: [(bool, bool); 6] = [
        (pick(5), pick(6)),
        (pick(4), pick(7)),
        (pick(3), pick(8)),
        (pick(2), pick(9)),
        (pick(0), pick(0)),
        (pick(1), pick(1)),
    ];
    let mut result = terms.bit(false);
    for (start, (below, above)) in starts.into_iter().zip(wanted) {
        let (below, above) = (terms.bit(below), terms.bit(above));
        let here = terms.choose(negative, below, above);
        let start = number(terms, start);
        let before = terms.binary(BinaryOp::LessUnsigned, magnitude, start);
        result = terms.choose(before, result, here);
    }
    result
}
