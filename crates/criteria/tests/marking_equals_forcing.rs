//! Marking gives exactly what the definition by forcing gives: for every
//! Boolean tree of up to 5 conditions, negated in every possible way, on every
//! evaluation; and for random trees of up to 12.

mod reference;

use std::sync::atomic::{AtomicUsize, Ordering};

use obligato_criteria::marking::{Conditions, Marker, unmasked};
use obligato_model::{BitSet, BoolTree, Circuit, Operator};
use proptest::prelude::*;
use reference::{Expr, all_trees, negated, places, row_values, truth_table};

/// What marking makes of one row: outcome, evaluated and unmasked conditions.
fn mark<S: Conditions>(
    marker: &Marker<S>,
    values: impl Fn(usize) -> bool,
) -> (bool, BitSet, BitSet) {
    let mut activation = marker.start();
    let mut evaluated = BitSet::empty(marker.conditions());
    loop {
        let condition = activation.expected();
        evaluated.insert(condition);
        if let Some(outcome) = marker.mark(&mut activation, condition, values(condition)).outcome()
        {
            return (outcome, evaluated, activation.unmasked());
        }
    }
}

/// No constants.
fn free(tree: &BoolTree) -> Vec<Option<bool>> {
    vec![None; tree.conditions()]
}

fn check_every_row(expr: &Expr) {
    let tree = expr.tree();
    let marker = Marker::<u64>::new(&tree, &free(&tree));
    let table = truth_table::rows(expr);
    for row in 0..1_u32 << expr.conditions() {
        let (outcome, evaluated, pending) = mark(&marker, |c| row >> c & 1 == 1);
        let expected = (
            table.outcome >> row & 1 == 1,
            u64::from(table.evaluated_in(row)),
            u64::from(table.unmasked(row)),
        );
        let found = (outcome, evaluated.words()[0], pending.words()[0]);
        assert_eq!(found, expected, "{tree} on row {row:b}");
    }
}

/// Every tree of this size with every set of negations, on all cores.
fn for_every_tree(conditions: usize, check: impl Fn(&Expr) + Sync) -> usize {
    let trees = all_trees(conditions);
    let (next, checked) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(tree) = trees.get(next.fetch_add(1, Ordering::Relaxed)) {
                    for negations in 0..1_u32 << places(tree) {
                        check(&negated(tree, &mut negations.clone()));
                        checked.fetch_add(1, Ordering::Relaxed);
                    }
                }
            });
        }
    });
    checked.into_inner()
}

#[test]
fn the_truth_table_reference_is_the_definition_on_every_tree_up_to_four_conditions() {
    for conditions in 1..=3 {
        for_every_tree(conditions, truth_table::agrees_with_the_definition);
    }
    for tree in all_trees(4) {
        truth_table::agrees_with_the_definition(&tree);
    }
}

#[test]
fn marking_is_the_definition_on_every_tree_up_to_five_conditions() {
    let counts = [1, 2, 3, 4, 5].map(|conditions| for_every_tree(conditions, check_every_row));
    // 1, 7, 100, 1785 and 35684 shapes; a shape of n conditions made of two-operand
    // operators has 2n-1 places for a negation, one fewer per choice.
    assert_eq!(counts[..2], [2, 7 * 8]);
    assert!(counts[4] > 17_000_000, "{counts:?}");
}

#[test]
fn wide_marking_is_narrow_marking_on_every_tree_up_to_three_conditions() {
    for conditions in 1..=3 {
        for_every_tree(conditions, |expr| {
            let tree = expr.tree();
            let (narrow, wide) = (
                Marker::<u64>::new(&tree, &free(&tree)),
                Marker::<BitSet>::new(&tree, &free(&tree)),
            );
            for row in 0..1_u32 << conditions {
                let values = |c: usize| row >> c & 1 == 1;
                assert_eq!(mark(&narrow, values), mark(&wide, values), "{tree}");
            }
        });
    }
}

