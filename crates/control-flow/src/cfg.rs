//! The control flow graph of a function.

use std::ops::Range;

use obligato_bytecode::Function;

use crate::Graph;

/// The basic blocks of a function in the order of its code, and the edges between them: block 0 is the entry.
#[derive(Clone, Debug)]
pub struct Cfg {
    blocks: Vec<Range<u32>>,
    graph: Graph,
}

impl Cfg {
    /// The CFG of a function that the verifier has accepted; without blocks if it is only declared.
    pub fn new(function: &Function) -> Self {
        let blocks: Vec<Range<u32>> =
            function.blocks.iter().map(|block| block.code.clone()).collect();
        let mut edges = Vec::new();
        for (from, block) in (0..).zip(&blocks) {
            let targets = function.successors(block.end.saturating_sub(1));
            edges.extend(targets.into_iter().map(|to| (from, block_at(&blocks, to))));
        }
        let graph = Graph::new(blocks.len(), &edges);
        Self { blocks, graph }
    }

    /// The blocks as nodes.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// The block that an operation is in.
    pub fn block_of(&self, operation: u32) -> u32 {
        block_at(&self.blocks, operation)
    }

    /// The operations of a block.
    pub fn code_of(&self, block: u32) -> Range<u32> {
        self.blocks[block as usize].clone()
    }
}

/// Blocks tile the code, so the last that starts at or before the operation holds it.
fn block_at(blocks: &[Range<u32>], operation: u32) -> u32 {
    blocks.partition_point(|block| block.start <= operation).saturating_sub(1) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use obligato_bytecode::{Arm, ArmKey, Block, List, Operation, Register, StopKind, Target};

    fn blocks(code: Vec<Operation>, arms: Vec<Arm>, starts: &[u32]) -> Function {
        let ends = starts.iter().skip(1).copied().chain([code.len() as u32]);
        let blocks = starts.iter().zip(ends).map(|(start, end)| Block { code: *start..end });
        Function { blocks: blocks.collect(), code, arms, ..Function::default() }
    }

    #[test]
    fn every_terminator_has_its_edges() {
        let on = Register(0);
        let arm = |key, to| Arm { key: ArmKey(key), to: Target(to) };
        let pair = List { first: 0, length: 2 };
        let function = blocks(
            vec![
                Operation::Move { to: on, from: on },
                Operation::Branch { test: on, then: Target(2), otherwise: Target(3) },
                Operation::Switch { on, width: 8, arms: pair, otherwise: Target(0) },
                Operation::JumpThrough { on, arms: List { first: 2, length: 3 } },
                Operation::Jump { to: Target(3) },
                Operation::Return { from: List { first: 0, length: 0 } },
                Operation::Stop(StopKind::Trap),
                Operation::Unsupported { note: 0, transfers: false },
            ],
            vec![arm(0, 4), arm(1, 5), arm(7, 6), arm(8, 4), arm(9, 7)],
            &[0, 2, 3, 4, 5, 6, 7],
        );
        let cfg = Cfg::new(&function);
        let edges: Vec<&[u32]> = cfg.graph().nodes().map(|it| cfg.graph().successors(it)).collect();
        assert_eq!(edges, [&[1_u32, 2][..], &[3, 4, 0], &[5, 3, 6], &[2], &[], &[], &[]]);
        assert_eq!([0, 1, 2, 7].map(|operation| cfg.block_of(operation)), [0, 0, 1, 6]);
        assert_eq!(cfg.code_of(0), 0..2);
    }

    #[test]
    fn a_declaration_has_no_blocks() {
        assert!(Cfg::new(&Function::default()).graph().is_empty());
    }
}
