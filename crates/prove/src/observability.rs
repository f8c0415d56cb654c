//! Observability conditions of latches: a backward inductive invariant, for all prophecies at once.
//!
//! A [prophecy](crate::unrolling) predicts the next step: whether the value of a latch is observed later, say. A single step
//! with free prophecy inputs over-approximates what later steps can observe. [`ObservabilityConditions`] restrict it: literals over
//! latches that hold in every step in which the predicted literal of a prophecy is true. They are the strongest that are inductive
//! backwards in time: in the last step of a run no prophecy input is true; and if the conditions hold in the next step, then a prophecy
//! input is true only where the next state satisfies its condition, and under that restriction the conditions hold in this step.
//!
//! The fixpoint is computed from below, as a join of states: those of known runs, then those that the solver finds.

use obligato_circuit::{Circuit, Gate, Lit};
use obligato_solver::{Answer, Engine, Literal};

use crate::induction::{Budget, BudgetExhausted, InductionLimits};
use crate::invariant::Invariant;
use crate::run::{Run, evaluate, initial_state, is_allowed, next_state, value};
use crate::unrolling::{Prophecy, Start, Unrolling};

/// Necessary conditions for prophecies to be true.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObservabilityConditions {
    /// By prophecy: literals over latches that hold in every step of every run in which the predicted literal is true. `None`
    /// if it never is.
    pub by_prophecy: Vec<Option<Vec<Lit>>>,
}

/// The result of the fixpoint computation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObservabilityResult {
    /// The conditions, if the fixpoint was reached; otherwise an under-approximation to continue from.
    pub conditions: ObservabilityConditions,
    /// By target: is it excluded from every step of every run? `None` if the fixpoint was not reached.
    pub excluded: Option<Vec<bool>>,
    /// The work units spent.
    pub work: u64,
}

/// Computes the conditions of prophecies and the targets that they exclude, starting from an under-approximation. No latch and no
/// constraint may depend on a prophecy input.
pub fn compute(
    circuit: &Circuit,
    prophecies: &[Prophecy],
    targets: &[Lit],
    known: &Invariant,
    start: ObservabilityConditions,
    limits: &InductionLimits,
) -> ObservabilityResult {
    let mut fixpoint =
        Fixpoint { circuit, prophecies, known, conditions: start, budget: Budget::new(limits) };
    let excluded = fixpoint.run().and_then(|()| fixpoint.exclude(targets)).ok();
    let work = fixpoint.budget.done();
    ObservabilityResult { conditions: fixpoint.conditions, excluded, work }
}

impl ObservabilityConditions {
    /// The under-approximation that holds in the steps of these runs.
    pub fn of_runs(circuit: &Circuit, prophecies: &[Prophecy], runs: &[Run]) -> Self {
        let mut conditions = Self { by_prophecy: vec![None; prophecies.len()] };
        for run in runs {
            conditions.join_run(circuit, prophecies, run);
        }
        conditions
    }

    /// Joins the steps of a run from the initial state. Prophecy inputs are recomputed.
    fn join_run(&mut self, circuit: &Circuit, prophecies: &[Prophecy], run: &Run) {
        let mut states = Vec::new();
        let mut state = initial_state(circuit);
        for inputs in &run.steps {
            let values = evaluate(circuit, &state, inputs);
            if !is_allowed(circuit, &values) {
                break;
            }
            let next = next_state(circuit, &values);
            states.push(std::mem::replace(&mut state, next));
        }
        let mut later = vec![false; prophecies.len()];
        for (state, inputs) in states.iter().zip(&run.steps).rev() {
            let mut inputs = inputs.clone();
            for (prophecy, later) in prophecies.iter().zip(&later) {
                if let Gate::Input(index) = circuit.gate(prophecy.input) {
                    inputs[index as usize] = *later;
                }
            }
            let values = evaluate(circuit, state, &inputs);
            later = prophecies.iter().map(|prophecy| value(&values, prophecy.predicts)).collect();
            self.join(circuit, |prophecy| later[prophecy], |lit| value(&values, lit));
        }
    }

    /// Joins a step in which some predicted literals are true.
    fn join(
        &mut self,
        circuit: &Circuit,
        is_true: impl Fn(usize) -> bool,
        holds: impl Fn(Lit) -> bool,
    ) {
        let by_prophecy = self.by_prophecy.iter_mut().enumerate();
        for (_, condition) in by_prophecy.filter(|(prophecy, _)| is_true(*prophecy)) {
            if let Some(lits) = condition {
                lits.retain(|lit| holds(*lit));
            } else {
                let latches = circuit.latches().iter().map(|latch| Lit::of(latch.gate));
                *condition = Some(latches.map(|lit| lit.negated_if(!holds(lit))).collect());
            }
        }
    }
}

