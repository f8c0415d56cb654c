//! Conditions: names, comparisons, constants, and what is none of them.

use super::*;

fn operands(text: &str) -> (RelationOperator, Operand, Operand) {
    match parse(text) {
        Ok(Atom::Comparison(operator, left, right)) => (operator, left, right),
        other => panic!("{text}: {other:?}"),
    }
}

#[test]
fn every_comparison_sign_is_read_whole() {
    for (sign, operator) in COMPARISONS {
        let text = format!("x {sign} 10");
        let right = text.len() - 2..text.len();
        let expected = (operator, Operand::Name(0..1), Operand::Number(right));
        assert_eq!(operands(&text), expected, "{text}");
    }
}

#[test]
fn numbers_may_have_signs_points_exponents_and_be_fractions() {
    for number in ["0", "-3", "+3", "2.5", ".5", "1e-3", "1/3", "-2.5E+2"] {
        let (_, left, right) = operands(&format!("{number}<p.len_2"));
        assert_eq!(left, Operand::Number(0..number.len()));
        assert_eq!(right, Operand::Name(number.len() + 1..number.len() + 8));
    }
}

#[test]
fn names_may_be_of_any_script_and_constants_are_words() {
    assert_eq!(parse(" größe "), Ok(Atom::Name(1..8)));
    assert_eq!(parse(" true"), Ok(Atom::Constant(true)));
    assert_eq!(parse("false"), Ok(Atom::Constant(false)));
    assert_eq!(parse("truest"), Ok(Atom::Name(0..6)));
}

#[test]
fn what_is_no_condition_is_refused_where_it_goes_wrong() {
    for (text, offset) in
        [("7", 0), (" 7.5 ", 1), ("x <", 3), ("> 3", 0), ("x < 0x10", 4), ("f(a)", 0), ("a<b<c", 2)]
    {
        let (at, _) = parse(text).unwrap_err();
        assert_eq!(at, offset, "{text}");
    }
}
