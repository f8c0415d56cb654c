//! Where effects get lost: every way there is on a function of its own, and that following agrees with measuring on the
//! whole corpus, with its own tests and random ones.

#![expect(clippy::unwrap_used, reason = "the functions around the tests are tests too")]

#[allow(unused_imports, reason = "each test uses what it needs")]
mod support;

use std::fs;

use obligato_c_unit::random::{Draw, draw_suite, hold_constants};
use obligato_c_unit::{
    Effect, Ending, Interface, LoadOptions, Loss, Lost, RunOptions, Settings, Trail, Undone, Unit,
};
use obligato_criteria::evidence::TestEvidence;
use obligato_execute::ExecutionLimits;
use obligato_model::{ConditionId, Criterion, Observability, Suite, TestId};
use support::{corpus_files, load, read_suite, source, suite_for, without_long_tests};

use Observability::{Strict, Tags};

/// The first of the tests that the text begins with, and what became in it of a condition of this text, being so. These
/// outputs are observed, all if there are none.
fn follow(
    text: &str,
    observed: &[&str],
    semantics: Observability,
    (condition, value): (&str, bool),
) -> Option<Trail> {
    let observed = observed.iter().map(|name| (*name).to_owned()).collect();
    let settings = Settings { observed, ..Settings::default() };
    let unit = load(text, LoadOptions { settings, ..LoadOptions::default() }).unwrap();
    let (function, tests) = read_suite(text);
    let interface = unit.interface(&function).unwrap();
    let suite = suite_for(&unit, &interface, &tests);
    let mut conditions = unit.program().conditions().iter();
    let condition = ConditionId::new(conditions.position(|one| one.text == condition).unwrap());
    let effect = Effect { test: TestId::new(0), condition, value };
    let options = RunOptions::default();
    unit.follow(&interface, &suite, &[effect], semantics, options).unwrap().remove(0)
}

/// A trail in words: what let it down, then what became of it.
fn said(text: &str, observed: &[&str], semantics: Observability, what: (&str, bool)) -> String {
    let unit = load(text, LoadOptions::default()).unwrap();
    let Some(Trail { stops, lost }) = follow(text, observed, semantics, what) else {
        return "never".to_owned();
    };
    let place = |at: &Option<(String, obligato_model::Position)>| {
        at.as_ref().map_or("?".to_owned(), |(file, at)| format!("{file}:{at}"))
    };
    let decided = |id: &Option<obligato_model::DecisionId>| {
        id.map_or("?".to_owned(), |id| unit.program().decision(id).text.clone())
    };
    let name = |name: &Option<String>| name.clone().unwrap_or("?".to_owned());
    let stops = stops.iter().map(|(step, loss)| {
        let loss = match loss {
            Loss::Masked { by, value } => {
                let by = unit.program().condition(*by);
                let decision = &unit.program().decision(by.decision).text;
                format!("{} is {value} in {decision}", by.text)
            }
            Loss::Overwritten { variable, at } => {
                format!("{} overwritten at {}", name(variable), place(at))
            }
            Loss::Set { variable } => format!("{} set", name(variable)),
            Loss::Same { variable: None, decision, at } => {
                format!("same behind {} at {}", decided(decision), place(at))
            }
            Loss::Same { variable: Some(variable), decision, at } => {
                format!("same {} behind {} at {}", name(variable), decided(decision), place(at))
            }
            Loss::NotTaken { decision, value, at } => {
                format!("not taken, {} being {value} at {}", decided(decision), place(at))
            }
            Loss::NotDone { what, at } => {
                let what = match what {
                    Undone::Call(function) => unit.module().function(*function).name.as_str(),
                    Undone::CallThrough => "call",
                    Undone::Assignment => "assignment",
                };
                format!("no {what} at {}", place(at))
            }
        };
        format!("{step}: {loss}; ")
    });
    let lost = match lost {
        None => "seen".to_owned(),
        Some(Lost::Held(names)) => {
            format!("held in {}", names.iter().map(name).collect::<Vec<_>>().join(", "))
        }
        Some(Lost::Ended(Ending::Exit(status))) => format!("exit({status})"),
        Some(Lost::Ended(Ending::Finding(finding))) => finding.kind.to_string(),
        Some(Lost::Stopped) => "stopped".to_owned(),
        Some(Lost::Unused(names)) => format!("unused {}", names.join(", ")),
        Some(Lost::Unconnected) => "unconnected".to_owned(),
    };
    stops.collect::<String>() + &lost
}

