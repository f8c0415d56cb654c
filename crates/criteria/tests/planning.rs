//! Plans: what is listed, under which names, and what the plan itself settles.

#[allow(dead_code)]
mod harness;

use harness::{add_decision, add_function, assess, program, recording};
use obligato_criteria::{JudgeError, Vectors, collect, judge, mcc, plan};
use obligato_model::criterion::ALL;
use obligato_model::program::{NewCondition, NewDecision};
use obligato_model::{
    ConditionEvaluation, ConditionId, Criterion, ElementKind, Exit, Independence, Limit, Method,
    Mutant, Observability, Plan, Program, Proof, RecordedEvent, Role, Shortfall, Span, Statement,
    Strength, Verdict, tree,
};

fn keys(plan: &Plan) -> Vec<&str> {
    plan.obligations.iter().map(|obligation| obligation.key.as_str()).collect()
}

fn full_program() -> Program {
    let mut program = program(&["a && (b || c)", "d"]);
    let function = program.decisions()[0].function;
    let span = Span::of_line("return 0;");
    program.add_exit(Exit { function, span, text: "return 0;".to_owned() });
    program.add_statement(Statement {
        function,
        span: Span::of_line("x++;"),
        text: "x++;".to_owned(),
    });
    let arms =
        ["case 0", "default (implicit)"].map(|label| (label.to_owned(), Span::of_line(label)));
    program.add_switch(function, Span::of_line("switch (x)"), "switch (x)".to_owned(), arms);
    program.add_mutant(Mutant {
        function,
        span: Span::of_line("x++"),
        operator: "arithmetic".to_owned(),
        original: "x++".to_owned(),
        replacement: "x--".to_owned(),
    });
    program
}

#[test]
fn every_criterion_lists_its_obligations() {
    let program = full_program();
    let counts: Vec<String> = ALL
        .iter()
        .map(|criterion| format!("{criterion} {}", plan(&program, &[*criterion]).obligations.len()))
        .collect();
    assert_eq!(
        counts,
        [
            "statement 1",
            "branch 6",
            "entry-exit 1",
            "decision 4",
            "condition 8",
            "cdc 12",
            "mcc 6",
            "mcdc 9",
            "mcdc:unique-cause 9",
            "bvc 0",
            "omcdc 8",
            "omcdc:tags 8",
            "omcdc:exact 8",
            "obvc 0",
            "obvc:tags 0",
            "obvc:exact 0",
            "mutation 1",
            "mutation:weak 1",
        ]
    );
}

#[test]
fn every_criterion_says_which_elements_its_goals_are_about() {
    let program = full_program();
    for criterion in ALL {
        let goals = plan(&program, &[criterion]).obligations;
        let kinds: Vec<ElementKind> = goals.iter().map(|one| one.goal.element().kind()).collect();
        let is_asked = |kind: &ElementKind| criterion.asks().contains(kind);
        assert!(kinds.iter().all(is_asked), "{criterion}: {kinds:?}");
        // Nothing compares numbers here, and no function is entered.
        for kind in criterion.asks() {
            let is_here = *kind != ElementKind::Function && !criterion.needs_operands();
            assert_eq!(kinds.contains(kind), is_here, "{criterion}: {kind:?}");
        }
    }
}

#[test]
fn keys_are_unique_over_all_criteria() {
    let everything = plan(&full_program(), &ALL);
    let mut all = keys(&everything);
    let count = all.len();
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), count);
    assert!(all.contains(&"mcdc@unit.c#f/decision-e4c7e2aa.1/c2=T"), "{all:?}");
}

#[test]
fn keys_survive_edits_elsewhere_and_reformatting() {
    let before = plan(&full_program(), &ALL);
    let mut edited = Program::new();
    let other = add_function(&mut edited, "g");
    add_decision(&mut edited, other, "a && (b || c)");
    let function = add_function(&mut edited, "f");
    add_decision(&mut edited, function, "new || condition");
    add_decision(&mut edited, function, "a\n   && (b||c)");
    add_decision(&mut edited, function, "d");
    // Something new before everything that was there.
    for text in ["return early;", "return  0;"] {
        edited.add_exit(Exit { function, span: Span::of_line(text), text: text.to_owned() });
    }
    for text in ["y++;", "x ++;"] {
        edited.add_statement(Statement {
            function,
            span: Span::of_line(text),
            text: text.to_owned(),
        });
    }
    for text in ["switch (y)", "switch (x)"] {
        let arms = ["case 7", "case 0", "default (implicit)"];
        let arms = arms.map(|label| (label.to_owned(), Span::of_line(label)));
        edited.add_switch(function, Span::of_line(text), text.to_owned(), arms);
    }
    for original in ["y++", "x++"] {
        edited.add_mutant(Mutant {
            function,
            span: Span::of_line(original),
            operator: "arithmetic".to_owned(),
            original: original.to_owned(),
            replacement: "x--".to_owned(),
        });
    }
    let after = plan(&edited, &ALL);
    let after = keys(&after);
    for key in keys(&before) {
        assert!(after.contains(&key), "{key}");
    }
}

