//! The conditions under which an operation has undefined behaviour: exactly those in which the executor ends a run.

use obligato_bytecode::{Binary, Operation};
use obligato_term::{BinaryOp, Term, Terms};

use crate::cast::fits;
use crate::integer::overflows_signed;
use crate::operation::{cut, join};

/// The undefined behaviour of a computation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum UndefinedBehaviour {
    /// Integer division by zero.
    DivisionByZero,
    /// A result of signed arithmetic that does not fit.
    SignedOverflow,
    /// A shift by the width and more.
    ShiftOutOfRange,
    /// A float that becomes an integer, which its whole part does not fit.
    FloatOutOfRange,
    /// A difference of pointers into different objects.
    PointersApart,
}

/// The undefined behaviours that the operation may have, each with the bit that it has it; at most one of them holds. Those that
/// the form of the operands excludes are not listed. With `signed_overflow`, sums, differences and products that the compiler
/// may assume not to overflow are listed too.
pub fn undefined_behaviours(
    terms: &mut Terms,
    operation: &Operation,
    operands: &[Term],
    signed_overflow: bool,
) -> Vec<(UndefinedBehaviour, Term)> {
    let (op, overflow, left, right) = match (operation, operands) {
        (Operation::Cast { op, .. }, [low, ..]) => {
            let fits = fits(terms, *op, *low).map(|fits| terms.not(fits));
            let found = fits.filter(|misfit| terms.as_constant(*misfit) != Some(0));
            return found
                .map(|misfit| (UndefinedBehaviour::FloatOutOfRange, misfit))
                .into_iter()
                .collect();
        }
        (Operation::Binary { op, overflow, width, .. }, [left, right]) => {
            (*op, *overflow, cut(terms, *left, *width), cut(terms, *right, *width))
        }
        (Operation::WideBinary { op, overflow, width, .. }, [a, b, c, d]) => {
            (*op, *overflow, join(terms, *a, *b, *width), join(terms, *c, *d, *width))
        }
        _ => return Vec::new(),
    };
    let mut found = match op {
        Binary::DivideUnsigned | Binary::RemainderUnsigned => {
            vec![(UndefinedBehaviour::DivisionByZero, is(terms, right, 0))]
        }
        Binary::DivideSigned | Binary::RemainderSigned => {
            let smallest = 1 << (terms.width(left) - 1);
            let (minimum, minus_one) = (is(terms, left, smallest), is(terms, right, u128::MAX));
            let overflow = terms.and(minimum, minus_one);
            let by_zero = is(terms, right, 0);
            vec![
                (UndefinedBehaviour::DivisionByZero, by_zero),
                (UndefinedBehaviour::SignedOverflow, overflow),
            ]
        }
        Binary::ShiftLeft | Binary::ShiftRightUnsigned | Binary::ShiftRightSigned => {
            let last = terms.constant(u128::from(terms.width(right)) - 1, terms.width(right));
            let far = terms.binary(BinaryOp::LessUnsigned, last, right);
            let mut found = vec![(UndefinedBehaviour::ShiftOutOfRange, far)];
            if op == Binary::ShiftLeft && overflow.signed && signed_overflow {
                // Neither the sign nor a bit that gets there may be set (C11 6.5.7).
                let distance = terms.binary(BinaryOp::Subtract, last, right);
                let bits = terms.binary(BinaryOp::ShiftRightUnsigned, left, distance);
                let none = is(terms, bits, 0);
                let (some, near) = (terms.not(none), terms.not(far));
                found.push((UndefinedBehaviour::SignedOverflow, terms.and(near, some)));
            }
            found
        }
        Binary::Difference => {
            // The upper half of an address is the number of its object.
            let [here, there] = [left, right].map(|address| terms.extract(address, 32, 32));
            let same = terms.equal(here, there);
            vec![(UndefinedBehaviour::PointersApart, terms.not(same))]
        }
        Binary::Add | Binary::Subtract | Binary::Multiply if overflow.signed && signed_overflow => {
            vec![(UndefinedBehaviour::SignedOverflow, overflows_signed(terms, op, left, right))]
        }
        _ => Vec::new(),
    };
    found.retain(|(_, holds)| terms.as_constant(*holds) != Some(0));
    found
}

fn is(terms: &mut Terms, term: Term, value: u128) -> Term {
    let value = terms.constant(value, terms.width(term));
    terms.equal(term, value)
}
