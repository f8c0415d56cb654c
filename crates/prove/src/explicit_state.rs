//! The oracle of the engine tests: explicit-state exploration of small circuits, and the random circuits
//! to run it on.

use std::collections::BTreeSet;

use obligato_circuit::{Circuit, Lit};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::run::{Run, evaluate, initial_state, is_allowed, next_state, value};
use crate::unrolling::Prophecy;

/// The reachable state space of a circuit.
#[derive(Debug)]
pub struct Explored {
    /// The values of all gates in every reachable step, by gate.
    pub steps: Vec<Vec<bool>>,
    /// By the code of a literal: the first step in which it can be true.
    first: Vec<Option<usize>>,
}

impl Explored {
    /// The first step in which the literal can be true, if any.
    pub fn first(&self, lit: Lit) -> Option<usize> {
        self.first[lit.code() as usize]
    }
}

/// Visits every reachable state with all inputs, breadth first.
pub fn explore(circuit: &Circuit) -> Explored {
    let mut explored = Explored { steps: Vec::new(), first: vec![None; 2 * circuit.len()] };
    let mut visited = BTreeSet::from([initial_state(circuit)]);
    let mut border: Vec<Vec<bool>> = visited.iter().cloned().collect();
    let mut depth = 0;
    while !border.is_empty() {
        let mut beyond = Vec::new();
        for state in &border {
            for inputs in all_bits(circuit.inputs().len()) {
                let values = evaluate(circuit, state, &inputs);
                if !is_allowed(circuit, &values) {
                    continue;
                }
                for code in 0..2 * circuit.len() {
                    if value(&values, Lit::from_code(code as u32)) {
                        explored.first[code].get_or_insert(depth);
                    }
                }
                let next = next_state(circuit, &values);
                if visited.insert(next.clone()) {
                    beyond.push(next);
                }
                explored.steps.push(values);
            }
        }
        border = beyond;
        depth += 1;
    }
    explored
}

/// All lists of so many bits.
pub fn all_bits(count: usize) -> impl Iterator<Item = Vec<bool>> {
    (0..1_u32 << count).map(move |number| (0..count).map(|bit| number >> bit & 1 == 1).collect())
}

/// Circuits with up to 3 inputs and 5 latches, some with a constraint.
pub fn circuits() -> impl Strategy<Value = Circuit> {
    let lits = || vec(any::<u32>(), 5);
    let constraints = prop_oneof![2 => vec(any::<u32>(), 0..=0), 1 => vec(any::<u32>(), 1..=2)];
    let latches = vec(any::<bool>(), 0..=5);
    let gates = vec(any::<(u32, u32)>(), 1..=24);
    (0..=3_usize, latches, gates, lits(), constraints).prop_map(
        |(inputs, latches, gates, nexts, constraints)| {
            let mut circuit = Circuit::new();
            for _ in 0..inputs {
                circuit.input();
            }
            for initial in &latches {
                circuit.latch(*initial);
            }
            for (a, b) in gates {
                let (a, b) = (any_lit(&circuit, a), any_lit(&circuit, b));
                circuit.and(a, b);
            }
            for (latch, next) in nexts.into_iter().take(latches.len()).enumerate() {
                let next = any_lit(&circuit, next);
                circuit.set_next(latch, next);
            }
            // A disjunction: a single gate as constraint would exclude most runs.
            for constraint in constraints {
                let first = any_lit(&circuit, constraint);
                let second = any_lit(&circuit, (constraint / 2) ^ 0x5555);
                let either = circuit.or(first, second);
                circuit.constrain(either);
            }
            circuit
        },
    )
}

/// The literal of a circuit that a number drawn at random stands for; late gates more often.
fn any_lit(circuit: &Circuit, number: u32) -> Lit {
    let codes = 2 * circuit.len() as u32;
    let code = number % codes;
    Lit::from_code(if number & 0x1000_0000 == 0 { code } else { codes - 1 - code / 3 })
}

/// All runs of `steps` steps in which prophecy inputs have the predicted values: the values of all gates,
/// by step.
pub fn runs_with_prophecies(
    circuit: &Circuit,
    prophecies: &[Prophecy],
    steps: usize,
) -> Vec<Vec<Vec<bool>>> {
    let inputs = all_bits(circuit.inputs().len() * steps);
    let runs = inputs.map(|bits| {
        let steps = bits.chunks(circuit.inputs().len()).map(<[bool]>::to_vec).collect();
        Run { steps }.values(circuit, &initial_state(circuit))
    });
    let is_one = |run: &Vec<Vec<bool>>| {
        run.iter().all(|values| is_allowed(circuit, values)) && keeps_prophecies(run, prophecies)
    };
    runs.filter(is_one).collect()
}

fn keeps_prophecies(run: &[Vec<bool>], prophecies: &[Prophecy]) -> bool {
    let is_right = |step: usize, prophecy: &Prophecy| {
        let later = run.get(step + 1).is_some_and(|next| value(next, prophecy.predicts));
        run[step][prophecy.input as usize] == later
    };
    (0..run.len()).all(|step| prophecies.iter().all(|prophecy| is_right(step, prophecy)))
}

/// Adds random gates over new inputs, and makes the inputs prophecies of random literals.
pub fn with_random_prophecies(
    mut circuit: Circuit,
    numbers: &[(u32, u32)],
) -> (Circuit, Vec<Prophecy>) {
    let inputs: Vec<Lit> = numbers.iter().map(|_| circuit.input()).collect();
    for (input, (first, second)) in inputs.iter().zip(numbers) {
        let (first, second) = (any_lit(&circuit, *first), any_lit(&circuit, *second));
        let passes = circuit.and(*input, first);
        circuit.or(passes, second);
    }
    let prophecy = |(input, (first, second)): (&Lit, &(u32, u32))| Prophecy {
        input: input.gate(),
        predicts: any_lit(&circuit, first ^ second),
    };
    let prophecies = inputs.iter().zip(numbers).map(prophecy).collect();
    (circuit, prophecies)
}

#[test]
fn a_counter_of_two_bits_shows_each_number_at_its_time_and_stops_at_a_constraint() {
    let mut circuit = Circuit::new();
    let (low, high) = (circuit.latch(false), circuit.latch(false));
    let sum = circuit.xor(low, high);
    circuit.set_next(0, !low);
    circuit.set_next(1, sum);
    let three = circuit.and(low, high);
    assert_eq!(explore(&circuit).first(high), Some(2));
    assert_eq!(explore(&circuit).first(three), Some(3));
    circuit.constrain(!three);
    let stopped = explore(&circuit);
    assert_eq!((stopped.first(high), stopped.first(three)), (Some(2), None));
    assert_eq!(stopped.steps.len(), 3);
}
