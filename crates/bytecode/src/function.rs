//! A function as flat code.

use std::ops::Range;

use obligato_model::Position;

use crate::{Argument, Arm, List, Operation, Register};

/// A function.
///
/// Its registers are numbered `0..registers`: first the [constants](Self::constants), then the
/// parameters (an aggregate takes one for each of its parts), then everything else. A register holds
/// 64 bits; integers and floats narrower than that have their upper bits clear, pointers are
/// [addresses](crate::Address), and integers of 65 to 128 bits take two, the low half first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Function {
    /// Its symbol.
    pub name: String,
    /// What it takes and returns.
    pub signature: Signature,
    /// What the first registers hold whenever the function is entered.
    pub constants: Vec<u64>,
    /// How many registers it has.
    pub registers: u32,
    /// Its operations. Empty: the function is only declared.
    pub code: Vec<Operation>,
    /// Where in the text each operation comes from; `None` for what the compiler added.
    pub places: Vec<Option<Position>>,
    /// The basic blocks of the bitcode in their order. The copies that phis ask for stand before the jump to
    /// them, or, on an edge from a block with several successors, in blocks of their own behind all others.
    pub blocks: Vec<Block>,
    /// The arguments of all calls, a range for each.
    pub arguments: Vec<Argument>,
    /// The arms of all switches, a range for each, sorted by key.
    pub arms: Vec<Arm>,
    /// Lists of registers that operations refer to: sources and targets of parallel copies, returned parts.
    pub lists: Vec<Register>,
    /// Names of what the function's `Reserve`s are for, as far as the compiler says.
    pub locals: Vec<Local>,
    /// Texts that operations refer to: why something is not supported.
    pub notes: Vec<String>,
    /// The calls through pointers, in their order: the operation, and the type of what it calls.
    pub called_types: Vec<(u32, FunctionType)>,
    /// Does it stand in for functions of others, of which only the type is known?
    pub stands_in: bool,
}

/// How many registers parameters and results take.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Signature {
    /// How many registers all parameters together take.
    pub parameters: u32,
    /// How many registers the result takes; 0 for none.
    pub results: u32,
    /// May there be more arguments?
    pub variadic: bool,
    /// Does it never return?
    pub endless: bool,
    /// Its type, beyond what registers say.
    pub kind: FunctionType,
}

/// The type of a function, by numbers: those with the same numbers take and return the same. 0 where nothing is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FunctionType {
    /// Of the type as a whole; nothing is known of what a function without a prototype takes.
    pub whole: u32,
    /// Of the type of its result.
    pub result: u32,
}

impl FunctionType {
    /// May both be the type of one function?
    pub fn fits(self, other: Self) -> bool {
        let agree = |one: u32, other: u32| one == 0 || other == 0 || one == other;
        agree(self.whole, other.whole) && agree(self.result, other.result)
    }
}

/// A basic block: code that is entered only at its start and left only at its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Its operations, the last of which leaves it.
    pub code: Range<u32>,
}

/// A variable of a function that lies in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Local {
    /// The position in the code of the `Reserve` that makes it.
    pub reserve: u32,
    /// Its name in the source.
    pub name: String,
}

impl Function {
    /// Is there code to run?
    pub fn is_defined(&self) -> bool {
        !self.code.is_empty()
    }

    /// Does a call of this function stand in for one of which nothing is known: through a pointer to a function of another type? No
    /// caller passes a function that fits such a call only by the type of the pointer.
    pub fn is_misused(&self, caller: &Self, operation: u32) -> bool {
        let types = &caller.called_types;
        let found = types.binary_search_by_key(&operation, |(at, _)| *at);
        self.stands_in && found.is_ok_and(|index| !types[index].1.fits(self.signature.kind))
    }

    /// The registers of the parameters.
    pub fn parameters(&self) -> Range<u32> {
        let first = self.constants.len() as u32;
        first..first + self.signature.parameters
    }

    /// The successors of the operation at `at`, in its order, with every arm of a switch or a computed goto. Empty if
    /// it ends the function or is no terminator.
    pub fn successors(&self, at: u32) -> Vec<u32> {
        let listed = |arms: List| self.arms[arms.range()].iter().map(|arm| arm.to.0);
        match &self.code[at as usize] {
            Operation::Jump { to } => vec![to.0],
            Operation::Branch { then, otherwise, .. } => vec![then.0, otherwise.0],
            Operation::Switch { arms, otherwise, .. } => {
                listed(*arms).chain([otherwise.0]).collect()
            }
            Operation::JumpThrough { arms, .. } => listed(*arms).collect(),
            _ => Vec::new(),
        }
    }
}
