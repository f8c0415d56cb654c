//! Open inputs: a test with the values that they had does the same as the test that leaves them open.

#![expect(clippy::unwrap_used, reason = "the functions around the tests are tests too")]

#[allow(dead_code, unused_imports, reason = "each test uses what it needs")]
mod support;

use obligato_c_unit::random::{Draw, draw_suite, hold_constants};
use obligato_c_unit::settings::Range;
use obligato_c_unit::{LoadOptions, RunOptions, Settings, Unit};
use obligato_model::{Random, Suite, TestCase, Value};

/// Globals with initial values, pointers that the program moves, objects that it frees, stubs, enumerations, bit-fields.
const STATE: &str = "
#include <stdlib.h>
enum colour { RED = 1, GREEN = 2 };
struct node { int value; unsigned low : 3; struct node *next; };
extern int read_sensor(int channel);
int limit = 10;
int *current;
enum colour shade = GREEN;
static int calls;
int f(struct node *p, int *a, enum colour c, _Bool on, char *s, double d) {
    calls++;
    if (on) limit += a ? a[1] : 3;
    if (a) { current = a + 1; a[0] = limit; a[1]++; }
    if (current) *current += read_sensor(calls);
    if (p && p->next) { p->next->value = p->low; p->next = calls > 2 ? 0 : p->next; }
    shade = c == RED ? (enum colour)7 : c;
    if (s && s[0] == 'x') free(s);
    return limit + shade + (d > 1.0) + calls;
}
";

/// Leaves so many of a hundred values open.
fn with_holes(suite: &Suite, percent: usize, seed: u64) -> Suite {
    let mut random = Random::for_purpose(seed, "holes in a suite");
    let mut suite = suite.clone();
    for value in suite.tests.iter_mut().flat_map(|test| test.steps.iter_mut().flatten()) {
        if random.below(100) < percent {
            *value = None;
        }
    }
    suite
}

/// Without some of its columns.
fn with_columns(suite: &Suite, seed: u64) -> Suite {
    let mut random = Random::for_purpose(seed, "columns of a suite");
    let kept: Vec<bool> = suite.inputs.iter().map(|_| random.below(3) > 0).collect();
    let mut suite = suite.clone();
    let mut each = kept.iter();
    suite.inputs.retain(|_| *each.next().unwrap());
    for step in suite.tests.iter_mut().flat_map(|test| test.steps.iter_mut()) {
        let mut each = kept.iter();
        step.retain(|_| *each.next().unwrap());
    }
    suite
}

fn check(unit: &Unit, function: &str, count: usize, seed: u64) -> usize {
    let interface = unit.interface(function).unwrap();
    let variables = unit.variables(&interface);
    let options = RunOptions::default();
    let drawn = draw_suite(&variables, Draw { tests: count, steps: 3, seed });
    let mut filled = 0;
    for percent in [20, 60, 100] {
        for suite in [drawn.clone(), with_columns(&drawn, seed)] {
            let mut suite = with_holes(&suite, percent, seed);
            hold_constants(&interface, &mut suite);
            let tests = unit.complete(&interface, &suite, options).unwrap();
            let complete = Suite { inputs: suite.inputs.clone(), tests };
            let before = unit.run(&interface, &suite, options).unwrap();
            let after = unit.run(&interface, &complete, options).unwrap();
            for ((test, one), other) in complete.tests.iter().zip(&before).zip(&after) {
                assert_eq!(one, other, "{function}, {percent} %: {test:?}");
            }
            let again = unit.complete(&interface, &complete, options).unwrap();
            assert_eq!(again, complete.tests);
            let open = |suite: &Suite| {
                let steps = suite.tests.iter().flat_map(|test| test.steps.iter().flatten());
                steps.filter(|value| value.is_none()).count()
            };
            filled += open(&suite) - open(&complete);
        }
    }
    filled
}

#[test]
fn a_completed_test_does_the_same_as_the_one_with_open_inputs() {
    let mut filled = 0;
    for settings in [Settings::default(), Settings { alias: true, ..Settings::default() }] {
        let unit =
            support::load(STATE, LoadOptions { settings, ..LoadOptions::default() }).unwrap();
        for seed in 1..8 {
            filled += check(&unit, "f", 40, seed);
        }
    }
    assert!(filled > 10_000, "{filled}");
}

#[test]
fn completed_tests_of_the_corpus_do_the_same() {
    let mut functions = 0;
    for file in support::corpus_files() {
        let Ok(unit) = Unit::load(&support::source(&file), LoadOptions::default()) else {
            continue;
        };
        for function in unit.functions() {
            let interface = unit.interface(function).unwrap();
            // Where a test meets the limit of operations it is slow, and nothing is learned from it.
            let mut suite =
                draw_suite(&unit.variables(&interface), Draw { tests: 5, steps: 3, seed: 3 });
            hold_constants(&interface, &mut suite);
            let runs = unit.run(&interface, &suite, RunOptions::default()).unwrap();
            if runs.iter().all(|run| run.operations < 10_000) && !interface.inputs.is_empty() {
                check(&unit, function, 4, 3);
                functions += 1;
            }
        }
    }
    assert!(functions > 20, "{functions}");
}

#[test]
fn an_open_input_has_the_value_that_the_program_or_the_step_before_left() {
    let text = "int limit = 10;\nint f(int x) { limit += x; return limit; }\n";
    let unit = support::load(text, LoadOptions::default()).unwrap();
    let interface = unit.interface("f").unwrap();
    let inputs = unit.variables(&interface).inputs;
    let at = |name: &str| inputs.iter().position(|input| input.name == name).unwrap();
    let step = |x: Option<i64>| {
        let mut step = vec![None; inputs.len()];
        step[at("x")] = x.map(Value::int);
        step
    };
    let steps = vec![step(Some(5)), step(None), step(Some(1))];
    let tests = vec![TestCase { name: "t".to_owned(), steps }];
    let suite = Suite { inputs: inputs.clone(), tests };
    let completed = unit.complete(&interface, &suite, RunOptions::default()).unwrap();
    let column = |name: &str| -> Vec<Option<Value>> {
        completed[0].steps.iter().map(|step| step[at(name)].clone()).collect()
    };
    let numbers = |values: [i64; 3]| values.map(|value| Some(Value::int(value))).to_vec();
    assert_eq!(column("limit"), numbers([10, 15, 20]));
    assert_eq!(column("x"), numbers([5, 5, 1]));
}

#[test]
fn a_value_outside_of_its_range_stays_open() {
    let text = "int f(int x) { return x; }\n";
    let mut settings = Settings::default();
    settings.ranges.insert("x".to_owned(), Range { low: 5.into(), high: 9.into() });
    let unit = support::load(text, LoadOptions { settings, ..LoadOptions::default() }).unwrap();
    let interface = unit.interface("f").unwrap();
    let inputs = unit.variables(&interface).inputs;
    let tests = vec![TestCase { name: "t".to_owned(), steps: vec![vec![None]] }];
    let suite = Suite { inputs, tests };
    let completed = unit.complete(&interface, &suite, RunOptions::default()).unwrap();
    assert_eq!(completed[0].steps, [[None]]);
}
