//! Copy forwarding: operations read and write promoted variables directly.
//!
//! A variable that lives in a register is still loaded into another register before each use, and what is
//! computed still goes through another register when it is stored. Where that is not observable, uses read the
//! variable's register themselves, results go there at once, and the load or store has nothing
//! left to do. Operations keep their positions, so places and watch points keep their meaning.

use obligato_bytecode::{Access, Argument, Function, List, Operation, Register};

use crate::promotion::Promoted;
use crate::watch::WatchPoint;

/// The remaining role of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// All of it.
    Whole,
    /// A move: it loads or stores a variable that lives in a register.
    Variable,
    /// Nothing.
    Idle,
}

/// A function with fewer moves, and what is left of each of its operations. Afterwards only the role of a
/// load or store says whether its address is a variable or the value of one.
pub(crate) fn forward(
    function: &Function,
    promoted: &Promoted,
    watches: &[(u32, WatchPoint)],
) -> (Function, Vec<Role>) {
    let mut roles: Vec<Role> = function.code.iter().map(|op| first_role(op, promoted)).collect();
    let mut function = function.clone();
    if function.is_defined() {
        let usage = Usage::count(&function, watches);
        find_idle_loads(&function, &usage, &mut roles);
        forward_loads(&mut function, &roles);
        let usage = Usage::count(&function, watches);
        forward_stores(&mut function, &usage, &mut roles);
    }
    (function, roles)
}

fn first_role(operation: &Operation, promoted: &Promoted) -> Role {
    match *operation {
        Operation::Reserve { to, .. } if promoted.holds(to) => Role::Idle,
        Operation::Load { from: variable, .. } | Operation::Store { to: variable, .. }
            if promoted.holds(variable) =>
        {
            Role::Variable
        }
        _ => Role::Whole,
    }
}

/// How registers are used in the whole function.
struct Usage {
    /// The number of reads of each.
    reads: Vec<u32>,
    /// The first and the last read of each.
    span: Vec<(u32, u32)>,
    /// Is each written by one operation only, as its only result, and not watched?
    simple: Vec<bool>,
}

impl Usage {
    fn count(function: &Function, watches: &[(u32, WatchPoint)]) -> Self {
        let count = function.registers as usize;
        let mut usage =
            Self { reads: vec![0; count], span: vec![(0, 0); count], simple: vec![true; count] };
        let fixed = function.constants.len() + function.signature.parameters as usize;
        let mut written = vec![false; count];
        written[..fixed].fill(true);
        for (index, operation) in function.code.iter().enumerate() {
            for Register(register) in operation.reads(function) {
                let register = register as usize;
                let (first, _) = usage.span[register];
                let first = if usage.reads[register] == 0 { index as u32 } else { first };
                usage.span[register] = (first, index as u32);
                usage.reads[register] += 1;
            }
            for Register(register) in operation.writes(function) {
                let register = register as usize;
                usage.simple[register] &= !written[register];
                written[register] = true;
            }
            // The parts of a value stay adjacent.
            operation.clone().visit_registers(|_, first, count| {
                if count > 1 {
                    usage.simple[first.0 as usize..][..count as usize].fill(false);
                }
            });
        }
        for Register(register) in watches.iter().filter_map(|(_, watch)| watch.register) {
            usage.simple[register as usize] = false;
        }
        usage
    }
}

/// Finds the loads of variables whose uses can read the variable: all come behind, in the same block, and
/// before it changes.
fn find_idle_loads(function: &Function, usage: &Usage, roles: &mut [Role]) {
    // By variable, the next operation that changes it; positions behind the block are meaningless.
    let mut next_store = vec![u32::MAX; function.registers as usize];
    for block in function.blocks.iter().rev() {
        for index in block.code.clone().rev() {
            if roles[index as usize] != Role::Variable {
                continue;
            }
            match function.code[index as usize] {
                Operation::Store { to, .. } => next_store[to.0 as usize] = index,
                Operation::Load { to: value, from, .. } => {
                    let at = value.0 as usize;
                    let (first, last) = usage.span[at];
                    let behind = index < first && last < block.code.end;
                    let in_time = last <= next_store[from.0 as usize];
                    let unused = usage.reads[at] == 0;
                    if usage.simple[at] && (unused || behind && in_time) {
                        roles[index as usize] = Role::Idle;
                    }
                }
                _ => {}
            }
        }
    }
}

/// Lets the uses of loaded values read the variables.
fn forward_loads(function: &mut Function, roles: &[Role]) {
    let mut variable_of: Vec<Option<Register>> = vec![None; function.registers as usize];
    for (index, role) in roles.iter().enumerate() {
        let name = |register: Register| variable_of[register.0 as usize].unwrap_or(register);
        rename_reads(function, index, name);
        if let Operation::Load { to, from, .. } = function.code[index]
            && *role == Role::Idle
        {
            variable_of[to.0 as usize] = Some(from);
        }
    }
}

