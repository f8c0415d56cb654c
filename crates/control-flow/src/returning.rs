//! Which functions can return at all: the loop of a task never ends, and neither does who calls it.

use obligato_bytecode::{Callee, CodeId, Function, Module, Operation};
use obligato_model::BitSet;

use crate::{CallGraph, Cfg, Graph};

/// Can a function return, by the graphs of it and of whom it calls? What is not defined here can, and so can calls through pointers.
/// Conditions are not looked at: a loop that has an exit counts as one that takes it.
pub fn may_return(module: &Module, calls: &CallGraph, function: CodeId) -> bool {
    let functions = calls.reachable_from([function]);
    let mut returning = BitSet::empty(module.functions.len());
    for code in &functions {
        if module.function(*code).blocks.is_empty() {
            returning.insert(code.index());
        }
    }
    // The least fixpoint: callees come late in the order, so they are asked first.
    loop {
        let mut grew = false;
        for code in functions.iter().rev() {
            if !returning.contains(code.index())
                && reaches_return(module.function(*code), &returning)
            {
                returning.insert(code.index());
                grew = true;
            }
        }
        if !grew || returning.contains(function.index()) {
            return returning.contains(function.index());
        }
    }
}

/// Does a path that calls only functions that return lead to a return?
fn reaches_return(function: &Function, returning: &BitSet) -> bool {
    let cfg = Cfg::new(function);
    let ends = |operation: &Operation| match operation {
        Operation::Call { callee: Callee::Direct(callee), .. } => {
            !returning.contains(callee.index())
        }
        _ => false,
    };
    let code_of = |block: u32| {
        let code = cfg.code_of(block);
        &function.code[code.start as usize..code.end as usize]
    };
    let graph: &Graph = cfg.graph();
    let mut seen = BitSet::empty(graph.len());
    let mut worklist = vec![0];
    while let Some(block) = worklist.pop() {
        if seen.contains(block as usize) {
            continue;
        }
        seen.insert(block as usize);
        if code_of(block).iter().any(ends) {
            continue;
        }
        if matches!(code_of(block).last(), Some(Operation::Return { .. })) {
            return true;
        }
        worklist.extend(graph.successors(block));
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use obligato_bytecode::{Block, List, Register, Target};

    const NONE: List = List { first: 0, length: 0 };
    const RETURN: Operation = Operation::Return { from: NONE };

    fn function(code: Vec<Operation>) -> Function {
        let block = Block { code: 0..code.len() as u32 };
        Function { blocks: vec![block], code, ..Function::default() }
    }

    fn call(code: usize) -> Operation {
        let callee = Callee::Direct(CodeId::new(code));
        Operation::Call { to: Register(0), results: 0, callee, arguments: NONE }
    }

    fn returns(functions: Vec<Function>) -> bool {
        let module = Module { functions, ..Module::default() };
        may_return(&module, &CallGraph::new(&module), CodeId::new(0))
    }

    #[test]
    fn a_loop_without_exit_never_returns_nor_does_its_caller() {
        let endless = function(vec![Operation::Jump { to: Target(0) }]);
        assert!(!returns(vec![endless.clone()]));
        assert!(!returns(vec![function(vec![call(1), RETURN]), endless]));
    }

    #[test]
    fn declared_functions_return_and_endless_recursion_does_not() {
        assert!(returns(vec![function(vec![call(1), RETURN]), Function::default()]));
        assert!(returns(vec![function(vec![call(1), RETURN]), function(vec![RETURN])]));
        assert!(!returns(vec![function(vec![call(1), RETURN]), function(vec![call(0), RETURN])]));
    }
}