#[test]
fn an_effect_is_masked_by_another_condition_of_a_later_decision() {
    let text = "/* test f\n   a=1 b=0 c=0 */\n\
                int f(int a, int b, int c) {\n    int x = a || b;\n    return x && c;\n}\n";
    for semantics in [Tags, Strict] {
        let found = said(text, &[], semantics, ("a", true));
        assert_eq!(found, "0: c is false in x && c; stopped");
    }
    let seen = text.replace("c=0", "c=1");
    assert_eq!(said(&seen, &[], Tags, ("a", true)), "seen");
    assert_eq!(said(text, &[], Tags, ("a", false)), "never");
}

#[test]
fn what_its_own_decision_masks_counts_only_while_it_never_gets_out() {
    let masked = "/* test f\n   a=1 b=0 */\nint g;\nint f(int a, int b) {\n    return a && b;\n}\n";
    assert_eq!(said(masked, &[], Tags, ("a", true)), "0: b is false in a && b; stopped");
    let text = "/* test f\n   a=1 b=0 ; a=1 b=1 */\n\
                int f(int a, int b) {\n    int x = a && b;\n    x = 4;\n    return x;\n}\n";
    assert_eq!(said(text, &[], Tags, ("a", true)), "1: x overwritten at f.c:5:7; stopped");
}

#[test]
fn what_held_an_effect_is_overwritten_by_a_value_or_by_a_whole_object() {
    let text = "/* test f\n   a=1 */\n\
                int f(int a) {\n    int x = 0;\n    if (a)\n        x = 1;\n    x = 5;\n    return x;\n}\n";
    assert_eq!(said(text, &[], Tags, ("a", true)), "0: x overwritten at f.c:7:7; stopped");
    let text = "/* test f\n   a=1 */\n\
                struct s { int x, y, z; };\n\
                int f(int a) {\n    struct s p = {0}, q = {0};\n    if (a)\n        p.y = 1;\n    p = q;\n    return p.y;\n}\n";
    assert_eq!(said(text, &[], Tags, ("a", true)), "0: p overwritten at f.c:8:9; stopped");
    let text = "/* test f\n   a=1 */\n\
                int g;\nvoid clear(int *p) { *p = 0; }\n\
                int f(int a) {\n    g = a > 0;\n    clear(&g);\n    return g;\n}\n";
    assert_eq!(said(text, &[], Strict, ("a > 0", true)), "0: g overwritten at f.c:4:25; stopped");
}

#[test]
fn strictly_a_value_that_is_the_same_on_both_ways_stops_an_effect() {
    let text = "/* test f\n   a=1 */\n\
                int f(int a) {\n    int x;\n    if (a)\n        x = 4;\n    else\n        x = 4;\n    return x;\n}\n";
    assert_eq!(said(text, &[], Strict, ("a", true)), "0: same x behind a at f.c:5:9; stopped");
    assert_eq!(said(text, &[], Tags, ("a", true)), "seen");
    for arms in ["3 : 3", "b : b"] {
        let text = format!(
            "/* test f\n   a=1 b=3 */\nint f(int a, int b) {{\n    return a ? {arms};\n}}\n"
        );
        let strictly = said(&text, &[], Strict, ("a", true));
        let same = arms == "3 : 3";
        assert_eq!(strictly, if same { "0: same behind a at f.c:4:12; stopped" } else { "seen" });
        assert_eq!(said(&text, &[], Tags, ("a", true)), "seen");
    }
}

#[test]
fn the_test_ends_while_something_that_is_not_observed_holds_it() {
    let text = "/* test f\n   a=1 */\n\
                int kept;\nint f(int a) {\n    if (a)\n        kept = 1;\n    return 0;\n}\n";
    assert_eq!(said(text, &["return"], Tags, ("a", true)), "held in kept");
    assert_eq!(said(text, &[], Tags, ("a", true)), "seen");
    let text = "/* test f\n   a=1 p->y=2 */\n\
                struct s { int x, y; };\nint f(int a, struct s *p) {\n    p->y = a > 0;\n    return 0;\n}\n";
    assert_eq!(said(text, &["return"], Tags, ("a > 0", true)), "held in p->y");
    let text = "/* test f\n   a=1 */\n\
                #include <stdlib.h>\nint f(int a) {\n    int *p = malloc(sizeof *p);\n    *p = a > 0;\n    return 0;\n}\n";
    assert_eq!(said(text, &["return"], Tags, ("a > 0", true)), "held in ?");
}

#[test]
fn what_a_test_sets_is_an_effect_of_no_earlier_step() {
    let text = "/* test f\n   a=1 g=0 ; a=0 g=5 */\n\
                int g;\nint f(int a) {\n    int before = g;\n    if (a)\n        g = 1;\n    return before;\n}\n";
    for semantics in [Tags, Strict] {
        let found = said(text, &["return"], semantics, ("a", true));
        assert_eq!(found, "1: g set; stopped");
        let left_open = text.replace(" g=5", "");
        assert_eq!(said(&left_open, &["return"], semantics, ("a", true)), "seen");
    }
}

