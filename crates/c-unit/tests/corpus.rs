//! Every construct that decides something in C, as a corpus of triples: `x.c`, `x.plan` (decisions with the
//! places where the code evaluates them) and `x.coverage` (what the tests in the file's first comment show, and that
//! machine code agrees). `BLESS=1` rewrites the expectations; read the difference.

#![expect(clippy::unwrap_used, reason = "the functions around the tests are tests too")]

#[allow(dead_code, unused_imports, reason = "each test uses what it needs")]
mod support;

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use obligato_c_unit::run::{Observed, TestRun};
use obligato_c_unit::script::value_of;
use obligato_c_unit::{Interface, LoadOptions, NativeOptions, RunOptions, Settings, Unit};
use obligato_criteria::{judge, plan};
use obligato_execute::Ending;
use obligato_model::{Assessment, Criterion, Independence, Observability, Verdict};
use obligato_test_support::is_blessing;
use support::{Rows, corpus, corpus_files, load, read_suite, source, suite_for};

const CRITERIA: &[Criterion] = &[
    Criterion::Statement,
    Criterion::Branch,
    Criterion::EntryExit,
    Criterion::Condition,
    Criterion::Mcdc(Independence::Masking),
    Criterion::Mcdc(Independence::UniqueCause),
    Criterion::Bvc,
    Criterion::Omcdc(Observability::Strict),
    Criterion::Omcdc(Observability::Tags),
    Criterion::Omcdc(Observability::Exact),
];

fn describe_plan(unit: &Unit) -> String {
    let mut text = String::new();
    let program = unit.program();
    for (index, decision) in program.decisions().iter().enumerate() {
        let function = &program.function(decision.function).name;
        let _ =
            writeln!(text, "{function} {} {:?} `{}`", decision.span, decision.role, decision.text);
        let id = obligato_model::DecisionId::new(index);
        for condition in program.conditions_of(id) {
            let constant =
                condition.constant.map_or(String::new(), |value| format!(" always {value}"));
            let relation = condition.relation.as_ref().map_or("", |_| " compares");
            let _ =
                writeln!(text, "    {} `{}`{relation}{constant}", condition.span, condition.text);
        }
    }
    for gap in unit.gaps() {
        let _ = writeln!(text, "gap: {gap}");
    }
    text
}

fn describe_run(interface: &Interface, run: &TestRun) -> String {
    let mut text = String::new();
    for step in &run.steps {
        for (cell, observed) in interface.outputs.iter().zip(step) {
            if let Observed::Held(held) = observed {
                let _ = write!(text, " {}={}", cell.name, value_of(interface, cell, held));
            }
        }
        text.push_str(" ;");
    }
    let ending = match &run.ending {
        None => return text,
        Some(Ending::Exit(status)) => format!("exit({status})"),
        Some(Ending::Finding(finding)) => finding.kind.to_string(),
    };
    let _ = write!(text, " {ending}");
    text
}

fn describe_verdicts(assessment: &Assessment) -> String {
    let mut text = String::new();
    let all = assessment.plan.obligations.iter().zip(&assessment.verdicts);
    for (obligation, verdict) in all {
        let verdict = match verdict {
            Verdict::Covered { tests, .. } => {
                let names: Vec<&str> =
                    tests.iter().map(|test| assessment.tests[test.index()].as_str()).collect();
                format!("covered by {}", names.join(" "))
            }
            Verdict::Uncoverable(proof) => format!("uncoverable: {:?}", proof.method),
            Verdict::Unresolved(limit) => format!("open: {limit}"),
            Verdict::Justified(_) => "justified".to_owned(),
        };
        let _ = writeln!(
            text,
            "{} {} {}: {verdict}",
            obligation.criterion, obligation.span, obligation.text
        );
    }
    text
}

fn describe_coverage(unit: &Unit, function: &str, tests: &Rows) -> String {
    let interface = unit.interface(function).unwrap();
    let suite = suite_for(unit, &interface, tests);
    let measured = unit.measure(&interface, &suite, CRITERIA, RunOptions::default()).unwrap();
    let native = unit
        .replay_natively(&interface, &suite, RunOptions::default(), NativeOptions::default())
        .unwrap();
    let mut text = String::new();
    for (index, run) in measured.runs.iter().enumerate() {
        let _ = writeln!(text, "{}:{}", suite.tests[index].name, describe_run(&interface, run));
        for disagreement in &native.disagreements[index] {
            let _ = writeln!(text, "    DISAGREES: {disagreement}");
        }
    }
    let assessment = judge(unit.program(), plan(unit.program(), CRITERIA), &measured.evidence);
    text.push_str(&describe_verdicts(&assessment.unwrap()));
    text
}

