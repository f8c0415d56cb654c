//! Tests of which values of open inputs can be written down.

use obligato_model::Signedness;

use super::*;
use crate::interface::{Cell, Object, Origin, Pointee, PointerTarget};
use crate::precondition;

/// `int *p` and `enum { RED = 1 } c`, with one element behind `p`.
fn interface() -> Interface {
    let object = |size| Object {
        name: "p".to_owned(),
        size,
        origin: Origin::Fresh,
        extent: None,
        stream: false,
    };
    let cell = |name: &str, object, form| Cell {
        name: name.to_owned(),
        object: ObjectIndex(object),
        offset: 0,
        form,
        bit_field: false,
        bound: None,
        given: None,
    };
    let null = PointerTarget { name: "NULL".to_owned(), to: Pointee::Null };
    let new = PointerTarget { name: "new".to_owned(), to: Pointee::Object(ObjectIndex(1)) };
    Interface {
        objects: vec![object(8), object(4), object(4)],
        inputs: vec![
            cell("p", 0, Form::Pointer(vec![null, new])),
            cell("p[0]", 1, Form::Integer(Signedness::Signed, 32)),
            cell("c", 2, Form::Enumeration(vec![("RED".to_owned(), 1)], Signedness::Unsigned, 32)),
        ],
        ..Interface::default()
    }
}

fn completed(
    interface: &Interface,
    columns: [bool; 3],
    given: &[Option<Value>; 3],
    held: &[Option<Held>; 3],
) -> Vec<Option<Value>> {
    let kinds = interface.inputs.iter().zip(columns);
    let kinds: Vec<_> = kinds.map(|(cell, has)| has.then(|| cell.form.kind())).collect();
    StepInputs { interface, kinds: &kinds, given, held }.complete()
}

fn symbol(name: &str) -> Value {
    Value::Symbol(name.to_owned())
}

const NEW: Option<Held> = Some(Held::Pointer(Pointee::Object(ObjectIndex(1)), 0));
const NULL: Option<Held> = Some(Held::Pointer(Pointee::Null, 0));

#[test]
fn open_inputs_have_the_values_that_they_held() {
    let held = [NEW, Some(Held::Bits(0xffff_fffe)), Some(Held::Bits(1))];
    let found = completed(&interface(), [true; 3], &[None, None, None], &held);
    assert_eq!(found, [Some(symbol("new")), Some(Value::int(-2)), Some(symbol("RED"))]);
}

#[test]
fn what_a_test_cannot_set_stays_open() {
    let held = [Some(Held::Elsewhere), None, Some(Held::Bits(7))];
    let found = completed(&interface(), [true; 3], &[None, None, None], &held);
    assert_eq!(found, [None, None, Some(Value::int(7))]);
    let inside = Some(Held::Pointer(Pointee::Object(ObjectIndex(1)), 4));
    let held = [inside, Some(Held::Bits(0)), Some(Held::Bits(1))];
    let found = completed(&interface(), [false, false, true], &[None, None, None], &held);
    assert_eq!(found, [None, None, Some(symbol("RED"))]);
}

#[test]
fn a_value_behind_a_pointer_without_a_column_is_not_written_where_the_pointer_was_null() {
    let held = |pointer| [pointer, Some(Held::Bits(5)), Some(Held::Bits(1))];
    let columns = [false, true, true];
    let found = completed(&interface(), columns, &[None, None, None], &held(NULL));
    assert_eq!(found, [None, None, Some(symbol("RED"))]);
    let found = completed(&interface(), columns, &[None, None, None], &held(NEW));
    assert_eq!(found, [None, Some(Value::int(5)), Some(symbol("RED"))]);
    // With a column for the pointer, both are written.
    let found = completed(&interface(), [true; 3], &[None, None, None], &held(NULL));
    assert_eq!(found, [Some(symbol("NULL")), Some(Value::int(5)), Some(symbol("RED"))]);
}

#[test]
fn values_that_a_person_excludes_stay_open() {
    let mut interface = interface();
    let read = precondition::parse("p[0] > 3", &interface.inputs).unwrap();
    interface.preconditions.push(read);
    let held = |value| [NEW, Some(Held::Bits(value)), Some(Held::Bits(1))];
    let given = [Some(symbol("new")), None, None];
    let found = completed(&interface, [true; 3], &given, &held(2));
    assert_eq!(found, given);
    let found = completed(&interface, [true; 3], &given, &held(4));
    assert_eq!(found[1], Some(Value::int(4)));
}
