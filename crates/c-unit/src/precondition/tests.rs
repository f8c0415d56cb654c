//! Preconditions: what they mean, and what is refused.

use obligato_model::{Signedness, Value};

use super::parse;
use crate::interface::{Cell, Form, ObjectIndex, Pointee, PointerTarget};

fn cell(name: &str, form: Form) -> Cell {
    Cell {
        name: name.to_owned(),
        object: ObjectIndex(0),
        offset: 0,
        form,
        bit_field: false,
        bound: None,
        given: None,
    }
}

fn cells() -> Vec<Cell> {
    let int = || Form::Integer(Signedness::Signed, 32);
    let names = vec![("OFF".to_owned(), 0), ("ON".to_owned(), 4)];
    let null = PointerTarget { name: "NULL".to_owned(), to: Pointee::Null };
    vec![
        cell("n", int()),
        cell("p", Form::Pointer(vec![null])),
        cell("p->next[2].len", int()),
        cell("read()[0]", int()),
        cell("mode", Form::Enumeration(names, Signedness::Unsigned, 32)),
        cell("x", Form::Float64),
        cell("nn", int()),
        cell("huge", Form::Integer(Signedness::Unsigned, 128)),
    ]
}

/// Whether it holds of `n`, `p`, `p->next[2].len`, `read()[0]` and `mode`.
fn holds(text: &str, [n, len, read]: [i32; 3], p: &str, mode: &str) -> Option<bool> {
    let symbol = |name: &str| Value::Symbol(name.to_owned());
    let given = [Value::int(n), symbol(p), Value::int(len), Value::int(read), symbol(mode)];
    let mut values: Vec<Option<&Value>> = given.iter().map(Some).collect();
    values.resize(8, None);
    let cells = cells();
    parse(text, &cells).expect("a precondition").holds(&cells, &values)
}

#[test]
fn operators_bind_and_mean_what_they_do_in_c() {
    let check = |text| holds(text, [3, -7, 10], "new", "ON");
    assert_eq!(check("n + 2 * n == 9"), Some(true));
    assert_eq!(check("(n + 2) * n == 15"), Some(true));
    assert_eq!(check("n - 1 - 1 == 1"), Some(true));
    assert_eq!(check("p->next[2].len / 2 == -3 && p->next[2].len % 2 == -1"), Some(true));
    assert_eq!(check("1 < 0 || n == 3 && mode == ON"), Some(true));
    assert_eq!(check("!n == 0"), Some(true));
    assert_eq!(check("- -n==3&&-n<0x10"), Some(true));
    assert_eq!(check("p != NULL && p && !(p == 0)"), Some(true));
    assert_eq!(check("read()[0] < n"), Some(false));
    assert_eq!(check("mode > 3 && mode == 4"), Some(true));
    assert_eq!(check("n * 4000000000 > 11999999999"), Some(true));
}

#[test]
fn what_a_test_leaves_open_may_not_matter() {
    assert_eq!(holds("nn > 3", [1, 1, 1], "new", "ON"), None);
    assert_eq!(holds("nn > 3 || n == 1", [1, 1, 1], "new", "ON"), Some(true));
    assert_eq!(holds("nn > 3 && n == 2", [1, 1, 1], "new", "ON"), Some(false));
}

#[test]
fn what_makes_no_sense_is_refused_with_its_place() {
    let refusal = |text: &str| {
        let misread = parse(text, &cells()).expect_err(text);
        format!("{} {}", misread.at, misread.reason)
    };
    assert_eq!(refusal("n < m"), "4 the function has no input 'm'");
    assert_eq!(refusal("n <"), "3 something is missing here");
    assert_eq!(refusal(""), "0 something is missing here");
    assert_eq!(refusal("(n > 3"), "6 a parenthesis is not closed");
    assert_eq!(refusal("n > 3)"), "5 this closes nothing");
    assert_eq!(refusal("n 3"), "2 an operator is missing before this");
    assert_eq!(refusal("n > * 3"), "4 a value is missing before this");
    assert_eq!(refusal("n = 3"), "2 '=' has no meaning here");
    assert_eq!(refusal("x > 3"), "0 'x' is a floating-point number, and those cannot stand here");
    assert_eq!(refusal("p == n"), "6 a pointer can only be compared with NULL");
    assert_eq!(refusal("p < NULL"), "8 a pointer can only be compared with NULL");
    assert_eq!(refusal("n / n > 1"), "6 only a number that is not 0 can divide");
    assert_eq!(
        refusal("n > 99999999999999999999"),
        "4 '99999999999999999999' is no whole number of at most 64 bits"
    );
    assert_eq!(refusal("huge > 1"), "0 this computes with numbers of more than 128 bits");
    assert!(refusal("n*n*n*n*n > 1").ends_with("this computes with numbers of more than 128 bits"));
    assert_eq!(refusal("n > 3 § 4"), "6 '§' has no meaning here");
}
