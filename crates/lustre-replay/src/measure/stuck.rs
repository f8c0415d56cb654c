//! The exact semantics: a condition's effect is seen if the run with the condition stuck at its
//! other value shows something else (Whalen et al., section II).
//!
//! This is the detection of single stuck-at faults, and done as hardware people do it: lane 0
//! runs the test as it is, every other lane runs it with one condition stuck. A condition that is
//! masked whenever it has the value cannot show anything by losing it, and of the others only
//! those are run that can [possibly](super::possible) be seen.
//!
//! For boundary values a condition is not stuck throughout but turned around in just those steps
//! in which its operands stand at the boundary: an off-by-one fault.

use obligato_criteria::bvc;
use obligato_criteria::evidence::TestEvidence;
use obligato_lustre::lowering::Lowered;
use obligato_model::{ConditionId, Observability, Program as Outline, TestCase};
use obligato_transition_system::lanes::{Mask, WORDS, contains};
use obligato_transition_system::{Error, LaneProgram, NodeId, Simulator, TapId};

use super::forwards::ForwardRun;
use super::marking::{add, and, not, or};
use super::possible::{Forced, Possible};
use crate::batch::{LANES, default_value};

/// A condition that loses a value.
#[derive(Clone, Copy, Debug)]
struct Fault {
    condition: ConditionId,
    /// The value it loses.
    value: bool,
    /// Only where it stands at this boundary, by ordinal.
    boundary: Option<usize>,
}

impl Fault {
    /// Is it there in a step?
    fn applies(&self, step: usize, stands_at: &impl Fn(usize, ConditionId, usize) -> bool) -> bool {
        self.boundary.is_none_or(|at| stands_at(step, self.condition, at))
    }
}

/// Runs tests with conditions stuck.
#[derive(Debug)]
pub struct StuckRunner<'s> {
    simulator: Simulator<'s, WORDS>,
    possible: &'s Possible,
    /// By condition, one per occurrence.
    taps: Vec<Vec<TapId>>,
    observed: &'s [NodeId],
}

impl<'s> StuckRunner<'s> {
    /// A runner; `program` can force the taps and observes what is `observed`.
    pub fn new(
        program: &'s LaneProgram<'s>,
        possible: &'s Possible,
        lowered: &Lowered,
        observed: &'s [NodeId],
    ) -> Self {
        let conditions = (0..lowered.program.conditions().len()).map(ConditionId::new);
        let taps = conditions.map(|condition| lowered.taps(condition).collect()).collect();
        Self { simulator: Simulator::new(program), possible, taps, observed }
    }

    /// Adds to a test's evidence whose effects are seen in the steps that count; the test ran in
    /// this lane.
    pub fn observe(
        &mut self,
        program: &Outline,
        test: &TestCase,
        lane: usize,
        run: &ForwardRun,
        evidence: &mut TestEvidence,
    ) -> Result<(), Error> {
        let steps = run.counted.iter().take_while(|step| contains(step, lane)).count();
        let mut faults = stuck_faults(program, evidence);
        if !run.boundaries.is_empty() {
            faults.extend(boundary_faults(program, evidence));
        }
        let stands_at = |step, condition, boundary| {
            let met = run.boundaries.get(&(step, condition, boundary));
            met.is_some_and(|lanes| contains(lanes, lane))
        };
        if let Some(rows) = run.all_rows() {
            faults = self.possible(&rows[..steps], lane, &faults, stands_at);
        }
        for some in faults.chunks(LANES - 1) {
            let seen = self.run(test, steps, some, stands_at)?;
            let observed = evidence.observed.iter_mut();
            let mut exact = observed.filter(|(semantics, _)| *semantics == Observability::Exact);
            let (_, exact) = exact.next().expect("invariant: exact effects are watched for");
            for (index, fault) in some.iter().enumerate() {
                match fault.boundary {
                    _ if !contains(&seen, index + 1) => {}
                    Some(boundary) => exact.boundaries.insert(fault.condition, boundary),
                    None => {
                        let of_value = &mut exact.conditions[usize::from(fault.value)];
                        of_value.insert(fault.condition.index());
                    }
                }
            }
        }
        Ok(())
    }

