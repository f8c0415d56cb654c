//! Sharing, sorts and simplification.

use super::*;
use crate::evaluator::{Forced, evaluate};
use crate::sample::{Choices, sketches, type_of};
use obligato_model::Integer;
use proptest::prelude::*;

fn ints(count: usize) -> (Graph, Vec<NodeId>) {
    let mut graph = Graph::new();
    let inputs = (0..count).map(|_| graph.input(Sort::Int)).collect();
    (graph, inputs)
}

fn int(graph: &mut Graph, value: i64) -> NodeId {
    graph.constant(Sort::Int, Value::int(value)).unwrap()
}

#[test]
fn equal_terms_are_one_node() {
    let (mut graph, x) = ints(2);
    let sum = graph.binary(Binary::Add, x[0], x[1]).unwrap();
    assert_eq!(graph.binary(Binary::Add, x[1], x[0]).unwrap(), sum);
    let difference = graph.binary(Binary::Subtract, x[0], x[1]).unwrap();
    assert_ne!(graph.binary(Binary::Subtract, x[1], x[0]).unwrap(), difference);
}

#[test]
fn operands_of_the_wrong_sort_are_refused() {
    let (mut graph, x) = ints(1);
    let flag = graph.input(Sort::Bool);
    let real = graph.input(Sort::Real);
    let message = |result: Result<NodeId, Error>| result.unwrap_err().to_string();
    assert_eq!(message(graph.and(x[0], flag)), "And does not take int and bool");
    assert_eq!(message(graph.not(x[0])), "Not does not take int");
    assert_eq!(message(graph.binary(Binary::Add, x[0], real)), "Add does not take int and real");
    assert_eq!(message(graph.binary(Binary::Less, flag, flag)), "Less does not take bool and bool");
    assert_eq!(message(graph.ite(x[0], flag, flag)), "the test of Ite does not take int");
    assert_eq!(message(graph.ite(flag, flag, real)), "Ite does not take bool and real");
    assert_eq!(message(graph.not(NodeId::new(99))), "node 99 is not in the graph");
    let unit = graph.constant(Sort::Real, Value::int(1));
    assert_eq!(message(unit), "1 is not a value of type real");
}

#[test]
fn a_shift_takes_an_unsigned_amount_of_the_same_width() {
    let mut graph = Graph::new();
    let sort = |text: &str| Sort::of(&text.parse().unwrap()).unwrap();
    let of = graph.input(sort("int8"));
    let (good, wide, signed) =
        (graph.input(sort("uint8")), graph.input(sort("uint16")), graph.input(sort("int8")));
    assert!(graph.binary(Binary::ShiftLeft, of, good).is_ok());
    assert!(graph.binary(Binary::ShiftLeft, of, wide).is_err());
    assert!(graph.binary(Binary::ShiftRight, of, signed).is_err());
}

#[test]
fn no_simplification_drops_a_tap() {
    let mut graph = Graph::new();
    let (flag, other) = (graph.input(Sort::Bool), graph.input(Sort::Bool));
    let tap = graph.tap(flag).unwrap();
    let (tapped, never, always) = (graph.tap_node(tap), graph.bool(false), graph.bool(true));
    assert_ne!(graph.and(tapped, never).unwrap(), never);
    assert_ne!(graph.or(tapped, always).unwrap(), always);
    assert_ne!(graph.equal(tapped, tapped).unwrap(), always);
    assert_ne!(graph.ite(tapped, other, other).unwrap(), other);
    assert_ne!(graph.ite(always, other, tapped).unwrap(), other);
    let negated = graph.not(tapped).unwrap();
    assert_ne!(graph.and(tapped, negated).unwrap(), never);
    // What stays keeps its tap, so these may go.
    assert_eq!(graph.and(tapped, always).unwrap(), tapped);
    assert_eq!(graph.and(tapped, tapped).unwrap(), tapped);
    assert_eq!(graph.not(negated).unwrap(), tapped);
}

#[test]
fn two_taps_of_one_term_stay_two() {
    let mut graph = Graph::new();
    let flag = graph.input(Sort::Bool);
    let (first, second) = (graph.tap(flag).unwrap(), graph.tap(flag).unwrap());
    assert_ne!(graph.tap_node(first), graph.tap_node(second));
    let constant = graph.bool(true);
    let tap = graph.tap(constant).unwrap();
    assert_eq!(graph.as_constant(graph.tap_node(tap)), None);
}

