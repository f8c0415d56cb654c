//! Functions that others call between the steps of a test: those that other units can name, and those whose addresses leave the unit.
//!
//! What they write is state that no call of the function under test explains. Addresses of functions are followed through registers, variables of
//! functions and private globals, so that a table of handlers that nobody else sees opens nothing; anywhere else they
//! count as known. That is an over-approximation.

use std::collections::BTreeSet;

use obligato_bytecode::{
    Address, Argument, Callee, CodeId, Function, GlobalId, Module, Operation, Register,
};
use obligato_clang::Syntax;
use rustc_hash::FxHashMap;

use super::addresses::{Addresses, computed_address, global_near};
use super::globals::{GlobalUse, known_outside};
use super::variables::symbol_of;
use crate::driver::is_of_driver;

/// Per function of the module, may others call it between steps? `sequence` are those that belong to the steps themselves, `known` are those
/// [known outside](functions_known_outside). What the function under test does not call may be called by others of the file, even if it is static.
pub(super) fn called_by_others(
    unit: &Syntax,
    module: &Module,
    used: &GlobalUse,
    sequence: &[&str],
    known: &[bool],
) -> Vec<bool> {
    let is_named_outside = |name: &str| {
        let declared = unit.callables.iter().find(|one| one.name == name);
        declared.is_none_or(|one| !one.internal)
    };
    let functions = module.functions.iter().enumerate();
    let called = functions.map(|(index, function)| {
        let name = function.name.as_str();
        !is_of_driver(name)
            && !sequence.contains(&name)
            && (!used.called[index] || known[index] || is_named_outside(name))
    });
    called.collect()
}

/// Per function, may somebody outside of the unit come to know its address?
pub(super) fn functions_known_outside(unit: &Syntax, module: &Module) -> Vec<bool> {
    let mut open = known_outside(module);
    for variable in unit.variables.iter().filter(|one| !one.internal && one.function.is_none()) {
        if let Some(global) = module.global_named(&symbol_of(variable)) {
            open[global.index()] = true;
        }
    }
    let held = module.globals.iter().map(|global| {
        // Members of packed structures lie anywhere.
        let words = global.bytes.windows(8);
        words.filter_map(|word| function_at(module, u64::from_le_bytes(word.try_into().ok()?)))
    });
    let held = held.map(Iterator::collect).collect();
    let mut escapes = Escapes { module, held, known: vec![false; module.functions.len()] };
    loop {
        let before = escapes.size();
        for function in module.functions.iter().filter(|one| !is_of_driver(&one.name)) {
            escapes.follow(function);
        }
        for (held, _) in escapes.held.iter().zip(&open).filter(|(_, open)| **open) {
            for code in held {
                escapes.known[code.index()] = true;
            }
        }
        if escapes.size() == before {
            return escapes.known;
        }
    }
}

fn function_at(module: &Module, word: u64) -> Option<CodeId> {
    module.function_at(Address(word))
}

/// Addresses of functions on their way through a module.
struct Escapes<'m> {
    module: &'m Module,
    /// Per global, the functions whose addresses it may hold.
    held: Vec<BTreeSet<CodeId>>,
    /// Per function, does its address leave the unit?
    known: Vec<bool>,
}

/// What registers of a function hold.
struct Registers {
    functions: FxHashMap<Register, BTreeSet<CodeId>>,
    globals: Addresses<GlobalId>,
    /// Variables of the function that are only read and written, by the registers with their addresses.
    variables: BTreeSet<Register>,
}

impl Registers {
    fn of(module: &Module, function: &Function) -> Self {
        let constants = function.constants.iter().enumerate();
        let constants = constants.filter_map(|(index, word)| {
            Some((Register(index as u32), BTreeSet::from([function_at(module, *word)?])))
        });
        let globals = Addresses::in_constants(function, |address| global_near(module, address));
        Self { functions: constants.collect(), globals, variables: private_variables(function) }
    }

    fn get(&self, register: Register) -> BTreeSet<CodeId> {
        self.functions.get(&register).cloned().unwrap_or_default()
    }

    fn add(&mut self, to: Register, functions: BTreeSet<CodeId>) {
        if !functions.is_empty() {
            self.functions.entry(to).or_default().extend(functions);
        }
    }

