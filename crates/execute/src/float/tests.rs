//! Floats: mostly that each operation is the one it is called.

use obligato_bytecode::{FloatBinary, FloatComparison, FloatUnary, FloatWidth};
use proptest::prelude::*;

use super::{binary, compare, is_class, unary};

/// All orders of two floats, from the bits alone.
fn order(left: f64, right: f64) -> [bool; 4] {
    let nan = |value: f64| value.to_bits() << 1 > 0xffe0_0000_0000_0000;
    if nan(left) || nan(right) {
        return [false, false, false, true];
    }
    // Sign and magnitude as an integer: both zeros are the same one.
    let key = |value: f64| {
        let magnitude = i128::from(value.to_bits() << 1 >> 1);
        if value.to_bits() >> 63 == 1 { -magnitude } else { magnitude }
    };
    let (left, right) = (key(left), key(right));
    [left < right, left == right, left > right, false]
}

fn float() -> impl Strategy<Value = f64> {
    let special = [0.0, -0.0, 1.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, f64::MIN_POSITIVE];
    prop_oneof![any::<u64>().prop_map(f64::from_bits), proptest::sample::select(special.to_vec())]
}

proptest! {
    #[test]
    fn comparisons_hold_for_the_orders_they_list(left in float(), right in float(), wanted in 0..16_u8) {
        let has = |bit: u8| wanted >> bit & 1 == 1;
        let op = FloatComparison { less: has(0), equal: has(1), greater: has(2), unordered: has(3) };
        let expected = order(left, right).iter().zip(0..).any(|(is, bit)| *is && has(bit));
        let seen = compare(op, FloatWidth::Double, left.to_bits(), right.to_bits());
        prop_assert_eq!(seen, expected);
    }

    #[test]
    fn a_quotient_of_products_is_close(left in 1e-3..1e3_f64, right in 1e-3..1e3_f64) {
        let double = FloatWidth::Double;
        let product = binary(FloatBinary::Multiply, double, left.to_bits(), right.to_bits());
        let back = f64::from_bits(binary(FloatBinary::Divide, double, product, right.to_bits()));
        prop_assert!((back - left).abs() <= left * 1e-15);
        let sum = binary(FloatBinary::Add, double, left.to_bits(), right.to_bits());
        let back = f64::from_bits(binary(FloatBinary::Subtract, double, sum, right.to_bits()));
        prop_assert!((back - left).abs() <= 1e-12);
    }

    #[test]
    fn every_float_is_in_one_class(value in float()) {
        let classes: Vec<u32> = (0..10)
            .filter(|bit| is_class(1 << bit, FloatWidth::Double, value.to_bits()))
            .collect();
        prop_assert_eq!(classes.len(), 1);
        let negative = value.is_sign_negative() && !value.is_nan();
        prop_assert_eq!((2..6).contains(&classes[0]), negative);
    }
}

#[test]
fn rounding_goes_where_it_says() {
    let ask = |op: FloatUnary, value: f32| {
        f32::from_bits(unary(op, FloatWidth::Single, value.to_bits().into()) as u32)
    };
    let table = [
        (FloatUnary::Floor, [-3.0, -2.0, 2.0, 2.0]),
        (FloatUnary::Ceiling, [-2.0, -1.0, 3.0, 3.0]),
        (FloatUnary::Truncate, [-2.0, -1.0, 2.0, 2.0]),
        (FloatUnary::Round, [-3.0, -2.0, 3.0, 2.0]),
        (FloatUnary::RoundEven, [-2.0, -2.0, 2.0, 2.0]),
        (FloatUnary::Rint, [-2.0, -2.0, 2.0, 2.0]),
        (FloatUnary::NearbyInt, [-2.0, -2.0, 2.0, 2.0]),
    ];
    for (op, expected) in table {
        assert_eq!([-2.5, -1.5, 2.5, 2.25].map(|value| ask(op, value)), expected, "{op:?}");
    }
    assert_eq!(ask(FloatUnary::SquareRoot, 6.25), 2.5);
    assert!(ask(FloatUnary::Negate, 0.0).is_sign_negative());
    assert_eq!(ask(FloatUnary::Absolute, -1.5), 1.5);
}

#[test]
fn other_operations_are_those_of_their_names() {
    let ask = |op: FloatBinary, left: f64, right: f64| {
        f64::from_bits(binary(op, FloatWidth::Double, left.to_bits(), right.to_bits()))
    };
    assert_eq!(ask(FloatBinary::Remainder, -7.5, 2.0), -1.5);
    assert_eq!(ask(FloatBinary::Minimum, 2.0, f64::NAN), 2.0);
    assert_eq!(ask(FloatBinary::Maximum, -1.0, 3.0), 3.0);
    assert_eq!(ask(FloatBinary::CopySign, 2.0, -0.0), -2.0);
    assert_eq!(ask(FloatBinary::Power, 2.0, 10.0), 1024.0);
}

#[test]
fn rounding_quiets_a_signalling_nan() {
    let signalling = 0xffa8_4458;
    for op in [FloatUnary::Floor, FloatUnary::Ceiling, FloatUnary::Truncate, FloatUnary::Rint] {
        assert_eq!(unary(op, FloatWidth::Single, signalling), 0xffe8_4458, "{op:?}");
    }
    assert_eq!(unary(FloatUnary::Negate, FloatWidth::Single, signalling), 0x7fa8_4458);
}
