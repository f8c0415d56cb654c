//! Tests that are inconsistent with every interpretation of an uninterpreted function.
//!
//! The results of a function without a body are inputs, and the assertions of the model constrain only calls that are a few steps
//! apart. This check covers a whole test: from the step on in which equal arguments have different results, it is no
//! test of the model.

use obligato_lustre::lowering::{Lowered, UnknownFunction};
use obligato_lustre_replay::{LANES, Runner, TracedNode};
use obligato_model::{TestCase, Type, Undecided};
use obligato_transition_system::{Error, LaneProgram, NodeId, Sort, lanes};
use rustc_hash::FxHashMap;

/// The uninterpreted functions of a model, and a program that traces their calls.
#[derive(Debug)]
pub struct Functions<'l> {
    all: &'l [UnknownFunction],
    program: LaneProgram<'l>,
    shown: Vec<TracedNode>,
    /// By node, its place among those shown.
    places: FxHashMap<NodeId, usize>,
}

/// A functional inconsistency.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inconsistency {
    /// The step.
    pub step: usize,
    /// The function, and how many steps its calls are apart.
    pub why: Undecided,
}

impl<'l> Functions<'l> {
    /// Those of a model, if it has any.
    pub fn new(lowered: &'l Lowered) -> Result<Option<Self>, Error> {
        let all = &lowered.functions[..];
        if all.is_empty() {
            return Ok(None);
        }
        let mut nodes: Vec<NodeId> = all.iter().flat_map(UnknownFunction::nodes).collect();
        nodes.sort_unstable();
        nodes.dedup();
        let options =
            lanes::LaneOptions { observe: nodes.clone(), ..lanes::LaneOptions::default() };
        let program = LaneProgram::new(&lowered.system, &options)?;
        let kind = |node| kind_of(lowered.system.graph.sort(node));
        let shown =
            nodes.iter().map(|node| TracedNode { node: *node, kind: kind(*node) }).collect();
        let places = nodes.into_iter().enumerate().map(|(place, node)| (node, place)).collect();
        Ok(Some(Self { all, program, shown, places }))
    }

    /// For each test, where it contradicts itself, if it does.
    pub fn contradictions(&self, tests: &[TestCase]) -> Result<Vec<Option<Inconsistency>>, Error> {
        let mut runner = Runner::new(&self.program, &self.shown);
        let mut found = Vec::with_capacity(tests.len());
        for batch in tests.chunks(LANES) {
            for trace in runner.run(batch)? {
                let value = |step: usize, node| trace.steps[step][self.places[&node]].clone();
                let contradiction = |function: &UnknownFunction| {
                    let step = function.contradiction(trace.steps.len(), value)?;
                    let (name, apart) = (&function.name, function.steps);
                    let why = Undecided::NoFunction(name.clone(), apart as u64);
                    Some(Inconsistency { step, why })
                };
                let found_in = self.all.iter().filter_map(contradiction);
                found.push(found_in.min_by_key(|contradiction| contradiction.step));
            }
        }
        Ok(found)
    }
}

/// The type with exactly the values of a sort.
fn kind_of(sort: Sort) -> Type {
    match sort {
        Sort::Bool => Type::Bool,
        Sort::Int => Type::Int,
        Sort::Real => Type::Real,
        Sort::Machine(machine) => Type::Machine(machine.signedness(), machine.bits()),
    }
}
