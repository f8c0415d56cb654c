//! Verdicts from what engines conclude, gaps and shards, each by itself and together.

use obligato_criteria::{Vectors, collect, plan};
use obligato_decisions_file::{BoundFormulas, Formulas};
use obligato_model::{
    Criterion, Shortfall, Span, Spent, Suite, TestCase, TestId, Type, Undecided, Unsupported,
    Value, Variable,
};

use super::*;
use crate::event::Event;

fn bound() -> BoundFormulas {
    let inputs = [Variable { name: "a".to_owned(), kind: Type::Bool }];
    Formulas::parse("f", "a\n").expect("a formula").bind(&inputs).expect("bound")
}

/// The verdicts on the outcomes of `a`, of which a test takes one, by what else is known.
fn verdicts(knowledge: &Knowledge) -> Result<Vec<Verdict>, JudgeError> {
    let bound = bound();
    let program = &bound.program;
    let steps = vec![vec![Some(Value::Bool(true))]];
    let tests = vec![TestCase { name: "t".to_owned(), steps }];
    let suite = Suite { inputs: program.interface.inputs.clone(), tests };
    let recording = bound.replay(&suite).expect("replayed");
    let evidence = collect(program, &recording, Vectors::Drop).expect("consistent");
    let plan = plan(program, &[Criterion::Decision]);
    Ok(assess(program, plan, &evidence, knowledge)?.verdicts)
}

fn proof() -> Proof {
    Proof { method: Method::Invariant, assumptions: Vec::new() }
}

/// Conclusions on the outcomes true and false.
fn concluding(conclusions: [Option<Conclusion>; 2]) -> Knowledge {
    let conclusions = Conclusions { by_obligation: conclusions.into() };
    Knowledge { conclusions, ..Knowledge::default() }
}

#[test]
fn what_tests_leave_open_is_what_engines_conclude() {
    let covered = Verdict::Covered { tests: vec![TestId::new(0)], pair: None };
    let limit = Limit::Spent(Spent::Work(3));
    for (conclusion, expected) in [
        (None, Verdict::Unresolved(Limit::Suite(Shortfall::NeverWithValue))),
        (Some(Conclusion::Open(limit.clone())), Verdict::Unresolved(limit.clone())),
        (Some(Conclusion::Refuted(proof())), Verdict::Uncoverable(proof())),
    ] {
        let knowledge = concluding([Some(Conclusion::Open(limit.clone())), conclusion]);
        assert_eq!(verdicts(&knowledge), Ok(vec![covered.clone(), expected]));
    }
    let contradicted = concluding([Some(Conclusion::Refuted(proof())), None]);
    assert!(matches!(verdicts(&contradicted), Err(JudgeError::Refuted { .. })));
}

#[test]
fn a_gap_is_the_better_reason_unless_there_is_a_proof() {
    let bound = bound();
    let span = bound.program.decisions()[0].span;
    let at = |span: Span, reason| Gaps {
        regions: vec![Gap { file: "f".to_owned(), span, reason }],
        ..Gaps::default()
    };
    let what = Unsupported::Construct("a jump".to_owned());
    let gaps = at(span, GapReason::Unsupported(what.clone()));
    let open = Some(Conclusion::Open(Undecided::Divergence.into()));
    let knowledge = Knowledge { gaps: gaps.clone(), ..concluding([None, open]) };
    let open = verdicts(&knowledge).expect("judged");
    assert_eq!(open[1], Verdict::Unresolved(Limit::Unsupported(what)));
    let proved = concluding([None, Some(Conclusion::Refuted(proof()))]);
    let proved = verdicts(&Knowledge { gaps, ..proved }).expect("judged");
    assert_eq!(proved[1], Verdict::Uncoverable(proof()));
    let dead = Knowledge { gaps: at(span, GapReason::NoCode), ..Knowledge::default() };
    let dead = verdicts(&dead).expect("judged");
    let assumptions = vec![Assumption::NoCode];
    assert_eq!(dead[1], Verdict::Uncoverable(Proof { method: Method::Constant, assumptions }));
}

#[test]
fn what_is_open_and_belongs_to_another_shard_is_left_to_it() {
    let home = |index| Shard { index, count: 2 };
    let plan = plan(&bound().program, &[Criterion::Decision]);
    let key = &plan.obligations[1].key;
    for index in [1, 2] {
        let knowledge = Knowledge { shard: Some(home(index)), ..Knowledge::default() };
        let open = verdicts(&knowledge).expect("judged");
        assert!(matches!(open[0], Verdict::Covered { .. }));
        let left = open[1] == left_to_another_shard();
        assert_eq!(left, !home(index).holds(key));
    }
}

#[test]
fn a_ledger_says_why_each_obligation_is_open() {
    let bound = bound();
    let plan = plan(&bound.program, &[Criterion::Decision]);
    let mut ledger = Ledger::new(&bound.program, &plan);
    let wanted = ledger.open_events().to_vec();
    let [first, second] = wanted[..] else { panic!("two outcomes") };
    assert!(matches!(ledger.events().get(first), Event::Outcome(..)));
    ledger.note_limit(second, Undecided::Unobservable);
    let limit = Limit::Spent(Spent::Runs(7));
    let conclusions = Conclusions::of(&ledger, Some(&limit));
    assert_eq!(conclusions.get(0), Some(&Conclusion::Open(limit)));
    assert_eq!(conclusions.get(1), Some(&Conclusion::Open(Undecided::Unobservable.into())));
}

#[test]
fn a_reason_closes_only_what_is_open() {
    let reason = Justification {
        reason: "a defence".to_owned(),
        author: "me".to_owned(),
        date: "2026-01-01".to_owned(),
    };
    let open = Verdict::Unresolved(Limit::AnotherShard);
    let justified = Verdict::Justified(reason.clone());
    let withdrawn = Verdict::Unresolved(Limit::JustificationWithdrawn);
    let covered = Verdict::Covered { tests: Vec::new(), pair: None };
    let proved = Verdict::Uncoverable(proof());
    for (before, with, without) in [
        (&open, &justified, &open),
        (&justified, &justified, &withdrawn),
        (&covered, &covered, &covered),
        (&proved, &proved, &proved),
    ] {
        assert_eq!(apply_reason(before, Some(reason.clone())), *with);
        assert_eq!(apply_reason(before, None), *without);
    }
}

#[test]
fn parts_are_covered_by_the_tests_of_all() {
    let covered = |tests: &[usize]| Verdict::Covered {
        tests: tests.iter().map(|test| TestId::new(*test)).collect(),
        pair: None,
    };
    let (left, proved) = (left_to_another_shard(), Verdict::Uncoverable(proof()));
    let place = |part, test: TestId| TestId::new(10 * part + test.index());
    let merged = merge_parts(&[&left, &covered(&[2, 1]), &covered(&[0])], place);
    assert_eq!(merged, Ok((1, covered(&[11, 12, 20]))));
    assert_eq!(merge_parts(&[&left, &proved], place), Ok((1, proved.clone())));
    let contradict = PartsContradict { covering: 1, proving: 0 };
    assert_eq!(merge_parts(&[&proved, &covered(&[0])], place), Err(contradict));
    assert_eq!(merge_parts(&[], place), Ok((0, left)));
}
