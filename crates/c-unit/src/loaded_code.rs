//! What the code of a unit does not say and its source does: which left shifts are of signed numbers, and whose variable arguments
//! tests would have to give.

use std::collections::HashSet;

use obligato_bytecode::{Binary, CodeId, Intrinsic, Module, Operation};
use obligato_clang::Syntax;
use obligato_control_flow::{CallGraph, CallTarget};
use obligato_model::Position;

use crate::driver::{Driver, is_of_driver};

/// Marks the left shifts of signed numbers: their results have to fit, which bitcode does not say.
pub fn check_signed_shifts(syntax: &Syntax, module: &mut Module) {
    let shifts = syntax.functions.iter().flat_map(|function| &function.signed_shifts);
    let shifts: HashSet<Position> = shifts.copied().collect();
    for function in module.functions.iter_mut().filter(|_| !shifts.is_empty()) {
        for (operation, place) in function.code.iter_mut().zip(&function.places) {
            if let Operation::Binary { op: Binary::ShiftLeft, overflow, .. }
            | Operation::WideBinary { op: Binary::ShiftLeft, overflow, .. } = operation
                && place.is_some_and(|place| shifts.contains(&place))
            {
                overflow.signed = true;
            }
        }
    }
}

/// Tests give no variable arguments: what the function under test makes of them is not executed, so that nothing follows from it.
/// Without a function under test, that is every one that the unit does not call itself.
pub fn refuse_variable_arguments(module: &mut Module, under_test: Option<&str>, called: &[String]) {
    let graph = CallGraph::new(module);
    let is_called = |code: CodeId| {
        let mut callers = (0..module.functions.len())
            .map(CodeId::new)
            .filter(|caller| *caller != code && !is_of_driver(&module.function(*caller).name));
        callers.any(|caller| {
            graph.sites(caller).iter().any(|site| site.target == CallTarget::Direct(code))
        })
    };
    let refused: Vec<usize> = (0..module.functions.len())
        .filter(|index| {
            let function = &module.functions[*index];
            function.code.iter().any(starts_arguments)
                && match under_test {
                    Some(name) => function.name == name,
                    None => called.contains(&function.name) && !is_called(CodeId::new(*index)),
                }
        })
        .collect();
    for index in refused {
        let function = &mut module.functions[index];
        let note = function.notes.len() as u32;
        let name = &function.name;
        function.notes.push(format!("the variable arguments of '{name}', which tests do not give"));
        for operation in function.code.iter_mut().filter(|one| starts_arguments(one)) {
            *operation = Operation::Unsupported { note, transfers: false };
        }
    }
}

/// Is it a `va_start`?
fn starts_arguments(operation: &Operation) -> bool {
    matches!(operation, Operation::Intrinsic { op: Intrinsic::StartArguments, .. })
}

/// Marks what the driver defines in the place of functions of others.
pub(crate) fn mark_stubs(module: &mut Module, driver: &Driver) {
    for name in driver.stubs() {
        if let Some(code) = module.function_named(name) {
            module.functions[code.index()].stands_in = true;
        }
    }
}
