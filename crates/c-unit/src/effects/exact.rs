//! The exact semantics: the effect of a condition is observed if its twin run, in which the condition
//! never has its value, has other outputs (Whalen et al., Observable MC/DC, section II).
//!
//! The code stays as it is: in the twin run the condition's register is flipped wherever the condition has
//! the suppressed value; for boundary values, only where the operands are at the boundary.
//! Masked conditions are tried as well: in C, another value may skip the side effect of a later condition.

use obligato_criteria::bvc;
use obligato_criteria::evidence::TestEvidence;
use obligato_execute::{Ending, ExecutionLimit, ExecutionLimits, FindingKind, Observer, WatchId};
use obligato_model::{ConditionId, Observability, Program};

use crate::measure::Watches;
use crate::run::{Runner, TestRun};
use crate::script::Write;
use crate::watch::{Meaning, operand};

/// A value of a condition that a twin run suppresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct SuppressedValue {
    condition: ConditionId,
    value: bool,
    /// Only where its operands are at this boundary, by ordinal.
    boundary: Option<usize>,
}

/// Flips a condition wherever it has the suppressed value.
#[derive(Debug)]
pub struct ValueSuppressor<'u> {
    program: &'u Program,
    watches: &'u Watches,
    suppressed: Option<SuppressedValue>,
    operands: Vec<u64>,
}

impl<'u> ValueSuppressor<'u> {
    /// `watches` are those of all conditions of the program.
    pub fn new(program: &'u Program, watches: &'u Watches) -> Self {
        Self { program, watches, suppressed: None, operands: Vec::new() }
    }

    /// From now on this condition never has this value.
    pub fn suppress(&mut self, condition: ConditionId, value: bool) {
        self.suppressed = Some(SuppressedValue { condition, value, boundary: None });
        self.operands.clear();
    }

    fn is_suppressed(&self, condition: ConditionId, value: bool) -> bool {
        let Some(suppressed) = self.suppressed else { return false };
        if (suppressed.condition, suppressed.value) != (condition, value) {
            return false;
        }
        suppressed.boundary.is_none_or(|boundary| self.is_at_boundary(condition, boundary))
    }

    fn is_at_boundary(&self, condition: ConditionId, boundary: usize) -> bool {
        let relation = self.program.condition(condition).relation.as_ref();
        let (Some(relation), [left, right]) = (relation, self.operands.as_slice()) else {
            return false;
        };
        let operands = operand(&relation.kind, *left).zip(operand(&relation.kind, *right));
        operands.is_some_and(|(left, right)| {
            bvc::met(relation, &left, &right, &self.program.real_step).contains(&boundary)
        })
    }
}

impl Observer for ValueSuppressor<'_> {
    fn saw(&mut self, watch: WatchId, _: u32, value: &mut u64) {
        let Some(meaning) = self.watches.meaning(watch) else { return self.operands.push(*value) };
        if let Meaning::Evaluate(condition) = meaning
            && self.is_suppressed(*condition, *value & 1 != 0)
        {
            *value ^= 1;
        }
        self.operands.clear();
    }
}

/// The step limit of a twin run: so many times the steps of the test itself, and at least so many.
const TWIN_STEP_FACTOR: u64 = 100;
const LEAST_TWIN_STEPS: u64 = 1_000_000;

/// The limits of the twin run of a test.
fn limits_of_twin(run: &TestRun, limits: ExecutionLimits) -> ExecutionLimits {
    let steps =
        run.operations.saturating_mul(TWIN_STEP_FACTOR).max(LEAST_TWIN_STEPS).min(limits.steps);
    ExecutionLimits { steps, ..limits }
}

/// Adds the observed effects to a test's evidence. Effects of boundaries cost a run each.
pub fn add_effects(
    runner: &mut Runner<'_, (), ValueSuppressor<'_>>,
    script: &[Vec<Write>],
    original: &TestRun,
    limits: ExecutionLimits,
    boundaries: bool,
    evidence: &mut TestEvidence,
) {
    let program = runner.observer_mut().program;
    let mut losses = taken_values(program, evidence);
    if boundaries {
        losses.extend(met_boundaries(program, evidence));
    }
    runner.set_limits(limits_of_twin(original, limits));
    for suppressed in losses {
        runner.observer_mut().suppressed = Some(suppressed);
        let twin = runner.run(script);
        if !differs(original, &twin) {
            continue;
        }
        let mut all = evidence.observed.iter_mut();
        let exact = all.find(|(semantics, _)| *semantics == Observability::Exact);
        let Some((_, exact)) = exact else { return };
        match suppressed.boundary {
            Some(boundary) => exact.boundaries.insert(suppressed.condition, boundary),
            None => {
                exact.conditions[usize::from(suppressed.value)]
                    .insert(suppressed.condition.index());
            }
        }
    }
}

/// Does the twin run have other outputs? An end by an unsupported construct or for want of memory says nothing.
fn differs(original: &TestRun, twin: &TestRun) -> bool {
    let both = original.steps.iter().zip(&twin.steps);
    if both.into_iter().any(|(original, twin)| original != twin) {
        return true;
    }
    match &twin.ending {
        Some(Ending::Finding(finding)) => match &finding.kind {
            FindingKind::Unsupported { .. }
            | FindingKind::Limit(ExecutionLimit::Memory | ExecutionLimit::Objects) => false,
            kind => !matches!(&original.ending, Some(Ending::Finding(own)) if own.kind == *kind),
        },
        _ => original.ending != twin.ending,
    }
}

/// Every value that a condition had, to be suppressed.
fn taken_values(program: &Program, evidence: &TestEvidence) -> Vec<SuppressedValue> {
    let mut losses = Vec::new();
    for (decision, seen) in &evidence.decisions {
        for ordinal in 0..program.decision(*decision).tree.conditions() {
            for value in [false, true] {
                if seen.took(ordinal, value) {
                    let condition = program.condition_at(*decision, ordinal);
                    losses.push(SuppressedValue { condition, value, boundary: None });
                }
            }
        }
    }
    losses
}

/// Every boundary that was met, to be suppressed.
fn met_boundaries(program: &Program, evidence: &TestEvidence) -> Vec<SuppressedValue> {
    let mut losses = Vec::new();
    for condition in (0..program.conditions().len()).map(ConditionId::new) {
        for (at, boundary) in bvc::boundaries_of(program, condition).iter().enumerate() {
            if evidence.boundaries.contains(condition, at) {
                losses.push(SuppressedValue {
                    condition,
                    value: boundary.value,
                    boundary: Some(at),
                });
            }
        }
    }
    losses
}
