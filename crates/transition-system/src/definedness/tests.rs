//! The pass against a direct reading of its definition.

use super::*;
use crate::evaluator::{Forced, evaluate};
use crate::sample::{Choices, Sketch, quotients, sketches};
use obligato_model::Value;
use proptest::prelude::*;

/// Is the term defined? Read off the definition, by recursion over the drawing.
fn is_defined(sketch: &Sketch, values: &[Value], node: NodeId) -> bool {
    let defined = |child: NodeId| is_defined(sketch, values, child);
    let value = |child: NodeId| &values[child.index()];
    match sketch.terms[node.index()] {
        Term::Constant(_) | Term::Input(_) | Term::Latch(_) => true,
        Term::Unary(_, a) | Term::Tap(_, a) => defined(a),
        Term::Binary(Binary::And, a, b) => {
            let decides = |child| defined(child) && *value(child) == Value::Bool(false);
            decides(a) || decides(b) || defined(a) && defined(b)
        }
        Term::Binary(Binary::Or, a, b) => {
            let decides = |child| defined(child) && *value(child) == Value::Bool(true);
            decides(a) || decides(b) || defined(a) && defined(b)
        }
        Term::Binary(Binary::Div | Binary::Mod | Binary::Divide, a, b) => {
            defined(a) && defined(b) && *value(b) != sketch.sorts[b.index()].zero()
        }
        Term::Binary(_, a, b) => defined(a) && defined(b),
        Term::Ite(test, a, b) => {
            defined(test) && defined(if *value(test) == Value::Bool(true) { a } else { b })
        }
    }
}

#[test]
fn a_guard_makes_a_division_defined() {
    use crate::sort::Sort;
    let mut graph = Graph::new();
    let (x, y) = (graph.input(Sort::Int), graph.input(Sort::Int));
    let zero = graph.constant(Sort::Int, Value::int(0)).unwrap();
    let quotient = graph.binary(Binary::Div, x, y).unwrap();
    let is_zero = graph.equal(y, zero).unwrap();
    let guarded = graph.ite(is_zero, zero, quotient).unwrap();
    let defined = definedness(&mut graph, &[quotient, guarded, x]).unwrap();
    assert_eq!(defined[0], graph.not(is_zero).unwrap());
    assert_eq!(defined[2], graph.bool(true));
    for y in [0, 3] {
        let inputs = [Value::int(7), Value::int(y)];
        let mut values = Vec::new();
        evaluate(&graph, graph.nodes(), &inputs, &[], &Forced::new(), &mut values).unwrap();
        assert_eq!(values[defined[1].index()], Value::Bool(true));
    }
}

#[test]
fn a_root_of_another_graph_is_refused() {
    let mut graph = Graph::new();
    let refused = definedness(&mut graph, &[NodeId::new(3)]);
    assert_eq!(refused, Err(Error::UnknownNode(NodeId::new(3))));
}

proptest! {
    #[test]
    fn the_pass_says_what_the_definition_says(
        sketch in prop_oneof![sketches(16), quotients(24)],
        seed: u64,
    ) {
        let (mut system, images) = sketch.build();
        let defined = definedness(&mut system.graph, &images).unwrap();
        let mut random = Choices::new(seed);
        let state = system.initial_state();
        for _ in 0..20 {
            let inputs = sketch.draw_inputs(&mut random);
            let inputs = system.encode_inputs(&inputs).unwrap();
            let drawn = sketch.evaluate(&inputs, &state, &Forced::new());
            let Some(drawn) = drawn else { continue };
            let mut values = Vec::new();
            let graph = &system.graph;
            let nodes = graph.nodes();
            if evaluate(graph, nodes, &inputs, &state, &Forced::new(), &mut values).is_err() {
                continue; // a number beyond the size limit
            }
            for (index, defined) in defined.iter().enumerate() {
                let expected = is_defined(&sketch, &drawn, NodeId::new(index));
                prop_assert_eq!(&values[defined.index()], &Value::Bool(expected));
            }
        }
    }

    #[test]
    fn only_what_is_above_a_division_can_be_undefined(sketch in sketches(40)) {
        let (mut system, images) = sketch.build();
        let defined = definedness(&mut system.graph, &images).unwrap();
        let always = system.graph.bool(true);
        for (image, defined) in images.iter().zip(defined) {
            prop_assert!(system.graph.is_partial(*image) || defined == always);
        }
    }
}
