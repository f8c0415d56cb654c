//! Conversions against their definitions.

use obligato_bytecode::{Cast, FloatWidth};
use proptest::prelude::*;

use super::cast;

fn parts(value: u128) -> (u64, u64) {
    (value as u64, (value >> 64) as u64)
}

/// The bits from 0 to `width`, and above them zeros or, for signed numbers, what the last of them is.
fn extended(value: u128, from: u8, to: u8, fill: u128) -> u128 {
    let bit = |at: u8| if at < from { value >> at & 1 } else { fill };
    (0..to).rev().fold(0, |sum, at| sum << 1 | bit(at))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn integers_keep_their_bits(value: u128, a in 1..=128_u8, b in 1..=128_u8) {
        prop_assume!(a != b);
        let (narrow, wide) = (a.min(b), a.max(b));
        let within = extended(value, wide, wide, 0);
        let (low, high) = parts(within);
        let cut = cast(Cast::Truncate { from: wide, to: narrow }, low, high);
        prop_assert_eq!(cut, parts(extended(within, narrow, narrow, 0)));
        let small = extended(value, narrow, narrow, 0);
        let (low, high) = parts(small);
        let unsigned = cast(Cast::ExtendUnsigned { from: narrow, to: wide }, low, high);
        prop_assert_eq!(unsigned, parts(small));
        let signed = cast(Cast::ExtendSigned { from: narrow, to: wide }, low, high);
        let sign = small >> (narrow - 1) & 1;
        prop_assert_eq!(signed, parts(extended(small, narrow, wide, sign)));
    }

    #[test]
    fn integers_become_the_closest_float(value: u64) {
        let to = FloatWidth::Double;
        let unsigned = cast(Cast::UnsignedToFloat { from: 64, to }, value, 0).0;
        prop_assert_eq!(f64::from_bits(unsigned), value as f64);
        let signed = cast(Cast::SignedToFloat { from: 64, to }, value, 0).0;
        prop_assert_eq!(f64::from_bits(signed), value.cast_signed() as f64);
        let to = FloatWidth::Single;
        let single = cast(Cast::SignedToFloat { from: 32, to }, value & 0xffff_ffff, 0).0;
        prop_assert_eq!(f32::from_bits(single as u32), (value as u32).cast_signed() as f32);
    }

    #[test]
    fn floats_that_fit_lose_their_fraction(value in -9.2e18..9.2e18_f64) {
        let from = FloatWidth::Double;
        let long = cast(Cast::FloatToSigned { from, to: 64 }, value.to_bits(), 0).0;
        prop_assert_eq!(long.cast_signed(), value as i64);
        let small = value / 1e10;
        let int = cast(Cast::FloatToSigned { from, to: 32 }, small.to_bits(), 0).0;
        prop_assert_eq!((int as u32).cast_signed(), small as i32);
        prop_assert_eq!(int >> 32, 0, "the upper bits are clear");
        let unsigned = cast(Cast::FloatToUnsigned { from, to: 64 }, (value.abs() * 2.0).to_bits(), 0).0;
        prop_assert_eq!(unsigned, (value.abs() * 2.0) as u64);
    }

    #[test]
    fn floats_change_their_precision(bits: u32) {
        let value = f32::from_bits(bits);
        prop_assume!(!value.is_nan());
        let double = cast(Cast::SingleToDouble, bits.into(), 0).0;
        prop_assert_eq!(f64::from_bits(double), f64::from(value));
        prop_assert_eq!(cast(Cast::DoubleToSingle, double, 0).0, u64::from(bits));
    }
}

#[test]
fn floats_that_do_not_fit_become_what_the_machine_makes_of_them() {
    let from = FloatWidth::Double;
    let int = |value: f64| cast(Cast::FloatToSigned { from, to: 32 }, value.to_bits(), 0).0;
    assert_eq!(int(1e10), 0x8000_0000);
    assert_eq!(int(f64::NAN), 0x8000_0000);
    let unsigned = |value: f64| cast(Cast::FloatToUnsigned { from, to: 32 }, value.to_bits(), 0).0;
    assert_eq!(unsigned(-1.0), 0xffff_ffff);
}
