//! Faults that the machine does not mind are confirmed by clang's sanitizers, each as the one it is.

#![expect(clippy::unwrap_used, reason = "the functions around the tests are tests too")]

use obligato_c_unit::{Confirmation, Ending, Options, RunOptions, Unit};
use obligato_clang::{Flags, Limits, Source};
use obligato_execute::Finding;
use obligato_model::{Suite, TestCase, Value};

/// What is said of the fault that `f(k)` runs into, with its words.
fn confirmation(text: &str, k: i64) -> (String, Confirmation) {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("f.c"), text).unwrap();
    let source = Source {
        file: "f.c".into(),
        directory: directory.path().to_owned(),
        flags: Flags::new(&[]).unwrap(),
        limits: Limits::default(),
    };
    let options = Options { function: Some("f".to_owned()), ..Options::default() };
    let unit = Unit::load(&source, options).unwrap();
    let interface = unit.interface("f").unwrap();
    let inputs = unit.variables(&interface).inputs;
    let steps = vec![
        inputs
            .iter()
            .map(|input| (input.name == "k").then(|| Value::int(k)))
            .map(|value| value.or_else(|| Some(Value::Symbol("new".to_owned()))))
            .take(inputs.len())
            .zip(&inputs)
            .map(|(value, input)| value.filter(|value| value.has_type(&input.kind)))
            .collect(),
    ];
    let suite = Suite { inputs, tests: vec![TestCase { name: "t1".to_owned(), steps }] };
    let runs = unit.run(&interface, &suite, RunOptions::default()).unwrap();
    let Some(Ending::Finding(finding)) = &runs[0].ending else { panic!("no fault: {runs:?}") };
    let finding: &Finding = finding;
    let seen = unit.confirm_faults(&interface, &suite, &[finding], 5000).unwrap();
    (finding.kind.to_string(), seen[0].clone())
}

#[track_caller]
fn is_confirmed(text: &str, k: i64, by: &'static str) {
    let (words, seen) = confirmation(text, k);
    assert_eq!(seen, Confirmation::Sanitizer(by), "{words} in {text}");
}

#[test]
fn undefined_arithmetic_is_confirmed() {
    is_confirmed("int f(int k) { return k + 1; }", i32::MAX.into(), "undefined");
    is_confirmed("int f(int k) { return -k; }", i32::MIN.into(), "undefined");
    is_confirmed("int f(int k) { return 1 << k; }", 40, "undefined");
}

#[test]
fn a_difference_of_pointers_into_different_objects_is_confirmed() {
    is_confirmed("int f(char *p, char *q, int k) { return q - p < k; }", 1, "address");
    // What is subtracted from a constant is not looked at.
    let (words, seen) = confirmation("int t[4], u[4]; long f(int k) { return &t[k] - u; }", 1);
    assert_eq!(
        (words.as_str(), seen),
        ("difference of pointers into different objects", Confirmation::None)
    );
}

#[test]
fn accesses_beyond_objects_are_confirmed() {
    is_confirmed("int t[4]; int f(int k) { return t[k]; }", 4, "undefined");
    is_confirmed("int t[4]; int f(int k) { int *p = t; return p[k]; }", 5, "address");
    is_confirmed("int f(int k) { int v[3] = { 1, 2, 3 }, *p = v; return p[k]; }", 3, "address");
    is_confirmed("int f(const int *p, int k) { return p[k]; }", 8, "address");
    is_confirmed("int f(const int *p, int k) { return p[k]; }", -1, "address");
}

#[test]
fn misuse_of_the_heap_is_confirmed() {
    let head = "#include <stdlib.h>\n#include <string.h>\n";
    let used = "int f(int k) { int *p = malloc(16); *p = k; free(p); return *p; }";
    is_confirmed(&format!("{head}{used}"), 1, "address");
    let twice = "int f(int k) { int *p = malloc(16); free(p); if (k) free(p); return 0; }";
    is_confirmed(&format!("{head}{twice}"), 1, "address");
    let other = "int f(int k) { int v[2] = { k, k }; free(k ? v : 0); return 0; }";
    is_confirmed(&format!("{head}{other}"), 1, "address");
}

#[test]
fn what_ends_by_a_signal_needs_no_sanitizer() {
    let (_, seen) = confirmation("int f(int k) { return 10 / k; }", 0);
    assert_eq!(seen, Confirmation::Signal);
}

#[test]
fn another_fault_of_the_same_kind_confirms_nothing() {
    // The sanitizer stops at the cast of the first line, the executor goes on to the overflow.
    let text = "_Bool g;\nint f(int k) {\n    *(unsigned char *)&g = 7;\n    int x = g;\n    return x + k;\n}";
    let (words, seen) = confirmation(text, i32::MAX.into());
    assert_eq!(seen, Confirmation::None, "{words}");
}
