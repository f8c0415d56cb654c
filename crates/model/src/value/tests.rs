//! Values and types as text, and their order.

use super::*;
use proptest::prelude::*;

fn real(text: &str) -> Rational {
    match Value::parse(text, &Type::Real) {
        Ok(Value::Real(value)) => value,
        other => panic!("{text}: {other:?}"),
    }
}

#[test]
fn reals_are_exact_in_every_spelling() {
    assert_eq!(real("0.1") + real("0.2"), real("3/10"));
    assert_eq!(real("2.5e-3"), real("1/400"));
    assert_eq!(real("-1.50"), real("-3/2"));
    assert_eq!(real("1e3"), real("1000"));
    assert_eq!(real("-0.5"), real("-1/2"));
}

#[test]
fn every_type_prints_as_it_is_read() {
    for text in [
        "bool",
        "int",
        "int8",
        "uint64",
        "int128",
        "real",
        "float",
        "double",
        "subrange [-3, 12]",
        "enum {Off, On}",
        "enum [-2, 9] {Low = -1, High = 4, Same = 4}",
        "enum [0, 1] {}",
    ] {
        assert_eq!(text.parse::<Type>().map(|kind| kind.to_string()).as_deref(), Ok(text));
    }
}

#[test]
fn what_is_no_type_is_refused() {
    for text in [
        "",
        "int0",
        "int129",
        "int+8",
        "int08",
        "uint",
        "subrange [3, 1]",
        "enum {}",
        "enum {A, A}",
        "enum [0, 3] {A = 4}",
        "enum [0, 3] {A = 1, A = 2}",
        "enum [0, 3] {A}",
        "enum [3, 0] {A = 1}",
        "integer",
    ] {
        assert!(text.parse::<Type>().is_err(), "{text}");
    }
}

#[test]
fn what_is_no_value_of_the_type_is_refused() {
    for (text, kind) in [
        ("2", "bool"),
        ("yes", "bool"),
        ("128", "int8"),
        ("-1", "uint8"),
        ("1.5", "int"),
        ("0x10", "int"),
        ("1_000", "int"),
        ("", "int"),
        ("-", "int"),
        ("1/0", "real"),
        ("1/-2", "real"),
        ("1.2.3", "real"),
        ("1e", "real"),
        (".", "real"),
        ("1.-5", "real"),
        ("13", "subrange [-3, 12]"),
        ("Broken", "enum {Off, On}"),
        ("nan:0", "double"),
    ] {
        let kind: Type = kind.parse().unwrap();
        let error = Value::parse(text, &kind).unwrap_err();
        assert!(matches!(error, ValueError::NotOfType { .. }), "{text}: {error}");
    }
}

#[test]
fn numbers_out_of_all_proportion_are_refused_quickly() {
    assert_eq!(Value::parse("1e999999999", &Type::Real), Err(ValueError::TooLong));
    assert_eq!(
        Value::parse("1e-99999999999999999999", &Type::Real).unwrap_err().to_string(),
        "'1e-99999999999999999999' is not a value of type real"
    );
    assert_eq!(Value::parse(&"9".repeat(100_000), &Type::Int), Err(ValueError::TooLong));
}

#[test]
fn the_largest_decimals_that_are_read_print_as_they_are_read() {
    let digits = "7".repeat(1000);
    for text in [format!("{digits}e1024"), format!("0.{digits}e-1024"), "1e1024".to_owned()] {
        let value = Value::parse(&text, &Type::Real).unwrap();
        assert_eq!(Value::parse(&value.to_string(), &Type::Real), Ok(value));
    }
}

#[test]
fn machine_types_have_the_bounds_of_their_width() {
    let bounds = |text: &str| text.parse::<Type>().unwrap().bounds().unwrap();
    assert_eq!(bounds("int8"), ((-128).into(), 127.into()));
    assert_eq!(bounds("uint16"), (0.into(), 65_535.into()));
    assert_eq!(bounds("int128"), (i128::MIN.into(), i128::MAX.into()));
}

#[test]
fn a_value_of_an_open_enumeration_has_one_spelling() {
    let kind: Type = "enum [0, 9] {Low = 1, High = 4, Same = 4}".parse().unwrap();
    let read = |text: &str| Value::parse(text, &kind);
    for text in ["High", "Same", "4"] {
        assert_eq!(read(text), Ok(Value::Symbol("High".to_owned())), "{text}");
    }
    assert_eq!(read("5"), Ok(Value::int(5)));
    assert!(read("10").is_err() && read("-1").is_err() && read("Other").is_err());
    assert!(!Value::int(4).has_type(&kind) && Value::int(0).has_type(&kind));
}

#[test]
fn a_nan_is_the_same_value_but_has_no_order() {
    let nan = Value::float64(f64::NAN);
    assert_eq!(nan, nan.clone());
    assert_eq!(nan.compare(&nan), None);
    assert_eq!(Value::float64(0.0).compare(&Value::float64(-0.0)), Some(Ordering::Equal));
}

proptest! {
    #[test]
    fn floats_of_any_bits_print_as_they_are_read(bits: u64) {
        let double = Value::Float64(bits);
        prop_assert_eq!(Value::parse(&double.to_string(), &Type::Float64), Ok(double));
        let single = Value::Float32(bits as u32);
        prop_assert_eq!(Value::parse(&single.to_string(), &Type::Float32), Ok(single));
    }

    #[test]
    fn numbers_print_as_they_are_read(above: i128, below in 1..u64::MAX) {
        let integer = Value::int(above);
        prop_assert_eq!(Value::parse(&integer.to_string(), &Type::Int), Ok(integer));
        let ratio = Value::Real(Rational::from(Integer::from(above)) / Rational::from(Integer::from(below)));
        prop_assert_eq!(Value::parse(&ratio.to_string(), &Type::Real), Ok(ratio));
    }

    #[test]
    fn no_text_makes_reading_a_value_panic(text in ".{0,20}", kind in ".{0,20}") {
        let _ = kind.parse::<Type>();
        for kind in [Type::Bool, Type::Int, Type::Real, Type::Float32, Type::Float64] {
            let _ = Value::parse(&text, &kind);
        }
    }
}
