//! Wrapping, and the way between types and sorts.

use super::*;
use proptest::prelude::*;

fn machine(signedness: Signedness, bits: u32) -> Machine {
    Machine::new(signedness, bits).unwrap()
}

#[test]
fn a_machine_sort_has_1_to_64_bits() {
    for bits in [0, 65, 128, 256 + 8] {
        assert_eq!(Machine::new(Signedness::Signed, bits), None, "{bits}");
    }
    assert_eq!(machine(Signedness::Unsigned, 64).bits(), 64);
}

#[test]
fn floats_and_wider_machine_integers_are_refused() {
    for kind in [Type::Float32, Type::Float64, Type::Machine(Signedness::Signed, 65)] {
        assert_eq!(Sort::of(&kind), Err(Error::UnsupportedType(kind.clone())));
    }
}

#[test]
fn an_enumeration_is_held_by_position() {
    let kind = Type::Enumeration(vec!["Off".to_owned(), "On".to_owned()]);
    let on = Value::Symbol("On".to_owned());
    assert_eq!(encode(&kind, &on), Some(Value::int(1)));
    assert_eq!(decode(&kind, Value::int(1)), on);
    assert_eq!(encode(&kind, &Value::Symbol("Broken".to_owned())), None);
    assert_eq!(encode(&kind, &Value::int(1)), None);
    assert_eq!(decode(&kind, Value::int(2)), Value::int(2));
}

#[test]
fn a_value_outside_its_subrange_has_no_sort_value() {
    let kind = Type::Subrange((-1).into(), 3.into());
    assert_eq!(encode(&kind, &Value::int(3)), Some(Value::int(3)));
    assert_eq!(encode(&kind, &Value::int(4)), None);
}

proptest! {
    #[test]
    fn wrapping_agrees_with_conversions_of_the_language(value: i128) {
        let big = Integer::from(value);
        let signed = |bits| machine(Signedness::Signed, bits).wrap(&big);
        let unsigned = |bits| machine(Signedness::Unsigned, bits).wrap(&big);
        prop_assert_eq!(signed(8), Integer::from(value as i8));
        prop_assert_eq!(signed(32), Integer::from(value as i32));
        prop_assert_eq!(signed(64), Integer::from(value as i64));
        prop_assert_eq!(unsigned(8), Integer::from(value.cast_unsigned() as u8));
        prop_assert_eq!(unsigned(16), Integer::from(value.cast_unsigned() as u16));
        prop_assert_eq!(unsigned(64), Integer::from(value.cast_unsigned() as u64));
    }

    #[test]
    fn wrapping_is_modulo_a_power_of_two(value: i128, above: i64, bits in 1..=64_u32, signed: bool) {
        let signedness = if signed { Signedness::Signed } else { Signedness::Unsigned };
        let machine = machine(signedness, bits);
        let value = Integer::from(value) * (Integer::ONE << 70) + Integer::from(above);
        let wrapped = machine.wrap(&value);
        let (low, high) = machine.as_type().bounds().unwrap();
        prop_assert!((low..=high).contains(&wrapped));
        prop_assert_eq!((value - &wrapped) % (Integer::ONE << bits as usize), Integer::ZERO);
        prop_assert!(Sort::Machine(machine).holds(&Value::Int(wrapped)));
    }
}