    fn size(&self) -> usize {
        self.functions.values().map(BTreeSet::len).sum()
    }
}

/// The registers with the addresses of variables that are used for nothing but to read and to write these.
fn private_variables(function: &Function) -> BTreeSet<Register> {
    let reserved = function.code.iter().filter_map(|operation| match operation {
        Operation::Reserve { to, .. } => Some(*to),
        _ => None,
    });
    let mut private: BTreeSet<Register> = reserved.collect();
    for operation in &function.code {
        let used = match operation {
            Operation::Load { .. } => Vec::new(),
            Operation::Store { from, .. } => vec![*from],
            _ => operation.reads(function),
        };
        for register in used {
            private.remove(&register);
        }
    }
    private
}

impl Escapes<'_> {
    fn size(&self) -> usize {
        let known = self.known.iter().filter(|known| **known).count();
        self.held.iter().map(BTreeSet::len).sum::<usize>() + known
    }

    /// Follows addresses through a function until nothing is new.
    fn follow(&mut self, function: &Function) {
        let mut registers = Registers::of(self.module, function);
        loop {
            let before = registers.size() + registers.globals.len() + self.size();
            for operation in &function.code {
                self.step(function, operation, &mut registers);
            }
            if registers.size() + registers.globals.len() + self.size() == before {
                return;
            }
        }
    }

    fn step(&mut self, function: &Function, operation: &Operation, registers: &mut Registers) {
        registers.globals.follow(operation);
        if let Some((to, from)) = computed_address(operation) {
            return registers.add(to, registers.get(from));
        }
        match operation {
            Operation::Moves { to, from } => {
                let pairs = function.lists[to.range()].iter().zip(&function.lists[from.range()]);
                for (to, from) in pairs {
                    registers.add(*to, registers.get(*from));
                }
            }
            Operation::Select { to, then, otherwise, .. } => {
                registers.add(*to, registers.get(*then));
                registers.add(*to, registers.get(*otherwise));
            }
            Operation::Load { to, from, .. } => {
                if registers.variables.contains(from) {
                    registers.add(*to, registers.get(*from));
                } else if let Some(global) = registers.globals.get(*from) {
                    registers.add(*to, self.held[global.index()].clone());
                }
            }
            Operation::Store { to, from, .. } => {
                let functions = registers.get(*from);
                if registers.variables.contains(to) {
                    registers.add(*to, functions);
                } else if let Some(global) = registers.globals.get(*to) {
                    self.held[global.index()].extend(functions);
                } else {
                    self.escape(functions);
                }
            }
            // Who is called does not learn its own address by that. The standard library keeps none that it is given, but it may copy
            // those that lie in a table.
            Operation::Call { callee: Callee::Direct(called), .. } if self.is_library(*called) => {
                self.escape_from_tables(function, operation, registers);
            }
            // As a structure is assigned.
            Operation::Intrinsic { .. } => {
                for register in operation.reads(function) {
                    self.escape(registers.get(register));
                }
                self.escape_from_tables(function, operation, registers);
            }
            Operation::Call { arguments, .. } => {
                for argument in &function.arguments[arguments.range()] {
                    let (Argument::Value(given) | Argument::Copy { from: given, .. }) = argument;
                    self.escape(registers.get(*given));
                }
            }
            Operation::Compare { .. } => {}
            _ => {
                for register in operation.reads(function) {
                    self.escape(registers.get(register));
                }
            }
        }
    }

    /// What the operation is given may be copied to anywhere.
    fn escape_from_tables(
        &mut self,
        function: &Function,
        operation: &Operation,
        registers: &Registers,
    ) {
        for given in operation.reads(function) {
            if let Some(global) = registers.globals.get(given) {
                self.escape(self.held[global.index()].clone());
            }
        }
    }

    fn is_library(&self, code: CodeId) -> bool {
        let function = self.module.function(code);
        !function.is_defined() && obligato_execute::is_modelled(&function.name)
    }

    fn escape(&mut self, functions: BTreeSet<CodeId>) {
        for code in functions {
            self.known[code.index()] = true;
        }
    }
}
