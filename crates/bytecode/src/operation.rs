//! Operations: one for each instruction of the bitcode, as far as they do something.

use std::ops::Range;

use crate::CodeId;

/// A register of a function. See [`Function`](crate::Function) for what they hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Register(pub u32);

/// A position in the code of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Target(pub u32);

/// A stretch of one of the tables of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct List {
    /// The first.
    pub first: u32,
    /// How many.
    pub length: u32,
}

impl List {
    /// As positions of a slice.
    pub fn range(self) -> Range<usize> {
        self.first as usize..(self.first + self.length) as usize
    }
}

/// What a function does next. Operands are registers: results go `to`, the others are read.
#[expect(missing_docs, reason = "each variant says what its fields are")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operation {
    /// `to = from`.
    Move { to: Register, from: Register },
    /// All at once: the registers of the list `to` take what those of `from` held before.
    Moves { to: List, from: List },
    /// Integers of up to 64 bits.
    Binary {
        op: Binary,
        overflow: Overflow,
        width: u8,
        to: Register,
        left: Register,
        right: Register,
    },
    /// Integers of up to 64 bits.
    Unary { op: Unary, width: u8, to: Register, from: Register },
    /// Integers of 65 to 128 bits, in pairs of registers; shifts take their distance from a pair too.
    WideBinary {
        op: Binary,
        overflow: Overflow,
        width: u8,
        to: Register,
        left: Register,
        right: Register,
    },
    /// Integers of up to 64 bits, and pointers with width 64.
    Compare { op: Comparison, width: u8, to: Register, left: Register, right: Register },
    /// Integers of 65 to 128 bits.
    WideCompare { op: Comparison, width: u8, to: Register, left: Register, right: Register },
    /// Floats.
    FloatBinary {
        op: FloatBinary,
        width: FloatWidth,
        to: Register,
        left: Register,
        right: Register,
    },
    /// Floats.
    FloatUnary { op: FloatUnary, width: FloatWidth, to: Register, from: Register },
    /// `left * right + addend`, rounded once, or twice if the target does.
    FloatMultiplyAdd {
        fused: bool,
        width: FloatWidth,
        to: Register,
        left: Register,
        right: Register,
        addend: Register,
    },
    /// Floats.
    FloatCompare {
        op: FloatComparison,
        width: FloatWidth,
        to: Register,
        left: Register,
        right: Register,
    },
    /// From one type to another.
    Cast { op: Cast, to: Register, from: Register },
    /// `test ? then : otherwise`.
    Select { to: Register, test: Register, then: Register, otherwise: Register },
    /// Makes an object of `count * size` bytes that lasts until the function returns, and gives its address.
    Reserve { to: Register, count: Register, size: u32, alignment: u32 },
    /// Reads `size` bytes, 1 to 8, low byte first. `bits` says how many of them belong to the value.
    Load { to: Register, from: Register, size: u8, bits: u8, alignment: u32, volatile: bool },
    /// Writes `size` bytes, 1 to 8, low byte first.
    Store { to: Register, from: Register, size: u8, alignment: u32, volatile: bool },
    /// `to = base + offset`, an address; `inside`: both should be in the same object or just behind it.
    Offset { to: Register, base: Register, offset: i64, inside: bool },
    /// `to = base + index * scale`; `index` is a signed number of `width` bits.
    Index { to: Register, base: Register, index: Register, width: u8, scale: u64, inside: bool },
    /// Calls a function. As many results as the caller expects go to the registers from `to` on.
    /// Arguments behind the named parameters of a variadic function are words of 8 bytes, as they lie
    /// in memory when none of them travels in a machine register: each argument starts a word, those
    /// that are aligned to 16 bytes an even one, with a word of padding before it where needed;
    /// an [`Argument::Copy`] lies there itself, filled up to whole words.
    Call { to: Register, results: u32, callee: Callee, arguments: List },
    /// What bitcode leaves to the code generator. The results go to the registers from `to` on.
    Intrinsic { op: Intrinsic, to: Register, arguments: List },
    /// Goes on elsewhere.
    Jump { to: Target },
    /// Goes on at one of two places.
    Branch { test: Register, then: Target, otherwise: Target },
    /// Jumps to the arm whose key equals the value.
    Switch { on: Register, width: u8, arms: List, otherwise: Target },
    /// Jumps to the target that `indirectbr` computed; `arms` list the targets by key.
    JumpThrough { on: Register, arms: List },
    /// Leaves the function with the parts of its result.
    Return { from: List },
    /// Ends the run: unreachable code, or a trap.
    Stop(StopKind),
    /// Something the executor cannot do; the text is in the function's notes. It `transfers` control if it stands for a call or a jump:
    /// then it may lead anywhere, not only to what is behind it.
    Unsupported { note: u32, transfers: bool },
}

