//! Decisions against typed inputs: the program they make, and what does not fit.

use super::*;
use obligato_model::{Integer, Signedness};

fn input(name: &str, kind: &str) -> Variable {
    Variable { name: name.to_owned(), kind: kind.parse().unwrap() }
}

fn bind(text: &str, inputs: &[Variable]) -> Result<BoundFormulas, FormulaError> {
    Formulas::parse("f.decisions", text).unwrap().bind(inputs)
}

fn complaint(text: &str, inputs: &[Variable]) -> String {
    bind(text, inputs).unwrap_err().to_string()
}

#[test]
fn the_program_is_one_function_with_the_decisions_as_values() {
    let inputs = [input("a", "bool"), input("x", "int8")];
    let program = bind("# c\na && x >= 10\na", &inputs).unwrap().program;
    assert_eq!(program.interface.inputs, inputs);
    let [function] = program.functions() else { panic!() };
    assert_eq!((function.name.as_str(), function.entered), ("decisions", false));
    assert_eq!(program.file(function.file), "f.decisions");
    assert_eq!(function.span.to_string(), "1:1-3:2");
    assert_eq!(program.decisions().len(), 2);
    assert!(program.decisions().iter().all(|decision| decision.role == Role::Value));
    let relation = program.conditions()[1].relation.clone().unwrap();
    assert_eq!(
        relation,
        Relation {
            operator: RelationOperator::GreaterEqual,
            kind: Type::Machine(Signedness::Signed, 8),
            left: None,
            right: Some(Value::Int(Integer::from(10))),
        }
    );
}

#[test]
fn constants_are_conditions_that_can_only_have_one_value() {
    let program = bind("true && 1 < 2 && 2 <= 1.5", &[]).unwrap().program;
    let constants: Vec<_> = program.conditions().iter().map(|one| one.constant).collect();
    assert_eq!(constants, [Some(true), Some(true), Some(false)]);
}

#[test]
fn a_column_that_is_not_there_is_named_with_those_that_are() {
    assert_eq!(
        complaint("a\na && b", &[input("a", "bool"), input("c", "bool")]),
        "f.decisions:2:6: the suite has no column 'b'; it has 'a', 'c'"
    );
    let many: Vec<Variable> = (0..12).map(|n| input(&format!("x{n}"), "int")).collect();
    assert!(complaint("b", &many).ends_with("'x9', and 2 more"));
    assert!(complaint("b", &[]).ends_with("it has none"));
}

#[test]
fn a_column_of_the_wrong_type_is_named_with_its_type() {
    assert_eq!(
        complaint("a == b", &[input("a", "int"), input("b", "int")]),
        "f.decisions:1:1: '==' between two names compares Booleans, but 'a' and 'b' are numbers; \
         write [a == b] to compare numbers"
    );
    assert_eq!(
        complaint("a && b", &[input("a", "bool"), input("b", "int")]),
        "f.decisions:1:6: column 'b' is used as a Boolean, but its type is int; \
         write a comparison of numbers as [x == y]"
    );
    assert_eq!(
        complaint("a > 3", &[input("a", "enum {ON, OFF}")]),
        "f.decisions:1:1: column 'a' is used as a number, but its type is enum {ON, OFF}"
    );
}

#[test]
fn an_equality_of_two_number_columns_without_brackets_is_shown_where_it_stands() {
    let inputs = [input("ok", "bool"), input("größe", "int"), input("y", "real")];
    for (text, column, sign) in
        [("ok && größe != y", 7, "!="), ("ok || ((größe) = (y))", 9, "="), ("größe<>y", 1, "<>")]
    {
        let error = bind(text, &inputs).unwrap_err();
        assert_eq!(error.at.column, column, "{text}");
        let expected = format!("write [größe {sign} y] to compare numbers");
        assert!(error.to_string().ends_with(&expected), "{error}");
    }
    let xor = complaint("größe xor y", &inputs);
    assert!(xor.contains("'größe' is used as a Boolean"), "{xor}");
    let mixed = complaint("ok == y", &inputs);
    assert!(mixed.contains("'y' is used as a Boolean"), "{mixed}");
    assert!(bind("ok == ok && [y == y]", &inputs).is_ok());
}

#[test]
fn a_number_must_be_a_value_of_the_column_it_is_compared_with() {
    for (text, kind) in [("x >= 1.5", "int"), ("300 > x", "int8"), ("x < 11", "subrange [0, 10]")] {
        let message = complaint(text, &[input("x", kind)]);
        let expected = format!("is not a value of type {kind}, which column 'x' has");
        assert!(message.ends_with(&expected), "{message}");
    }
    for kind in ["real", "float", "double"] {
        assert!(bind("x >= 1.5 && x < 2", &[input("x", kind)]).is_ok(), "{kind}");
    }
}

#[test]
fn only_columns_of_the_same_type_can_be_compared() {
    assert_eq!(
        complaint("x < y", &[input("x", "int"), input("y", "real")]),
        "f.decisions:1:1: column 'x' is of type int and column 'y' of type real; \
         only columns of the same type can be compared"
    );
    assert!(bind("x < y", &[input("x", "int8"), input("y", "int8")]).is_ok());
}