#[test]
fn a_fault_or_an_exit_ends_a_test_before_an_effect_is_seen() {
    let text = "/* test f\n   a=1 b=0 */\n\
                int f(int a, int b) {\n    int x = 0;\n    if (a)\n        x = 1;\n    return x / b;\n}\n";
    assert_eq!(said(text, &[], Tags, ("a", true)), "division by zero");
    let text = "/* test f\n   a=1 */\n\
                #include <stdlib.h>\nint f(int a) {\n    if (a)\n        exit(3);\n    return 0;\n}\n";
    assert_eq!(said(text, &[], Tags, ("a", true)), "exit(3)");
}

#[test]
fn a_choice_between_values_has_an_effect_wherever_the_value_goes() {
    let uses = [
        "a ? b : c",
        "same(a ? b : c)",
        "*(a ? &b : &c)",
        "(a ? same : negated)(b)",
        "(*(a ? &b : &c) = 4, b)",
        "(__builtin_memcpy(&b, a ? &b : &c, sizeof b), b)",
        "(__builtin_memset(&b, a > 0, sizeof b), b)",
        "same((a ? b : c) && c)",
    ];
    for (index, used) in uses.into_iter().enumerate() {
        let text = format!(
            "/* test f\n   a=1 b=3 c=1 */\n\
             int same(int x) {{ return x; }}\nint negated(int x) {{ return -x; }}\n\
             int f(int a, int b, int c) {{\n    return {used};\n}}\n"
        );
        let condition = if used.contains("a > 0") { "a > 0" } else { "a" };
        assert_eq!(said(&text, &[], Tags, (condition, true)), "seen", "{used}");
        let masked = "0: c is false in (a ? b : c) && c; stopped";
        let found = said(&text.replace("c=1", "c=0"), &[], Tags, (condition, true));
        assert_eq!(found, if index == 7 { masked } else { "seen" }, "{used}");
    }
}

#[test]
fn what_chooses_between_parts_of_a_condition_is_masked_with_the_condition() {
    let text = "/* test f\n   a=1 b=3 c=1 d=0 */\n\
                int f(int a, int b, int c, int d) {\n    int x = 0;\n    if ((a ? b : c) && d)\n        x = 1;\n    return x;\n}\n";
    let found = said(text, &[], Tags, ("a", true));
    assert_eq!(found, "0: d is false in (a ? b : c) && d; stopped");
    assert_eq!(said(&text.replace("d=0", "d=1"), &[], Tags, ("a", true)), "seen");
    let skipped = text.replace("b=3", "b=0");
    assert_eq!(said(&skipped, &[], Tags, ("a", true)), "seen");
}

#[test]
fn nothing_is_computed_from_what_held_it_or_nothing_ever_did() {
    let text = "/* test f\n   a=1 */\n\
                int f(int a) {\n    int x = 0;\n    if (a)\n        x = 1;\n    return 2;\n}\n";
    assert_eq!(said(text, &[], Tags, ("a", true)), "unused x");
    let text = "/* test f\n   a=1 */\nint f(int a) {\n    if (a)\n        ;\n    return 2;\n}\n";
    assert_eq!(said(text, &[], Tags, ("a", true)), "unconnected");
}

#[test]
fn what_another_way_would_do_has_no_tag_unless_a_variable_shows_it() {
    let text = "/* test f\n   a=0 i=1 */\n\
                void open_valve(void);\nint f(int a, int i) {\n    int x[2] = {0};\n    if (a) {\n        open_valve();\n        x[i] = 1;\n    }\n    return x[1];\n}\n";
    let found = said(text, &[], Tags, ("a", false));
    assert_eq!(found, "0: no open_valve at f.c:7:9; 0: no assignment at f.c:8:14; stopped");
    assert_eq!(said(&text.replace("a=0", "a=1"), &[], Tags, ("a", true)), "seen");
    for size in [1, 2] {
        let text = format!(
            "/* test f\n   a=0 */\n\
             int f(int a) {{\n    char x[2] = {{0}};\n    if (a)\n        __builtin_memset(x, 1, {size});\n    return x[0];\n}}\n"
        );
        assert_eq!(said(&text, &[], Tags, ("a", false)), "0: no assignment at f.c:6:9; stopped");
        assert_eq!(said(&text.replace("a=0", "a=1"), &[], Tags, ("a", true)), "seen");
    }
}

/// How many effects were seen, how many were lost by stops, and how many otherwise.
#[derive(Debug, Default)]
struct Counts {
    seen: usize,
    stopped: usize,
    others: usize,
}

