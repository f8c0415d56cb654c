//! The interprocedural CFG of a unit: the basic blocks of all functions that can run, with their successors and their calls.

use crate::CodeLocation;
use obligato_bytecode::{CodeId, Module, Operation};
use obligato_control_flow as control_flow;
use obligato_control_flow::{CallGraph, Cfg, Reachability};
use obligato_model::{BitSet, typed_ids};

typed_ids! {
    /// A basic block of the unit, over all its functions.
    BlockId,
}

/// The basic blocks of the functions that can be reached from one.
#[derive(Clone, Debug)]
pub struct Graph {
    /// Per function of the module, its CFG and the number of its first block; `None` if it cannot be reached.
    functions: Vec<Option<(BlockId, Cfg)>>,
    /// Per block, the entries of the functions that it may call, and at which operation.
    called: Vec<Vec<(u32, BlockId)>>,
    /// An edge to each successor, and to each entry that is called.
    edges: control_flow::Graph,
    /// The blocks with what stands for a call or a jump that is not supported: it may lead anywhere.
    unknown: BitSet,
    /// What each block can reach without returning from its function. `None` if the unit is too large.
    reached: Option<Reachability>,
}

/// Reachability of a unit with more blocks than this is not tabulated: every block may reach every other, an over-approximation.
const MOST_BLOCKS: usize = 12_000;

impl Graph {
    /// Of everything that `entry` may call.
    pub fn new(module: &Module, entry: CodeId) -> Self {
        let calls = CallGraph::new(module);
        let mut functions: Vec<Option<(BlockId, Cfg)>> = vec![None; module.functions.len()];
        let mut order = calls.reachable_from([entry]);
        order.retain(|function| module.function(*function).is_defined());
        let mut count = 0;
        for function in &order {
            let cfg = Cfg::new(module.function(*function));
            let first = BlockId::new(count);
            count += cfg.graph().len();
            functions[function.index()] = Some((first, cfg));
        }
        let called = called_by_block(&calls, &functions, count);
        let mut edges = Vec::new();
        for (first, cfg) in functions.iter().flatten() {
            let first = first.index() as u32;
            edges.extend(cfg.graph().edges().map(|(from, to)| (first + from, first + to)));
        }
        for (from, called) in (0..).zip(&called) {
            edges.extend(called.iter().map(|(_, entered)| (from, entered.index() as u32)));
        }
        let edges = control_flow::Graph::new(count, &edges);
        let unknown = unknown_transfers(module, &functions, count);
        let reached = (count <= MOST_BLOCKS).then(|| Reachability::new(&edges));
        Self { functions, called, edges, unknown, reached }
    }

    /// How many blocks there are.
    pub fn len(&self) -> usize {
        self.edges.len()
    }

    /// Are there none?
    pub fn is_empty(&self) -> bool {
        self.edges.is_empty()
    }

    /// The block that an operation is in.
    pub fn block_of(&self, location: CodeLocation) -> Option<BlockId> {
        let (first, cfg) = self.functions[location.function.index()].as_ref()?;
        Some(BlockId::new(first.index() + cfg.block_of(location.operation) as usize))
    }

    /// The successors of a block, and the entries of what it calls.
    pub fn successors(&self, block: BlockId) -> impl Iterator<Item = BlockId> {
        let successors = self.edges.successors(block.index() as u32).iter();
        successors.map(|next| BlockId::new(*next as usize))
    }

    /// The blocks that a block is a successor of, or is called by.
    pub fn predecessors(&self, block: BlockId) -> impl Iterator<Item = BlockId> {
        let predecessors = self.edges.predecessors(block.index() as u32).iter();
        predecessors.map(|before| BlockId::new(*before as usize))
    }

    /// Can one of these blocks be reached from this one, without returning from its function? What is not supported may lead to
    /// any, also to blocks that are not in the graph.
    pub fn reaches(&self, block: BlockId, any: &BitSet) -> bool {
        match &self.reached {
            Some(reached) => {
                let reached = reached.from(block.index() as u32);
                !reached.and(any).is_empty() || !reached.and(&self.unknown).is_empty()
            }
            None => !any.is_empty() || !self.unknown.is_empty(),
        }
    }

    /// The same of a run that continues after this operation, such as a call that has returned: in the rest of its block, which
    /// counts as a whole, or in what follows.
    pub fn reaches_after(&self, location: CodeLocation, any: &BitSet) -> bool {
        let known = self.functions[location.function.index()].as_ref();
        let Some((first, cfg)) = known else { return !any.is_empty() };
        let block = cfg.block_of(location.operation);
        let next = cfg.graph().successors(block).iter();
        let next = next.map(|next| BlockId::new(first.index() + *next as usize));
        let called = &self.called[first.index() + block as usize];
        let later = called.iter().filter(|(at, _)| *at > location.operation);
        let here = first.index() + block as usize;
        any.contains(here)
            || self.unknown.contains(here)
            || next.chain(later.map(|(_, entered)| *entered)).any(|block| self.reaches(block, any))
    }
}

/// The blocks with unsupported operations that transfer control.
fn unknown_transfers(
    module: &Module,
    functions: &[Option<(BlockId, Cfg)>],
    count: usize,
) -> BitSet {
    let mut unknown = BitSet::empty(count);
    for (function, known) in module.functions.iter().zip(functions) {
        let Some((first, cfg)) = known else { continue };
        for (index, operation) in (0..).zip(&function.code) {
            if matches!(operation, Operation::Unsupported { transfers: true, .. }) {
                unknown.insert(first.index() + cfg.block_of(index) as usize);
            }
        }
    }
    unknown
}

fn called_by_block(
    calls: &CallGraph,
    functions: &[Option<(BlockId, Cfg)>],
    count: usize,
) -> Vec<Vec<(u32, BlockId)>> {
    let mut called = vec![Vec::new(); count];
    for (index, function) in functions.iter().enumerate() {
        let Some((first, cfg)) = function else { continue };
        for site in calls.sites(CodeId::new(index)) {
            let block = first.index() + cfg.block_of(site.operation) as usize;
            let callees = calls.callees(site.target).into_iter();
            let entries = callees.filter_map(|callee| functions[callee.index()].as_ref());
            called[block].extend(entries.map(|(entry, _)| (site.operation, *entry)));
        }
    }
    called
}
