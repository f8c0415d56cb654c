//! What operators on scalars mean: mathematical integers and rationals, SMT-LIB's `div` and
//! `mod`, two's complement for machine integers.

use obligato_lustre::analysis::Kind;
use obligato_lustre_syntax::ast::{BinaryOperator as B, UnaryOperator as U};
use obligato_model::{Integer, Rational, Signedness};

use super::value::V;

type Machine = (Signedness, u8);

fn machine(kind: &Kind) -> Option<Machine> {
    match kind {
        Kind::Machine(signedness, bits) => Some((*signedness, *bits)),
        _ => None,
    }
}

/// The number of so many bits that is the same modulo a power of two.
fn wrap(value: &Integer, (signedness, bits): Machine) -> Integer {
    let size = Integer::ONE << bits as usize;
    let mut low = value % &size;
    if low < Integer::ZERO {
        low += &size;
    }
    let half = Integer::ONE << (bits as usize - 1);
    if signedness == Signedness::Signed && low >= half { low - size } else { low }
}

/// Combines two machine integers bit by bit.
fn bitwise(a: &Integer, b: &Integer, of: Machine, combine: fn(bool, bool) -> bool) -> Integer {
    let bit = |value: &Integer, at: usize| {
        let shifted = wrap(value, (Signedness::Unsigned, of.1)) >> at;
        &shifted % Integer::from(2) == Integer::ONE
    };
    let mut result = Integer::ZERO;
    for at in 0..of.1 as usize {
        if combine(bit(a, at), bit(b, at)) {
            result += Integer::ONE << at;
        }
    }
    wrap(&result, of)
}

/// The value of a unary operator on an operand of a kind.
pub(super) fn unary(operator: U, value: V, kind: &Kind) -> V {
    match (operator, value) {
        (U::Not, V::Bool(value)) => V::Bool(!value),
        (U::Negate, V::Int(value)) => {
            V::Int(machine(kind).map_or(-&value, |machine| wrap(&-&value, machine)))
        }
        (U::BitNot, V::Int(value)) => {
            let ones = -Integer::ONE;
            V::Int(bitwise(&value, &ones, machine(kind).unwrap(), |a, b| a != b))
        }
        (U::Negate, V::Real(value)) => V::Real(-value),
        (U::ToInt | U::Floor, V::Real(value)) => V::Int(value.floor()),
        (U::ToReal, V::Int(value)) => V::Real(value.into()),
        (U::ToInt | U::Floor | U::ToReal, value) => value,
        (U::ToMachine(signedness, bits), V::Int(value)) => V::Int(wrap(&value, (signedness, bits))),
        other => panic!("{other:?}"),
    }
}

/// Does a binary operator divide by zero?
pub(super) fn divides_by_zero(operator: B, divisor: &V) -> bool {
    let zero = match divisor {
        V::Int(value) => *value == Integer::ZERO,
        V::Real(value) => value.is_zero(),
        _ => false,
    };
    zero && matches!(operator, B::Divide | B::IntegerDivide | B::Modulo)
}

/// The value of a binary operator whose left operand is of a kind; zero for a division by zero.
pub(super) fn binary(operator: B, a: V, b: V, kind: &Kind) -> V {
    if operator == B::Equal || operator == B::NotEqual {
        return V::Bool((a == b) == (operator == B::Equal));
    }
    let by_zero = divides_by_zero(operator, &b);
    match (a, b) {
        (V::Bool(a), V::Bool(b)) => V::Bool(match operator {
            B::And => a && b,
            B::Or => a || b,
            B::Xor => a != b,
            B::Implies => !a || b,
            other => panic!("{other:?}"),
        }),
        (V::Int(_), V::Int(_)) if by_zero => V::Int(Integer::ZERO),
        (V::Real(_), V::Real(_)) if by_zero => V::Real(Rational::ZERO),
        (V::Int(a), V::Int(b)) => ordered(operator, &a, &b).unwrap_or_else(|| {
            V::Int(match machine(kind) {
                Some(machine) => wrap(&machine_integer(operator, a, b, machine), machine),
                None => integer(operator, a, b),
            })
        }),
        (V::Real(a), V::Real(b)) => ordered(operator, &a, &b).unwrap_or_else(|| {
            V::Real(match operator {
                B::Add => a + b,
                B::Subtract => a - b,
                B::Multiply => a * b,
                B::Divide => a / b,
                other => panic!("{other:?}"),
            })
        }),
        other => panic!("{other:?}"),
    }
}

fn ordered<T: Ord>(operator: B, a: &T, b: &T) -> Option<V> {
    Some(V::Bool(match operator {
        B::Less => a < b,
        B::LessEqual => a <= b,
        B::Greater => a > b,
        B::GreaterEqual => a >= b,
        _ => return None,
    }))
}

/// `a = b * (a div b) + (a mod b)`, and the remainder is never negative.
fn integer(operator: B, a: Integer, b: Integer) -> Integer {
    let remainder = |a: &Integer, b: &Integer| {
        let found = a % b;
        let size = if *b < Integer::ZERO { -b } else { b.clone() };
        if found < Integer::ZERO { found + size } else { found }
    };
    match operator {
        B::Add => a + b,
        B::Subtract => a - b,
        B::Multiply => a * b,
        B::Divide | B::IntegerDivide => (&a - remainder(&a, &b)) / b,
        B::Modulo => remainder(&a, &b),
        other => panic!("{other:?}"),
    }
}

/// Before it is wrapped around. Division rounds towards zero.
fn machine_integer(operator: B, a: Integer, b: Integer, machine: Machine) -> Integer {
    let amount = || usize::try_from(&b).map_or(64, |amount| amount.min(64));
    match operator {
        B::Add => a + b,
        B::Subtract => a - b,
        B::Multiply => a * b,
        B::Divide | B::IntegerDivide => a / b,
        B::Modulo => a % b,
        B::BitAnd => bitwise(&a, &b, machine, |a, b| a && b),
        B::BitOr => bitwise(&a, &b, machine, |a, b| a || b),
        B::ShiftLeft => a << amount(),
        // Rounds down.
        B::ShiftRight => integer(B::IntegerDivide, a, Integer::ONE << amount()),
        other => panic!("{other:?}"),
    }
}
