//! Every criterion finds what it asks for in runs of either language: whoever records runs watches for all of them.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::path::Path;

use obligato::Stop;
use obligato::judging::JudgingOptions;
use obligato::measure::{MeasureRequest, measure};
use obligato::progress::ignore;
use obligato::subject::SubjectOptions;
use obligato_model::criterion::ALL;
use obligato_model::{ElementKind, Limit, Unsupported, Verdict};

const UNIT: &str = "\
int f(int a, int b) {
    int r = 0;
    if (a > 2 && b)
        r = 1;
    switch (b) {
    case 1: r += 2; break;
    default: r += 4;
    }
    return r;
}
";

const MODEL: &str = "\
node main(a: int; b: bool) returns (r: int; s: bool);
let
  s = a > 2 and b;
  r = if s then 1 else 2;
tel
";

/// Measures one suite by every criterion: which kinds of elements are covered by which.
fn covered(directory: &Path, file: &str, text: &str, suite: &str) -> BTreeSet<ElementKind> {
    let (file, tests) = (directory.join(file), directory.join(format!("{file}.csv")));
    std::fs::write(&file, text).unwrap();
    std::fs::write(&tests, suite).unwrap();
    let mut subject = SubjectOptions::new(&file);
    subject.unit.no_native = true;
    let mut kinds = BTreeSet::new();
    // Mutants take runs of their own.
    for criterion in ALL.into_iter().filter(|one| !one.is_mutation()) {
        let request = MeasureRequest {
            subject: subject.clone(),
            tests: tests.clone(),
            format: None,
            observe: Vec::new(),
            judging: JudgingOptions::new([criterion]),
        };
        let measured = measure(&request, &Stop::never(), &mut ignore).unwrap();
        let assessment = &measured.assessment;
        let judged = || assessment.plan.obligations.iter().zip(&assessment.verdicts);
        for (obligation, verdict) in judged() {
            let is_watched = !matches!(
                verdict,
                Verdict::Unresolved(Limit::Unsupported(
                    Unsupported::NotWatched(_) | Unsupported::OperandsNotRecorded
                ))
            );
            assert!(is_watched, "{criterion}: {} is not watched: {verdict:?}", obligation.key);
        }
        for kind in criterion.asks() {
            let of_kind = |goal: &obligato_model::Goal| goal.element().kind() == *kind;
            let mut of_kind = judged().filter(|(one, _)| of_kind(&one.goal)).peekable();
            if of_kind.peek().is_none() {
                continue;
            }
            let is_covered = |verdict: &Verdict| matches!(verdict, Verdict::Covered { .. });
            assert!(
                of_kind.any(|(_, verdict)| is_covered(verdict)),
                "{criterion} finds no event of any {kind:?} in {}",
                file.display()
            );
            kinds.insert(*kind);
        }
    }
    kinds
}

#[test]
fn every_criterion_finds_what_it_asks_for_in_runs_of_either_language() {
    let directory = tempfile::tempdir().unwrap();
    let suite = "a,b\n3,1\n\n3,0\n\n2,1\n\n2,0\n";
    let of_unit = covered(directory.path(), "f.c", UNIT, suite);
    let of_model = covered(directory.path(), "m.lus", MODEL, suite);
    let (function, exit) = (ElementKind::Function, ElementKind::Exit);
    let (statement, arm) = (ElementKind::Statement, ElementKind::Arm);
    let (decision, condition) = (ElementKind::Decision, ElementKind::Condition);
    assert_eq!(of_unit, BTreeSet::from([function, exit, statement, arm, decision, condition]));
    assert_eq!(of_model, BTreeSet::from([statement, decision, condition]));
}
