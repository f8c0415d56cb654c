//! A mutant against the model, side by side in one system: a proof that nothing ever tells them apart, or
//! tests that may.

use obligato_lustre::lowering::Lowered;
use obligato_lustre_replay::{LANES, Runner, TracedNode};
use obligato_model::{Method, TestCase};
use obligato_prove::bmc::BmcOutcome;
use obligato_prove::{Invariant, Start};
use obligato_solver::Stop;
use obligato_transition_system::{CheckKind, Error, LaneProgram, lanes};

use super::arena::Contest;
use crate::numbers::{self, Numbered};
use crate::prover::{Attempt, Prover};

/// Tests of a step per so much work are searched for: solvers count conflicts, and long runs take time
/// without any.
const WORK_PER_STEP: u64 = 100;

/// How a mutant and the model ended.
#[derive(Debug)]
pub enum Ended {
    /// Nothing ever tells them apart; the certificate, as text, if there is one.
    Never(Method, Option<String>),
    /// These tests may; none if nothing was found within the work allowed.
    Tests(Vec<TestCase>),
}

/// Decides a mutant in its product with the model, with so much work; says how much of it was done.
///
/// First by induction, with guesses: most of what the mutant computes is what the model computes, and
/// that is what guesses are good at. Then by IC3, which finds a proof or a run; that need not be a run
/// of the system where numbers leave the encoding, so a search within it follows, and a solver that
/// knows numbers of any size.
pub fn decide(contest: &Contest, work: u64, stop: &Stop) -> (Ended, u64) {
    let Contest { system, nodes, question } = contest;
    let mut prover = Prover::new(question, stop);
    let mut tests = Vec::new();
    if let Some((_, method)) = prover.induct(&[0], &[], work).pop() {
        let certificate = contest.certify(&[0], &prover.known);
        return (Ended::Never(method, Some(certificate)), prover.work);
    }
    match prover.refute(&[0], work) {
        Attempt::Refuted(method) => {
            let certificate = contest.certify(&[0], &prover.known);
            return (Ended::Never(method, Some(certificate)), prover.work);
        }
        Attempt::Reached(run) => tests.push(question.test(&run)),
        Attempt::Open => {}
    }
    let mut done = prover.work;
    if tests.is_empty() || !question.encoding.is_exact() {
        let mut search = question.search(Start::Initial, &Invariant::new(), stop);
        search.add_target(question.lits[0]);
        let deepest = usize::try_from(work / WORK_PER_STEP).unwrap_or(usize::MAX);
        match search.next(deepest, work) {
            BmcOutcome::Found(found) => tests.push(question.test(&found.run)),
            BmcOutcome::Exhausted | BmcOutcome::OutOfBudget if !question.encoding.is_exact() => {
                done += work;
                match numbers::decide(system, nodes[0], question.model_inputs(), work, stop) {
                    Numbered::Never(_) => {
                        return (Ended::Never(Method::Invariant, None), done + search.conflicts());
                    }
                    Numbered::Test(test) => tests.push(test),
                    Numbered::Open(_) => {}
                }
            }
            BmcOutcome::Exhausted | BmcOutcome::OutOfBudget => {}
        }
        done += search.conflicts();
    }
    (Ended::Tests(tests), done)
}

/// The tests that violate no assertion of the model.
pub fn keep_tests_of_the_model(
    lowered: &Lowered,
    tests: &[TestCase],
) -> Result<Vec<TestCase>, Error> {
    let program = LaneProgram::new(&lowered.system, &lanes::LaneOptions::default())?;
    let shown: [TracedNode; 0] = [];
    let mut runner = Runner::new(&program, &shown);
    let mut kept = Vec::new();
    for batch in tests.chunks(LANES) {
        for (test, trace) in batch.iter().zip(runner.run(batch)?) {
            let is_outside = trace
                .failures
                .iter()
                .any(|failure| lowered.system.checks[failure.check].kind == CheckKind::Assertion);
            if !is_outside {
                kept.push(test.clone());
            }
        }
    }
    Ok(kept)
}
