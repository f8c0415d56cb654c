//! Mutants in lockstep with the model: all that never stray from it are proved equivalent together.
//!
//! First by induction, which settles most: what holds in all states of the model serves all mutants. Then
//! by IC3, one proof for a group of them, and where that is too much, one for each half. Runs in which some
//! stray turn up on the way; they lead to states in which a test may tell them apart.

use obligato_model::{Method, TestCase};
use obligato_prove::Run;
use obligato_prove::run::{evaluate, initial_state, is_allowed, next_state, value};
use obligato_solver::Stop;

use super::arena::Contest;
use crate::prover::{Attempt, Prover};
use crate::question::Question;

/// What became of mutants in lockstep.
#[derive(Debug)]
pub struct Marched {
    /// The positions of those that never stray, and how that was proved.
    pub equivalent: Vec<(usize, Method)>,
    /// The certificate of that, as text; nothing if there are none.
    pub certificate: Option<String>,
    /// By position: does it stray, as far as the circuit can tell?
    pub strayed: Vec<bool>,
    /// Tests in which some do.
    pub tests: Vec<TestCase>,
    /// Work done.
    pub work: u64,
}

/// Decides who never strays, with so much work on each proof.
pub fn march(contest: &Contest, work: u64, stop: &Stop) -> Marched {
    let question = &contest.question;
    let all: Vec<usize> = (0..question.lits.len()).collect();
    let mut prover = Prover::new(question, stop);
    let mut strayed = vec![false; all.len()];
    let (mut equivalent, mut tests) = (prover.induct(&all, &[], work), Vec::new());
    let is_open = |at: &usize| !equivalent.iter().any(|(proved, _)| proved == at);
    let mut groups = vec![all.iter().copied().filter(is_open).collect::<Vec<usize>>()];
    while let Some(mut group) = groups.pop() {
        group.retain(|at| !strayed[*at]);
        if group.is_empty() || stop.is_due() {
            continue;
        }
        match prover.refute(&group, work) {
            Attempt::Refuted(method) => equivalent.extend(group.iter().map(|at| (*at, method))),
            Attempt::Reached(run) => {
                mark_strays(question, &run, &mut strayed);
                tests.push(question.test(&run));
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
    let certificate = (!places.is_empty()).then(|| contest.certify(&places, &prover.known));
    Marched { equivalent, certificate, strayed, tests, work: prover.work }
}

/// Takes note of who strays in a run of the circuit.
fn mark_strays(question: &Question, run: &Run, strayed: &mut [bool]) {
    let circuit = &question.encoding.circuit;
    let mut state = initial_state(circuit);
    for step in &run.steps {
        let values = evaluate(circuit, &state, step);
        if !is_allowed(circuit, &values) {
            break;
        }
        for (strayed, lit) in strayed.iter_mut().zip(&question.lits) {
            *strayed |= value(&values, *lit);
        }
        state = next_state(circuit, &values);
    }
}