fn expect(file: &Path, actual: &str) -> Option<String> {
    if is_blessing() {
        fs::write(file, actual).unwrap();
        return None;
    }
    let expected = fs::read_to_string(file).unwrap_or_default();
    let differs =
        expected.lines().zip(actual.lines()).find(|(expected, actual)| expected != actual);
    (expected != actual).then(|| match differs {
        Some((expected, actual)) => format!("{}:\n- {expected}\n+ {actual}", file.display()),
        None => format!("{}: another number of lines", file.display()),
    })
}

#[test]
fn every_construct_is_planned_and_measured_as_expected() {
    let mut problems = Vec::new();
    for name in corpus_files() {
        let file = corpus().join(&name);
        let (function, tests) = read_suite(&fs::read_to_string(&file).unwrap());
        let unit = Unit::load(&source(&name), LoadOptions::default()).unwrap();
        problems.extend(expect(&file.with_extension("plan"), &describe_plan(&unit)));
        let coverage = describe_coverage(&unit, &function, &tests);
        if coverage.contains("DISAGREES") {
            problems.push(format!("{name}:\n{coverage}"));
        }
        problems.extend(expect(&file.with_extension("coverage"), &coverage));
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// Per test, the values of conditions whose tags reach the global `seen`, in words.
fn tags_that_reach_seen(text: &str, semantics: Observability) -> Vec<String> {
    let observed = ["seen".to_owned()].into_iter().collect();
    let settings = Settings { observed, ..Settings::default() };
    let unit = load(text, LoadOptions { settings, ..LoadOptions::default() }).unwrap();
    let (function, tests) = read_suite(text);
    let interface = unit.interface(&function).unwrap();
    let suite = suite_for(&unit, &interface, &tests);
    let criteria = [Criterion::Omcdc(semantics)];
    let measured = unit.measure(&interface, &suite, &criteria, RunOptions::default()).unwrap();
    let tests = measured.evidence.tests().iter().map(|evidence| {
        let observed = evidence.observed(semantics).unwrap();
        let conditions = unit.program().conditions().iter().enumerate();
        let values = conditions.flat_map(|(index, condition)| {
            let sides = [false, true].into_iter().zip(&observed.conditions);
            let seen = sides.filter(move |(_, set)| set.contains(index));
            seen.map(|(value, _)| format!("{}={value}", condition.text))
        });
        values.collect::<Vec<_>>().join(" ")
    });
    tests.collect()
}

/// A function with these statements, and tests with all values of two inputs.
fn with_two_inputs(statements: &str) -> String {
    format!(
        "/* test f\n a=0 b=0\n a=0 b=1\n a=1 b=0\n a=1 b=1 */\n\
         int seen;\nint f(int a, int b) {{ int n = 0; {statements} return n; }}\n"
    )
}

/// The tags that reach `seen` do not depend on how a multiway branch is written.
fn assert_same_tags(forms: &[&str], expected: [&str; 4]) {
    for form in forms {
        let tags = tags_that_reach_seen(&with_two_inputs(form), Observability::Tags);
        assert_eq!(tags, expected, "{form}");
    }
}

#[test]
fn what_another_arm_of_a_multiway_branch_assigns_has_an_implicit_flow() {
    assert_same_tags(
        &[
            "if (a && b) seen = 1;",
            "switch (a && b) { case 1: seen = 1; }",
            "static void *const to[] = { &&no, &&yes }; goto *to[a && b]; yes: seen = 1; no: ;",
        ],
        ["a=false", "a=false", "b=false", "a=true b=true"],
    );
}

#[test]
fn what_lies_behind_a_multiway_branch_has_the_implicit_flow_of_a_branch_around_it() {
    assert_same_tags(
        &[
            "if (a && b) switch (n) { case 0: seen = 1; break; case 1: n = 2; }",
            "static void *const to[] = { &&zero, &&one }; if (a && b) { \
             goto *to[n]; zero: seen = 1; goto end; one: n = 2; } end: ;",
        ],
        ["a=false", "a=false", "b=false", "a=true b=true"],
    );
}

#[test]
fn what_follows_the_join_of_a_multiway_branch_has_no_implicit_flow() {
    assert_same_tags(
        &[
            "if (a && b) n = 1; seen = 2;",
            "switch (a && b) { case 1: n = 1; } seen = 2;",
            "static void *const to[] = { &&no, &&yes }; goto *to[a && b]; yes: n = 1; no: seen = 2;",
        ],
        ["", "", "", ""],
    );
}
