//! A row of the table.

use obligato_bytecode::{FloatBinary, FloatUnary, FloatWidth};

use crate::table::{
    AssertFunction, CharacterFunction, DoubleFunction, SingleFunction, SortFunction, StdioFunction,
    StdlibFunction, StringFunction,
};

/// A function of the C library, and what stands for it in the tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LibraryFunction {
    /// The name that programs call it by; macros of headers may call other names than the standard has.
    pub name: &'static str,
    /// The header that declares it.
    pub header: &'static str,
    /// The model that the executor runs; `None` if calls go to the environment.
    pub concrete: Option<Concrete>,
    /// The C body that stands behind a unit which calls it.
    pub body: Body,
    /// The model in terms. It takes precedence over the C body: a whole string is one term then, and no loop.
    pub symbolic: Option<Symbolic>,
}

/// A concrete model, by the module of the executor that has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Concrete {
    /// Strings and memory.
    String(StringFunction),
    /// Characters.
    Character(CharacterFunction),
    /// Allocation, numbers in strings, and the end of programs.
    Stdlib(StdlibFunction),
    /// Functions that call back.
    Sort(SortFunction),
    /// Mathematical functions of doubles.
    Double(DoubleFunction),
    /// Mathematical functions of floats.
    Single(SingleFunction),
    /// Formatted input and output.
    Stdio(StdioFunction),
    /// Assertions, and `errno`.
    Assert(AssertFunction),
}

/// Whether `library.c` has a body of the function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Body {
    /// It has.
    Code,
    /// It has none: an engine without a symbolic model takes the result of a call as it was.
    Absent,
}

/// A symbolic model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Symbolic {
    /// Copies between objects that must not overlap.
    CopyDisjoint,
    /// Copies between objects that may overlap.
    Copy,
    /// Sets bytes.
    Fill,
    /// Compares a number of bytes.
    CompareMemory,
    /// Compares two strings.
    CompareStrings,
    /// Compares two strings up to a number of bytes.
    ComparePrefixes,
    /// The length of a string.
    StringLength,
    /// Copies a string.
    CopyString,
    /// Copies a string behind another.
    AppendString,
    /// Searches a string for a character.
    FindCharacter,
    /// Ends the run as a program may.
    Exit,
    /// Ends the run with a runtime error.
    Abort,
    /// Ends the run with a failed assertion.
    FailAssertion,
    /// Allocates bytes.
    Allocate,
    /// Allocates an array.
    AllocateArray,
    /// Frees an object.
    Free,
    /// The address of `errno`.
    Errno,
    /// The table of classes behind the macros of `ctype.h`.
    ClassTable,
    /// The table behind `tolower`.
    LowerTable,
    /// The table behind `toupper`.
    UpperTable,
    /// Prints by the format that is the argument with this index.
    PrintFormat {
        /// Counted from zero.
        format: usize,
    },
    /// Prints what this many arguments say; the result is unconstrained.
    Print {
        /// How many it takes.
        arguments: usize,
    },
    /// Prints its first argument, one of this many, as a character.
    PrintCharacter {
        /// How many it takes.
        arguments: usize,
    },
    /// Prints a number of items.
    PrintItems,
    /// A function of one float that the standard defines exactly.
    FloatUnary(FloatUnary, FloatWidth),
    /// A function of two floats that the standard defines exactly.
    FloatBinary(FloatBinary, FloatWidth),
}

impl Symbolic {
    /// Does it print, which may fail?
    pub fn prints(self) -> bool {
        matches!(
            self,
            Self::PrintFormat { .. }
                | Self::Print { .. }
                | Self::PrintCharacter { .. }
                | Self::PrintItems
        )
    }

    /// Can it model a call with so many arguments? What fortified variants take besides does not matter.
    pub fn accepts(self, arguments: usize) -> bool {
        match self {
            Self::CopyDisjoint | Self::Copy | Self::Fill => arguments >= 3,
            Self::CopyString | Self::AppendString => arguments >= 2,
            Self::PrintItems => arguments == 4,
            Self::CompareMemory | Self::ComparePrefixes => arguments == 3,
            Self::CompareStrings
            | Self::FindCharacter
            | Self::AllocateArray
            | Self::FloatBinary(..) => arguments == 2,
            Self::StringLength | Self::Allocate | Self::Free | Self::FloatUnary(..) => {
                arguments == 1
            }
            Self::PrintFormat { format } => arguments > format,
            Self::Print { arguments: taken } | Self::PrintCharacter { arguments: taken } => {
                arguments == taken
            }
            Self::Exit
            | Self::Abort
            | Self::FailAssertion
            | Self::Errno
            | Self::ClassTable
            | Self::LowerTable
            | Self::UpperTable => true,
        }
    }
}
