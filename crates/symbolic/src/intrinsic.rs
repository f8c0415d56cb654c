//! LLVM intrinsics that are computations.

use obligato_bytecode::Intrinsic;
use obligato_term::{BinaryOp, Term, Terms};

use crate::float;
use crate::integer::{binary, overflows_signed, overflows_unsigned};
use crate::operation::{cut, join, split, whole};

/// The terms of the results; `None` for an intrinsic that computes nothing.
pub(crate) fn compute(terms: &mut Terms, op: Intrinsic, operands: &[Term]) -> Option<Vec<Term>> {
    match (op, operands) {
        (Intrinsic::Overflowing { op, signed, width }, _) => {
            let (left, right) = match operands {
                [a, b, c, d] => (join(terms, *a, *b, width), join(terms, *c, *d, width)),
                [a, b] => (cut(terms, *a, width), cut(terms, *b, width)),
                _ => return None,
            };
            let result = binary(terms, op, left, right);
            let overflow = if signed {
                overflows_signed(terms, op, left, right)
            } else {
                overflows_unsigned(terms, op, left, right)
            };
            let mut results = split(terms, result);
            results.push(whole(terms, overflow));
            Some(results)
        }
        (Intrinsic::FunnelShift { left, width }, [high, low, distance]) => {
            let result = funnel_shift(terms, left, width, [*high, *low, *distance]);
            Some(vec![whole(terms, result)])
        }
        (Intrinsic::IsClass { mask, width }, [one]) => {
            let result = float::is_class(terms, mask, width, *one);
            Some(vec![whole(terms, result)])
        }
        _ => None,
    }
}

/// The upper or the lower half of two numbers put side by side and shifted.
fn funnel_shift(terms: &mut Terms, left: bool, width: u8, operands: [Term; 3]) -> Term {
    let [high, low, distance] = operands.map(|one| cut(terms, one, width));
    let count = terms.constant(width.into(), width);
    let distance = terms.binary(BinaryOp::RemainderUnsigned, distance, count);
    let pair = terms.concat(high, low);
    let distance = terms.zero_extend(distance, 2 * width);
    if left {
        let shifted = terms.binary(BinaryOp::ShiftLeft, pair, distance);
        terms.extract(shifted, width, width)
    } else {
        let shifted = terms.binary(BinaryOp::ShiftRightUnsigned, pair, distance);
        terms.extract(shifted, 0, width)
    }
}
