//! The exact semantics: the effect of a condition is seen if the run in which it never
//! has its value shows something else (Whalen et al., Observable MC/DC, section II).
//!
//! Nothing is changed in the code: the twin is the same run with the condition's register turned around
//! wherever it is evaluated. For boundary values it is turned around only where the operands stand at the boundary.
//! Masked conditions are tried as well: in C, another value may skip the side effect of a condition behind it.

use obligato_criteria::bvc;
use obligato_criteria::evidence::TestEvidence;
use obligato_execute::{Ending, Kind, Limit, Limits, Observer, WatchId};
use obligato_model::{ConditionId, Observability, Program};

use crate::measure::Watches;
use crate::run::{Runner, TestRun};
use crate::script::Write;
use crate::watch::{Meaning, operand};

/// A condition that loses a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Loss {
    condition: ConditionId,
    /// The value it loses.
    value: bool,
    /// Only where it stands at this boundary, by ordinal.
    boundary: Option<usize>,
}

/// Turns a condition around.
#[derive(Debug)]
pub struct Turner<'u> {
    program: &'u Program,
    watches: &'u Watches,
    loss: Option<Loss>,
    operands: Vec<u64>,
}

impl<'u> Turner<'u> {
    /// Of a condition of this program; `watches` are those of all conditions.
    pub fn new(program: &'u Program, watches: &'u Watches) -> Self {
        Self { program, watches, loss: None, operands: Vec::new() }
    }

    /// From now on this condition never has this value.
    pub fn turn(&mut self, condition: ConditionId, value: bool) {
        self.loss = Some(Loss { condition, value, boundary: None });
        self.operands.clear();
    }

    fn turns(&self, condition: ConditionId, value: bool) -> bool {
        let Some(loss) = self.loss else { return false };
        if (loss.condition, loss.value) != (condition, value) {
            return false;
        }
        loss.boundary.is_none_or(|boundary| self.stands_at(condition, boundary))
    }

    fn stands_at(&self, condition: ConditionId, boundary: usize) -> bool {
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

impl Observer for Turner<'_> {
    fn saw(&mut self, watch: WatchId, _: u32, value: &mut u64) {
        let Some(meaning) = self.watches.meaning(watch) else { return self.operands.push(*value) };
        if let Meaning::Evaluate(condition) = meaning
            && self.turns(*condition, *value & 1 != 0)
        {
            *value ^= 1;
        }
        self.operands.clear();
    }
}

/// A twin is taken for endless when it has taken so much longer than the test itself, and at least so long.
const PATIENCE: u64 = 100;
const LEAST_PATIENCE: u64 = 1_000_000;

/// The limits of a twin of a test.
fn limits_of_twin(run: &TestRun, limits: Limits) -> Limits {
    let steps = run.operations.saturating_mul(PATIENCE).max(LEAST_PATIENCE).min(limits.steps);
    Limits { steps, ..limits }
}

/// Adds to a test's evidence whose effects are seen. Effects of boundaries cost a run each.
pub fn add_effects(
    runner: &mut Runner<'_, (), Turner<'_>>,
    script: &[Vec<Write>],
    original: &TestRun,
    limits: Limits,
    boundaries: bool,
    evidence: &mut TestEvidence,
) {
    let program = runner.observer_mut().program;
    let mut losses = losses_of_values(program, evidence);
    if boundaries {
        losses.extend(losses_at_boundaries(program, evidence));
    }
    runner.set_limits(limits_of_twin(original, limits));
    for loss in losses {
        runner.observer_mut().loss = Some(loss);
        let twin = runner.run(script);
        if !differs(original, &twin) {
            continue;
        }
        let mut all = evidence.observed.iter_mut();
        let exact = all.find(|(semantics, _)| *semantics == Observability::Exact);
        let Some((_, exact)) = exact else { return };
        match loss.boundary {
            Some(boundary) => exact.boundaries.insert(loss.condition, boundary),
            None => exact.conditions[usize::from(loss.value)].insert(loss.condition.index()),
        }
    }
}

/// Is something else seen of the twin? What the executor cannot do, or has no memory for, says nothing.
fn differs(original: &TestRun, twin: &TestRun) -> bool {
    let both = original.steps.iter().zip(&twin.steps);
    if both.into_iter().any(|(original, twin)| original != twin) {
        return true;
    }
    match &twin.ending {
        Some(Ending::Finding(finding)) => match &finding.kind {
            Kind::Unsupported { .. } | Kind::Limit(Limit::Memory | Limit::Objects) => false,
            kind => !matches!(&original.ending, Some(Ending::Finding(own)) if own.kind == *kind),
        },
        _ => original.ending != twin.ending,
    }
}

/// Every value that a condition had.
fn losses_of_values(program: &Program, evidence: &TestEvidence) -> Vec<Loss> {
    let mut losses = Vec::new();
    for (decision, seen) in &evidence.decisions {
        for ordinal in 0..program.decision(*decision).tree.conditions() {
            for value in [false, true] {
                if seen.took(ordinal, value) {
                    let condition = program.condition_at(*decision, ordinal);
                    losses.push(Loss { condition, value, boundary: None });
                }
            }
        }
    }
    losses
}

/// Every boundary that was met.
fn losses_at_boundaries(program: &Program, evidence: &TestEvidence) -> Vec<Loss> {
    let mut losses = Vec::new();
    for condition in (0..program.conditions().len()).map(ConditionId::new) {
        for (at, boundary) in bvc::boundaries_of(program, condition).iter().enumerate() {
            if evidence.boundaries.contains(condition, at) {
                losses.push(Loss { condition, value: boundary.value, boundary: Some(at) });
            }
        }
    }
    losses
}
