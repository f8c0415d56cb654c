//! The papers' own examples, with the papers' own numbers.

#[allow(dead_code)]
mod harness;

use harness::{
    add_decision, add_function, assess, compared, comparison, covered, evaluation, program,
    recording, score, values,
};
use obligato_model::recording::ConditionEvaluation;
use obligato_model::{
    DecisionId, Observability, Program, RecordedEvent, RecordedTest, Recording, RelationOperator,
    Watched,
};

// "A Flexible and Non-intrusive Approach for Computing Complex Structural
// Coverage Metrics" (Whalen, Person, Rungta, Staats, Grijincu).

#[test]
fn non_intrusive_table_1_suites_give_masking_mcdc() {
    let and = program(&["A and B"]);
    assert_eq!(score(&assess(&and, &recording(&and, &["TT", "TF", "FT"]), &["mcdc"])), (4, 4));
    let and_or = program(&["A and (B or C)"]);
    let suite = recording(&and_or, &["TTF", "TFT", "TFF", "FFT"]);
    assert_eq!(score(&assess(&and_or, &suite, &["mcdc"])), (6, 6));
    for left_out in 0..4 {
        let mut smaller = suite.clone();
        smaller.tests.remove(left_out);
        let (shown, _) = score(&assess(&and_or, &smaller, &["mcdc"]));
        assert!(shown < 6, "the suite is minimal, but holds without its row {left_out}");
    }
}

#[test]
fn non_intrusive_table_1_short_circuit_vectors_of_and_and_or() {
    let vectors = |text: &str| {
        let tree = obligato_model::tree::parse(text).expect("a decision").tree;
        let rows = obligato_criteria::mcc::list(&tree).into_iter().map(|row| row.to_string());
        rows.collect::<Vec<_>>()
    };
    assert_eq!(vectors("A && B"), ["TT -> T", "TF -> F", "F- -> F"]);
    assert_eq!(vectors("A || B"), ["T- -> T", "FT -> T", "FF -> F"]);
}

#[test]
fn non_intrusive_figure_1_lists_the_six_obligations_we_plan() {
    // The instrumentation's tests, in its order, and the half each stands for.
    type Test = fn(bool, bool, bool) -> bool;
    let figure: [(&str, Test); 6] = [
        ("condition 1 `a` is true", |a, b, c| a && (b || c)),
        ("condition 2 `b` is true", |a, b, _| b && a),
        ("condition 3 `c` is true", |a, b, c| c && !b && a),
        ("condition 1 `a` is false", |a, _, _| !a),
        ("condition 2 `b` is false", |a, b, c| !b && !c && a),
        ("condition 3 `c` is false", |a, b, c| !c && !b && a),
    ];
    let program = program(&["a && (b || c)"]);
    for row in ["TTT", "TTF", "TFT", "TFF", "FTT", "FTF", "FFT", "FFF"] {
        let bits = values(row);
        let mut expected: Vec<&str> = figure
            .iter()
            .filter(|(_, holds)| holds(bits[0], bits[1], bits[2]))
            .map(|(half, _)| *half)
            .collect();
        expected.sort_unstable();
        let assessment = assess(&program, &recording(&program, &[row]), &["mcdc"]);
        let mut found: Vec<&str> = covered(&assessment)
            .into_iter()
            .map(|text| text.split(" and decides").next().expect("a first part"))
            .collect();
        found.sort_unstable();
        assert_eq!(found, expected, "{row}");
    }
}

// "Observable Modified Condition/Decision Coverage" (Whalen, Gay, You, Heimdahl, Staats).

/// Table I: `expr_1 = in_1 or in_2; out_1 = expr_1 and in_3`.
fn masking_example() -> (Program, [DecisionId; 2]) {
    let mut program = Program::new();
    let function = add_function(&mut program, "fragment");
    let first = add_decision(&mut program, function, "in_1 or in_2");
    let second = add_decision(&mut program, function, "expr_1 and in_3");
    (program, [first, second])
}

/// Runs the fragment on a test, with one condition perhaps forced.
fn out_1(inputs: &[bool], forced: Option<(usize, bool)>) -> bool {
    let force = |at: usize, value: bool| match forced {
        Some((condition, to)) if condition == at => to,
        _ => value,
    };
    let expr_1 = force(0, inputs[0]) | force(1, inputs[1]);
    force(2, expr_1) & force(3, inputs[2])
}

/// The conditions whose tags reach `out_1` by the rules of table II.
fn tags_at_out_1(inputs: &[bool]) -> Vec<usize> {
    let expr_1 = inputs[0] | inputs[1];
    // `or`: an operand's tags pass when the other is false; `and`: when it is true.
    let mut at_expr_1 = vec![2];
    at_expr_1.extend((!inputs[1]).then_some(0));
    at_expr_1.extend((!inputs[0]).then_some(1));
    let mut at_out = if inputs[2] { at_expr_1 } else { vec![] };
    at_out.extend(expr_1.then_some(3));
    at_out
}

