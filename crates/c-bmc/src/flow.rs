//! The order in which the basic blocks of a function run, so that states join wherever they can.
//!
//! An unwound block is a basic block together with the iteration of each loop around it. Unwound blocks are
//! ordered: a loop is run to its end, iteration by iteration, before what follows it, and within an iteration
//! blocks come in reverse postorder. So when an unwound block is next, all its predecessors have been run.

use obligato_bytecode::Function;
use obligato_control_flow::{Cfg, Loops, ReversePostorder};

/// The CFG of a function with the loops around its blocks.
#[derive(Clone, Debug)]
pub(crate) struct Flow {
    cfg: Cfg,
    order: ReversePostorder,
    loops: Loops,
}

/// A basic block, and per loop around it how many of its retreating edges were taken since it was entered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct UnwoundBlock {
    pub(crate) block: u32,
    pub(crate) iterations: Vec<u32>,
}

impl Flow {
    pub(crate) fn new(function: &Function) -> Self {
        let cfg = Cfg::new(function);
        let order = ReversePostorder::new(cfg.graph(), ENTRY);
        let loops = Loops::new(cfg.graph(), &order);
        Self { cfg, order, loops }
    }

    /// The entry of the function.
    pub(crate) fn entry(&self) -> UnwoundBlock {
        UnwoundBlock { block: ENTRY, iterations: vec![0; self.loops.around(ENTRY).len()] }
    }

    /// The target of an edge from an unwound block to an operation.
    pub(crate) fn follow(&self, from: &UnwoundBlock, to: u32) -> UnwoundBlock {
        let block = self.cfg.block_of(to);
        let around = self.loops.around(from.block);
        let iterations = self.loops.around(block).iter().map(|head| {
            let known = around.iter().position(|other| other == head);
            known.map_or(0, |at| from.iterations[at] + u32::from(*head == block))
        });
        UnwoundBlock { block, iterations: iterations.collect() }
    }

    /// Unwound blocks are run in this order.
    pub(crate) fn key(&self, unwound: &UnwoundBlock) -> Vec<u32> {
        let position = |block: u32| self.order.position(block).unwrap_or(u32::MAX);
        let mut key = Vec::with_capacity(2 * unwound.iterations.len() + 1);
        for (head, round) in self.loops.around(unwound.block).iter().zip(&unwound.iterations) {
            key.extend([position(*head), *round]);
        }
        key.push(position(unwound.block));
        key
    }

    /// The heads of the loops around an operation.
    pub(crate) fn loops(&self, operation: u32) -> &[u32] {
        self.loops.around(self.cfg.block_of(operation))
    }
}

/// Every function starts with its first block.
const ENTRY: u32 = 0;
