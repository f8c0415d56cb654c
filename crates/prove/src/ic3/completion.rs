//! Completion of a run in a cone to a run of the whole circuit.

use obligato_circuit::{Circuit, Lit};
use obligato_solver::{Answer, Engine, Literal, Solver};

use super::cone::reached_from;
use super::meter::{NoAnswer, WorkMeter};
use crate::run::Run;
use crate::step_encoding::StepEncoding;

/// Chooses inputs that these constraints depend on, so that they hold in every step. Nothing else of the
/// run may depend on them. False if there is no such choice.
pub fn complete(
    circuit: &Circuit,
    run: &mut Run,
    constraints: &[Lit],
    meter: &mut WorkMeter,
) -> Result<bool, NoAnswer> {
    if constraints.is_empty() {
        return Ok(true);
    }
    let mut solver = Solver::new(Engine::Batsat, meter.stop());
    let truth = solver.variable();
    solver.add(&[truth]);
    let part = reached_from(circuit, constraints.iter().copied());
    let latches: Vec<_> =
        circuit.latches().iter().filter(|latch| part[latch.gate as usize]).collect();
    let mut state: Vec<Literal> =
        latches.iter().map(|latch| truth.negated_if(!latch.initial)).collect();
    let mut frames = Vec::with_capacity(run.steps.len());
    for _ in 0..run.steps.len() {
        let mut encoding = StepEncoding::new();
        latches.iter().zip(&state).for_each(|(latch, literal)| encoding.set(latch.gate, *literal));
        for lit in constraints {
            let literal = encoding.literal(circuit, &mut solver, *lit);
            solver.add(&[literal]);
        }
        state = latches
            .iter()
            .map(|latch| encoding.literal(circuit, &mut solver, latch.next))
            .collect();
        frames.push(encoding);
    }
    let answer = solver.solve(&[], Some(meter.left()?));
    meter.spend(solver.conflicts());
    match answer {
        Answer::Unknown => return Err(meter.reason()),
        Answer::Unsat => return Ok(false),
        Answer::Sat => {}
    }
    for (step, encoding) in run.steps.iter_mut().zip(&frames) {
        for (bit, gate) in step.iter_mut().zip(circuit.inputs()) {
            if part[*gate as usize] {
                *bit = encoding.known(Lit::of(*gate)).is_some_and(|literal| solver.value(literal));
            }
        }
    }
    Ok(true)
}
