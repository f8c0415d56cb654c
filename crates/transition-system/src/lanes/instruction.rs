//! Instructions: what one pass over the lanes does.
//!
//! Each sort has its own register file, and an instruction names registers by
//! slot. There are fewer Boolean operations here than in terms: negation lives in
//! the operands (as in an and-inverter graph), and a tap is a selection between
//! its operand and a register of forced values.

use crate::sort::Machine;

/// The registers an instruction reads and writes. `to` differs from the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operands {
    /// Where the result goes.
    pub to: u32,
    /// The first operand.
    pub a: u32,
    /// The second operand, if there is one.
    pub b: u32,
    /// The test of a selection, always a Boolean register.
    pub test: u32,
}

/// What an instruction does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Operation {
    /// Booleans to a Boolean.
    Bool(BoolOperation),
    /// Words to a word: integers and machine integers.
    Word(WordOperation),
    /// Two words to a Boolean.
    CompareWords(Comparison),
    /// Reals to a real.
    Real(RealOperation),
    /// Two reals to a Boolean.
    CompareReals(Comparison),
    /// A word to the real of that value.
    WordToReal,
    /// A real to the integer below it.
    RealToWord,
}

/// Operations on Booleans.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BoolOperation {
    /// `a`
    Copy,
    /// `!a`
    Not,
    /// `a & b`
    And,
    /// `a & !b`
    AndNot,
    /// `!a & !b`
    Nor,
    /// `a ^ b`
    Xor,
    /// `test ? a : b`
    Select,
    /// `test ? !a : b`
    SelectNot,
}

/// Operations on words. Those on `int` notice when a result needs more than a
/// word; those on a machine sort wrap around.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WordOperation {
    /// `a`, of any sort.
    Copy,
    /// `test ? a : b`, of any sort.
    Select,
    /// An integer operation.
    Int(Arithmetic),
    /// A machine integer operation.
    Machine(Machine, Arithmetic),
    /// A bitwise operation of a machine sort.
    Bits(Machine, Bitwise),
    /// `a` modulo 2^bits.
    Wrap(Machine),
    /// A word that holds a `uint64`, as an integer.
    UnsignedToInt,
}

/// Arithmetic that `int` and machine integers share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Arithmetic {
    /// `-a`
    Negate,
    /// `a + b`
    Add,
    /// `a - b`
    Subtract,
    /// `a * b`
    Multiply,
    /// Quotient; by zero, 0.
    Div,
    /// Remainder; by zero, 0.
    Mod,
}

/// Operations on the bits of machine integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Bitwise {
    /// `!a`
    Not,
    /// `a & b`
    And,
    /// `a | b`
    Or,
    /// `a ^ b`
    Xor,
    /// `a << b`
    ShiftLeft,
    /// `a >> b`
    ShiftRight,
}

/// Operations on reals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RealOperation {
    /// `a`
    Copy,
    /// `test ? a : b`
    Select,
    /// `-a`
    Negate,
    /// `a + b`
    Add,
    /// `a - b`
    Subtract,
    /// `a * b`
    Multiply,
    /// `a / b`; by zero, 0.
    Divide,
}

/// Comparisons. Those not listed are one of these with operands exchanged, or
/// negated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Comparison {
    /// `a == b`
    Equal,
    /// `a < b`
    Less,
    /// `a <= b`
    LessEqual,
    /// `a < b` of words that hold `uint64`.
    LessUnsigned,
    /// `a <= b` of words that hold `uint64`.
    LessEqualUnsigned,
}

/// Instructions that follow each other and do the same thing, so that what to do
/// is decided once for all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InstructionRun {
    /// What they do.
    pub operation: Operation,
    /// The first of their operands in the program's list.
    pub start: u32,
    /// Past the last of them.
    pub end: u32,
}

/// Which register file a slot is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum File {
    /// Booleans, a bit per lane.
    Bool,
    /// Integers and machine integers, of at most a word per lane.
    Word,
    /// Reals.
    Real,
}

impl Operation {
    /// The file of the result.
    pub fn result(self) -> File {
        match self {
            Self::Bool(_) | Self::CompareWords(_) | Self::CompareReals(_) => File::Bool,
            Self::Word(_) | Self::RealToWord => File::Word,
            Self::Real(_) | Self::WordToReal => File::Real,
        }
    }

    /// The file of the operands but for the test.
    pub fn operand(self) -> File {
        match self {
            Self::Bool(_) => File::Bool,
            Self::Word(_) | Self::CompareWords(_) | Self::WordToReal => File::Word,
            Self::Real(_) | Self::CompareReals(_) | Self::RealToWord => File::Real,
        }
    }

    /// Does it read `b`, and the test?
    pub fn reads(self) -> (bool, bool) {
        match self {
            Self::Bool(BoolOperation::Select | BoolOperation::SelectNot)
            | Self::Word(WordOperation::Select)
            | Self::Real(RealOperation::Select) => (true, true),
            Self::Bool(BoolOperation::Copy | BoolOperation::Not)
            | Self::Word(
                WordOperation::Copy
                | WordOperation::Wrap(_)
                | WordOperation::UnsignedToInt
                | WordOperation::Int(Arithmetic::Negate)
                | WordOperation::Machine(_, Arithmetic::Negate)
                | WordOperation::Bits(_, Bitwise::Not),
            )
            | Self::Real(RealOperation::Copy | RealOperation::Negate)
            | Self::WordToReal
            | Self::RealToWord => (false, false),
            Self::Bool(_)
            | Self::Word(_)
            | Self::Real(_)
            | Self::CompareWords(_)
            | Self::CompareReals(_) => (true, false),
        }
    }
}