    /// The faults that can possibly be seen.
    fn possible(
        &self,
        rows: &[Vec<Mask<WORDS>>],
        lane: usize,
        faults: &[Fault],
        stands_at: impl Fn(usize, ConditionId, usize) -> bool,
    ) -> Vec<Fault> {
        let mut possible = Vec::new();
        for some in faults.chunks(LANES) {
            let changing = some.iter().any(|fault| fault.boundary.is_some());
            let seen = self.possible.seen(rows, lane, |step, forced: &mut Forced| {
                if step > 0 && !changing {
                    return;
                }
                forced.clear();
                for (at, fault) in some.iter().enumerate() {
                    if !fault.applies(step, &stands_at) {
                        continue;
                    }
                    let own = mask_of(at);
                    for tap in &self.taps[fault.condition.index()] {
                        let (here, is_true) = forced.entry(*tap).or_default();
                        *here = or(*here, own);
                        *is_true = and(*is_true, not(own));
                        if !fault.value {
                            add(is_true, own);
                        }
                    }
                }
            });
            let kept = some.iter().enumerate().filter(|(at, _)| contains(&seen, *at));
            possible.extend(kept.map(|(_, fault)| *fault));
        }
        possible
    }

    /// The lanes that differ from lane 0 at some step; the fault at a position is in the lane
    /// after it.
    fn run(
        &mut self,
        test: &TestCase,
        steps: usize,
        faults: &[Fault],
        stands_at: impl Fn(usize, ConditionId, usize) -> bool,
    ) -> Result<Mask<WORDS>, Error> {
        let simulator = &mut self.simulator;
        simulator.release();
        simulator.reset();
        let mut all = [0; WORDS];
        for lane in 1..=faults.len() {
            add(&mut all, mask_of(lane));
        }
        let changing = faults.iter().any(|fault| fault.boundary.is_some());
        let mut seen = [0; WORDS];
        for (step, values) in test.steps.iter().enumerate().take(steps) {
            if changing {
                simulator.release();
            }
            for (index, fault) in faults.iter().enumerate().filter(|_| changing || step == 0) {
                if fault.applies(step, &stands_at) {
                    let lane = mask_of(index + 1);
                    let value = if fault.value { [0; WORDS] } else { lane };
                    for tap in &self.taps[fault.condition.index()] {
                        simulator.force_bools(*tap, lane, value)?;
                    }
                }
            }
            for (index, value) in values.iter().enumerate() {
                if let Some(value) = value {
                    simulator.fill_input(index, value)?;
                } else {
                    let kind = &simulator.program().system().inputs[index].kind;
                    simulator.fill_input(index, &default_value(kind))?;
                }
            }
            simulator.step();
            for node in self.observed {
                add(&mut seen, simulator.differing(*node)?);
            }
            if and(seen, all) == all {
                break;
            }
        }
        Ok(and(seen, all))
    }
}

/// Every value of a condition that was unmasked at some step.
fn stuck_faults(program: &Outline, evidence: &TestEvidence) -> Vec<Fault> {
    let mut faults = Vec::new();
    for (decision, seen) in &evidence.decisions {
        for ordinal in 0..program.decision(*decision).tree.conditions() {
            for value in [false, true] {
                if seen.showed_at_all(ordinal, value) {
                    let condition = program.condition_at(*decision, ordinal);
                    faults.push(Fault { condition, value, boundary: None });
                }
            }
        }
    }
    faults
}

/// Every boundary that was met.
fn boundary_faults(program: &Outline, evidence: &TestEvidence) -> Vec<Fault> {
    let mut faults = Vec::new();
    for condition in (0..program.conditions().len()).map(ConditionId::new) {
        for (at, boundary) in bvc::boundaries_of(program, condition).iter().enumerate() {
            if evidence.boundaries.contains(condition, at) {
                faults.push(Fault { condition, value: boundary.value, boundary: Some(at) });
            }
        }
    }
    faults
}

/// The mask of one lane.
fn mask_of(lane: usize) -> Mask<WORDS> {
    let mut mask = [0; WORDS];
    mask[lane / 64] = 1 << (lane % 64);
    mask
}
