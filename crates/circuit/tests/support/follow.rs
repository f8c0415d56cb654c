//! A run of a system and the runs of its circuit beside it.
//!
//! Two runs of the circuit go along with each run of the system. In the first, comparisons with
//! numbers that are outside come out as in the system: it must agree with the system whatever happens,
//! so every run of the system is a run of the circuit. In the second they come out the other way:
//! it must agree for as long as all is within the encoding.
#![allow(dead_code, reason = "each test file uses a part of it")]

use std::cmp::Ordering;

use obligato_circuit::{Encoding, LatchPort, Order, Port, Simulation};
use obligato_model::{Random, Type, Value};
use obligato_transition_system::{CheckKind, Evaluator, NodeId, System};

/// The lane in which what is unknown is as in the system …
const HONEST: u64 = 1;
/// … and the one in which it is the opposite.
const CONTRARY: u64 = 2;

/// What was seen along the way, to know that a test saw something.
#[derive(Debug, Default)]
pub struct Tally {
    /// Steps that were compared.
    pub steps: usize,
    /// Steps up to which all was within the encoding.
    pub within: usize,
    /// Numbers that were outside.
    pub outside: usize,
}

fn compare(first: Option<&Value>, second: Option<&Value>) -> Ordering {
    match (first, second) {
        (Some(Value::Int(first)), Some(Value::Int(second))) => first.cmp(second),
        (Some(Value::Real(first)), Some(Value::Real(second))) => first.cmp(second),
        others => panic!("numbers are compared, not {others:?}"),
    }
}

/// Runs the system for so many steps, or until it violates an assertion, and the circuit beside it.
pub fn follow(
    system: &System,
    encoding: &Encoding,
    random: &mut Random,
    steps: usize,
    tally: &mut Tally,
    mut value: impl FnMut(&mut Random, &Type) -> Value,
) {
    let nodes: Vec<NodeId> = system.graph.nodes().collect();
    let circuit = &encoding.circuit;
    let mut evaluator = Evaluator::new(system);
    let mut simulation = Simulation::new(circuit);
    let mut contrary_is_within = true;
    for _ in 0..steps {
        let state = encoding.state_bits(evaluator.state());
        let flagged =
            encoding.latch_ports().iter().zip(simulation.state()).any(|(port, word)| {
                matches!(port, LatchPort::Outside { .. }) && word & HONEST != 0
            });
        if !flagged {
            let held = simulation.state().iter().map(|word| word & HONEST != 0);
            assert_eq!(state, Some(held.collect()), "the state");
        }
        let values: Vec<Value> =
            system.inputs.iter().map(|input| value(random, &input.kind)).collect();
        if evaluator.step(&values).is_err() {
            return;
        }
        let holds = |node: NodeId| evaluator.value(node) == Some(&Value::Bool(true));
        let mut assertions =
            system.checks.iter().filter(|check| check.kind == CheckKind::Assertion);
        if !assertions.all(|check| holds(check.node)) {
            return;
        }
        let bits = encoding.covering_input_bits(&values).expect("assertions allow the inputs");
        simulation.step(circuit, |input| match (bits[input], encoding.ports()[input]) {
            (Some(bit), _) => {
                if bit {
                    HONEST | CONTRARY
                } else {
                    0
                }
            }
            (None, Port::Unknown { order, first, second }) => {
                let ordered = compare(evaluator.value(first), evaluator.value(second));
                let holds = match order {
                    Order::Less => ordered == Ordering::Less,
                    Order::Equal => ordered == Ordering::Equal,
                };
                if holds { HONEST } else { CONTRARY }
            }
            (None, _) => 0,
        });
        for constraint in circuit.constraints() {
            assert_ne!(simulation.value(*constraint) & HONEST, 0, "a constraint fails");
        }
        let within = simulation.value(encoding.within());
        contrary_is_within &= within & CONTRARY != 0;
        tally.steps += 1;
        tally.within += usize::from(contrary_is_within);
        for node in &nodes {
            let sort = system.graph.sort(*node);
            let expected = evaluator.value(*node);
            let found = |lane| encoding.value(*node, sort, |lit| simulation.value(lit) & lane != 0);
            match found(HONEST) {
                None => tally.outside += 1,
                found => {
                    let term = system.graph.term(*node);
                    assert_eq!(found.as_ref(), expected, "{node}: {term:?}");
                }
            }
            if let Some(found) = found(CONTRARY).filter(|_| contrary_is_within) {
                assert_eq!(Some(&found), expected, "{node} while within");
            }
        }
        if let Some(bits) = encoding.input_bits(&values) {
            let back = encoding.inputs_of_step(|input| bits[input].unwrap_or(false));
            for ((input, value), back) in system.inputs.iter().zip(&values).zip(&back) {
                if encoding.number(input.node).is_some() || encoding.bool(input.node).is_some() {
                    assert_eq!(value, back, "{}", input.name);
                }
            }
        }
    }
}
