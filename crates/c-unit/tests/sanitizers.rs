//! Runtime errors that the machine does not mind are confirmed by clang's sanitizers, each as the one it is.

#![expect(clippy::unwrap_used, reason = "the functions around the tests are tests too")]

use obligato_c_unit::native::NativeEnding;
use obligato_c_unit::{
    Confirmation, Ending, Interface, LoadOptions, NativeOptions, RunOptions, Unit,
};
use obligato_clang::{Flags, Limits, Source};
use obligato_execute::Finding;
use obligato_model::{Suite, TestCase, Value};

/// How `f(k)` ends early, in words.
fn ending(text: &str, k: i64) -> Option<String> {
    let Ran { unit: _, interface: _, suite: _, ending } = run(text, k);
    match ending {
        Some(Ending::Finding(finding)) => Some(finding.kind.to_string()),
        Some(Ending::Exit(status)) => Some(format!("exit({status})")),
        None => None,
    }
}

/// A function that was called once.
struct Ran {
    unit: Unit,
    interface: Interface,
    suite: Suite,
    ending: Option<Ending>,
}

/// What is said of the runtime error that `f(k)` runs into, with its words.
fn confirmation(text: &str, k: i64) -> (String, Confirmation) {
    let Ran { unit, interface, suite, ending } = run(text, k);
    let Some(Ending::Finding(finding)) = &ending else {
        panic!("no runtime error: {ending:?} in {text}")
    };
    let finding: &Finding = finding;
    let options = RunOptions::default();
    let replay =
        unit.replay_natively(&interface, &suite, options, NativeOptions::default()).unwrap();
    assert_eq!(replay.disagreements[0], [], "{text}");
    let trapped = matches!(replay.runs[0].ending, NativeEnding::Signal(_));
    let seen =
        unit.confirm_runtime_errors(&interface, &suite, &[finding], &[trapped], 5000).unwrap();
    (finding.kind.to_string(), seen[0].clone())
}

fn run(text: &str, k: i64) -> Ran {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("f.c"), text).unwrap();
    let source = Source {
        file: "f.c".into(),
        directory: directory.path().to_owned(),
        flags: Flags::new(&[]).unwrap(),
        limits: Limits::default(),
    };
    let options = LoadOptions { function: Some("f".to_owned()), ..LoadOptions::default() };
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
    let mut runs = unit.run(&interface, &suite, RunOptions::default()).unwrap();
    let ending = runs.remove(0).ending;
    Ran { unit, interface, suite, ending }
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
fn absolute_values_and_left_shifts_that_do_not_fit_are_confirmed() {
    let head = "#include <stdlib.h>\n";
    let absolute = format!("{head}int f(int k) {{ return abs(k); }}");
    is_confirmed(&absolute, i32::MIN.into(), "undefined");
    let absolute = format!("{head}long f(long k) {{ return labs(k); }}");
    is_confirmed(&absolute, i64::MIN, "undefined");
    is_confirmed("int f(int k) { return k << 1; }", -1, "undefined");
    is_confirmed("int f(int k) { return k << 0; }", -1, "undefined");
    is_confirmed("int f(int k) { return 3 << k; }", 30, "undefined");
    is_confirmed("int f(signed char k) { k <<= 1; return k; }", -1, "undefined");
}

#[test]
fn a_float_that_its_integer_does_not_fit_is_confirmed() {
    is_confirmed("int f(long k) { double d = k; return (int)d; }", 1 << 31, "undefined");
    is_confirmed("int f(int k) { float d = k; return (unsigned char)d; }", 256, "undefined");
    is_confirmed("int f(int k) { float d = k; return (unsigned)d > 5; }", -1, "undefined");
}

#[test]
fn shifts_of_unsigned_numbers_and_floats_that_fit_are_defined() {
    for text in [
        "unsigned f(int k) { return (unsigned)k << 1; }",
        "unsigned long f(int k) { unsigned long u = k; u <<= 3; return u; }",
        "int f(int k) { double d = k - 0.9; return (int)d; }",
        "int f(int k) { float d = k * 0.5f; return (unsigned char)d; }",
    ] {
        assert_eq!(ending(text, -1), None, "{text}");
    }
    assert_eq!(ending("int f(int k) { return k << 30; }", 1), None);
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
fn a_read_through_a_null_pointer_that_machine_code_leaves_out_is_confirmed() {
    let text = "struct s { int x; }; int f(int k) { struct s *p = 0; (void)p->x; return k; }";
    is_confirmed(text, 1, "undefined");
}

#[test]
fn another_fault_of_the_same_kind_confirms_nothing() {
    // The sanitizer stops at the cast of the first line, the executor goes on to the overflow.
    let text = "_Bool g;\nint f(int k) {\n    *(unsigned char *)&g = 7;\n    int x = g;\n    return x + k;\n}";
    let (words, seen) = confirmation(text, i32::MAX.into());
    assert_eq!(seen, Confirmation::None, "{words}");
}
