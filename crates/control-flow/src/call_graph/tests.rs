//! Calls of a small module: direct, through pointers, to declarations with code behind them, and back.

use obligato_bytecode::{Block, Function, Global, List, Register};

use super::*;

const NONE: List = List { first: 0, length: 0 };

fn call(callee: Callee) -> Operation {
    Operation::Call { to: Register(0), results: 0, callee, arguments: NONE }
}

fn defined(name: &str, calls: &[Callee]) -> Function {
    let mut code: Vec<Operation> = calls.iter().map(|callee| call(*callee)).collect();
    code.push(Operation::Return { from: NONE });
    let blocks = vec![Block { code: 0..code.len() as u32 }];
    Function { name: name.to_owned(), code, blocks, ..Function::default() }
}

fn declared(name: &str) -> Function {
    Function { name: name.to_owned(), ..Function::default() }
}

fn direct(index: usize) -> Callee {
    Callee::Direct(CodeId::new(index))
}

/// 0 calls 1 and through a pointer; 2 and 4 stand in a table, 4 unaligned; 3 is called by nobody; 5 is declared with 6 behind
/// it; 7 calls `qsort`.
fn module() -> Module {
    let through = Callee::Through(Register(0));
    let functions = vec![
        defined("entry", &[direct(1), through]),
        defined("plain", &[direct(5)]),
        defined("taken", &[]),
        defined("idle", &[direct(0)]),
        defined("packed", &[]),
        declared("strlen"),
        defined("obligato_library_strlen", &[]),
        defined("sorts", &[direct(8)]),
        declared("qsort"),
    ];
    let mut module = Module { functions, globals: Vec::new(), has_hidden_accesses: false };
    let table = Global {
        name: "table".to_owned(),
        bytes: vec![0; 17],
        alignment: 1,
        constant: true,
        defined: true,
    };
    module.globals.push(table);
    for (at, function) in [(0, 2), (9, 4)] {
        let address = module.address_of_function(CodeId::new(function)).0;
        module.globals[0].bytes[at..at + 8].copy_from_slice(&address.to_le_bytes());
    }
    module
}

fn indices(functions: &[CodeId]) -> Vec<usize> {
    functions.iter().map(|function| function.index()).collect()
}

#[test]
fn a_pointer_may_call_whatever_has_its_address_taken() {
    let graph = CallGraph::new(&module());
    assert_eq!(indices(graph.address_taken()), [2, 4]);
    let sites = graph.sites(CodeId::new(0));
    assert_eq!(sites.iter().map(|site| site.operation).collect::<Vec<_>>(), [0, 1]);
    assert_eq!(indices(&graph.callees(sites[0].target)), [1]);
    assert_eq!(indices(&graph.callees(sites[1].target)), [2, 4]);
}

#[test]
fn a_call_may_enter_the_code_behind_a_declaration_and_what_it_calls_back() {
    let module = module();
    let graph = CallGraph::new(&module);
    let only = |function: usize| graph.callees(graph.sites(CodeId::new(function))[0].target);
    assert_eq!(indices(&only(1)), [5, 6]);
    assert_eq!(indices(&only(7)), [2, 4, 8]);
    for index in 0..module.functions.len() {
        let code = CodeId::new(index);
        assert_eq!(graph.behind[index], module.code_behind(code), "{index}");
    }
}

#[test]
fn what_may_run_is_what_calls_lead_to() {
    let graph = CallGraph::new(&module());
    let mut found = indices(&graph.reachable_from([CodeId::new(0)]));
    assert_eq!(found[0], 0);
    found.sort_unstable();
    assert_eq!(found, [0, 1, 2, 4, 5, 6]);
}
