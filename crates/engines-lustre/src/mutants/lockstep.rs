//! Mutants in lockstep with the model: all that never diverge from it are proved equivalent together.
//!
//! First by k-induction, which proves most: invariants of the model serve all mutants. Then
//! by IC3, one proof for a group, and if the budget does not suffice, one for each half. Counterexamples, in which some mutants
//! diverge, lead to states from which a test may kill them.

use obligato_model::{Method, TestCase};
use obligato_prove::Run;
use obligato_prove::run::{evaluate, initial_state, is_allowed, next_state, value};
use obligato_solver::Stop;

use super::systems::MutantQuery;
use crate::prover::{Attempt, Prover};
use crate::query::Query;

/// The result of a lockstep group.
#[derive(Debug)]
pub struct LockstepResult {
    /// The positions of those that never diverge, and the method of proof.
    pub equivalent: Vec<(usize, Method)>,
    /// The certificate of that, as text; nothing if there are none.
    pub certificate: Option<String>,
    /// By position: does it diverge in some run of the circuit?
    pub diverged: Vec<bool>,
    /// Tests in which some diverge.
    pub tests: Vec<TestCase>,
    /// The work units spent.
    pub work: u64,
}

/// Proves mutants of a group equivalent, with so many work units on each proof.
pub fn prove_equivalent(mutant_query: &MutantQuery, work: u64, stop: &Stop) -> LockstepResult {
    let query = &mutant_query.query;
    let all: Vec<usize> = (0..query.lits.len()).collect();
    let mut prover = Prover::new(query, stop);
    let mut diverged = vec![false; all.len()];
    let (mut equivalent, mut tests) = (prover.induct(&all, &[], work), Vec::new());
    let is_open = |at: &usize| !equivalent.iter().any(|(proved, _)| proved == at);
    let mut groups = vec![all.iter().copied().filter(is_open).collect::<Vec<usize>>()];
    while let Some(mut group) = groups.pop() {
        group.retain(|at| !diverged[*at]);
        if group.is_empty() || stop.is_due() {
            continue;
        }
        match prover.refute(&group, work) {
            Attempt::Refuted(method) => equivalent.extend(group.iter().map(|at| (*at, method))),
            Attempt::Reached(run) => {
                mark_divergent(query, &run, &mut diverged);
                tests.push(query.test(&run));
                groups.push(group);
            }
            Attempt::Open if group.len() > 1 => {
                let second = group.split_off(group.len() / 2);
                groups.extend([second, group]);
            }
            Attempt::Open => {}
        }
    }
    equivalent.sort_unstable_by_key(|(at, _)| *at);
    let places: Vec<usize> = equivalent.iter().map(|(at, _)| *at).collect();
    let certificate = (!places.is_empty()).then(|| mutant_query.certify(&places, &prover.known));
    LockstepResult { equivalent, certificate, diverged, tests, work: prover.work }
}

/// Marks the mutants that diverge in a run of the circuit.
fn mark_divergent(query: &Query, run: &Run, diverged: &mut [bool]) {
    let circuit = &query.encoding.circuit;
    let mut state = initial_state(circuit);
    for step in &run.steps {
        let values = evaluate(circuit, &state, step);
        if !is_allowed(circuit, &values) {
            break;
        }
        for (diverged, lit) in diverged.iter_mut().zip(&query.lits) {
            *diverged |= value(&values, *lit);
        }
        state = next_state(circuit, &values);
    }
}