impl Counts {
    fn check(&mut self, unit: &Unit, evidence: &TestEvidence, observed: bool, trail: &Trail) {
        assert_eq!(trail.lost.is_none(), observed, "{trail:?}");
        if observed {
            self.seen += 1;
            assert!(trail.stops.is_empty(), "{trail:?}");
        } else if trail.lost == Some(Lost::Stopped) {
            self.stopped += 1;
            assert!(!trail.stops.is_empty());
        } else {
            self.others += 1;
        }
        for (_, loss) in &trail.stops {
            if let Loss::Masked { by, value } = loss {
                let by = unit.program().condition(*by);
                let mut decisions = evidence.decisions.iter();
                let of_decision = decisions.find(|(id, _)| *id == by.decision);
                assert!(of_decision.unwrap().1.took(by.ordinal, *value), "{trail:?}");
            }
            if let Loss::Overwritten { variable, at } = loss {
                assert!(variable.is_some() && at.is_some(), "{trail:?}");
            }
        }
    }
}

/// Where turning a condition shows something that no tag can: a loop that would not end, or that leaves its array before an
/// allocation fails. Elsewhere nothing is said to be without use that turning shows.
const BLIND: [&str; 2] = ["jumps", "sum"];

/// Every effect of a condition that decides, in every test.
fn compare(unit: &Unit, interface: &Interface, suite: &Suite, counts: &mut Counts) {
    let limits = ExecutionLimits { steps: 100_000, ..ExecutionLimits::default() };
    let options = RunOptions { limits, ..RunOptions::default() };
    let suite = without_long_tests(unit, interface, suite, options);
    for semantics in [Tags, Strict] {
        let criteria = [Criterion::Omcdc(semantics), Criterion::Omcdc(Observability::Exact)];
        let measured = unit.measure(interface, &suite, &criteria, options).unwrap();
        let (mut effects, mut expected) = (Vec::new(), Vec::new());
        for (index, shown) in measured.evidence.tests().iter().enumerate() {
            let test = TestId::new(index);
            for (at, home) in unit.program().conditions().iter().enumerate() {
                let condition = ConditionId::new(at);
                for value in [false, true] {
                    let mut decisions = shown.decisions.iter();
                    let of_decision = decisions.find(|(id, _)| *id == home.decision);
                    if of_decision.is_some_and(|(_, seen)| seen.showed_at_all(home.ordinal, value))
                    {
                        let seen = &shown.observed(semantics).unwrap().conditions;
                        expected.push((shown, seen[usize::from(value)].contains(at)));
                        effects.push(Effect { test, condition, value });
                    }
                }
            }
        }
        let trails = unit.follow(interface, &suite, &effects, semantics, options).unwrap();
        for (((shown, observed), trail), effect) in expected.into_iter().zip(trails).zip(effects) {
            let Effect { condition, value, .. } = effect;
            // What the compiler folds is never evaluated, and has no effects.
            let folded = unit.program().condition(condition).constant.is_some();
            let Some(trail) = trail else {
                assert!(folded && !observed, "{effect:?}");
                continue;
            };
            counts.check(unit, shown, observed, &trail);
            let exactly = &shown.observed(Observability::Exact).unwrap().conditions;
            if exactly[usize::from(value)].contains(condition.index())
                && !BLIND.contains(&interface.function.as_str())
            {
                let unused = matches!(trail.lost, Some(Lost::Unconnected | Lost::Unused(_)));
                assert!(!unused, "{}, {effect:?}: {trail:?}", interface.function);
            }
        }
    }
}

#[test]
fn an_effect_has_a_place_where_it_got_lost_exactly_if_it_is_not_observed() {
    let mut counts = Counts::default();
    for file in corpus_files() {
        let text = fs::read_to_string(support::corpus().join(&file)).unwrap();
        let (function, tests) = read_suite(&text);
        for observed in [&[][..], &["return".to_owned()]] {
            let observed = observed.iter().cloned().collect();
            let settings = Settings { observed, ..Settings::default() };
            let unit =
                Unit::load(&source(&file), LoadOptions { settings, ..LoadOptions::default() });
            let unit = unit.unwrap();
            let interface = unit.interface(&function).unwrap();
            compare(&unit, &interface, &suite_for(&unit, &interface, &tests), &mut counts);
            for steps in 1..4 {
                let draw = Draw { tests: 12, steps, seed: steps as u64 };
                let mut suite = draw_suite(&unit.variables(&interface), draw);
                hold_constants(&interface, &mut suite);
                compare(&unit, &interface, &suite, &mut counts);
            }
        }
    }
    assert!(counts.seen > 1000 && counts.stopped > 100 && counts.others > 100, "{counts:?}");
}
