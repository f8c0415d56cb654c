//! Writes the code of a function.
//!
//! While it is written, constants and everything else are numbered apart, and targets name blocks; [`Writer::finish`]
//! gives both their final numbers.

use obligato_bytecode::{
    Argument, Arm, Block, Function, FunctionType, List, Local, Operation, Register, Target,
};
use obligato_model::Position;
use rustc_hash::FxHashMap;

/// Marks a register that holds a constant, until the number of constants is known.
const CONSTANT: u32 = 1 << 31;

/// A function that is being written.
#[derive(Debug)]
pub struct Writer {
    function: Function,
    /// Where the operations that are written come from.
    pub place: Option<Position>,
    block_start: u32,
    words: FxHashMap<u64, u32>,
    runs: FxHashMap<Box<[u64]>, u32>,
    notes: FxHashMap<String, u32>,
}

impl Writer {
    /// Starts with the declaration of the function.
    pub fn new(declared: Function) -> Self {
        Self {
            function: declared,
            place: None,
            block_start: 0,
            words: FxHashMap::default(),
            runs: FxHashMap::default(),
            notes: FxHashMap::default(),
        }
    }

    /// New registers, neighbours of each other.
    pub fn fresh(&mut self, count: u32) -> Register {
        let first = self.function.registers;
        self.function.registers += count;
        Register(first)
    }

    /// Registers that hold these words, neighbours of each other.
    pub fn constant(&mut self, words: &[u64]) -> Register {
        let constants = &mut self.function.constants;
        let next = constants.len() as u32;
        let index = match words {
            [word] => *self.words.entry(*word).or_insert(next),
            _ => match self.runs.get(words) {
                Some(index) => *index,
                None => *self.runs.entry(words.into()).or_insert(next),
            },
        };
        if index == next {
            constants.extend(words);
        }
        Register(CONSTANT | index)
    }

    /// Writes an operation, and says where it stands.
    pub fn emit(&mut self, operation: Operation) -> u32 {
        self.function.code.push(operation);
        self.function.places.push(self.place);
        self.function.code.len() as u32 - 1
    }

    /// Notes what a call through a pointer calls.
    pub fn note_called_type(&mut self, at: u32, kind: FunctionType) {
        self.function.called_types.push((at, kind));
    }

    /// Writes that something is not supported, and whether it stands for a call or a jump.
    pub fn emit_unsupported(&mut self, text: String, transfers: bool) {
        let next = self.function.notes.len() as u32;
        let note = *self.notes.entry(text).or_insert_with_key(|text| {
            self.function.notes.push(text.clone());
            next
        });
        self.emit(Operation::Unsupported { note, transfers });
    }

    /// How much code there is.
    pub fn position(&self) -> usize {
        self.function.code.len()
    }

    /// Takes code back down to a position.
    pub fn take_back(&mut self, position: usize) {
        self.function.code.truncate(position);
        self.function.places.truncate(position);
    }

    /// Lists registers.
    pub fn list(&mut self, registers: impl IntoIterator<Item = Register>) -> List {
        extend(&mut self.function.lists, registers)
    }

    /// Lists arguments.
    pub fn arguments(&mut self, arguments: impl IntoIterator<Item = Argument>) -> List {
        extend(&mut self.function.arguments, arguments)
    }

    /// Lists the arms of a switch.
    pub fn arms(&mut self, mut arms: Vec<Arm>) -> List {
        arms.sort_by_key(|arm| arm.key);
        arms.dedup_by_key(|arm| arm.key);
        extend(&mut self.function.arms, arms)
    }

    /// Names what a `Reserve` is for.
    pub fn name_local(&mut self, reserve: u32, name: String) {
        self.function.locals.push(Local { reserve, name });
    }

    /// Ends a block: the next number in order.
    pub fn end_block(&mut self) {
        let end = self.function.code.len() as u32;
        self.function.blocks.push(Block { code: self.block_start..end });
        self.block_start = end;
    }

    /// How many registers there are, constants left out.
    pub fn registers(&self) -> u32 {
        self.function.registers
    }

    /// The finished function.
    pub fn finish(self) -> Function {
        let mut function = self.function;
        let constants = function.constants.len() as u32;
        function.registers += constants;
        let renumber = |register: &mut Register| {
            register.0 = match register.0 & CONSTANT {
                0 => register.0 + constants,
                _ => register.0 & !CONSTANT,
            };
        };
        let starts: Vec<_> = function.blocks.iter().map(|block| block.code.start).collect();
        let resolve = |target: &mut Target| target.0 = starts[target.0 as usize];
        for operation in &mut function.code {
            operation.visit_registers(|_, register, _| renumber(register));
            match operation {
                Operation::Jump { to } => resolve(to),
                Operation::Branch { then, otherwise, .. } => {
                    resolve(then);
                    resolve(otherwise);
                }
                Operation::Switch { otherwise, .. } => resolve(otherwise),
                _ => {}
            }
        }
        function.arms.iter_mut().for_each(|arm| resolve(&mut arm.to));
        function.lists.iter_mut().for_each(renumber);
        for argument in &mut function.arguments {
            match argument {
                Argument::Value(register) | Argument::Copy { from: register, .. } => {
                    renumber(register);
                }
            }
        }
        function
    }
}

fn extend<T>(table: &mut Vec<T>, items: impl IntoIterator<Item = T>) -> List {
    let first = table.len() as u32;
    table.extend(items);
    List { first, length: table.len() as u32 - first }
}