#[test]
fn the_same_text_twice_in_a_function_has_two_names() {
    let twice = plan(&program(&["a", "a"]), &[Criterion::Decision]);
    assert_eq!(keys(&twice)[0].replace(".1=", ".2="), keys(&twice)[2]);
}

#[test]
fn each_occurrence_is_a_condition_and_coupled_ones_are_marked() {
    let plan = plan(&program(&["(a && b) || (a && c)"]), &[Criterion::Condition]);
    let texts: Vec<&str> =
        plan.obligations.iter().map(|one| one.text.as_str()).step_by(2).collect();
    assert_eq!(
        texts,
        [
            "condition 1 `a` (coupled with 3) is true",
            "condition 2 `b` is true",
            "condition 3 `a` (coupled with 1) is true",
            "condition 4 `c` is true",
        ]
    );
}

#[test]
fn what_a_suite_lacks_is_said_as_precisely_as_possible() {
    let program = program(&["a && (b || c)", "never"]);
    let recording = recording(&program, &["TTT", "TFF", "TTF"]);
    let assessment = assess(&program, &recording, &["mcdc"]);
    let lacks: Vec<(&str, Shortfall)> = assessment
        .plan
        .obligations
        .iter()
        .zip(&assessment.verdicts)
        .filter_map(|(obligation, verdict)| match verdict {
            Verdict::Unresolved(Limit::Suite(shortfall)) => {
                Some((&obligation.text[..22], *shortfall))
            }
            _ => None,
        })
        .collect();
    assert_eq!(
        lacks,
        [
            ("condition 1 `a` is fal", Shortfall::NeverWithValue),
            ("condition 3 `c` is tru", Shortfall::NeverWithValue),
            ("condition 1 `never` is", Shortfall::NeverReached),
            ("condition 1 `never` is", Shortfall::NeverReached),
        ]
    );
    let masked = assess(&program, &harness::recording(&program, &["TFF"]), &["mcdc"]);
    assert_eq!(masked.verdicts[0], Verdict::Unresolved(Limit::Suite(Shortfall::AlwaysMasked)));
    let alone = assess(&program, &harness::recording(&program, &["TTF"]), &["mcdc:unique-cause"]);
    assert_eq!(alone.verdicts[0], Verdict::Unresolved(Limit::Suite(Shortfall::NoPartner)));
}

#[test]
fn vectors_past_counting_become_one_honest_obligation() {
    let wide = vec!["a"; 200].join(" and ");
    let program = program(&[&wide]);
    let plan = plan(&program, &[Criterion::Mcc]);
    assert_eq!(plan.obligations.len(), 1);
    let evidence = collect(&program, &recording(&program, &[&"T".repeat(200)]), Vectors::Keep)
        .expect("consistent");
    let assessment = judge(&program, plan, &evidence).expect("nothing refuted");
    let Verdict::Unresolved(Limit::TooMany(what)) = &assessment.verdicts[0] else { panic!() };
    assert!(what.to_string().starts_with("more than 10^38 evaluation vectors"), "{what}");
}

#[test]
fn vectors_are_counted_as_they_are_listed() {
    for text in [
        "a",
        "a && (b || c)",
        "a and (b or c)",
        "(a ^ b) || c",
        "a ? b && c : d",
        "if a then b else c and d",
        "!(a => b) && (c == d || e)",
    ] {
        let tree = tree::parse(text).expect("a decision").tree;
        assert_eq!(mcc::count(&tree), mcc::list(&tree).len() as u128, "{text}");
    }
    let chain = vec!["a"; 1000].join(" && ");
    let tree = tree::parse(&chain).expect("a decision").tree;
    assert_eq!(mcc::count(&tree), 1001);
    assert_eq!(mcc::list(&tree).len(), 1001);
}