/// Operations on two integers. Results are cut to their width.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "named as in the bitcode")]
pub enum Binary {
    Add,
    Subtract,
    /// Of two pointers, which have to point into one object: a `sub` of what the compiler has made numbers by itself.
    Difference,
    Multiply,
    DivideUnsigned,
    DivideSigned,
    RemainderUnsigned,
    RemainderSigned,
    ShiftLeft,
    ShiftRightUnsigned,
    ShiftRightSigned,
    And,
    Or,
    Xor,
    MinimumUnsigned,
    MinimumSigned,
    MaximumUnsigned,
    MaximumSigned,
}

/// Which overflow makes an operation undefined, as the compiler noted (`nsw`, `nuw`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Overflow {
    /// Of signed numbers.
    pub signed: bool,
    /// Of unsigned numbers.
    pub unsigned: bool,
}

/// Operations on one integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "named as in the bitcode")]
pub enum Unary {
    SwapBytes,
    ReverseBits,
    CountOnes,
    CountLeadingZeros,
    CountTrailingZeros,
    Absolute,
}

/// Comparisons of integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "named as in the bitcode")]
pub enum Comparison {
    Equal,
    NotEqual,
    LessUnsigned,
    LessEqualUnsigned,
    GreaterUnsigned,
    GreaterEqualUnsigned,
    LessSigned,
    LessEqualSigned,
    GreaterSigned,
    GreaterEqualSigned,
}

/// The IEEE formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FloatWidth {
    /// `float`
    Single,
    /// `double`
    Double,
}

/// Operations on two floats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "named as in the bitcode")]
pub enum FloatBinary {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    Minimum,
    Maximum,
    CopySign,
    Power,
}

/// Operations on one float.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "named as in the bitcode")]
pub enum FloatUnary {
    Negate,
    Absolute,
    SquareRoot,
    Floor,
    Ceiling,
    Truncate,
    Round,
    RoundEven,
    Rint,
    NearbyInt,
}

/// Comparisons of floats: is the order of the two one of those that are listed?
#[expect(clippy::struct_excessive_bools, reason = "a set of four elements, each asked for by name")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FloatComparison {
    /// True for less.
    pub less: bool,
    /// True for equal.
    pub equal: bool,
    /// True for greater.
    pub greater: bool,
    /// True if one of them is a NaN.
    pub unordered: bool,
}

/// Conversions. Widths are in bits; those above 64 take two registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "named as in the bitcode")]
pub enum Cast {
    Truncate { from: u8, to: u8 },
    ExtendUnsigned { from: u8, to: u8 },
    ExtendSigned { from: u8, to: u8 },
    FloatToUnsigned { from: FloatWidth, to: u8 },
    FloatToSigned { from: FloatWidth, to: u8 },
    UnsignedToFloat { from: u8, to: FloatWidth },
    SignedToFloat { from: u8, to: FloatWidth },
    SingleToDouble,
    DoubleToSingle,
    PointerToInteger { to: u8 },
    IntegerToPointer { from: u8 },
}

/// Who is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Callee {
    /// This function.
    Direct(CodeId),
    /// The function whose address this register holds.
    Through(Register),
}

/// An argument of a call.
#[expect(missing_docs, reason = "each variant says what its fields are")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Argument {
    /// The value of a register: a scalar, or one part of a structure.
    Value(Register),
    /// A fresh copy of `size` bytes from the address in the register (`byval`); the callee gets the
    /// address of the copy.
    Copy { from: Register, size: u64, alignment: u32 },
}

/// An arm of a switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Arm {
    /// The value that leads here.
    pub key: ArmKey,
    /// Where it leads.
    pub to: Target,
}

/// The value that selects an arm, of the switch's width.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ArmKey(pub u64);

/// Why an operation ends the run with a runtime error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StopKind {
    /// `__builtin_unreachable()`, or falling off the end of a function that returns something.
    Unreachable,
    /// `__builtin_trap()`.
    Trap,
}

/// What bitcode leaves to the code generator, and is no plain operation on numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Intrinsic {
    /// `memcpy(to, from, size)`: must not overlap.
    CopyMemory,
    /// `memmove(to, from, size)`.
    MoveMemory,
    /// `memset(to, byte, size)`.
    FillMemory,
    /// `va_start(list)`.
    StartArguments,
    /// `va_end(list)`.
    EndArguments,
    /// `va_copy(to, from)`.
    CopyArguments,
    /// Two results: the operation cut to its width, and whether it overflowed.
    Overflowing {
        /// Addition, subtraction or multiplication.
        op: Binary,
        /// Of signed numbers?
        signed: bool,
        /// Of this many bits. Above 64 both arguments and the first result are pairs.
        width: u8,
    },
    /// A funnel shift of this many bits, to the left or to the right: three arguments.
    FunnelShift {
        /// To the left?
        left: bool,
        /// Of this many bits, up to 64.
        width: u8,
    },
    /// `llvm.is.fpclass`: is the float in one of these classes?
    IsClass {
        /// LLVM's mask of classes.
        mask: u16,
        /// Of the float.
        width: FloatWidth,
    },
    /// Saves the stack: objects made by `Reserve` since are gone at `RestoreStack`.
    SaveStack,
    /// See `SaveStack`.
    RestoreStack,
}
