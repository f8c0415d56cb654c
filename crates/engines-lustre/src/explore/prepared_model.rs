//! A model prepared for random testing: its lane program, its dictionary, and its state abstraction.

use obligato_lustre::lowering::Lowered;
use obligato_model::Random;
use obligato_transition_system::lanes::{self, Reader};
use obligato_transition_system::{
    Binary, CheckKind, Error, LaneProgram, NodeId, Sort, System, Term,
};

use super::dictionary::Dictionary;

/// The most predicates of the state abstraction.
const MOST_PREDICATES: usize = 512;

/// The longest delay line of inputs that is left out of the abstraction.
const LONGEST_DELAY: usize = 8;

/// A model prepared for random testing.
#[derive(Debug)]
pub struct PreparedModel<'l> {
    pub(super) program: LaneProgram<'l>,
    pub(super) dictionary: Dictionary,
    /// The predicates of the state abstraction, each with a random number: a state is the sum of
    /// the numbers of those that hold (Zobrist hashing, 1970).
    pub(super) predicates: Vec<(Reader, u64)>,
    /// The assertions: tests must satisfy them.
    pub(super) assertions: Vec<usize>,
    /// The checks against runtime errors.
    pub(super) runtime_checks: Vec<usize>,
}

impl<'l> PreparedModel<'l> {
    /// Prepares a model.
    pub fn new(lowered: &'l Lowered) -> Result<Self, Error> {
        let system = &lowered.system;
        let observe = state_predicates(system);
        let options =
            lanes::LaneOptions { observe: observe.clone(), ..lanes::LaneOptions::default() };
        let program = LaneProgram::new(system, &options)?;
        let mut random = Random::new(0);
        let predicates = observe.into_iter().map(|node| Ok((program.reader(node)?, random.next())));
        let predicates = predicates.collect::<Result<_, Error>>()?;
        let checks = |wanted: &[CheckKind]| {
            let checks = system.checks.iter().enumerate();
            let chosen = checks.filter(|(_, check)| wanted.contains(&check.kind));
            chosen.map(|(index, _)| index).collect()
        };
        Ok(Self {
            assertions: checks(&[CheckKind::Assertion]),
            runtime_checks: checks(&[
                CheckKind::DivisionByZero,
                CheckKind::Subrange,
                CheckKind::Index,
            ]),
            dictionary: Dictionary::new(lowered),
            program,
            predicates,
        })
    }
}

/// The predicates of the state abstraction: Boolean latches, and the comparisons that the
/// model makes of numeric latches, as modes and timers depend on these. Delay lines of inputs are
/// left out: any state can reach their values.
fn state_predicates(system: &System) -> Vec<NodeId> {
    let graph = &system.graph;
    let delays = delays(system);
    // Does a node depend on latches alone, and on more than delay lines?
    let mut of_state = vec![true; graph.len()];
    let mut is_state = vec![false; graph.len()];
    let mut predicates = Vec::new();
    for node in graph.nodes() {
        let at = node.index();
        match graph.term(node) {
            Term::Constant(_) => {}
            Term::Input(_) => of_state[at] = false,
            Term::Latch(index) => is_state[at] = !delays[index as usize],
            term => {
                for child in term.children() {
                    of_state[at] &= of_state[child.index()];
                    is_state[at] |= is_state[child.index()];
                }
            }
        }
        let is_predicate = match graph.term(node) {
            Term::Latch(_) => graph.sort(node) == Sort::Bool,
            Term::Binary(Binary::Equal | Binary::Less | Binary::LessEqual, a, _) => {
                graph.sort(a) != Sort::Bool
            }
            _ => false,
        };
        if is_predicate && of_state[at] && is_state[at] {
            predicates.push(node);
        }
    }
    let stride = predicates.len().div_ceil(MOST_PREDICATES).max(1);
    predicates.into_iter().step_by(stride).collect()
}

/// By latch: is it a delay line of inputs?
fn delays(system: &System) -> Vec<bool> {
    let graph = &system.graph;
    let mut delays = vec![false; system.latches.len()];
    for _ in 0..LONGEST_DELAY {
        let mut is_delay = vec![true; graph.len()];
        for node in graph.nodes() {
            is_delay[node.index()] = match graph.term(node) {
                Term::Latch(index) => delays[index as usize],
                term => term.children().all(|child| is_delay[child.index()]),
            };
        }
        let next = system.latches.iter().map(|latch| is_delay[latch.next.index()]);
        let next: Vec<bool> = next.collect();
        if next == delays {
            break;
        }
        delays = next;
    }
    delays
}
