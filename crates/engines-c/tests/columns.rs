//! Columns: things of one name are told apart, and every pointer to a function leads somewhere.

mod support;

use std::collections::HashSet;

use obligato_c_unit::{NativeOptions, RunOptions, Settings, Unit};
use obligato_engines_c::Outcome;
use obligato_model::{Suite, TestCase, Type};
use support::{MCDC, load, request, run, tally};

/// Every column has a name of its own, and a type that reads back: a suite with them can be written.
#[track_caller]
fn assert_columns_read_back(unit: &Unit) {
    let interface = unit.interface("f").expect("an interface");
    let variables = unit.variables(&interface);
    let mut names = HashSet::new();
    for variable in variables.inputs.iter().chain(&variables.outputs) {
        assert!(names.insert(&variable.name), "two of {}: {variables:?}", variable.name);
        let kind = variable.kind.to_string().parse::<Type>();
        assert_eq!(kind.as_ref(), Ok(&variable.kind), "{}", variable.name);
    }
}

#[track_caller]
fn replay(unit: &Unit, outcome: &Outcome<'_>) {
    let interface = unit.interface("f").expect("an interface");
    let inputs = unit.variables(&interface).inputs;
    let tests: Vec<TestCase> = outcome.tests.iter().map(|made| made.test.clone()).collect();
    let suite = Suite { inputs, tests };
    let replay = unit
        .replay_natively(&interface, &suite, RunOptions::default(), NativeOptions::default())
        .expect("it runs natively");
    assert!(replay.disagreements.iter().all(Vec::is_empty), "{:?}", replay.disagreements);
}

/// A campaign covers everything, by tests that can be written and that machine code repeats.
#[track_caller]
fn covers_all_with(text: &str, settings: Settings) {
    let unit = load(text, "f", settings);
    assert_columns_read_back(&unit);
    let interface = unit.interface("f").expect("an interface");
    let outcome = run(&request(&unit, &interface, &[MCDC]));
    let (covered, refuted, open) = tally(&outcome);
    assert!(covered > 0, "{text}");
    assert_eq!((refuted, open), (0, 0), "{:?}\n{text}", outcome.limit);
    replay(&unit, &outcome);
}

#[track_caller]
fn covers_all(text: &str) {
    covers_all_with(text, Settings::default());
}

fn inputs(text: &str) -> Vec<String> {
    let unit = load(text, "f", Settings::default());
    let interface = unit.interface("f").expect("an interface");
    interface.inputs.iter().map(|cell| cell.name.clone()).collect()
}

#[test]
fn a_parameter_and_what_it_hides_are_two_inputs() {
    let hidden = "int x; static int g(void) { return x > 3; }
        int f(int x) { if (x > 7 && g()) return 1; return 0; }";
    assert_eq!(inputs(hidden), ["x", "::x"]);
    covers_all(hidden);
    covers_all(
        "struct s { int a; }; struct s c; static int g(void) { return c.a == 3; }
        int f(struct s c) { if (g() && c.a == 4) return 1; return 0; }",
    );
    covers_all(
        "extern const int k; static int g(void) { return k == 3; }
        int f(const int k) { if (g() && k == 4) return 1; return 0; }",
    );
    // A function that nothing defines, and the stub behind a pointer of its name.
    let called = "int rd(int); static int g(int a) { return rd(a); }
        int f(int (*rd)(int)) { if (rd && rd(1) == 2 && g(1) == 3) return 1; return 0; }";
    assert!(inputs(called).contains(&"::rd()[0]".to_owned()), "{:?}", inputs(called));
    covers_all(called);
    // A static variable of a function whose name a parameter has.
    covers_all(
        "struct s { int n; }; static int g(int up) { static int n; if (up) n = up; return n; }
        int f(struct s g_, int up) { struct s g = g_; return g.n == 3 && up ? 1 : 0; }",
    );
}

#[test]
fn what_a_function_outside_writes_is_told_from_its_parameter() {
    covers_all(
        "int to[4]; int receive(char *to);
        int f(void) { char b[8] = { 0 };
            if (receive(b) && to[1] == 7 && b[1] == 3) return 1; return 0; }",
    );
}

#[test]
fn pointers_may_have_the_names_of_values() {
    let settings = Settings { alias: true, ..Settings::default() };
    let text = "int f(int *new, int *stub) { if (new == stub) return 1; return 0; }";
    assert_columns_read_back(&load(text, "f", settings.clone()));
    covers_all_with(text, settings);
}

#[test]
fn volatile_pointers_to_functions_lead_to_a_stub_at_each_read() {
    covers_all(
        "int (*volatile cb)(int);
        int f(void) { int (*now)(int) = cb; if (now) return now(3) == 5 ? 1 : 2; return 0; }",
    );
    covers_all(
        "typedef int (*cb_t)(int); volatile cb_t cb;
        int f(void) { if (cb) return cb(1); return 0; }",
    );
    let table = "int (*volatile tab[3])(int);
        int f(unsigned i) { if (i < 3 && tab[i] && tab[i](1) == 4) return 1; return 0; }";
    let names = inputs(table);
    for name in ["tab[0][0]", "tab[0]()[0]", "tab[2][3]"] {
        assert!(names.iter().any(|one| one == name), "{name}: {names:?}");
    }
    covers_all(table);
}

#[test]
fn pointers_to_functions_without_a_prototype_lead_to_stubs() {
    covers_all("int f(void (*fp)()) { if (fp) { fp(); return 1; } return 0; }");
    covers_all("int f(void (*fp)()) { if (fp) { fp(3, 4); return 1; } return 0; }");
    covers_all(
        "extern int (*hook)();
        int f(int a) { if (hook) { if ((*hook)(a) == 5) return 1; return 2; } return 0; }",
    );
    covers_all(
        "struct entry { const char *name; int (*run)(); }; extern struct entry tab[];
        int f(int i) { if (i >= 0 && i < 3 && tab[i].run) { if ((*tab[i].run)(1, 2.0) == 2) return 1; }
            return 0; }",
    );
}
