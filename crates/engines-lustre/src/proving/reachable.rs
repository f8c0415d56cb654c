//! What the shared system cannot refute: effects that may be seen later for all that one step can know.
//!
//! To find that out early saves the attempts to refute them.

use obligato_circuit::Gate;
use obligato_model::{Step, Value};
use obligato_prove::bmc::BmcOutcome;
use obligato_prove::run::{evaluate, initial_state, is_allowed, next_state, value};
use obligato_prove::{Bmc, Run, Start, Unrolling};
use obligato_solver::Engine;

use super::{Effort, Proving};

/// Effects are looked for in runs up to this step before they are refuted.
const DEEPEST_LOCALLY: usize = 12;

impl Proving<'_> {
    /// Finds effects that the shared system cannot refute, by a bounded search for as many at once as it can:
    /// that is much quicker than to fail to refute each.
    pub(super) fn find_reachable(&mut self, open: &[usize], effort: Effort) {
        let circuit = &self.asked.question.encoding.circuit;
        let unrolling = Unrolling::new(circuit, Engine::Cadical, Start::Initial, &self.stop);
        let mut search = Bmc::new(unrolling.assuming(&self.prover.known));
        for place in open {
            search.add_target(self.asked.question.lits[*place]);
        }
        while let BmcOutcome::Found(found) = search.next(DEEPEST_LOCALLY, effort.question) {
            self.mark_reachable(found.run);
            for (target, place) in open.iter().enumerate() {
                if search.is_open(target) && self.reachable[*place] {
                    search.close(target);
                }
            }
        }
        self.found.work += search.conflicts();
    }

    /// Takes note of what is reachable, in the shared system, in a run of the circuit; the more is said
    /// to be seen later, the more effects may be seen.
    pub(super) fn mark_reachable(&mut self, mut run: Run) {
        let circuit = &self.asked.question.encoding.circuit;
        for prophecy in &self.asked.question.prophecies {
            if let Gate::Input(index) = circuit.gate(prophecy.input) {
                run.steps.iter_mut().for_each(|step| step[index as usize] = true);
            }
        }
        let mut state = initial_state(circuit);
        for step in &run.steps {
            let values = evaluate(circuit, &state, step);
            if !is_allowed(circuit, &values) {
                break;
            }
            for (reachable, lit) in self.reachable.iter_mut().zip(&self.asked.question.lits) {
                *reachable |= value(&values, *lit);
            }
            state = next_state(circuit, &values);
        }
    }

    /// Takes note of the effects that may be seen later for all that a step of these tests can know, so that
    /// nobody tries to refute them in the shared system.
    pub fn learn_from(&mut self, tests: &[Vec<Step>]) {
        for steps in tests {
            let run = self.run_of(steps);
            self.runs.push(run.clone());
            self.mark_reachable(run);
        }
        // Only effects: what is plain would have been seen in the tests.
        for (reachable, looks_ahead) in self.reachable.iter_mut().zip(&self.asked.looks_ahead) {
            *reachable &= looks_ahead;
        }
    }

    /// A test as a run of the circuit, as far as its numbers fit the encoding.
    fn run_of(&self, steps: &[Step]) -> Run {
        let inputs = &self.lowered.system.inputs;
        let bits = steps.iter().map_while(|step| {
            let values = step.iter().zip(inputs).map(|(value, input)| {
                value.clone().unwrap_or_else(|| obligato_lustre_replay::default_value(&input.kind))
            });
            let later = vec![Value::Bool(true); self.asked.later_inputs];
            let values: Vec<Value> = values.chain(later).collect();
            let bits = self.asked.question.encoding.input_bits(&values)?;
            Some(bits.into_iter().map(|bit| bit.unwrap_or(false)).collect())
        });
        Run { steps: bits.collect() }
    }
}