/// Lets a computation write directly to the variable to which its only use, in the same block, stores it.
fn forward_stores(function: &mut Function, usage: &Usage, roles: &mut [Role]) {
    // The definition and the last use of each register.
    let mut made: Vec<Option<u32>> = vec![None; function.registers as usize];
    let mut touched: Vec<Option<u32>> = vec![None; function.registers as usize];
    for block in function.blocks.clone() {
        for index in block.code.clone() {
            let role = roles[index as usize];
            if role == Role::Idle {
                continue;
            }
            let operation = function.code[index as usize].clone();
            if let Operation::Store { to: variable, from: value, .. } = operation
                && role == Role::Variable
                && usage.simple[value.0 as usize]
                && usage.reads[value.0 as usize] == 1
                && let Some(maker) = made[value.0 as usize]
                && maker >= block.code.start
                && touched[variable.0 as usize] <= Some(maker)
            {
                function.code[maker as usize].visit_registers(|access, register, _| {
                    if access == Access::Written {
                        *register = variable;
                    }
                });
                touched[variable.0 as usize] = Some(index);
                roles[index as usize] = Role::Idle;
                continue;
            }
            let written = operation.writes(function);
            for register in operation.reads(function).iter().chain(&written) {
                touched[register.0 as usize] = Some(index);
            }
            if let ([value], false) = (written.as_slice(), holds_back(&operation)) {
                made[value.0 as usize] = Some(index);
            }
        }
    }
}

/// Does the operation write other than by its own field, or something other than a value?
fn holds_back(operation: &Operation) -> bool {
    matches!(
        operation,
        Operation::Moves { .. } | Operation::Reserve { .. } | Operation::Intrinsic { .. }
    )
}

/// Replaces the registers that an operation reads, those in its lists included. Lists may be shared, so a
/// changed one is a new one.
fn rename_reads(function: &mut Function, index: usize, name: impl Fn(Register) -> Register) {
    if function.code[index].reads(function).iter().all(|register| name(*register) == *register) {
        return;
    }
    let mut operation = function.code[index].clone();
    operation.visit_registers(|access, register, _| {
        if access == Access::Read {
            *register = name(*register);
        }
    });
    match &mut operation {
        Operation::Moves { from, .. } | Operation::Return { from } => {
            let renamed: Vec<Register> =
                function.lists[from.range()].iter().map(|register| name(*register)).collect();
            *from = append(&mut function.lists, renamed);
        }
        Operation::Call { arguments, .. } | Operation::Intrinsic { arguments, .. } => {
            let mut renamed = function.arguments[arguments.range()].to_vec();
            for argument in &mut renamed {
                let (Argument::Value(register) | Argument::Copy { from: register, .. }) = argument;
                *register = name(*register);
            }
            *arguments = append(&mut function.arguments, renamed);
        }
        _ => {}
    }
    function.code[index] = operation;
}

fn append<T>(table: &mut Vec<T>, more: Vec<T>) -> List {
    let list = List { first: table.len() as u32, length: more.len() as u32 };
    table.extend(more);
    list
}

#[cfg(test)]
mod tests {
    use obligato_bytecode::{Binary, Overflow, Signature};

    use super::*;

    /// `int x; x = a; x = x + x; y = x; x = a; return y;` as a compiler without optimisation writes it.
    fn function() -> Function {
        let [one, a, x, y] = [0, 1, 2, 3].map(Register);
        let [first, second, sum, third, result] = [4, 5, 6, 7, 8].map(Register);
        let reserve = |to| Operation::Reserve { to, count: one, size: 4, alignment: 4 };
        let store =
            |to, from| Operation::Store { to, from, size: 4, alignment: 4, volatile: false };
        let load = |to, from| Operation::Load {
            to,
            from,
            size: 4,
            bits: 32,
            alignment: 4,
            volatile: false,
        };
        let (op, overflow) = (Binary::Add, Overflow::default());
        let code = vec![
            reserve(x),
            reserve(y),
            store(x, a),
            load(first, x),
            load(second, x),
            Operation::Binary { op, overflow, width: 32, to: sum, left: first, right: second },
            store(x, sum),
            load(third, x),
            store(x, a),
            store(y, third),
            load(result, y),
            Operation::Return { from: List { first: 0, length: 1 } },
        ];
        Function {
            signature: Signature { parameters: 1, results: 1, ..Signature::default() },
            constants: vec![1],
            registers: 9,
            places: vec![None; code.len()],
            blocks: vec![obligato_bytecode::Block { code: 0..code.len() as u32 }],
            lists: vec![result],
            code,
            ..Function::default()
        }
    }

    #[test]
    fn only_what_must_be_moved_is_moved() {
        let function = function();
        let promoted = Promoted::find(&function, &[]);
        let (forwarded, roles) = forward(&function, &promoted, &[]);
        let [x, y] = [2, 3].map(Register);
        let Operation::Binary { to, left, right, .. } = forwarded.code[5] else {
            panic!("operations keep their places");
        };
        assert_eq!((to, left, right), (x, x, x), "x = x + x at once");
        let moves: Vec<usize> =
            (0..roles.len()).filter(|at| roles[*at] == Role::Variable).collect();
        // The third load must not see the store behind it, so it goes to `y` right away.
        assert_eq!(moves, [2, 7, 8]);
        assert!(matches!(forwarded.code[7], Operation::Load { to, .. } if to == y));
        assert_eq!(forwarded.code[11].reads(&forwarded), [y], "the result is read from there");
    }

    #[test]
    fn what_is_watched_is_still_computed_where_it_is_watched() {
        let function = function();
        let watch = WatchPoint {
            function: obligato_bytecode::CodeId::new(0),
            operation: 5,
            moment: crate::watch::Moment::After,
            register: Some(Register(6)),
        };
        let promoted = Promoted::find(&function, &[(0, watch)]);
        let (forwarded, roles) = forward(&function, &promoted, &[(0, watch)]);
        assert!(matches!(forwarded.code[5], Operation::Binary { to: Register(6), .. }));
        assert_eq!(roles[6], Role::Variable, "and then stored");
    }
}
