//! Tests of how columns and values of one name are told apart.

use super::super::{Cell, Form, Interface, ObjectIndex, Pointee, PointerTarget};
use super::{beside, tell_apart, value_of_alias};

fn cell(name: &str, form: Form) -> Cell {
    let (name, object) = (name.to_owned(), ObjectIndex(0));
    Cell { name, object, offset: 0, form, bit_field: false, bound: None, given: None }
}

#[test]
fn what_no_parameter_hides_keeps_its_name() {
    assert_eq!(beside(&[], "x"), "x");
    assert_eq!(beside(&[], "f.n"), "f.n");
}

#[test]
fn pointers_with_the_name_of_a_value_are_told_from_it() {
    assert_eq!(value_of_alias("stub"), "stub");
    assert_eq!(value_of_alias("new"), "&new[0]");
}

#[test]
fn columns_of_one_name_are_numbered() {
    let names = ["x", "x (2)", "x", "x", "y"];
    let inputs = names.map(|name| cell(name, Form::Bool(8))).to_vec();
    let mut interface = Interface { inputs, ..Interface::default() };
    tell_apart(&mut interface);
    let names: Vec<&str> = interface.inputs.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(names, ["x", "x (2)", "x (3)", "x (4)", "y"]);
}

#[test]
fn values_of_one_name_are_told_apart() {
    let target = |name: &str, to| PointerTarget { name: name.to_owned(), to };
    let targets = vec![
        target("unset", Pointee::Unset),
        target("new", Pointee::Object(ObjectIndex(0))),
        target("new", Pointee::Object(ObjectIndex(1))),
        target("unset", Pointee::Function("unset".to_owned())),
    ];
    let inputs = vec![cell("p", Form::Pointer(targets))];
    let mut interface = Interface { inputs, ..Interface::default() };
    tell_apart(&mut interface);
    let kind = interface.inputs[0].form.kind().to_string();
    assert_eq!(kind, "enum {unset, new, &new[0], unset()}");
}