#[test]
fn a_thousand_conditions_are_planned_and_judged_by_every_criterion_of_decisions() {
    let text = (0..1000).map(|at| format!("c{at}")).collect::<Vec<_>>().join(" && ");
    let program = program(&[&text]);
    let mut rows: Vec<String> = vec!["T".repeat(1000)];
    rows.extend((0..1000).map(|at| {
        let mut row = "T".repeat(1000);
        row.replace_range(at..=at, "F");
        row
    }));
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let mut recording = recording(&program, &rows);
    // All true shows every true half, the n-th other row the n-th false one.
    recording.watched.effects = vec![Observability::Strict];
    for (index, test) in recording.tests.iter_mut().enumerate() {
        let decisive = if index == 0 { 0..1000 } else { index - 1..index };
        test.events.extend(decisive.map(|at| {
            let condition = ConditionId::new(at);
            let value = index == 0;
            let evaluation = ConditionEvaluation { condition, value, operands: None };
            RecordedEvent::Observed(evaluation, Observability::Strict)
        }));
    }
    for (criterion, count) in [
        ("branch", 2),
        ("decision", 2),
        ("cdc", 2002),
        ("omcdc", 2000),
        ("condition", 2000),
        ("mcdc", 2000),
        ("mcdc:unique-cause", 2000),
        ("mcc", 1001),
    ] {
        let assessment = assess(&program, &recording, &[criterion]);
        assert_eq!(harness::score(&assessment), (count, count), "{criterion}");
    }
}

#[test]
fn a_test_that_does_what_is_proved_impossible_refutes_the_proof_loudly() {
    let program = program(&["a"]);
    let criterion = Criterion::Mcdc(Independence::Masking);
    let mut plan = plan(&program, &[criterion]);
    let proof = Proof { method: Method::Invariant, assumptions: Vec::new() };
    plan.obligations[1].settled = Some(Verdict::Uncoverable(proof));
    let with = |row: &str| {
        collect(&program, &recording(&program, &[row]), Vectors::Drop).expect("consistent")
    };
    let assessment = judge(&program, plan.clone(), &with("T")).expect("not refuted");
    assert_eq!(assessment.tally(criterion).uncoverable, 1);
    let error = judge(&program, plan, &with("F")).expect_err("refuted");
    assert!(error.to_string().contains("test 'F' covers it"), "{error}");
}

#[test]
fn a_constant_rules_out_its_other_value_and_what_it_masks() {
    let mut program = Program::new();
    let function = add_function(&mut program, "f");
    let span = Span::of_line("a && 0");
    let condition = |text: &str, constant| NewCondition {
        span,
        text: text.to_owned(),
        constant,
        relation: None,
    };
    let conditions = vec![condition("a", None), condition("0", Some(false))];
    let tree = tree::parse("a && b").expect("a decision").tree;
    let (text, role) = ("a && 0".to_owned(), Role::Control);
    program
        .add_decision(NewDecision { function, span, text, role, tree, conditions })
        .expect("a decision");
    let assessment = assess(&program, &recording(&program, &["TF", "FF"]), &["mcdc", "decision"]);
    let names: Vec<&str> = assessment.verdicts.iter().map(Verdict::name).collect();
    // a decides nothing; 0 has only one value and decides with it; the outcome is false.
    let expected =
        ["uncoverable", "uncoverable", "uncoverable", "covered", "uncoverable", "covered"];
    assert_eq!(names, expected);
}

#[test]
fn whole_evaluations_that_were_not_kept_are_missed_loudly() {
    let program = program(&["a"]);
    let evidence =
        collect(&program, &recording(&program, &["T"]), Vectors::Drop).expect("consistent");
    for criterion in [Criterion::Mcc, Criterion::Mcdc(Independence::UniqueCause)] {
        let error = judge(&program, plan(&program, &[criterion]), &evidence).expect_err("missing");
        assert_eq!(error, JudgeError::NoVectors(criterion));
    }
}

#[test]
fn what_nobody_watched_for_is_not_said_to_have_failed() {
    let program = full_program();
    let recording = recording(&program, &["TTT"]);
    let unwatched = assess(&program, &recording, &["omcdc", "mutation"]);
    assert!(unwatched.verdicts.iter().all(|verdict| matches!(
        verdict,
        Verdict::Unresolved(Limit::Unsupported(reason)) if reason.to_string().contains("did not watch")
    )));
    let mut watched = recording;
    watched.watched.kills.push(Strength::Strong);
    let survived = assess(&program, &watched, &["mutation"]);
    assert_eq!(survived.verdicts, [Verdict::Unresolved(Limit::Suite(Shortfall::Survived))]);
}