#[test]
fn no_simplification_hides_a_division_by_zero() {
    let (mut graph, x) = ints(2);
    let (zero, one) = (int(&mut graph, 0), int(&mut graph, 1));
    let folded = graph.binary(Binary::Div, one, zero).unwrap();
    assert_eq!(graph.as_constant(folded), None);
    let quotient = graph.binary(Binary::Div, x[0], x[1]).unwrap();
    let same = graph.equal(quotient, quotient).unwrap();
    assert_eq!(graph.as_constant(same), None);
    let positive = graph.binary(Binary::Less, zero, quotient).unwrap();
    assert_ne!(graph.ite(positive, x[0], x[0]).unwrap(), x[0]);
    // A false operand decides, whatever the other one is.
    let never = graph.bool(false);
    assert_eq!(graph.and(positive, never).unwrap(), never);
    // By a constant other than zero nothing can happen.
    let half = graph.binary(Binary::Div, x[0], one).unwrap();
    assert!(!graph.is_partial(half));
}

#[test]
fn constants_are_not_folded_out_of_all_proportion() {
    let mut graph = Graph::new();
    let mut number = int(&mut graph, 3);
    for _ in 0..60 {
        number = graph.binary(Binary::Multiply, number, number).unwrap();
    }
    assert_eq!(graph.as_constant(number), None);
}

#[test]
fn a_term_takes_sixteen_bytes() {
    assert_eq!(size_of::<Term>(), 16);
}

#[test]
fn rewriting_can_replace_leaves() {
    let (mut graph, x) = ints(2);
    let sum = graph.binary(Binary::Add, x[0], x[1]).unwrap();
    let twice = graph.binary(Binary::Multiply, sum, sum).unwrap();
    let mut target = Graph::new();
    let map = graph
        .rewrite([twice], &mut target, |target, _, term| match term {
            Term::Input(index) => {
                target.constant(Sort::Int, Value::int(i64::from(index) + 2)).map(Some)
            }
            _ => Ok(None),
        })
        .unwrap();
    let image = map.get(twice).unwrap();
    assert_eq!(target.as_constant(image), Some(&Value::Int(Integer::from(25))));
    let refused = graph.rewrite([twice], &mut Graph::new(), |_, _, _| Ok(None));
    assert_eq!(refused.unwrap_err(), Error::NoSuch { what: "input", index: 0, count: 0 });
}

proptest! {
    #[test]
    fn simplification_preserves_every_value(sketch in sketches(60), seed: u64) {
        let (system, images) = sketch.build();
        let mut random = Choices::new(seed);
        let state = system.initial_state();
        for _ in 0..20 {
            let inputs = sketch.draw_inputs(&mut random);
            let inputs = system.encode_inputs(&inputs).unwrap();
            let mut forced = Forced::new();
            for (tap, node) in sketch.taps.iter().enumerate() {
                if random.below(2) == 0 {
                    let kind = type_of(sketch.sorts[node.index()]);
                    forced.insert(TapId::new(tap), random.value(&kind));
                }
            }
            let Some(expected) = sketch.evaluate(&inputs, &state, &forced) else { continue };
            let mut values = Vec::new();
            let graph = &system.graph;
            let nodes = graph.nodes();
            evaluate(graph, nodes, &inputs, &state, &forced, &mut values).unwrap();
            for (expected, image) in expected.iter().zip(&images) {
                prop_assert_eq!(expected, &values[image.index()]);
            }
        }
    }

    #[test]
    fn building_again_finds_the_same_nodes(sketch in sketches(60)) {
        let (system, images) = sketch.build();
        let mut graph = system.graph.clone();
        // Only a tap is new whenever it is made.
        let same = system.graph.rewrite(images.iter().copied(), &mut graph, |_, node, term| {
            Ok(matches!(term, Term::Tap(..)).then_some(node))
        });
        let same = same.unwrap();
        prop_assert_eq!(graph.len(), system.graph.len());
        for image in images {
            prop_assert_eq!(same.get(image), Some(image));
        }
    }

    #[test]
    fn children_come_before_parents(sketch in sketches(60)) {
        let (system, _) = sketch.build();
        for node in system.graph.nodes() {
            prop_assert!(system.graph.children(node).all(|child| child < node));
        }
    }

    #[test]
    fn every_tap_stays_reachable_from_what_was_built_on_it(sketch in sketches(60)) {
        let (system, images) = sketch.build();
        // For each term of the drawing, the taps in it.
        let mut taps: Vec<Vec<NodeId>> = Vec::new();
        for (index, term) in sketch.terms.iter().enumerate() {
            let mut below: Vec<NodeId> =
                term.children().flat_map(|child| taps[child.index()].clone()).collect();
            if let Term::Tap(..) = term {
                below.push(images[index]);
            }
            below.sort_unstable();
            below.dedup();
            taps.push(below);
        }
        let (image, expected) = (images.last().unwrap(), taps.last().unwrap());
        let reached = system.graph.reachable([*image]);
        for tap in expected {
            prop_assert!(reached[tap.index()], "tap {tap:?} under {image}");
        }
    }
}
