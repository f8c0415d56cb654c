//! The product of a mutant and the model: a proof that they are equivalent, or
//! tests that may kill the mutant.

use obligato_lustre::lowering::Lowered;
use obligato_lustre_replay::{LANES, Runner, TracedNode};
use obligato_model::{Method, TestCase};
use obligato_prove::bmc::BmcOutcome;
use obligato_prove::{Invariant, Start};
use obligato_solver::Stop;
use obligato_transition_system::{CheckKind, Error, LaneProgram, lanes};

use super::systems::MutantQuery;
use crate::prover::{Attempt, Prover};
use crate::unbounded::{self, UnboundedVerdict};

/// Work units per step of depth: conflicts do not account for the time that long runs
/// take.
const WORK_PER_STEP: u64 = 100;

/// The result for one mutant.
#[derive(Debug)]
pub enum ProductResult {
    /// They are equivalent; the certificate, as text, if there is one.
    Equivalent(Method, Option<String>),
    /// Tests that may kill it; none if the budget did not suffice.
    Tests(Vec<TestCase>),
}

/// Decides a mutant in its product with the model; returns the work units spent.
///
/// First by k-induction with candidate invariants: most latches of the mutant equal those of the model, and simulation
/// finds these equalities. Then by IC3, which finds a proof or a run. The run may be spurious
/// where numbers leave the encoding, so bounded model checking within the encoding follows, and z3 for unbounded
/// numbers.
pub fn decide(mutant_query: &MutantQuery, work: u64, stop: &Stop) -> (ProductResult, u64) {
    let MutantQuery { system, nodes, query } = mutant_query;
    let mut prover = Prover::new(query, stop);
    let mut tests = Vec::new();
    if let Some((_, method)) = prover.induct(&[0], &[], work).pop() {
        let certificate = mutant_query.certify(&[0], &prover.known);
        return (ProductResult::Equivalent(method, Some(certificate)), prover.work);
    }
    match prover.refute(&[0], work) {
        Attempt::Refuted(method) => {
            let certificate = mutant_query.certify(&[0], &prover.known);
            return (ProductResult::Equivalent(method, Some(certificate)), prover.work);
        }
        Attempt::Reached(run) => tests.push(query.test(&run)),
        Attempt::Open => {}
    }
    let mut done = prover.work;
    if tests.is_empty() || !query.is_replayable() {
        let mut search = query.search(Start::Initial, &Invariant::new(), stop);
        search.add_target(query.lits[0]);
        let deepest = usize::try_from(work / WORK_PER_STEP).unwrap_or(usize::MAX);
        match search.next(deepest, work) {
            BmcOutcome::Found(found) => tests.push(query.test(&found.run)),
            BmcOutcome::Exhausted | BmcOutcome::OutOfBudget if !query.encoding.is_exact() => {
                done += work;
                match unbounded::decide(system, nodes[0], query.model_inputs(), work, stop) {
                    UnboundedVerdict::Never(_) => {
                        return (
                            ProductResult::Equivalent(Method::Invariant, None),
                            done + search.conflicts(),
                        );
                    }
                    UnboundedVerdict::Test(test) => tests.push(test),
                    UnboundedVerdict::Undefined | UnboundedVerdict::Open(_) => {}
                }
            }
            BmcOutcome::Exhausted | BmcOutcome::OutOfBudget => {}
        }
        done += search.conflicts();
    }
    (ProductResult::Tests(tests), done)
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