fn record_fragment(rows: [&str; 4]) -> (Program, Recording) {
    let (program, [first, second]) = masking_example();
    let tests = rows.into_iter().map(|row| {
        let inputs = values(row);
        let outer = [inputs[0] | inputs[1], inputs[2]];
        let mut events = evaluation(&program, first, &inputs[..2]);
        events.extend(evaluation(&program, second, &outer));
        let conditions: Vec<ConditionEvaluation> = events
            .iter()
            .filter_map(|event| match event {
                RecordedEvent::Evaluated(evaluation) => Some(evaluation.clone()),
                _ => None,
            })
            .collect();
        for (at, evaluation) in conditions.iter().enumerate() {
            if out_1(&inputs, Some((at, !evaluation.value))) != out_1(&inputs, None) {
                events.push(RecordedEvent::Observed(evaluation.clone(), Observability::Exact));
            }
            if tags_at_out_1(&inputs).contains(&at) {
                events.push(RecordedEvent::Observed(evaluation.clone(), Observability::Tags));
            }
        }
        RecordedTest { name: row.to_owned(), events }
    });
    let tests = tests.collect();
    let effects = vec![Observability::Exact, Observability::Tags];
    let watched = Watched { effects, kills: Vec::new() };
    (program, Recording { watched, tests })
}

#[test]
fn observable_mcdc_table_1_test_set_1_has_mcdc_but_hides_the_first_statement() {
    let (program, recording) = record_fragment(["TFF", "FTF", "FFT", "TTT"]);
    assert_eq!(score(&assess(&program, &recording, &["mcdc"])), (8, 8));
    for semantics in ["omcdc:exact", "omcdc:tags"] {
        let assessment = assess(&program, &recording, &[semantics]);
        assert_eq!(score(&assessment), (6, 8), "{semantics}");
        let hidden = harness::with_verdict(&assessment, |verdict| verdict.name() == "unresolved");
        assert_eq!(
            hidden,
            [
                "condition 1 `in_1` is true and decides `in_1 or in_2`",
                "condition 2 `in_2` is true and decides `in_1 or in_2`",
            ]
        );
    }
}

#[test]
fn observable_mcdc_table_1_test_set_2_has_both() {
    let (program, recording) = record_fragment(["TFT", "FTT", "FFT", "TFF"]);
    for criterion in ["mcdc", "omcdc:exact", "omcdc:tags"] {
        assert_eq!(score(&assess(&program, &recording, &[criterion])), (8, 8), "{criterion}");
    }
}

// "Guided Test Generation for Coverage Criteria" (Pandita).

#[test]
fn guided_generation_figure_8_suite_has_mcdc_and_needs_z_to_be_true() {
    let program = program(&["x && (y || z)"]);
    let suite = ["FFF", "FFT", "TFF", "TTF", "TFT"];
    assert_eq!(score(&assess(&program, &recording(&program, &suite), &["mcdc"])), (6, 6));
    // Before guidance no test had z true while it mattered.
    let unguided = assess(&program, &recording(&program, &suite[..4]), &["mcdc"]);
    assert_eq!(score(&unguided), (5, 6));
    assert!(!covered(&unguided).iter().any(|text| text.starts_with("condition 3 `z` is true")));
}

fn sample_bvc(inputs: &[i64]) -> (Program, Recording) {
    let program = comparison();
    let tests = inputs.iter().map(|&x| RecordedTest {
        name: x.to_string(),
        events: vec![RecordedEvent::Evaluated(compared(x, 10))],
    });
    let tests = tests.collect();
    (program, Recording { watched: Watched::default(), tests })
}

#[test]
fn guided_generation_figures_2_and_4_reach_half_and_all_of_the_boundaries() {
    let (program, unguided) = sample_bvc(&[1, 1_073_741_824]);
    assert_eq!(
        covered(&assess(&program, &unguided, &["bvc"])),
        ["condition 1 `x >= 10` is true with x>y", "condition 1 `x >= 10` is false with x<y-k"]
    );
    let (program, guided) = sample_bvc(&[1, 9, 10, 1_073_741_824]);
    assert_eq!(score(&assess(&program, &guided, &["bvc"])), (4, 4));
    // Block coverage was complete before guidance.
    assert_eq!(score(&assess(&program, &unguided, &["branch"])), (2, 2));
}

#[test]
fn guided_generation_table_1_row_by_row() {
    let table = [
        (RelationOperator::Equal, "x=y | x=y+k x=y-k"),
        (RelationOperator::NotEqual, "x=y+k x=y-k | x=y"),
        (RelationOperator::Less, "x=y-k x<y-k | x=y x>y"),
        (RelationOperator::LessEqual, "x=y x<y | x=y+k x>y+k"),
        (RelationOperator::Greater, "x=y+k x>y+k | x=y x<y"),
        (RelationOperator::GreaterEqual, "x=y x>y | x=y-k x<y-k"),
    ];
    for (operator, row) in table {
        let side = |value: bool| {
            let boundaries = obligato_criteria::bvc::boundaries(operator).iter();
            let texts = boundaries.filter(|b| b.value == value).map(ToString::to_string);
            texts.collect::<Vec<_>>().join(" ")
        };
        assert_eq!(format!("{} | {}", side(true), side(false)), row, "{operator:?}");
    }
}
