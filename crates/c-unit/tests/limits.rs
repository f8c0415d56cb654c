//! Large and bad inputs: what has no limit, and what is refused or left out with words.

#![expect(clippy::unwrap_used, reason = "the functions around the tests are tests too")]

#[allow(dead_code, unused_imports, reason = "each test uses what it needs")]
mod support;

use obligato_c_unit::random::{Draw, draw_suite};
use obligato_c_unit::{LoadError, LoadOptions, NativeOptions, RunOptions, Unit};
use obligato_criteria::{judge, plan};
use obligato_execute::ExecutionLimits as RunLimits;
use obligato_model::{Criterion, Independence, Verdict};

fn load(text: &str, function: Option<&str>) -> Result<Unit, LoadError> {
    support::load(
        text,
        LoadOptions { function: function.map(str::to_owned), ..LoadOptions::default() },
    )
}

#[test]
fn a_thousand_conditions_in_one_decision_are_all_measured() {
    let terms: Vec<String> = (0..1000).map(|index| format!("x != {index}")).collect();
    let unit = load(&format!("int f(int x) {{ return {}; }}\n", terms.join(" && ")), None).unwrap();
    assert_eq!((unit.program().conditions().len(), unit.gaps().len()), (1000, 0));
    let interface = unit.interface("f").unwrap();
    let mut suite =
        draw_suite(&unit.variables(&interface), Draw { tests: 1001, steps: 1, seed: 1 });
    for (index, test) in suite.tests.iter_mut().enumerate() {
        test.steps[0][0] = Some(obligato_model::Value::int(index));
    }
    let criteria = [Criterion::Mcdc(Independence::Masking)];
    let measured = unit.measure(&interface, &suite, &criteria, RunOptions::default()).unwrap();
    let plan = plan(unit.program(), &criteria);
    let assessment = judge(unit.program(), plan, &measured.evidence).unwrap();
    let covered = |verdict: &&Verdict| matches!(verdict, Verdict::Covered { .. });
    assert_eq!(assessment.verdicts.iter().filter(covered).count(), 2000 + 2);
}

#[test]
fn what_cannot_be_executed_is_named_and_the_rest_is_measured() {
    let text = "int f(long double x, int a) {\n    if (x > 1.0L && a)\n        return 1;\n    return a > 2;\n}\n";
    let unit = load(text, None).unwrap();
    let gaps: Vec<String> = unit.gaps().iter().map(ToString::to_string).collect();
    assert!(
        gaps.iter().any(|gap| gap.starts_with("f.c:2:9: `x > 1.0L` cannot be found")),
        "{gaps:?}"
    );
    assert_eq!(unit.program().decisions().len(), 2);
}

#[test]
fn what_nothing_can_stand_in_for_is_named() {
    let text = "extern struct { int level; } sensor(int channel);\nint f(int n) {\n    return n ? n : sensor(n).level;\n}\n";
    let unit = load(text, None).unwrap();
    let gaps: Vec<String> = unit.gaps().iter().map(ToString::to_string).collect();
    assert!(
        gaps[0].starts_with("f.c:1:30: `sensor` is not supported: nothing can stand in for it")
    );
    let interface = unit.interface("f").unwrap();
    let suite = draw_suite(&unit.variables(&interface), Draw { tests: 20, steps: 1, seed: 1 });
    let (run, native) = (RunOptions::default(), NativeOptions::default());
    let replay = unit.replay_natively(&interface, &suite, run, native).unwrap();
    assert!(replay.disagreements.iter().all(Vec::is_empty), "{:?}", replay.disagreements);
}

#[test]
fn a_choice_with_a_decision_as_an_arm_is_named_and_the_rest_is_measured() {
    let text = "int f(int a, int b, int c) {\n    if (b && (c ? a && b : -1) && a)\n        return 1;\n    return (c ? !a : b) && b || a > 2;\n}\n";
    let unit = load(text, None).unwrap();
    let gaps: Vec<String> = unit.gaps().iter().map(ToString::to_string).collect();
    assert_eq!(gaps.len(), 2, "{gaps:?}");
    assert!(gaps.iter().all(|gap| gap.contains("one of its arms is a decision")), "{gaps:?}");
    let interface = unit.interface("f").unwrap();
    let suite = draw_suite(&unit.variables(&interface), Draw { tests: 50, steps: 1, seed: 1 });
    let criteria = [Criterion::Mcdc(Independence::Masking)];
    unit.measure(&interface, &suite, &criteria, RunOptions::default()).unwrap();
}

#[test]
fn dead_code_is_said_to_be_dead() {
    let unit =
        load("int f(int a) {\n    return 1;\n    if (a && f(a))\n        return 2;\n}\n", None)
            .unwrap();
    let gaps: Vec<String> = unit.gaps().iter().map(ToString::to_string).collect();
    let dead = "f.c:3:9: `a` is never executed: the compiler makes no code of it";
    assert_eq!(gaps[0], dead);
}

#[test]
fn a_file_that_does_not_compile_and_a_function_that_is_not_there_are_refused() {
    let error = load("int f(int a) { return b; }\n", None).unwrap_err().to_string();
    assert!(error.contains("f.c:1:23: error: use of undeclared identifier 'b'"), "{error}");
    let error = load("int f(int a) { return a; }\n", Some("g")).unwrap_err().to_string();
    assert_eq!(error, "f.c defines no function 'g'; it defines 'f'");
}

#[test]
fn an_endless_loop_ends_at_the_limit() {
    let unit = load("int f(int a) { while (a == a) a += 0; return a; }\n", None).unwrap();
    let interface = unit.interface("f").unwrap();
    let suite = draw_suite(&unit.variables(&interface), Draw { tests: 1, steps: 1, seed: 1 });
    let limits = RunLimits { steps: 10_000, ..RunLimits::default() };
    let runs =
        unit.run(&interface, &suite, RunOptions { limits, ..RunOptions::default() }).unwrap();
    let ending = format!("{:?}", runs[0].ending);
    assert!(ending.contains("Limit(Steps)"), "{ending}");
}

#[test]
fn a_function_with_a_type_that_only_itself_can_name_is_named_and_the_rest_is_measured() {
    let text = "int f(struct { int x; } p, int a) { return p.x && a; }\n\
                int g(enum { ON, OFF } e, int a) { return e == OFF && a; }\n\
                int h(int a, int b) { return a || b; }\n";
    let unit = load(text, None).unwrap();
    assert_eq!(unit.functions(), ["g", "h"]);
    let gaps: Vec<String> = unit.gaps().iter().map(ToString::to_string).collect();
    let [gap] = gaps.as_slice() else { panic!("{gaps:?}") };
    assert!(gap.starts_with("f.c:1:1: `f` is not supported: tests cannot call it"), "{gap}");
    assert_eq!(unit.program().decisions().len(), 3);
    let refused = load(text, Some("f")).unwrap_err();
    assert!(matches!(refused, LoadError::NotCallable { .. }), "{refused}");
}

#[test]
fn operands_without_a_type_do_no_harm() {
    let text = "int f(float x, int a) { return a && __builtin_bit_cast(int, x) == 1; }\n\
                int g(float x) { int n = __builtin_bit_cast(int, x); return n && x > 1; }\n";
    let unit = load(text, None).unwrap();
    assert_eq!(unit.functions(), ["f", "g"]);
    assert_eq!(unit.program().conditions().len(), 4);
    assert_eq!(unit.gaps(), []);
}
