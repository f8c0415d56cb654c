//! What a campaign came to.

use std::time::Duration;

use obligato_criteria::{Evidence, JudgeError, judge};
use obligato_model::{Assessment, Limit, Plan, Program, TestCase, Verdict};

use crate::ledger::{Ledger, Standing};
use crate::proofs::BookedProof;
use crate::request::Phase;

/// What a campaign came to.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// One verdict per obligation, over the given tests and then the new ones.
    pub assessment: Assessment,
    /// What all these tests have shown.
    pub evidence: Evidence,
    /// The tests that were made, in order.
    pub tests: Vec<MadeTest>,
    /// The proofs, to be [checked](crate::proofs::check) by whoever wants to.
    pub proofs: Vec<BookedProof>,
    /// What each phase did, in the order they ran.
    pub phases: Vec<PhaseReport>,
    /// Why it ended before everything was resolved, if it did.
    pub limit: Option<Limit>,
}

/// A test that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MadeTest {
    /// The test.
    pub test: TestCase,
    /// The phase that made it.
    pub phase: Phase,
}

/// What a phase did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PhaseReport {
    /// The phase.
    pub phase: Phase,
    /// Tests made.
    pub tests: usize,
    /// Obligations that came to be covered.
    pub covered: usize,
    /// Obligations that were proved uncoverable.
    pub uncoverable: usize,
    /// Work, in the units of a budget.
    pub work: u64,
    /// Time.
    pub time: Duration,
}

impl PhaseReport {
    /// Nothing done yet.
    pub fn new(phase: Phase) -> Self {
        let (tests, covered, uncoverable, work, time) = (0, 0, 0, 0, Duration::ZERO);
        Self { phase, tests, covered, uncoverable, work, time }
    }
}

/// Judges the evidence, with the proofs of the ledger and the limit for what neither settles. A proof
/// that a test contradicts is an error: one of our engines is wrong then.
pub fn assess(
    program: &Program,
    mut plan: Plan,
    evidence: &Evidence,
    ledger: &Ledger<'_>,
    limit: Option<&Limit>,
) -> Result<Assessment, JudgeError> {
    for (index, obligation) in plan.obligations.iter_mut().enumerate() {
        if let Standing::Refuted(proof) = ledger.standing(index) {
            obligation.settled = Some(Verdict::Uncoverable(proof.clone()));
        }
    }
    let mut assessment = judge(program, plan, evidence)?;
    for (index, verdict) in assessment.verdicts.iter_mut().enumerate() {
        if !matches!(verdict, Verdict::Unresolved(Limit::Suite(_))) {
            continue;
        }
        if let Some(limit) = obstacle(ledger, index, limit) {
            *verdict = Verdict::Unresolved(limit);
        }
    }
    Ok(assessment)
}

/// What stands in the way of an obligation that is open, where the budget does if nothing else is known.
pub fn obstacle(ledger: &Ledger<'_>, obligation: usize, budget: Option<&Limit>) -> Option<Limit> {
    if let Standing::Unsupported(why) = ledger.standing(obligation) {
        return Some(Limit::Unsupported(why.clone()));
    }
    let undecided = ledger.obstacle(obligation).cloned().map(Limit::Undecided);
    undecided.or_else(|| budget.cloned())
}
