//! Values print as people and other tools read them.

use super::*;
use crate::samples;
use proptest::prelude::*;

fn json(kind: &Type, text: &str) -> String {
    let value = Value::parse(text, kind).unwrap();
    Kind::new(kind).print_json(&value).unwrap()
}

#[test]
fn integers_past_what_a_double_holds_are_strings() {
    assert_eq!(json(&Type::Int, "9007199254740992"), "9007199254740992");
    assert_eq!(json(&Type::Int, "-9007199254740992"), "-9007199254740992");
    assert_eq!(json(&Type::Int, "9007199254740993"), "\"9007199254740993\"");
}

#[test]
fn reals_are_short_decimals_where_they_can_be_and_fractions_where_not() {
    for (text, expected) in [
        ("1/10", "0.1"),
        ("-1/8", "-0.125"),
        ("5", "5.0"),
        ("0", "0.0"),
        ("-20", "-20.0"),
        ("1/3", "\"1/3\""),
        ("1e-18", "\"0.000000000000000001\""),
        ("1e-19", "\"1/10000000000000000000\""),
        ("123456789012345678", "\"123456789012345678.0\""),
    ] {
        assert_eq!(json(&Type::Real, text), expected);
    }
}

#[test]
fn floats_that_are_no_plain_numbers_are_strings() {
    for (text, expected) in [
        ("0.1", "0.1"),
        ("1e300", "1e300"),
        ("-0.0", "\"-0.0\""),
        ("inf", "\"inf\""),
        ("nan", "\"nan:7ff8000000000000\""),
    ] {
        assert_eq!(json(&Type::Float64, text), expected);
    }
    assert_eq!(json(&Type::Float32, "nan:7fc00001"), "\"nan:7fc00001\"");
}

#[test]
fn a_value_of_another_type_or_too_long_to_read_is_not_printed() {
    let print = |kind: &Type, value: &Value| Kind::new(kind).print_text(value).unwrap_err();
    let small = Type::Machine(obligato_model::Signedness::Unsigned, 8);
    assert_eq!(print(&small, &Value::int(256)), "'256' is not a value of type uint8");
    assert_eq!(print(&Type::Real, &Value::int(256)), "'256' is not a value of type real");
    let long = Value::Int(Integer::from(10).pow(5000));
    assert!(print(&Type::Int, &long).contains("at most 4096 digits"));
}

proptest! {
    #[test]
    fn every_value_reads_back(
        (kind, value) in samples::any_type()
            .prop_flat_map(|kind| (Just(kind.clone()), samples::value(kind))),
    ) {
        let ready = Kind::new(&kind);
        let text = ready.print_text(&value).unwrap();
        prop_assert_eq!(ready.read_text(&text), Ok(value.clone()));
        let json = ready.print_json(&value).unwrap();
        let read = Json::parse(crate::source::Source(&json)).unwrap();
        prop_assert_eq!(ready.read_json(read, String::new).unwrap(), value);
    }
}
