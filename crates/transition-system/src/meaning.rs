//! The semantics of every operation, on exact values.
//!
//! This is the one definition: constant folding and the evaluator
//! use it, and the lanes are tested against it. Machine integers follow Kind 2,
//! which follows SMT-LIB's bit-vectors (`bvsdiv`, `bvsrem`, `bvashr` on signed,
//! `bvudiv`, `bvurem`, `bvlshr` on unsigned). A division by zero is 0 here;
//! whether it happened is the business of [`definedness`](mod@crate::definedness).

use std::sync::LazyLock;

use obligato_model::{Integer, Rational, Signedness, Value};

use crate::sort::{Machine, Sort};
use crate::term::{Binary, Unary};

/// The size limit of numbers, in bits. A model that squares a number in every step
/// doubles its digits in every step; without a limit its run would not end.
pub const LARGEST_NUMBER: usize = 1 << 16;

/// Does a number exceed the size limit?
pub fn is_excessive(value: &Value) -> bool {
    static LIMITS: LazyLock<(Integer, Integer)> = LazyLock::new(|| {
        let limit = Integer::ONE << LARGEST_NUMBER;
        (-limit.clone(), limit)
    });
    let excessive = |integer: &Integer| {
        i128::try_from(integer).is_err() && (*integer < LIMITS.0 || *integer > LIMITS.1)
    };
    match value {
        Value::Int(integer) => excessive(integer),
        Value::Real(rational) => {
            let below = rational.denominator();
            excessive(rational.numerator())
                || i128::try_from(below).is_err() && excessive(&below.clone().into())
        }
        _ => false,
    }
}

/// The value of a unary operation on an operand of `sort`.
pub fn unary(operation: Unary, sort: Sort, operand: &Value) -> Value {
    match (operation, sort, operand) {
        (Unary::Not, _, Value::Bool(a)) => Value::Bool(!a),
        (Unary::Negate, Sort::Machine(machine), Value::Int(a)) => Value::Int(machine.wrap(&-a)),
        (Unary::Negate, _, Value::Int(a)) => Value::Int(-a),
        (Unary::Negate, _, Value::Real(a)) => Value::Real(-a),
        // ~a = -a - 1 in two's complement.
        (Unary::BitNot, Sort::Machine(machine), Value::Int(a)) => {
            Value::Int(machine.wrap(&(-a - Integer::ONE)))
        }
        (Unary::IntToReal, _, Value::Int(a)) => Value::Real(Rational::from(a.clone())),
        (Unary::RealToInt, _, Value::Real(a)) => Value::Int(a.floor()),
        (Unary::MachineToInt, _, Value::Int(a)) => Value::Int(a.clone()),
        (Unary::Wrap(machine), _, Value::Int(a)) => Value::Int(machine.wrap(a)),
        _ => unreachable!("invariant: the graph checks sorts; {operation:?} of {operand}"),
    }
}

/// The value of a binary operation whose left operand is of `sort`.
pub fn binary(operation: Binary, sort: Sort, left: &Value, right: &Value) -> Value {
    match (left, right) {
        _ if operation == Binary::Equal => Value::Bool(left == right),
        (Value::Bool(a), Value::Bool(b)) => Value::Bool(match operation {
            Binary::And => a & b,
            Binary::Or => a | b,
            Binary::Xor => a ^ b,
            _ => unreachable!("invariant: the graph checks sorts; {operation:?} of Booleans"),
        }),
        (Value::Int(a), Value::Int(b)) => match operation {
            Binary::Less => Value::Bool(a < b),
            Binary::LessEqual => Value::Bool(a <= b),
            _ => Value::Int(match sort {
                Sort::Machine(machine) => machine_integer(operation, machine, a, b),
                _ => integer(operation, a, b),
            }),
        },
        (Value::Real(a), Value::Real(b)) => match operation {
            Binary::Less => Value::Bool(a < b),
            Binary::LessEqual => Value::Bool(a <= b),
            _ => Value::Real(rational(operation, a, b)),
        },
        _ => unreachable!("invariant: the graph checks sorts; {operation:?} of {left}, {right}"),
    }
}

fn integer(operation: Binary, a: &Integer, b: &Integer) -> Integer {
    match operation {
        Binary::Add => a + b,
        Binary::Subtract => a - b,
        Binary::Multiply => a * b,
        Binary::Div => divide(a, b).0,
        Binary::Mod => divide(a, b).1,
        _ => unreachable!("invariant: the graph checks sorts; {operation:?} of integers"),
    }
}

/// Quotient and remainder as SMT-LIB has them: `a = b * quotient + remainder`
/// with `0 <= remainder < |b|`; both 0 if `b` is.
pub fn divide(a: &Integer, b: &Integer) -> (Integer, Integer) {
    if *b == Integer::ZERO {
        return (Integer::ZERO, Integer::ZERO);
    }
    let (quotient, remainder) = (a / b, a % b);
    if remainder >= Integer::ZERO {
        (quotient, remainder)
    } else if *b > Integer::ZERO {
        (quotient - Integer::ONE, remainder + b)
    } else {
        (quotient + Integer::ONE, remainder - b)
    }
}

fn rational(operation: Binary, a: &Rational, b: &Rational) -> Rational {
    match operation {
        Binary::Add => a + b,
        Binary::Subtract => a - b,
        Binary::Multiply => a * b,
        Binary::Divide if b.is_zero() => Rational::ZERO,
        Binary::Divide => a / b,
        _ => unreachable!("invariant: the graph checks sorts; {operation:?} of reals"),
    }
}

fn machine_integer(operation: Binary, machine: Machine, a: &Integer, b: &Integer) -> Integer {
    let bitwise = |of: fn(i64, i64) -> i64| machine.integer(of(machine.word(a), machine.word(b)));
    let by_zero = *b == Integer::ZERO;
    match operation {
        Binary::Add => machine.wrap(&(a + b)),
        Binary::Subtract => machine.wrap(&(a - b)),
        Binary::Multiply => machine.wrap(&(a * b)),
        Binary::Div | Binary::Mod if by_zero => Integer::ZERO,
        // The least signed number by -1 wraps around to itself.
        Binary::Div => machine.wrap(&(a / b)),
        Binary::Mod => a % b,
        Binary::BitAnd => bitwise(|a, b| a & b),
        Binary::BitOr => bitwise(|a, b| a | b),
        Binary::BitXor => bitwise(|a, b| a ^ b),
        Binary::ShiftLeft => machine.wrap(&(a << amount(machine, b))),
        // An arithmetic shift rounds down, which keeps the sign and, on what is
        // not negative, is a logical shift.
        Binary::ShiftRight => a >> amount(machine, b),
        _ => unreachable!("invariant: the graph checks sorts; {operation:?} of {machine:?}"),
    }
}

/// By how much to shift: more than the width is no different from the width.
fn amount(machine: Machine, by: &Integer) -> usize {
    let width = machine.bits() as usize;
    usize::try_from(by).map_or(width, |by| by.min(width))
}

/// The sort whose unsigned values shift amounts of `machine` are.
pub(crate) fn shift_amount(machine: Machine) -> Sort {
    let amount = Machine::new(Signedness::Unsigned, machine.bits());
    Sort::Machine(amount.expect("invariant: a width that a machine sort has"))
}

#[cfg(test)]
mod tests;
