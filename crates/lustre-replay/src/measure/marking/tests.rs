//! Marking in lanes against marking one evaluation at a time.

use obligato_criteria::marking::unmasked;
use obligato_model::Circuit;
use obligato_model::tree::TreeBuilder;
use proptest::prelude::*;

use super::*;

/// A random tree without short circuit: each byte combines what is there, or adds a condition.
fn tree(choices: &[u8]) -> BoolTree {
    let full = Circuit::Full;
    let operators = [
        Operator::And(full),
        Operator::Or(full),
        Operator::Xor,
        Operator::Equal,
        Operator::Implies,
    ];
    let mut builder = TreeBuilder::new();
    builder.condition();
    let mut open = 1;
    for choice in choices {
        let done = match (choice % 8, open) {
            (0, _) => builder.not(),
            (kind @ 1..=5, 2..) => {
                open -= 1;
                builder.binary(operators[usize::from(kind) - 1])
            }
            (6, 3..) => {
                open -= 2;
                builder.choose(full)
            }
            _ => {
                open += 1;
                builder.condition();
                Ok(())
            }
        };
        done.expect("so many operands are open");
    }
    for _ in 1..open {
        builder.binary(operators[0]).expect("two are open");
    }
    builder.finish().expect("one is open")
}

proptest! {
    #[test]
    fn lanes_are_marked_as_evaluations_are_one_by_one(
        choices in prop::collection::vec(any::<u8>(), 0..40),
        rows in prop::collection::vec(any::<u64>(), 64),
    ) {
        let tree = tree(&choices);
        let count = tree.conditions();
        // Lane l has the bits of row l.
        let conditions: Vec<Lanes> = (0..count)
            .map(|condition| {
                let mut mask = [0; WORDS];
                for (lane, row) in rows.iter().enumerate() {
                    mask[lane / 64] |= (row >> (condition % 64) & 1) << (lane % 64);
                }
                mask
            })
            .collect();
        let mut found = Vec::new();
        let outcome = LaneMarker::default().mark(&tree, &conditions, &mut found);
        for (lane, row) in rows.iter().enumerate() {
            let bit = |mask: &Lanes| mask[lane / 64] >> (lane % 64) & 1 == 1;
            let values: Vec<bool> = (0..count).map(|at| row >> (at % 64) & 1 == 1).collect();
            let evaluation = tree.evaluate(&values);
            prop_assert_eq!(bit(&outcome), evaluation.outcome);
            let expected = unmasked(&tree, &vec![None; count], &evaluation).expect("evaluated");
            for (condition, mask) in found.iter().enumerate() {
                prop_assert_eq!(bit(mask), expected.contains(condition), "condition {}", condition);
            }
        }
    }
}
