//! Random models: those that are right are accepted, those that may be wrong do no harm, and
//! decisions mean what the expressions say.

mod support;

use std::collections::HashMap;

use obligato_lustre::analysis::{Model, Options, analyse};
use obligato_lustre_syntax::ast::{BinaryOperator as Binary, Expr, ExprId};
use obligato_lustre_syntax::parse;
use proptest::prelude::*;
use support::generator::Generator;
use support::render;

fn analysed(text: &str) -> Model {
    let parsed = parse(text.as_bytes())
        .unwrap_or_else(|why| panic!("{text}\n{}", render("random", text.as_bytes(), &why)));
    analyse(parsed.program, &Options::default())
        .unwrap_or_else(|why| panic!("{text}\n{}", render("random", text.as_bytes(), &why)))
}

/// The value of an expression as the language defines it, given those of the conditions.
fn direct(model: &Model, id: ExprId, conditions: &HashMap<ExprId, bool>) -> bool {
    if let Some(value) = conditions.get(&id) {
        return *value;
    }
    let value = |id| direct(model, id, conditions);
    match model.program.expr(id) {
        Expr::Unary(_, a) => !value(a),
        Expr::Binary(Binary::And, a, b) => value(a) & value(b),
        Expr::Binary(Binary::Or, a, b) => value(a) | value(b),
        Expr::Binary(Binary::Implies, a, b) => !value(a) | value(b),
        Expr::Binary(Binary::Equal, a, b) => value(a) == value(b),
        Expr::Binary(Binary::Xor | Binary::NotEqual, a, b) => value(a) != value(b),
        Expr::If(a, b, c) => {
            if value(a) {
                value(b)
            } else {
                value(c)
            }
        }
        other => panic!("{other:?} is neither an operator nor a condition"),
    }
}

/// The words of a text that could be names, with where they stand.
fn words(text: &str) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut start = None;
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        let part = c.is_ascii_alphanumeric() || c == '_';
        match (start, part) {
            (None, true) => start = Some(at),
            (Some(from), false) => {
                found.push((from, at));
                start = None;
            }
            _ => {}
        }
    }
    found
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn a_well_typed_model_is_accepted_in_a_causal_order(
        choices in prop::collection::vec(any::<u8>(), 0..400),
    ) {
        let text = Generator::model(choices);
        let model = analysed(&text);
        let main = model.main_node();
        prop_assert_eq!(model.text(main.name.symbol), "main");
        prop_assert_eq!(main.definitions.len(), 8);
    }

    #[test]
    fn a_decision_means_what_its_expression_says(
        choices in prop::collection::vec(any::<u8>(), 0..400),
        values in prop::collection::vec(any::<bool>(), 64),
    ) {
        let text = Generator::model(choices);
        let model = analysed(&text);
        for decision in model.nodes.iter().flat_map(|node| &node.decisions) {
            let spans: Vec<_> = decision
                .conditions
                .iter()
                .map(|condition| model.program.expr_span(condition.expr))
                .collect();
            for pair in spans.windows(2) {
                prop_assert!(pair[0].end <= pair[1].start, "{text}\n{spans:?}");
            }
            let values: Vec<_> = values.iter().copied().cycle().take(spans.len()).collect();
            let ids = decision.conditions.iter().map(|condition| condition.expr);
            let by_id = ids.zip(values.iter().copied()).collect();
            let outcome = decision.tree.evaluate(&values).outcome;
            prop_assert_eq!(outcome, direct(&model, decision.root, &by_id));
        }
    }

    #[test]
    fn a_swapped_name_gives_diagnostics_or_another_model_but_no_panic(
        choices in prop::collection::vec(any::<u8>(), 0..200),
        swaps in prop::collection::vec((any::<u16>(), any::<u16>()), 1..4),
    ) {
        let mut text = Generator::model(choices);
        for (at, with) in swaps {
            let words = words(&text);
            let (start, end) = words[at as usize % words.len()];
            let (from, to) = words[with as usize % words.len()];
            let word = text[from..to].to_owned();
            text.replace_range(start..end, &word);
        }
        let Ok(parsed) = parse(text.as_bytes()) else { return Ok(()) };
        if let Err(diagnostics) = analyse(parsed.program, &Options::default()) {
            prop_assert!(!diagnostics.is_empty());
            for diagnostic in &diagnostics {
                prop_assert!(diagnostic.span.end as usize <= text.len());
                prop_assert!(!diagnostic.message.is_empty());
            }
        }
    }
}