/// A fixpoint computation in progress.
struct Fixpoint<'f> {
    circuit: &'f Circuit,
    prophecies: &'f [Prophecy],
    known: &'f Invariant,
    conditions: ObservabilityConditions,
    budget: Budget<'f>,
}

impl<'f> Fixpoint<'f> {
    /// Weakens the conditions until they are inductive. Each round assumes the conditions that it started with, which
    /// can hide steps but not add any.
    fn run(&mut self) -> Result<(), BudgetExhausted> {
        loop {
            let before = self.conditions.clone();
            let mut unrolling = self.step();
            self.join_all(&mut unrolling)?;
            if self.conditions == before {
                return Ok(());
            }
        }
    }

    /// One step from any state that satisfies the known invariant. A prophecy input is true only if a next step exists
    /// that satisfies its condition.
    fn step(&self) -> Unrolling<'f> {
        let stop = self.budget.stop();
        let mut unrolling = Unrolling::new(self.circuit, Engine::Batsat, Start::Free, stop);
        unrolling = unrolling.assuming(self.known);
        unrolling.push();
        unrolling.push();
        let [continues, _] = unrolling.horizon(1);
        for (prophecy, condition) in self.prophecies.iter().zip(&self.conditions.by_prophecy) {
            let later = unrolling.literal(0, Lit::of(prophecy.input));
            let Some(lits) = condition else {
                unrolling.solver().add(&[!later]);
                continue;
            };
            unrolling.solver().add(&[!later, continues]);
            for lit in lits {
                let held = unrolling.literal(1, *lit);
                unrolling.solver().add(&[!later, held]);
            }
        }
        unrolling
    }

    /// Joins all steps that the present conditions allow.
    fn join_all(&mut self, unrolling: &mut Unrolling<'_>) -> Result<(), BudgetExhausted> {
        let violated: Vec<Literal> =
            self.prophecies.iter().map(|_| unrolling.solver().variable()).collect();
        for (prophecy, violated) in self.prophecies.iter().zip(&violated) {
            let predicted = unrolling.literal(0, prophecy.predicts);
            unrolling.solver().add(&[!*violated, predicted]);
        }
        unrolling.solver().add(&violated);
        let mut asked: Vec<Option<usize>> = vec![Some(usize::MAX); self.prophecies.len()];
        loop {
            // A shorter clause subsumes the longer one before it.
            for (prophecy, condition) in self.conditions.by_prophecy.iter().enumerate() {
                let size = condition.as_ref().map(Vec::len);
                if let (true, Some(lits)) = (asked[prophecy] != size, condition) {
                    let mut clause = vec![!violated[prophecy]];
                    clause.extend(lits.iter().map(|lit| !unrolling.literal(0, *lit)));
                    unrolling.solver().add(&clause);
                    asked[prophecy] = size;
                }
            }
            let before = unrolling.solver().conflicts();
            let answer = unrolling.solve(&[], Some(self.budget.allowance()));
            self.budget.spend(unrolling.solver().conflicts() - before)?;
            match answer {
                Answer::Unsat => return Ok(()),
                Answer::Unknown => return Err(BudgetExhausted),
                Answer::Sat => {}
            }
            let holds = |lit: Lit| unrolling.value(0, lit) == Some(true);
            self.conditions.join(
                self.circuit,
                |prophecy| holds(self.prophecies[prophecy].predicts),
                holds,
            );
        }
    }

    /// The targets that the conditions exclude from every step.
    fn exclude(&mut self, targets: &[Lit]) -> Result<Vec<bool>, BudgetExhausted> {
        let mut unrolling = self.step();
        let mut excluded = vec![true; targets.len()];
        for index in 0..targets.len() {
            if !excluded[index] {
                continue;
            }
            let target = unrolling.literal(0, targets[index]);
            let before = unrolling.solver().conflicts();
            let answer = unrolling.solve(&[target], Some(self.budget.allowance()));
            self.budget.spend(unrolling.solver().conflicts() - before)?;
            if answer != Answer::Unsat {
                excluded[index] = false;
            }
            if answer == Answer::Sat {
                for (excluded, lit) in excluded.iter_mut().zip(targets) {
                    *excluded &= unrolling.value(0, *lit) != Some(true);
                }
            }
        }
        Ok(excluded)
    }
}

#[cfg(test)]
mod tests;
