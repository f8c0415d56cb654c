//! The control flow of a unit: blocks, where they lead, and whom they call.

use crate::Place;
use obligato_bytecode::{Callee, CodeId, Module, Operation};
use obligato_model::{BitSet, typed_ids};

typed_ids! {
    /// A block of the unit, over all its functions.
    BlockId,
}

/// The blocks of the functions that can be reached from one.
#[derive(Clone, Debug)]
pub struct Graph {
    /// Per function of the module, its first block; `None` if nothing calls it.
    first: Vec<Option<BlockId>>,
    /// Per function, where its blocks start.
    starts: Vec<Vec<u32>>,
    /// Per block, the blocks that come next.
    next: Vec<Vec<BlockId>>,
    /// Per block, the blocks that it may enter by calling, and at which operation.
    called: Vec<Vec<(u32, BlockId)>>,
    /// Per block, all that it can reach, itself included, without returning from its function. Empty if the unit is too large.
    reached: Vec<BitSet>,
}

/// What a unit of more blocks than this can reach is not tabulated: everything may lead to everything.
const MOST_BLOCKS: usize = 12_000;

impl Graph {
    /// Of everything that `entry` may call.
    pub fn new(module: &Module, entry: CodeId) -> Self {
        let pointed_to = functions_by_address(module);
        let mut graph = Self {
            first: vec![None; module.functions.len()],
            starts: vec![Vec::new(); module.functions.len()],
            next: Vec::new(),
            called: Vec::new(),
            reached: Vec::new(),
        };
        let mut pending = vec![entry];
        let mut order = Vec::new();
        while let Some(function) = pending.pop() {
            if graph.first[function.index()].is_some() || !module.function(function).is_defined() {
                continue;
            }
            graph.add_blocks(module, function);
            order.push(function);
            let called = callees(module, function, &pointed_to).into_iter().flatten();
            pending.extend(called.map(|(_, callee)| callee));
        }
        for function in order {
            graph.connect(module, function, &pointed_to);
        }
        if graph.next.len() <= MOST_BLOCKS {
            graph.reached = (0..graph.next.len()).map(|block| graph.reach(block)).collect();
        }
        graph
    }

    /// How many blocks there are.
    pub fn len(&self) -> usize {
        self.next.len()
    }

    /// Are there none?
    pub fn is_empty(&self) -> bool {
        self.next.is_empty()
    }

    /// The block that an operation is in.
    pub fn block_of(&self, place: Place) -> Option<BlockId> {
        let first = self.first[place.function.index()]?;
        let starts = &self.starts[place.function.index()];
        let behind = starts.partition_point(|start| *start <= place.operation);
        Some(BlockId::new(first.index() + behind.saturating_sub(1)))
    }

    /// The blocks that follow a block, and those that it calls.
    pub fn successors(&self, block: BlockId) -> impl Iterator<Item = BlockId> {
        let index = block.index();
        let called = self.called[index].iter().map(|(_, entered)| *entered);
        self.next[index].iter().copied().chain(called)
    }

    /// Can one of these blocks be reached from this one, without returning from its function?
    pub fn reaches(&self, block: BlockId, any: &BitSet) -> bool {
        match self.reached.get(block.index()) {
            Some(reached) => !reached.and(any).is_empty(),
            None => !any.is_empty(),
        }
    }

    /// The same of a run that goes on behind the operation at this place, such as a call that has returned.
    pub fn reaches_behind(&self, place: Place, any: &BitSet) -> bool {
        let Some(block) = self.block_of(place) else { return !any.is_empty() };
        let later = self.called[block.index()].iter().filter(|(at, _)| *at > place.operation);
        let mut entered = self.next[block.index()].iter().chain(later.map(|(_, block)| block));
        entered.any(|block| self.reaches(*block, any))
    }

    fn add_blocks(&mut self, module: &Module, function: CodeId) {
        let code = module.function(function);
        self.first[function.index()] = Some(BlockId::new(self.next.len()));
        let mut starts: Vec<u32> = code.blocks.iter().map(|block| block.code.start).collect();
        if starts.is_empty() {
            starts.push(0);
        }
        let count = self.next.len() + starts.len();
        self.starts[function.index()] = starts;
        self.next.resize(count, Vec::new());
        self.called.resize(count, Vec::new());
    }

    fn connect(&mut self, module: &Module, function: CodeId, pointed_to: &[CodeId]) {
        let code = module.function(function);
        let by_block = callees(module, function, pointed_to);
        for (index, block) in code.blocks.iter().enumerate() {
            let Some(first) = self.first[function.index()] else { continue };
            let from = first.index() + index;
            let last = block.code.end.saturating_sub(1);
            let targets = match &code.code[last as usize] {
                Operation::JumpThrough { arms, .. } => {
                    code.arms[arms.range()].iter().map(|arm| arm.to.0).collect()
                }
                _ => code.successors(last),
            };
            let mut next: Vec<BlockId> = targets
                .into_iter()
                .filter_map(|operation| self.block_of(Place { function, operation }))
                .collect();
            next.sort_unstable();
            next.dedup();
            self.next[from] = next;
            let entered = by_block[index]
                .iter()
                .filter_map(|(at, callee)| self.first[callee.index()].map(|first| (*at, first)));
            self.called[from] = entered.collect();
        }
    }

    fn reach(&self, from: usize) -> BitSet {
        let mut reached = BitSet::empty(self.next.len());
        let mut pending = vec![BlockId::new(from)];
        reached.insert(from);
        while let Some(block) = pending.pop() {
            for next in self.successors(block) {
                if !reached.contains(next.index()) {
                    reached.insert(next.index());
                    pending.push(next);
                }
            }
        }
        reached
    }
}

/// The functions whose address is taken: what a pointer may call.
fn functions_by_address(module: &Module) -> Vec<CodeId> {
    let mut taken = vec![false; module.functions.len()];
    let mut note = |value: u64| {
        if let Some(function) = module.function_at(obligato_bytecode::Address(value)) {
            taken[function.index()] = true;
        }
    };
    for function in &module.functions {
        function.constants.iter().for_each(|constant| note(*constant));
    }
    for global in &module.globals {
        for bytes in global.bytes.windows(8) {
            note(u64::from_le_bytes(bytes.try_into().unwrap_or_default()));
        }
    }
    let ids = (0..taken.len()).filter(|index| taken[*index]);
    ids.map(CodeId::new).collect()
}

/// Functions of the standard library that call what they are given.
const CALLS_BACK: [&str; 2] = ["qsort", "bsearch"];

/// Per block of a function, whom it may call, and at which operation.
fn callees(module: &Module, function: CodeId, pointed_to: &[CodeId]) -> Vec<Vec<(u32, CodeId)>> {
    let code = module.function(function);
    let of_operation = |at: u32| {
        let mut called = Vec::new();
        match code.code[at as usize] {
            Operation::Call { callee: Callee::Direct(code), .. } => {
                called.push(code);
                if CALLS_BACK.contains(&module.function(code).name.as_str()) {
                    called.extend(pointed_to);
                }
            }
            Operation::Call { callee: Callee::Through(_), .. } => called.extend(pointed_to),
            _ => {}
        }
        let behind: Vec<CodeId> =
            called.iter().filter_map(|one| module.code_behind(*one)).collect();
        called.extend(behind);
        called.sort_unstable();
        called.dedup();
        called.into_iter().map(move |callee| (at, callee))
    };
    code.blocks.iter().map(|block| block.code.clone().flat_map(of_operation).collect()).collect()
}
