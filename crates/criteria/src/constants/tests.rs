//! Constants against brute force: what is ruled out never happens in any
//! evaluation that respects the constants, and what happens nowhere is ruled out.

use super::*;
use crate::marking::unmasked;
use obligato_model::tree::parse;

/// The constants of a text: conditions called `1` and `0`.
fn analyse(text: &str) -> (BoolTree, Vec<Option<bool>>, Possible) {
    let parsed = parse(text).unwrap();
    let constants: Vec<Option<bool>> = parsed
        .conditions
        .iter()
        .map(|range| match &text[range.clone()] {
            "1" => Some(true),
            "0" => Some(false),
            _ => None,
        })
        .collect();
    let possible = Possible::of(&parsed.tree, &constants);
    (parsed.tree, constants, possible)
}

#[test]
fn constants_rule_out_exactly_what_no_evaluation_does() {
    for text in [
        "1",
        "0 && a",
        "1 && a",
        "1 || a",
        "0 || a",
        "a && 0",
        "a || 1",
        "a && 1",
        "a & 0",
        "a | 1",
        "a ^ 1",
        "a == 0",
        "0 => a",
        "a => 1",
        "1 ? a : b",
        "0 ? a : b",
        "if 1 then a else b",
        "if a then 1 else b",
        "if a then 1 else 1",
        "a ? 0 : b",
        "a ? 1 : 1",
        "a ? 0 : 1",
        "(a || b) && 0",
        "0 && (a || b)",
        "(a || 1) && b",
        "!(0 && a) && b",
        "(a & 0) || (b && 1)",
        "(1 ^ a) && (0 | b)",
    ] {
        let (tree, constants, possible) = analyse(text);
        let count = tree.conditions();
        let mut outcomes = [false; 2];
        let mut taken = vec![[false; 2]; count];
        let mut decided = vec![false; count];
        for row in 0..1_u32 << count {
            let values: Vec<bool> = (0..count).map(|at| row >> at & 1 == 1).collect();
            if constants
                .iter()
                .zip(&values)
                .any(|(constant, value)| constant.is_some_and(|k| k != *value))
            {
                continue;
            }
            let evaluation = tree.evaluate(&values);
            outcomes[usize::from(evaluation.outcome)] = true;
            let unmasked = unmasked(&tree, &constants, &evaluation).unwrap();
            for at in evaluation.evaluated().iter() {
                taken[at][usize::from(values[at])] = true;
                decided[at] |= unmasked.contains(at);
            }
        }
        assert_eq!(possible.outcomes, outcomes, "{text}");
        assert_eq!(possible.taken, taken, "{text}");
        assert_eq!(possible.unmasked, decided, "{text}");
    }
}
