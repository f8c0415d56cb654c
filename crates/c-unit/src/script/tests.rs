//! Tests of what values become in memory, and of what is read back.

use obligato_model::{Signedness, Type, Variable};

use super::*;
use crate::interface::{Object, Origin, PointerTarget};

fn cell(name: &str, object: usize, offset: u64, form: Form) -> Cell {
    let object = ObjectIndex(object);
    Cell { name: name.to_owned(), object, offset, form, bit_field: false, bound: None, given: None }
}

/// `struct { int x; int low : 3; } *p`.
fn interface() -> Interface {
    let object = |name: &str, size| Object {
        name: name.to_owned(),
        size,
        origin: Origin::Fresh,
        extent: None,
        stream: false,
    };
    let null = PointerTarget { name: "NULL".to_owned(), to: Pointee::Null };
    let new = PointerTarget { name: "new".to_owned(), to: Pointee::Object(ObjectIndex(1)) };
    Interface {
        objects: vec![object("p", 8), object("p", 8)],
        arguments: vec![ObjectIndex(0)],
        inputs: vec![
            cell("p", 0, 0, Form::Pointer(vec![null, new])),
            cell("p->x", 1, 0, Form::Integer(Signedness::Signed, 32)),
            cell("p->low", 1, 32, Form::Integer(Signedness::Signed, 3)),
        ],
        ..Interface::default()
    }
}

fn script(values: &[(&str, Value)]) -> Result<Vec<Vec<Write>>, SuiteError> {
    let interface = interface();
    let names = values.iter().map(|(name, _)| (*name).to_owned());
    let inputs = names.map(|name| Variable { name, kind: Type::Bool }).collect();
    let step = values.iter().map(|(_, value)| Some(value.clone())).collect();
    let test = TestCase { name: "t1".to_owned(), steps: vec![step] };
    let suite = Suite { inputs, tests: vec![test] };
    Columns::new(&interface, &suite)?.script(&interface, &suite.tests[0])
}

#[test]
fn a_pointer_that_is_left_open_points_to_what_is_given_behind_it() {
    let writes = script(&[("p->low", Value::int(-1))]).unwrap().remove(0);
    let new = Content::Pointer(Pointee::Object(ObjectIndex(1)));
    assert_eq!(
        writes[0],
        Write { input: Some(0), object: ObjectIndex(0), offset: 0, content: new }
    );
    assert_eq!((writes[1].offset, writes.len()), (32, 2));
    assert_eq!(script(&[]).unwrap(), [[]]);
}

#[test]
fn a_write_knows_which_bytes_it_sets_as_a_whole() {
    let whole = |offset, count| {
        let content = Content::Bits { count, value: 0 };
        Write { input: Some(0), object: ObjectIndex(0), offset, content }.whole_bytes()
    };
    assert_eq!(whole(32, 32), 0..4);
    assert_eq!(whole(3, 5), 1..1);
    assert_eq!(whole(3, 13), 1..2);
    assert_eq!(whole(8, 3), 0..0);
    let null = Content::Pointer(Pointee::Null);
    assert_eq!(
        Write { input: Some(0), object: ObjectIndex(0), offset: 64, content: null }.whole_bytes(),
        0..8
    );
}

#[test]
fn what_is_behind_a_null_pointer_is_not_seen() {
    let null = script(&[("p", Value::Symbol("NULL".to_owned()))]).unwrap();
    assert_eq!(visible_objects(&interface(), &null), [true, false]);
    let given = script(&[("p->x", Value::int(1))]).unwrap();
    assert_eq!(visible_objects(&interface(), &given), [true, true]);
}

#[test]
fn values_that_do_not_fit_and_unknown_columns_are_refused() {
    let wrong = script(&[("p->low", Value::int(4))]).unwrap_err().to_string();
    assert_eq!(wrong, "test 't1', step 1: 4 is no value of 'p->low'");
    let unknown = script(&[("q", Value::int(4))]).unwrap_err().to_string();
    assert_eq!(unknown, "the function has no input 'q'; it has 'p', 'p->x', 'p->low'");
    assert!(script(&[("p", Value::Symbol("old".to_owned()))]).is_err());
}