fn bit_set(size: usize, members: &[usize]) -> BitSet {
    let mut set = BitSet::empty(size);
    for &member in members {
        set.insert(member);
    }
    set
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn marking_is_the_definition_on_random_trees_up_to_twelve_conditions(
        expr in reference::any_tree(12).prop_filter("up to 12", |expr| expr.conditions() <= 12),
        row: u32,
    ) {
        let conditions = expr.conditions();
        let values = row_values(conditions, row);
        let (seen, outcome) = reference::evaluate(&expr, &values);
        let expected =
            (outcome, bit_set(conditions, &seen), bit_set(conditions, &reference::unmasked(&expr, &values)));
        let tree = expr.tree();
        prop_assert_eq!(mark(&Marker::<u64>::new(&tree, &free(&tree)), |c| values[c]), expected.clone());
        prop_assert_eq!(mark(&Marker::<BitSet>::new(&tree, &free(&tree)), |c| values[c]), expected.clone());
        let evaluation = tree.evaluate(&values);
        prop_assert_eq!(evaluation.evaluated(), &expected.1);
        prop_assert_eq!(unmasked(&tree, &free(&tree), &evaluation), Some(expected.2));
    }

    #[test]
    fn marking_with_constants_is_the_definition_with_constants(
        expr in reference::any_tree(8).prop_filter("up to 10", |expr| expr.conditions() <= 10),
        row: u32,
        fixed: u32,
    ) {
        let conditions = expr.conditions();
        let values = row_values(conditions, row);
        // The conditions that are constant have the values of this row.
        let constants: Vec<Option<bool>> = (0..conditions)
            .map(|at| (fixed >> at & 1 == 1).then_some(values[at]))
            .collect();
        let tree = expr.tree();
        let expected = reference::unmasked_with(&expr, &values, &constants);
        let found = unmasked(&tree, &constants, &tree.evaluate(&values));
        prop_assert_eq!(found, Some(bit_set(conditions, &expected)));
    }
}

#[test]
fn a_thousand_conditions_are_marked_as_one_pass_over_the_tree_says() {
    let operators = ["&&", "||", "and", "xor", "=>", "or", "="];
    for (name, operators) in [("and", &operators[..1]), ("mixed", &operators[..])] {
        let text = (0..1000)
            .map(|i| format!("a {} (", operators[i % operators.len()]))
            .collect::<String>()
            + "a"
            + &")".repeat(1000);
        let tree = obligato_model::tree::parse(&text).unwrap().tree;
        let marker = Marker::<BitSet>::new(&tree, &free(&tree));
        for row in 0..50_usize {
            let values: Vec<bool> = (0..=1000).map(|c| (c * 7 + row) % 11 != row % 3).collect();
            let (outcome, evaluated, pending) = mark(&marker, |c| values[c]);
            let evaluation = tree.evaluate(&values);
            assert_eq!(
                (outcome, &evaluated),
                (evaluation.outcome, evaluation.evaluated()),
                "{name}"
            );
            assert_eq!(pending, sensitive(&tree, &evaluation, &values), "{name}");
        }
    }
}

/// The unmasked conditions top-down, in one pass over the nodes: in a read-once
/// tree an operand decides when its parent does and its siblings let it.
fn sensitive(tree: &BoolTree, evaluation: &obligato_model::Evaluation, values: &[bool]) -> BitSet {
    use obligato_model::{Node, NodeId};
    let results = tree.values_of_nodes(values);
    let result = |id: NodeId| results[id.index()];
    let ran = |id: NodeId| evaluation.evaluated().contains(tree.conditions_of(id).start);
    let mut decides = vec![false; results.len()];
    decides[tree.root().index()] = true;
    let mut set = BitSet::empty(tree.conditions());
    for index in (0..results.len()).rev() {
        let here = decides[index];
        match tree.nodes()[index] {
            Node::Condition(c) if here && evaluation.evaluated().contains(c as usize) => {
                set.insert(c as usize);
            }
            Node::Condition(_) => {}
            Node::Not(a) => decides[a.index()] = here,
            Node::Binary(operator, a, b) => {
                let other =
                    |right: bool| operator.apply(false, right) != operator.apply(true, right);
                decides[a.index()] = here && (!ran(b) || other(result(b)));
                decides[b.index()] =
                    here && operator.apply(result(a), false) != operator.apply(result(a), true);
            }
            Node::Choose(circuit, a, b, c) => {
                decides[a.index()] = here && (circuit == Circuit::Short || result(b) != result(c));
                decides[b.index()] = here && result(a);
                decides[c.index()] = here && !result(a);
            }
        }
    }
    set
}

#[test]
fn nested_exclusive_ors_stay_small_when_compiled() {
    // Resolving doubles if its steps are not shared; 64 levels would never end.
    let text = (0..63).map(|_| "a xor (").collect::<String>() + "a" + &")".repeat(63);
    let tree = obligato_model::tree::parse(&text).unwrap().tree;
    let (_, _, pending) = mark(&Marker::<u64>::new(&tree, &free(&tree)), |c| c % 3 == 0);
    assert_eq!(pending.len(), 64);
    assert!(matches!(tree.node(tree.root()), obligato_model::Node::Binary(Operator::Xor, ..)));
}
