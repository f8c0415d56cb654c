//! The static table: the paper's figures, and its size.

use super::*;
use obligato_model::tree::parse;

fn table(text: &str) -> Table {
    let tree = parse(text).unwrap().tree;
    Table::new(&tree, &vec![None; tree.conditions()])
}

/// The conditions that (condition, value) masks, counted from 1 as in the paper.
fn masks(table: &Table, condition: usize, value: bool) -> Vec<usize> {
    let mut all: Vec<usize> =
        table.masked_by(condition - 1, value).into_iter().flatten().map(|c| c + 1).collect();
    all.sort_unstable();
    all
}

fn ends(table: &Table, condition: usize) -> [bool; 2] {
    [true, false].map(|value| table.ends(condition - 1, value) != Ends::No)
}

#[test]
fn figure_2_a_and_b_or_c() {
    let table = table("a && (b || c)");
    for (condition, on_true, on_false, ends_on) in [
        (1, vec![], vec![], [false, true]),
        (2, vec![], vec![], [true, false]),
        (3, vec![2], vec![1], [true, true]),
    ] {
        assert_eq!(masks(&table, condition, true), on_true, "condition {condition}");
        assert_eq!(masks(&table, condition, false), on_false, "condition {condition}");
        assert_eq!(ends(&table, condition), ends_on, "condition {condition}");
    }
}

#[test]
fn a_condition_left_of_one_operator_and_right_of_another_masks_further_up() {
    // Section III-C: b is on the left of `||` and yet, when true, masks through `&&`.
    let table = table("a || (b && c)");
    assert_eq!(masks(&table, 2, false), Vec::<usize>::new());
    assert_eq!(masks(&table, 3, true), [1]);
    assert_eq!(masks(&table, 3, false), [2]);
    let negated = self::table("a && !(b || c)");
    assert_eq!(masks(&negated, 2, true), [1]);
    assert_eq!(negated.ends(1, true), Ends::Yes(false));
    assert_eq!(masks(&negated, 3, true), [1, 2]);
    assert_eq!(masks(&negated, 3, false), Vec::<usize>::new());
}

#[test]
fn a_skipped_constant_lets_nothing_decide_that_it_rules_out() {
    let tree = parse("a && b").unwrap().tree;
    let masked = |constant| masks(&Table::new(&tree, &[None, constant]), 1, false);
    assert_eq!(masked(Some(false)), [1], "a && false is false whatever a is");
    assert!(masked(Some(true)).is_empty());
    assert!(masked(None).is_empty());
}

#[test]
fn exclusive_or_masks_nothing_and_its_end_depends_only_when_something_follows() {
    let alone = table("a xor b");
    assert_eq!(alone.ends(0, true), Ends::No);
    assert_eq!(alone.ends(1, true), Ends::Depends);
    assert!(masks(&alone, 2, true).is_empty());
}

#[test]
fn the_table_is_linear_in_the_decision_whatever_its_shape() {
    let chain = |operator: &str, n: usize| vec!["a"; n].join(operator);
    let right_nested = |operators: [&str; 2], n: usize| {
        let open: String = (0..n).map(|i| format!("a {} (", operators[i % 2])).collect();
        format!("{open}a{}", ")".repeat(n))
    };
    for n in [100, 1000] {
        for text in [
            chain(" && ", n),
            chain(" xor ", n),
            chain(" or ", n),
            right_nested(["&&", "||"], n),
            right_nested(["xor", "="], n),
            right_nested(["and", "or"], n),
            right_nested(["=>", "xor"], n),
        ] {
            let size = table(&text).ids().len();
            assert!(size <= 12 * (n + 1), "{size} steps for {n} conditions: {}", &text[..40]);
        }
    }
}
