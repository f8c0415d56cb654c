//! A model prepared for exploring: what to run, what to draw from, and what tells its states apart.

use obligato_lustre::lowering::Lowered;
use obligato_model::Random;
use obligato_transition_system::lanes::{self, Reader};
use obligato_transition_system::{
    Binary, CheckKind, Error, LaneProgram, NodeId, Sort, System, Term,
};

use super::dictionary::Dictionary;

/// So many Booleans tell states apart at most.
const MOST_PREDICATES: usize = 512;

/// So many steps back a latch may remember nothing but inputs.
const LONGEST_DELAY: usize = 8;

/// A model prepared for exploring.
#[derive(Debug)]
pub struct Terrain<'l> {
    pub(super) program: LaneProgram<'l>,
    pub(super) dictionary: Dictionary,
    /// The Booleans that tell states apart, each with a random number: a state is the sum of
    /// the numbers of those that hold (Zobrist, 1970).
    pub(super) predicates: Vec<(Reader, u64)>,
    /// The checks that say what is a test of the model.
    pub(super) assertions: Vec<usize>,
    /// The checks that say what is a fault of it.
    pub(super) faults: Vec<usize>,
}

impl<'l> Terrain<'l> {
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
            faults: checks(&[CheckKind::DivisionByZero, CheckKind::Subrange, CheckKind::Index]),
            dictionary: Dictionary::new(lowered),
            program,
            predicates,
        })
    }
}

/// The Booleans that tell the states of a system apart: Boolean latches, and the comparisons that the
/// model makes of its numeric ones, for these are the values that modes and timers turn on. What only
/// remembers the last inputs is left out: it can be had from anywhere.
fn state_predicates(system: &System) -> Vec<NodeId> {
    let graph = &system.graph;
    let delays = delays(system);
    // Does a node depend on state alone, and on more than delayed inputs?
    let mut of_state = vec![true; graph.len()];
    let mut lasting = vec![false; graph.len()];
    let mut predicates = Vec::new();
    for node in graph.nodes() {
        let at = node.index();
        match graph.term(node) {
            Term::Constant(_) => {}
            Term::Input(_) => of_state[at] = false,
            Term::Latch(index) => lasting[at] = !delays[index as usize],
            term => {
                for child in term.children() {
                    of_state[at] &= of_state[child.index()];
                    lasting[at] |= lasting[child.index()];
                }
            }
        }
        let tells = match graph.term(node) {
            Term::Latch(_) => graph.sort(node) == Sort::Bool,
            Term::Binary(Binary::Equal | Binary::Less | Binary::LessEqual, a, _) => {
                graph.sort(a) != Sort::Bool
            }
            _ => false,
        };
        if tells && of_state[at] && lasting[at] {
            predicates.push(node);
        }
    }
    let stride = predicates.len().div_ceil(MOST_PREDICATES).max(1);
    predicates.into_iter().step_by(stride).collect()
}

/// By latch: does it remember nothing but inputs of the last steps?
fn delays(system: &System) -> Vec<bool> {
    let graph = &system.graph;
    let mut delays = vec![false; system.latches.len()];
    for _ in 0..LONGEST_DELAY {
        let mut fleeting = vec![true; graph.len()];
        for node in graph.nodes() {
            fleeting[node.index()] = match graph.term(node) {
                Term::Latch(index) => delays[index as usize],
                term => term.children().all(|child| fleeting[child.index()]),
            };
        }
        let next = system.latches.iter().map(|latch| fleeting[latch.next.index()]);
        let next: Vec<bool> = next.collect();
        if next == delays {
            break;
        }
        delays = next;
    }
    delays
}
