//! What runtime errors depend on: choices of the harness that a caller need not make, and those that no choice explains.

#![expect(clippy::unwrap_used, reason = "the functions around the tests are tests too")]

#[allow(dead_code, unused_imports, reason = "each test uses what it needs")]
mod support;

use obligato_c_unit::{CallerChoice, Ending, LoadOptions, RunOptions, Settings, Unit};
use obligato_model::{Suite, TestCase, Value};

fn load(text: &str) -> Unit {
    support::load(text, LoadOptions::default()).unwrap()
}

/// The choices that the error of a test with these values depends on.
fn choices(unit: &Unit, values: &[(&str, Value)]) -> Vec<CallerChoice> {
    let interface = unit.interface("f").unwrap();
    let inputs = unit.variables(&interface).inputs;
    let value = |name: &str| values.iter().find(|(known, _)| *known == name);
    let step = inputs.iter().map(|input| value(&input.name).map(|(_, value)| value.clone()));
    let test = TestCase { name: "t".to_owned(), steps: vec![step.collect()] };
    let suite = Suite { inputs, tests: vec![test.clone()] };
    let run = unit.run(&interface, &suite, RunOptions::default()).unwrap().remove(0);
    let Some(Ending::Finding(finding)) = run.ending else { panic!("{run:?}") };
    unit.caller_choices(&interface, &test, &finding, RunOptions::default()).unwrap()
}

fn said(unit: &Unit, values: &[(&str, Value)]) -> Vec<(String, Option<String>)> {
    let choices = choices(unit, values);
    choices.iter().map(|choice| (choice.to_string(), choice.ruled_out_by())).collect()
}

fn symbol(name: &str) -> Value {
    Value::Symbol(name.to_owned())
}

fn found(text: &str, option: &str) -> Vec<(String, Option<String>)> {
    vec![(text.to_owned(), Some(option.to_owned()))]
}

#[test]
fn a_null_pointer_is_a_choice_of_the_caller() {
    let unit = load("int f(int *p, int *q) { if (q) return 0; return *p; }\n");
    // Both have to be NULL for this error.
    let all = said(&unit, &[("p", symbol("NULL")), ("q", symbol("NULL"))]);
    assert_eq!(all.len(), 2, "{all:?}");
    let unit = load("int f(int *p, int *q) { return *p + (q != 0); }\n");
    let all = said(&unit, &[("p", symbol("NULL")), ("q", symbol("NULL"))]);
    assert_eq!(all, found("p = NULL", "--assume 'p != NULL'"));
    let unit =
        load("struct s { struct s *next; int x; };\nint f(struct s *p) { return p->next->x; }\n");
    assert_eq!(
        said(&unit, &[("p", symbol("new"))]),
        found("p->next = NULL", "--assume 'p->next != NULL'")
    );
}

#[test]
fn what_lies_too_deep_is_reached_by_another_depth() {
    let text = "struct s { struct s *next; int x; };\nint f(struct s *p) { return p->next->next->next->x; }\n";
    let unit = load(text);
    let values = ["p", "p->next", "p->next->next"].map(|name| (name, symbol("new")));
    assert_eq!(said(&unit, &values), found("p->next->next->next = NULL", "--depth 4"));
}

#[test]
fn the_size_of_an_object_is_a_choice_of_the_caller_unless_a_person_gave_it() {
    let text = "int f(const int *a, unsigned n) { int sum = 0; for (unsigned i = 0; i < n; i++) sum += a[i]; return sum; }\n";
    let values = [("a", symbol("new")), ("n", Value::int(9))];
    let unit = load(text);
    assert_eq!(said(&unit, &values), found("an object of 8 elements at a", "--elements 'a=9'"));
    let mut settings = Settings::default();
    settings.sizes.insert("a".to_owned(), 8);
    let unit = support::load(text, LoadOptions { settings, ..LoadOptions::default() }).unwrap();
    assert_eq!(said(&unit, &values), []);
}

#[test]
fn an_element_that_is_too_far_for_every_test_still_depends_on_the_size() {
    let unit = load("int f(const int *a, unsigned n) { return a[n]; }\n");
    let values = [("a", symbol("new")), ("n", Value::int(536_870_928))];
    let all = said(&unit, &values);
    assert_eq!(all, [("an object of 8 elements at a".to_owned(), None)]);
}

#[test]
fn a_loop_that_leaves_every_object_is_none_of_the_callers() {
    let unit = load("int f(int *a) { for (int i = 0; ; i++) a[i] = 1; }\n");
    assert_eq!(said(&unit, &[("a", symbol("new"))]), []);
}

#[test]
fn an_element_before_the_first_depends_on_where_a_caller_points() {
    let unit = load("int f(int *a) { return a[-1]; }\n");
    let all = said(&unit, &[("a", symbol("new"))]);
    assert_eq!(all, [("the start of an object at a".to_owned(), None)]);
}

#[test]
fn pointers_into_different_objects_are_a_choice_of_the_caller() {
    let unit = load("long f(int *begin, int *end) { return end - begin; }\n");
    let all = said(&unit, &[("begin", symbol("new")), ("end", symbol("new"))]);
    assert_eq!(all, [("pointers into different objects at begin and end".to_owned(), None)]);
}

#[test]
fn errors_of_values_and_of_the_function_itself_depend_on_no_choice() {
    let unit = load("int f(int x, int *p) { return p ? 1 : 10 / x; }\n");
    assert_eq!(said(&unit, &[("x", Value::int(0)), ("p", symbol("NULL"))]), []);
    let unit = load("int f(int x, int *p) { int own[4] = { 0 }; return own[x] + (p != 0); }\n");
    assert_eq!(said(&unit, &[("x", Value::int(4)), ("p", symbol("new"))]), []);
    let unit = load("int f(int x, int *p) { int *none = 0; return x + *none + (p != 0); }\n");
    assert_eq!(said(&unit, &[("x", Value::int(4)), ("p", symbol("NULL"))]), []);
}
