//! The results of operations, as terms.
//!
//! A register is a word of 64 bits. A narrower value lies in its lower bits and the rest is clear, so operands are cut
//! to their width, which simplifies to what was extended before, and results are extended with zeros.

use obligato_bytecode::{Cast, Comparison, Operation};
use obligato_term::{BinaryOp, Term, Terms};

use crate::{cast, float, integer, intrinsic};

/// The terms of all registers that an operation writes, from those of the registers that it reads, in the order of
/// [`Operation::reads`]. `None` for operations that compute nothing, or have no term.
///
/// Where the operation has undefined behaviour the terms are arbitrary;
/// [`undefined_behaviours`](crate::undefined_behaviours) gives that condition.
pub fn compute(terms: &mut Terms, operation: &Operation, operands: &[Term]) -> Option<Vec<Term>> {
    let result = match (operation, operands) {
        (Operation::Move { .. }, [one]) => *one,
        (Operation::Moves { .. }, _) => return Some(operands.to_vec()),
        (Operation::Binary { op, width, .. }, [left, right]) => {
            let (left, right) = (cut(terms, *left, *width), cut(terms, *right, *width));
            let result = integer::binary(terms, *op, left, right);
            whole(terms, result)
        }
        (Operation::Unary { op, width, .. }, [one]) => {
            let one = cut(terms, *one, *width);
            let result = integer::unary(terms, *op, one);
            whole(terms, result)
        }
        (Operation::WideBinary { op, width, .. }, [a, b, c, d]) => {
            let (left, right) = (join(terms, *a, *b, *width), join(terms, *c, *d, *width));
            let result = integer::binary(terms, *op, left, right);
            return Some(split(terms, result));
        }
        (Operation::Compare { op, width, .. }, [left, right]) => {
            let (left, right) = (cut(terms, *left, *width), cut(terms, *right, *width));
            let result = compare(terms, *op, left, right);
            whole(terms, result)
        }
        (Operation::WideCompare { op, width, .. }, [a, b, c, d]) => {
            let (left, right) = (join(terms, *a, *b, *width), join(terms, *c, *d, *width));
            let result = compare(terms, *op, left, right);
            whole(terms, result)
        }
        (Operation::FloatBinary { op, width, .. }, [left, right]) => {
            let result = float::binary(terms, *op, *width, *left, *right)?;
            whole(terms, result)
        }
        (Operation::FloatUnary { op, width, .. }, [one]) => {
            let result = float::unary(terms, *op, *width, *one);
            whole(terms, result)
        }
        (Operation::FloatMultiplyAdd { fused, width, .. }, &[left, right, addend]) => {
            let result = float::multiply_add(terms, *fused, *width, [left, right, addend]);
            whole(terms, result)
        }
        (Operation::FloatCompare { op, width, .. }, [left, right]) => {
            let result = float::compare(terms, *op, *width, *left, *right);
            whole(terms, result)
        }
        (Operation::Cast { op, .. }, _) => return cast_registers(terms, *op, operands),
        (Operation::Select { .. }, [test, then, otherwise]) => {
            let test = cut(terms, *test, 1);
            terms.choose(test, *then, *otherwise)
        }
        (Operation::Offset { offset, .. }, [base]) => {
            let offset = terms.constant(offset.cast_unsigned().into(), 64);
            terms.binary(BinaryOp::Add, *base, offset)
        }
        // Where an index leads out of its object and past all room for it, the executor has a pointer to nothing, and a term
        // goes on counting: an access there is a runtime error, so only bounds matter here.
        (Operation::Index { width, scale, .. }, [base, index]) => {
            let index = cut(terms, *index, *width);
            let index = terms.sign_extend(index, 64);
            let scale = terms.constant((*scale).into(), 64);
            let distance = terms.binary(BinaryOp::Multiply, index, scale);
            terms.binary(BinaryOp::Add, *base, distance)
        }
        (Operation::Intrinsic { op, .. }, _) => return intrinsic::compute(terms, *op, operands),
        _ => return None,
    };
    Some(vec![result])
}

/// The lower bits of a register.
pub(crate) fn cut(terms: &mut Terms, register: Term, width: u8) -> Term {
    terms.extract(register, 0, width)
}

/// A register with this value.
pub(crate) fn whole(terms: &mut Terms, value: Term) -> Term {
    terms.zero_extend(value, 64)
}

/// The lower bits of two registers, the lower half first.
pub(crate) fn join(terms: &mut Terms, low: Term, high: Term, width: u8) -> Term {
    let pair = terms.concat(high, low);
    terms.extract(pair, 0, width)
}

/// One or two registers with this value.
pub(crate) fn split(terms: &mut Terms, value: Term) -> Vec<Term> {
    let width = terms.width(value);
    if width <= 64 {
        return vec![whole(terms, value)];
    }
    let (low, high) = (terms.extract(value, 0, 64), terms.extract(value, 64, width - 64));
    vec![low, whole(terms, high)]
}

/// One bit: does the comparison hold?
fn compare(terms: &mut Terms, op: Comparison, left: Term, right: Term) -> Term {
    let (less, turned, negated) = match op {
        Comparison::Equal => (BinaryOp::Equal, false, false),
        Comparison::NotEqual => (BinaryOp::Equal, false, true),
        Comparison::LessUnsigned => (BinaryOp::LessUnsigned, false, false),
        Comparison::LessEqualUnsigned => (BinaryOp::LessUnsigned, true, true),
        Comparison::GreaterUnsigned => (BinaryOp::LessUnsigned, true, false),
        Comparison::GreaterEqualUnsigned => (BinaryOp::LessUnsigned, false, true),
        Comparison::LessSigned => (BinaryOp::LessSigned, false, false),
        Comparison::LessEqualSigned => (BinaryOp::LessSigned, true, true),
        Comparison::GreaterSigned => (BinaryOp::LessSigned, true, false),
        Comparison::GreaterEqualSigned => (BinaryOp::LessSigned, false, true),
    };
    let (left, right) = if turned { (right, left) } else { (left, right) };
    let holds = terms.binary(less, left, right);
    if negated { terms.not(holds) } else { holds }
}

fn cast_registers(terms: &mut Terms, op: Cast, operands: &[Term]) -> Option<Vec<Term>> {
    let low = *operands.first()?;
    let high = operands.get(1).copied();
    let value = cast::cast(terms, op, low, high);
    let mut registers = split(terms, value);
    if op.registers().1 == 2 && registers.len() == 1 {
        registers.push(terms.constant(0, 64));
    }
    Some(registers)
}
