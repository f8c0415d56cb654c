//! A small assembler, so that tests can write functions down without a compiler.
#![allow(dead_code, reason = "each test uses a part of it")]

use obligato_bytecode::{
    Argument, Binary, Block, Callee, CodeId, Comparison, Function, Global, List, Module, Operation,
    Overflow, Register, Signature, Target,
};

/// Builds a function: constants first, then parameters, then code.
pub struct Assembler {
    function: Function,
    starts: Vec<u32>,
    labels: Vec<u32>,
}

impl Assembler {
    pub fn new(name: &str, constants: &[u64], parameters: u32, results: u32) -> Self {
        let function = Function {
            name: name.to_owned(),
            signature: Signature { parameters, results, ..Signature::default() },
            constants: constants.to_vec(),
            registers: constants.len() as u32 + parameters,
            ..Function::default()
        };
        Self { function, starts: vec![0], labels: Vec::new() }
    }

    pub fn variadic(mut self) -> Self {
        self.function.signature.variadic = true;
        self
    }

    #[allow(clippy::unused_self, reason = "reads like `parameter`")]
    pub fn constant(&self, index: u32) -> Register {
        Register(index)
    }

    pub fn parameter(&self, index: u32) -> Register {
        Register(self.function.constants.len() as u32 + index)
    }

    pub fn fresh(&mut self) -> Register {
        self.fresh_parts(1)
    }

    pub fn fresh_parts(&mut self, parts: u32) -> Register {
        self.function.registers += parts;
        Register(self.function.registers - parts)
    }

    /// A place to jump to that is said later, by `place`.
    pub fn label(&mut self) -> Target {
        self.labels.push(u32::MAX);
        Target(self.labels.len() as u32 - 1)
    }

    pub fn place(&mut self, label: Target) {
        self.labels[label.0 as usize] = self.here();
    }

    pub fn here(&self) -> u32 {
        self.function.code.len() as u32
    }

    /// Adds an operation and gives its position.
    pub fn push(&mut self, operation: Operation) -> u32 {
        if operation.leaves() {
            self.starts.push(self.here() + 1);
        }
        self.function.code.push(operation);
        self.function.places.push(None);
        self.here() - 1
    }

    pub fn binary(&mut self, op: Binary, width: u8, left: Register, right: Register) -> Register {
        let to = self.fresh();
        let overflow = Overflow { signed: true, unsigned: false };
        self.push(Operation::Binary { op, overflow, width, to, left, right });
        to
    }

    pub fn compare(&mut self, op: Comparison, left: Register, right: Register) -> Register {
        let to = self.fresh();
        self.push(Operation::Compare { op, width: 32, to, left, right });
        to
    }

    pub fn reserve(&mut self, size: u32) -> Register {
        let (to, count) = (self.fresh(), self.constant(0));
        self.push(Operation::Reserve { to, count, size, alignment: 4 });
        to
    }

    pub fn load(&mut self, from: Register, size: u8) -> Register {
        let to = self.fresh();
        let bits = 8 * size;
        self.push(Operation::Load { to, from, size, bits, alignment: 1, volatile: false });
        to
    }

    pub fn store(&mut self, to: Register, from: Register, size: u8) {
        self.push(Operation::Store { to, from, size, alignment: 1, volatile: false });
    }

    pub fn list(&mut self, registers: &[Register]) -> List {
        let first = self.function.lists.len() as u32;
        self.function.lists.extend_from_slice(registers);
        List { first, length: registers.len() as u32 }
    }

    pub fn arguments(&mut self, arguments: &[Argument]) -> List {
        let first = self.function.arguments.len() as u32;
        self.function.arguments.extend_from_slice(arguments);
        List { first, length: arguments.len() as u32 }
    }

    pub fn values(&mut self, registers: &[Register]) -> List {
        let arguments: Vec<Argument> = registers.iter().map(|r| Argument::Value(*r)).collect();
        self.arguments(&arguments)
    }

    pub fn call(&mut self, callee: usize, registers: &[Register], results: u32) -> Register {
        let arguments = self.values(registers);
        let to = self.fresh_parts(results.max(1));
        let callee = Callee::Direct(CodeId::new(callee));
        self.push(Operation::Call { to, results, callee, arguments });
        to
    }

    pub fn jump(&mut self, to: Target) {
        self.push(Operation::Jump { to });
    }

    pub fn branch(&mut self, test: Register, then: Target, otherwise: Target) -> u32 {
        self.push(Operation::Branch { test, then, otherwise })
    }

    pub fn leave(&mut self, registers: &[Register]) {
        let from = self.list(registers);
        self.push(Operation::Return { from });
    }

    pub fn finish(mut self) -> Function {
        let labels = self.labels;
        let set = |target: &mut Target| target.0 = labels[target.0 as usize];
        for operation in &mut self.function.code {
            match operation {
                Operation::Jump { to } => set(to),
                Operation::Branch { then, otherwise, .. } => {
                    set(then);
                    set(otherwise);
                }
                Operation::Switch { otherwise, .. } => set(otherwise),
                _ => {}
            }
        }
        self.function.arms.iter_mut().for_each(|arm| set(&mut arm.to));
        let ends = self.starts.iter().skip(1);
        self.function.blocks =
            self.starts.iter().zip(ends).map(|(start, end)| Block { code: *start..*end }).collect();
        self.function
    }
}

/// A function that is only declared.
pub fn declared(name: &str) -> Function {
    Function { name: name.to_owned(), ..Function::default() }
}

pub fn global(name: &str, bytes: &[u8], constant: bool) -> Global {
    let name = name.to_owned();
    Global { name, bytes: bytes.to_vec(), alignment: 1, constant, defined: true }
}

pub fn module(functions: Vec<Function>, globals: Vec<Global>) -> Module {
    Module { functions, globals, has_hidden_accesses: false }
}
