//! Where what a latch holds can be seen at all: induction backwards in time, for all ties at once.
//!
//! A [tie](crate::unrolling) foretells: its input says in a step what its literal is in the step after. A single step does not
//! know that, so it takes for possible what never follows. The [`Outlook`] says what has to hold in a step in which the literal of
//! a tie is true, as literals over latches. It is the strongest that proves itself: in the last step of a run no tied input is true; and
//! if in the step after all ties keep to it, then a tied input is true only where the next state keeps to it, and
//! that is enough for all ties to keep to it in this step.
//!
//! It is found from below, as the join of states: whatever a run shows, and then what a solver finds that steps allow.

use obligato_circuit::{Circuit, Gate, Lit};
use obligato_solver::{Answer, Engine, Literal};

use crate::induction::{Limits, Spent, Work};
use crate::invariant::Invariant;
use crate::run::{Run, evaluate, initial_state, is_allowed, next_state, value};
use crate::unrolling::{Start, Tie, Unrolling};

/// What has to hold for ties to be true.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outlook {
    /// By tie: literals over latches, all of which hold in every step of every run in which the literal of the tie is true. None
    /// if it never is.
    pub needs: Vec<Option<Vec<Lit>>>,
}

/// What the search for an outlook came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// What is true of ties, if there was an end; otherwise it is too narrow, and where to go on.
    pub outlook: Outlook,
    /// By target: can it hold in no step of any run? None if there was no end.
    pub excluded: Option<Vec<bool>>,
    /// The work that it took.
    pub work: u64,
}

/// Finds the outlook of ties, and which targets it excludes, from one that is not too wide. No latch and no constraint may depend
/// on a tied input.
pub fn find(
    circuit: &Circuit,
    ties: &[Tie],
    targets: &[Lit],
    known: &Invariant,
    start: Outlook,
    limits: &Limits,
) -> Found {
    let mut finding = Finding { circuit, ties, known, outlook: start, work: Work::new(limits) };
    let excluded = finding.settle().and_then(|()| finding.exclude(targets)).ok();
    let work = finding.work.done();
    Found { outlook: finding.outlook, excluded, work }
}

impl Outlook {
    /// What runs show: it is not too wide, and may be too narrow.
    pub fn of_runs(circuit: &Circuit, ties: &[Tie], runs: &[Run]) -> Self {
        let mut outlook = Self { needs: vec![None; ties.len()] };
        for run in runs {
            outlook.learn_from(circuit, ties, run);
        }
        outlook
    }

    /// Widens it by what a run from the initial state shows. What the run says of tied inputs does not count.
    fn learn_from(&mut self, circuit: &Circuit, ties: &[Tie], run: &Run) {
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
        let mut later = vec![false; ties.len()];
        for (state, inputs) in states.iter().zip(&run.steps).rev() {
            let mut inputs = inputs.clone();
            for ((gate, _), later) in ties.iter().zip(&later) {
                if let Gate::Input(index) = circuit.gate(*gate) {
                    inputs[index as usize] = *later;
                }
            }
            let values = evaluate(circuit, state, &inputs);
            later = ties.iter().map(|(_, lit)| value(&values, *lit)).collect();
            self.join(circuit, |tie| later[tie], |lit| value(&values, lit));
        }
    }

    /// Widens it by a step in which some ties are true.
    fn join(
        &mut self,
        circuit: &Circuit,
        is_true: impl Fn(usize) -> bool,
        holds: impl Fn(Lit) -> bool,
    ) {
        let needs = self.needs.iter_mut().enumerate();
        for (_, need) in needs.filter(|(tie, _)| is_true(*tie)) {
            if let Some(lits) = need {
                lits.retain(|lit| holds(*lit));
            } else {
                let latches = circuit.latches().iter().map(|latch| Lit::of(latch.gate));
                *need = Some(latches.map(|lit| lit.negated_if(!holds(lit))).collect());
            }
        }
    }
}

/// An outlook that may still be too narrow.
struct Finding<'f> {
    circuit: &'f Circuit,
    ties: &'f [Tie],
    known: &'f Invariant,
    outlook: Outlook,
    work: Work<'f>,
}

impl<'f> Finding<'f> {
    /// Widens the outlook until it proves itself. Each round takes the outlook for granted that it began with, which
    /// hides steps but makes none.
    fn settle(&mut self) -> Result<(), Spent> {
        loop {
            let before = self.outlook.clone();
            let mut unrolling = self.step();
            self.widen(&mut unrolling)?;
            if self.outlook == before {
                return Ok(());
            }
        }
    }

    /// A step from any state that is known to be possible. A tied input is true only if there is a step after it, in
    /// which what the tie needs holds.
    fn step(&self) -> Unrolling<'f> {
        let stop = self.work.stop();
        let mut unrolling = Unrolling::new(self.circuit, Engine::Batsat, Start::Free, stop);
        unrolling = unrolling.knowing(self.known);
        unrolling.push();
        unrolling.push();
        let [goes_on, _] = unrolling.horizon(1);
        for ((gate, _), need) in self.ties.iter().zip(&self.outlook.needs) {
            let later = unrolling.literal(0, Lit::of(*gate));
            let Some(lits) = need else {
                unrolling.solver().add(&[!later]);
                continue;
            };
            unrolling.solver().add(&[!later, goes_on]);
            for lit in lits {
                let held = unrolling.literal(1, *lit);
                unrolling.solver().add(&[!later, held]);
            }
        }
        unrolling
    }

    /// Widens the outlook by all that a step allows.
    fn widen(&mut self, unrolling: &mut Unrolling<'_>) -> Result<(), Spent> {
        let narrow: Vec<Literal> =
            self.ties.iter().map(|_| unrolling.solver().variable()).collect();
        for ((_, lit), narrow) in self.ties.iter().zip(&narrow) {
            let seen = unrolling.literal(0, *lit);
            unrolling.solver().add(&[!*narrow, seen]);
        }
        unrolling.solver().add(&narrow);
        let mut asked: Vec<Option<usize>> = vec![Some(usize::MAX); self.ties.len()];
        loop {
            // A shorter clause makes the longer one before it superfluous.
            for (tie, need) in self.outlook.needs.iter().enumerate() {
                let size = need.as_ref().map(Vec::len);
                if let (true, Some(lits)) = (asked[tie] != size, need) {
                    let mut clause = vec![!narrow[tie]];
                    clause.extend(lits.iter().map(|lit| !unrolling.literal(0, *lit)));
                    unrolling.solver().add(&clause);
                    asked[tie] = size;
                }
            }
            let before = unrolling.solver().conflicts();
            let answer = unrolling.solve(&[], Some(self.work.allowance()));
            self.work.spend(unrolling.solver().conflicts() - before)?;
            match answer {
                Answer::Unsat => return Ok(()),
                Answer::Unknown => return Err(Spent),
                Answer::Sat => {}
            }
            let holds = |lit: Lit| unrolling.value(0, lit) == Some(true);
            self.outlook.join(self.circuit, |tie| holds(self.ties[tie].1), holds);
        }
    }

    /// The targets that no step allows.
    fn exclude(&mut self, targets: &[Lit]) -> Result<Vec<bool>, Spent> {
        let mut unrolling = self.step();
        let mut excluded = vec![true; targets.len()];
        for index in 0..targets.len() {
            if !excluded[index] {
                continue;
            }
            let target = unrolling.literal(0, targets[index]);
            let before = unrolling.solver().conflicts();
            let answer = unrolling.solve(&[target], Some(self.work.allowance()));
            self.work.spend(unrolling.solver().conflicts() - before)?;
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
