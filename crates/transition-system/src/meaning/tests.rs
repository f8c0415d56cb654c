//! The meaning of operations against tables and against the machine.

use super::*;
use proptest::prelude::*;

fn int(value: i64) -> Value {
    Value::int(value)
}

fn on_ints(operation: Binary, a: i64, b: i64) -> Value {
    binary(operation, Sort::Int, &int(a), &int(b))
}

fn machine(signedness: Signedness, bits: u32) -> Sort {
    Sort::Machine(Machine::new(signedness, bits).unwrap())
}

#[test]
fn integer_division_is_that_of_smt_lib_for_all_signs() {
    for (a, b, quotient, remainder) in [
        (7, 2, 3, 1),
        (-7, 2, -4, 1),
        (7, -2, -3, 1),
        (-7, -2, 4, 1),
        (6, 3, 2, 0),
        (-6, 3, -2, 0),
        (6, -3, -2, 0),
        (-6, -3, 2, 0),
        (1, 5, 0, 1),
        (-1, 5, -1, 4),
        (1, -5, 0, 1),
        (-1, -5, 1, 4),
        (0, 5, 0, 0),
        (0, -5, 0, 0),
    ] {
        assert_eq!(on_ints(Binary::Div, a, b), int(quotient), "{a} div {b}");
        assert_eq!(on_ints(Binary::Mod, a, b), int(remainder), "{a} mod {b}");
    }
}

#[test]
fn a_division_by_zero_is_zero() {
    let zero = |sort, operation, a: Value, b: Value| assert_eq!(binary(operation, sort, &a, &b), b);
    for a in [-7, 0, 7] {
        for operation in [Binary::Div, Binary::Mod] {
            zero(Sort::Int, operation, int(a), int(0));
            zero(machine(Signedness::Signed, 8), operation, int(a), int(0));
            zero(machine(Signedness::Unsigned, 8), operation, int(a.abs()), int(0));
        }
    }
    let real = |value: i64| Value::Real(Rational::from(Integer::from(value)));
    zero(Sort::Real, Binary::Divide, real(3), real(0));
}

#[test]
fn a_real_is_rounded_down_to_an_integer() {
    for (above, below, floor) in [(7, 2, 3), (-7, 2, -4), (-6, 2, -3), (1, 3, 0), (-1, 3, -1)] {
        let real = Value::Real(Rational::from_parts_signed(above.into(), below.into()));
        assert_eq!(unary(Unary::RealToInt, Sort::Real, &real), int(floor));
    }
}

macro_rules! against_the_language {
    ($name:ident, $native:ty, $signedness:expr) => {
        #[test]
        fn $name() {
            let sort = machine($signedness, <$native>::BITS);
            for a in <$native>::MIN..=<$native>::MAX {
                let checked = |operation, expected: $native| {
                    assert_eq!(unary(operation, sort, &Value::int(a)), Value::int(expected));
                };
                checked(Unary::Negate, a.wrapping_neg());
                checked(Unary::BitNot, !a);
                for b in <$native>::MIN..=<$native>::MAX {
                    let checked = |operation, expected: $native| {
                        let result = binary(operation, sort, &Value::int(a), &Value::int(b));
                        assert_eq!(result, Value::int(expected), "{a} {operation:?} {b}");
                    };
                    checked(Binary::Add, a.wrapping_add(b));
                    checked(Binary::Subtract, a.wrapping_sub(b));
                    checked(Binary::Multiply, a.wrapping_mul(b));
                    checked(Binary::Div, if b == 0 { 0 } else { a.wrapping_div(b) });
                    checked(Binary::Mod, if b == 0 { 0 } else { a.wrapping_rem(b) });
                    checked(Binary::BitAnd, a & b);
                    checked(Binary::BitOr, a | b);
                    checked(Binary::BitXor, a ^ b);
                    let (negative, amount) = (i32::from(a) < 0, i32::from(b));
                    if amount >= 0 {
                        let amount = amount.cast_unsigned();
                        let filled = if negative { !0 } else { 0 };
                        checked(Binary::ShiftLeft, a.checked_shl(amount).unwrap_or(0));
                        checked(Binary::ShiftRight, a.checked_shr(amount).unwrap_or(filled));
                    }
                }
            }
        }
    };
}

against_the_language!(signed_bytes_behave_as_the_machine_has_them, i8, Signedness::Signed);
against_the_language!(unsigned_bytes_behave_as_the_machine_has_them, u8, Signedness::Unsigned);

proptest! {
    #[test]
    fn integer_division_satisfies_its_definition(a: i128, b: i64, shift in 0..120_u32) {
        prop_assume!(b != 0);
        let (a, b) = (Integer::from(a >> shift), Integer::from(b));
        let (quotient, remainder) = divide(&a, &b);
        prop_assert_eq!(&quotient * &b + &remainder, a);
        let size = if b < Integer::ZERO { -b } else { b };
        prop_assert!(remainder >= Integer::ZERO && remainder < size);
    }

    #[test]
    fn wide_machine_integers_behave_as_the_machine_has_them(a: i64, b: i64, small in 0..70_u64) {
        let signed = machine(Signedness::Signed, 64);
        let unsigned = machine(Signedness::Unsigned, 64);
        prop_assume!(b != 0);
        let on_signed = |operation| binary(operation, signed, &Value::int(a), &Value::int(b));
        prop_assert_eq!(on_signed(Binary::Multiply), Value::int(a.wrapping_mul(b)));
        prop_assert_eq!(on_signed(Binary::Div), Value::int(a.wrapping_div(b)));
        prop_assert_eq!(on_signed(Binary::Mod), Value::int(a.wrapping_rem(b)));
        let (c, d) = (a.cast_unsigned(), b.cast_unsigned());
        let on_unsigned = |operation| binary(operation, unsigned, &Value::int(c), &Value::int(d));
        prop_assert_eq!(on_unsigned(Binary::Multiply), Value::int(c.wrapping_mul(d)));
        prop_assert_eq!(on_unsigned(Binary::Div), Value::int(c / d));
        prop_assert_eq!(on_unsigned(Binary::Less), Value::Bool(c < d));
        let shifted = binary(Binary::ShiftRight, signed, &Value::int(a), &Value::int(small));
        prop_assert_eq!(shifted, Value::int(a >> small.min(63)));
        let shifted = binary(Binary::ShiftLeft, unsigned, &Value::int(c), &Value::int(small));
        prop_assert_eq!(shifted, Value::int(c.checked_shl(small as u32).unwrap_or(0)));
    }
}
