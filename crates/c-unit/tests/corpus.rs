//! Every construct that decides something in C, as a corpus of triples: `x.c`, `x.plan` (decisions with the
//! places where the code evaluates them) and `x.coverage` (what the tests in the file's first comment show, and that
//! machine code agrees). `BLESS=1` rewrites the expectations; read the difference.

#![expect(clippy::unwrap_used, reason = "the functions around the tests are tests too")]

#[allow(dead_code, unused_imports, reason = "each test uses what it needs")]
mod support;

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

use obligato_c_unit::run::{Observed, TestRun};
use obligato_c_unit::script::value_of;
use obligato_c_unit::{Interface, NativeOptions, Options, RunOptions, Unit};
use obligato_criteria::{judge, plan};
use obligato_execute::Ending;
use obligato_model::{Assessment, Criterion, Independence, Observability, Verdict};
use support::{Rows, corpus, corpus_files, read_suite, source, suite_for};

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
    if env::var_os("BLESS").is_some() {
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
        let unit = Unit::load(&source(&name), Options::default()).unwrap();
        problems.extend(expect(&file.with_extension("plan"), &describe_plan(&unit)));
        let coverage = describe_coverage(&unit, &function, &tests);
        if coverage.contains("DISAGREES") {
            problems.push(format!("{name}:\n{coverage}"));
        }
        problems.extend(expect(&file.with_extension("coverage"), &coverage));
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
