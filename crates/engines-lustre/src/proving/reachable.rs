//! Events that are reachable in the shared system, which therefore cannot refute them: its prophecies are free.
//!
//! Finding them early saves attempts to refute them.

use obligato_circuit::Gate;
use obligato_model::{Step, Value};
use obligato_prove::bmc::BmcOutcome;
use obligato_prove::run::{evaluate, initial_state, is_allowed, next_state, value};
use obligato_prove::{Bmc, Run, Start, Unrolling};
use obligato_solver::Engine;

use super::{Effort, Proving};

/// The depth of the search before effects are refuted.
const DEEPEST_LOCALLY: usize = 12;

impl Proving<'_> {
    /// Finds effects that are reachable in the shared system, by bounded model checking for many at once:
    /// much faster than failing to refute each.
    pub(super) fn find_reachable(&mut self, open: &[usize], effort: Effort) {
        let circuit = &self.shared.query.encoding.circuit;
        let unrolling = Unrolling::new(circuit, Engine::Cadical, Start::Initial, &self.stop);
        let mut search = Bmc::new(unrolling.assuming(&self.prover.known));
        for place in open {
            search.add_target(self.shared.query.lits[*place]);
        }
        while let BmcOutcome::Found(found) = search.next(DEEPEST_LOCALLY, effort.query) {
            self.mark_reachable(found.run);
            for (target, place) in open.iter().enumerate() {
                if search.is_open(target) && self.reachable[*place] {
                    search.close(target);
                }
            }
        }
        self.found.work += search.conflicts();
    }

    /// Marks what a run of the circuit reaches in the shared system, with all prophecies true: observability is
    /// monotone in them.
    pub(super) fn mark_reachable(&mut self, mut run: Run) {
        let circuit = &self.shared.query.encoding.circuit;
        for prophecy in &self.shared.query.prophecies {
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
            for (reachable, lit) in self.reachable.iter_mut().zip(&self.shared.query.lits) {
                *reachable |= value(&values, *lit);
            }
            state = next_state(circuit, &values);
        }
    }

    /// Marks the effects that are reachable with free prophecies in these tests, so that
    /// the shared system does not try to refute them.
    pub fn learn_from(&mut self, tests: &[Vec<Step>]) {
        let before = self.reachable.clone();
        for steps in tests {
            if self.stop.is_due() {
                break;
            }
            let run = self.run_of(steps);
            self.runs.push(run.clone());
            self.mark_reachable(run);
        }
        // Only effects: other events would have been shown by the tests.
        let known = before.into_iter().zip(&self.shared.looks_ahead);
        for (reachable, (before, looks_ahead)) in self.reachable.iter_mut().zip(known) {
            *reachable = before || (*reachable && *looks_ahead);
        }
    }

    /// A test as a run of the circuit, as far as its numbers fit the encoding.
    fn run_of(&self, steps: &[Step]) -> Run {
        let inputs = &self.lowered.system.inputs;
        let bits = steps.iter().map_while(|step| {
            let values = step.iter().zip(inputs).map(|(value, input)| {
                value.clone().unwrap_or_else(|| obligato_lustre_replay::default_value(&input.kind))
            });
            let later = vec![Value::Bool(true); self.shared.later_inputs];
            let values: Vec<Value> = values.chain(later).collect();
            let bits = self.shared.query.encoding.input_bits(&values)?;
            Some(bits.into_iter().map(|bit| bit.unwrap_or(false)).collect())
        });
        Run { steps: bits.collect() }
    }
}
