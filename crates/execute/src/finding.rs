//! Early ends of runs: runtime errors of the program, unsupported constructs, limits.

use std::fmt;

use obligato_bytecode::{Address, Binary, CodeId};
use obligato_model::Position;

/// Why a run ended before the called function returned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The program called `exit` with this status.
    Exit(i32),
    /// A runtime error, an unsupported construct, or a limit.
    Finding(Box<Finding>),
}

/// A finding that ended a run, with its call stack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What ended the run.
    pub kind: FindingKind,
    /// The call stack: the innermost function first, then its callers with the operations of their calls.
    /// Empty only if the run ended before its first operation.
    pub stack: Vec<StackEntry>,
}

/// An entry of a call stack: an operation of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StackEntry {
    /// The function.
    pub function: CodeId,
    /// The index of the operation in its code.
    pub operation: u32,
    /// Its position in the source, if the debug information has one.
    pub position: Option<Position>,
}

/// The kind of an access to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccessKind {
    /// To read.
    Read,
    /// To write.
    Write,
    /// To free.
    Free,
    /// To call.
    Call,
}

/// The limit that ended a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExecutionLimit {
    /// Executed operations.
    Steps,
    /// Open calls.
    Depth,
    /// Bytes of all objects.
    Memory,
    /// Objects.
    Objects,
}

/// The cause of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// A runtime error of the program under test.
    RuntimeError,
    /// A construct that the executor does not support.
    Unsupported,
    /// A limit of the run.
    Limit,
}

/// The kind of a finding.
#[expect(missing_docs, reason = "the fields are named after what they hold")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FindingKind {
    /// An access through a null pointer, or through one that was computed from it.
    NullDereference { access: AccessKind, address: Address },
    /// An access through a pointer to no object at all.
    WildPointer { access: AccessKind, address: Address },
    /// An access outside of the object that the pointer belongs to.
    OutOfBounds { access: AccessKind, offset: i64, size: u64, object: u64 },
    /// An access to freed memory.
    UseAfterFree { access: AccessKind, address: Address },
    /// An access to a variable of a function that has returned.
    UseAfterReturn { access: AccessKind, address: Address },
    /// Freed twice.
    DoubleFree { address: Address },
    /// Freed, but never allocated.
    InvalidFree { address: Address },
    /// A write to a constant.
    ConstantWrite { address: Address },
    /// An access to the code of a function.
    CodeAccess { access: AccessKind, address: Address },
    /// `memcpy` of two objects that overlap.
    OverlappingCopy { size: u64 },
    /// Integer division by zero.
    DivisionByZero,
    /// A result of signed arithmetic that does not fit.
    SignedOverflow { op: Binary },
    /// A difference of pointers into different objects.
    PointersApart,
    /// A shift by a negative distance, or by the width and more.
    ShiftOutOfRange { distance: i64, width: u8 },
    /// A float that becomes an integer of so many bits, which its whole part does not fit.
    FloatOutOfRange { width: u8 },
    /// Code that says it is never reached.
    Unreachable,
    /// `__builtin_trap()`.
    Trap,
    /// A failed `assert`.
    AssertionFailed { text: String },
    /// `abort()`.
    Abort,
    /// A call through a null pointer.
    NullCall,
    /// A call through a pointer to something that is no function.
    WildCall { address: Address },
    /// A call with another number of arguments or results than the function has.
    MismatchingCall { function: CodeId },
    /// An argument that a function of the standard library does not define.
    InvalidArgument { function: String, problem: String },
    /// A limit was hit.
    Limit(ExecutionLimit),
    /// Something the executor cannot do.
    Unsupported { note: String },
}

impl FindingKind {
    /// The cause.
    pub fn class(&self) -> Class {
        match self {
            Self::Limit(_) => Class::Limit,
            Self::Unsupported { .. } => Class::Unsupported,
            _ => Class::RuntimeError,
        }
    }
}

impl fmt::Display for AccessKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Free => "free",
            Self::Call => "call",
        })
    }
}

impl fmt::Display for FindingKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NullDereference { access, .. } => write!(f, "{access} through a null pointer"),
            Self::WildPointer { access, .. } => write!(f, "{access} through a wild pointer"),
            Self::OutOfBounds { access, offset, size, object } => write!(
                f,
                "{access} of {size} bytes at offset {offset} of an object of {object} bytes"
            ),
            Self::UseAfterFree { access, .. } => write!(f, "{access} of freed memory"),
            Self::UseAfterReturn { access, .. } => {
                write!(f, "{access} of a variable whose function has returned")
            }
            Self::DoubleFree { .. } => f.write_str("freed twice"),
            Self::InvalidFree { .. } => f.write_str("freed, but not allocated"),
            Self::ConstantWrite { .. } => f.write_str("write to a constant"),
            Self::CodeAccess { access, .. } => write!(f, "{access} of the code of a function"),
            Self::OverlappingCopy { size } => {
                write!(f, "copy of {size} bytes between overlapping places")
            }
            Self::DivisionByZero => f.write_str("division by zero"),
            Self::PointersApart => f.write_str("difference of pointers into different objects"),
            Self::SignedOverflow { op } => write!(f, "signed overflow of {}", name_of(*op)),
            Self::ShiftOutOfRange { distance, width } => {
                write!(f, "shift of {width} bits by {distance}")
            }
            Self::FloatOutOfRange { width } => {
                write!(
                    f,
                    "conversion of a float to an integer of {width} bits that it does not fit"
                )
            }
            Self::Unreachable => f.write_str("reached what is said to be unreachable"),
            Self::Trap => f.write_str("trap"),
            Self::AssertionFailed { text } => write!(f, "assertion failed: {text}"),
            Self::Abort => f.write_str("abort"),
            Self::NullCall => f.write_str("call through a null pointer"),
            Self::WildCall { .. } => f.write_str("call through a pointer to no function"),
            Self::MismatchingCall { .. } => {
                f.write_str("call with other arguments or results than the function has")
            }
            Self::InvalidArgument { function, problem } => write!(f, "{function}: {problem}"),
            Self::Limit(ExecutionLimit::Steps) => f.write_str("limit of steps reached"),
            Self::Limit(ExecutionLimit::Depth) => f.write_str("limit of open calls reached"),
            Self::Limit(ExecutionLimit::Memory) => f.write_str("limit of memory reached"),
            Self::Limit(ExecutionLimit::Objects) => f.write_str("limit of objects reached"),
            Self::Unsupported { note } => write!(f, "unsupported: {note}"),
        }
    }
}

fn name_of(op: Binary) -> &'static str {
    match op {
        Binary::Subtract => "a subtraction",
        Binary::Multiply => "a multiplication",
        Binary::DivideSigned => "a division",
        Binary::RemainderSigned => "a remainder",
        Binary::ShiftLeft => "a left shift",
        _ => "an addition",
    }
}
