//! Runs of a circuit as input sequences, and their simulation.

pub use obligato_circuit::simulation::value;
use obligato_circuit::{Circuit, Lit, simulation};

/// The inputs of a run, step by step. They determine the run: a circuit has no other nondeterminism.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Run {
    /// By step, then by input.
    pub steps: Vec<Vec<bool>>,
}

impl Run {
    /// The values of all gates, step by step, from a state, usually the [`initial_state`].
    pub fn values(&self, circuit: &Circuit, state: &[bool]) -> Vec<Vec<bool>> {
        let mut state = state.to_vec();
        let step = |inputs: &Vec<bool>| {
            let values = evaluate(circuit, &state, inputs);
            state = next_state(circuit, &values);
            values
        };
        self.steps.iter().map(step).collect()
    }

    /// Does the run from the initial state satisfy the constraints in every step, and the literal in its last
    /// step?
    pub fn reaches(&self, circuit: &Circuit, lit: Lit) -> bool {
        let values = self.values(circuit, &initial_state(circuit));
        values.iter().all(|step| is_allowed(circuit, step))
            && values.last().is_some_and(|last| value(last, lit))
    }
}

/// The values of the latches in the initial state.
pub fn initial_state(circuit: &Circuit) -> Vec<bool> {
    circuit.latches().iter().map(|latch| latch.initial).collect()
}

/// The values of all gates in one step.
pub fn evaluate(circuit: &Circuit, state: &[bool], inputs: &[bool]) -> Vec<bool> {
    simulation::evaluate(circuit, |latch| state[latch], |input| inputs[input])
}

/// The values of the latches after a step with these gate values.
pub fn next_state(circuit: &Circuit, values: &[bool]) -> Vec<bool> {
    circuit.latches().iter().map(|latch| value(values, latch.next)).collect()
}

/// Does a step with these gate values satisfy the constraints?
pub fn is_allowed(circuit: &Circuit, values: &[bool]) -> bool {
    circuit.constraints().iter().all(|constraint| value(values, *constraint))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_reaches_what_its_last_step_shows_and_only_if_it_keeps_the_constraints() {
        let mut circuit = Circuit::new();
        let (go, forbidden) = (circuit.input(), circuit.input());
        let seen = circuit.latch(false);
        let next = circuit.or(seen, go);
        circuit.set_next(0, next);
        circuit.constrain(!forbidden);
        let run = |steps: &[[bool; 2]]| Run { steps: steps.iter().map(|s| s.to_vec()).collect() };
        assert!(run(&[[true, false], [false, false]]).reaches(&circuit, seen));
        assert!(!run(&[[true, false]]).reaches(&circuit, seen));
        assert!(!run(&[[true, true], [false, false]]).reaches(&circuit, seen));
        assert!(!run(&[]).reaches(&circuit, Lit::TRUE));
    }
}
