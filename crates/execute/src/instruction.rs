//! Instructions: operations, decoded for the interpreter loop.
//!
//! Sixteen bytes each. Frequent operations have instructions of their own with all operands; the rest refer
//! to the operation they were decoded from.

use obligato_bytecode::{
    Binary, Cast, FloatBinary, FloatComparison, FloatUnary, FloatWidth, Unary,
};

/// A register, counted from the first one of the frame.
pub(crate) type R = u32;

/// An instruction. `gap` is 64 minus the width of the integers in bits.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Instruction {
    Move {
        to: R,
        from: R,
    },
    Add {
        gap: u8,
        to: R,
        left: R,
        right: R,
    },
    AddSigned {
        gap: u8,
        to: R,
        left: R,
        right: R,
    },
    Subtract {
        gap: u8,
        to: R,
        left: R,
        right: R,
    },
    SubtractSigned {
        gap: u8,
        to: R,
        left: R,
        right: R,
    },
    Multiply {
        gap: u8,
        to: R,
        left: R,
        right: R,
    },
    MultiplySigned {
        gap: u8,
        to: R,
        left: R,
        right: R,
    },
    And {
        to: R,
        left: R,
        right: R,
    },
    Or {
        to: R,
        left: R,
        right: R,
    },
    Xor {
        to: R,
        left: R,
        right: R,
    },
    /// A left shift of a signed number, whose result has to fit.
    ShiftLeftSigned {
        gap: u8,
        to: R,
        left: R,
        right: R,
    },
    Shift {
        op: Binary,
        gap: u8,
        to: R,
        left: R,
        right: R,
    },
    /// The operations on two integers that have no instruction of their own.
    Binary {
        op: Binary,
        gap: u8,
        to: R,
        left: R,
        right: R,
    },
    Unary {
        op: Unary,
        gap: u8,
        to: R,
        from: R,
    },
    Equal {
        to: R,
        left: R,
        right: R,
    },
    NotEqual {
        to: R,
        left: R,
        right: R,
    },
    Less {
        to: R,
        left: R,
        right: R,
    },
    LessEqual {
        to: R,
        left: R,
        right: R,
    },
    LessSigned {
        gap: u8,
        to: R,
        left: R,
        right: R,
    },
    LessEqualSigned {
        gap: u8,
        to: R,
        left: R,
        right: R,
    },
    /// Comparisons fused with the `Branch` behind them, which tests their result.
    EqualBranch {
        to: R,
        left: R,
        right: R,
    },
    NotEqualBranch {
        to: R,
        left: R,
        right: R,
    },
    LessBranch {
        to: R,
        left: R,
        right: R,
    },
    LessEqualBranch {
        to: R,
        left: R,
        right: R,
    },
    LessSignedBranch {
        gap: u8,
        to: R,
        left: R,
        right: R,
    },
    LessEqualSignedBranch {
        gap: u8,
        to: R,
        left: R,
        right: R,
    },
    FloatBinary {
        op: FloatBinary,
        width: FloatWidth,
        to: R,
        left: R,
        right: R,
    },
    FloatUnary {
        op: FloatUnary,
        width: FloatWidth,
        to: R,
        from: R,
    },
    FloatCompare {
        op: Orders,
        width: FloatWidth,
        to: R,
        left: R,
        right: R,
    },
    /// Any conversion from one register to one.
    Cast {
        op: Cast,
        to: R,
        from: R,
    },
    /// Clears the upper bits.
    Cut {
        gap: u8,
        to: R,
        from: R,
    },
    /// Fills the upper bits with the sign, and clears those beyond the new width.
    ExtendSigned {
        from_gap: u8,
        to_gap: u8,
        to: R,
        from: R,
    },
    Reserve {
        to: R,
        count: R,
        size: u32,
    },
    Load1 {
        to: R,
        from: R,
    },
    Load2 {
        to: R,
        from: R,
    },
    Load4 {
        to: R,
        from: R,
    },
    Load8 {
        to: R,
        from: R,
    },
    /// Any other number of bytes, or fewer bits than they have.
    LoadPart {
        size: u8,
        gap: u8,
        to: R,
        from: R,
    },
    Store1 {
        to: R,
        from: R,
    },
    Store2 {
        to: R,
        from: R,
    },
    Store4 {
        to: R,
        from: R,
    },
    Store8 {
        to: R,
        from: R,
    },
    StorePart {
        size: u8,
        to: R,
        from: R,
    },
    Offset {
        to: R,
        base: R,
        offset: i32,
    },
    Index {
        gap: u8,
        scale: u16,
        to: R,
        base: R,
        index: R,
    },
    Call {
        site: u32,
    },
    Jump {
        to: u32,
    },
    Branch {
        test: R,
        then: u32,
        otherwise: u32,
    },
    Switch {
        on: R,
        arms: u32,
    },
    ReturnNone,
    ReturnOne {
        from: R,
    },
    Return {
        first: u32,
        length: u32,
    },
    /// Tells the observer; `register` is [`NO_REGISTER`] if it asked for none.
    Watch {
        watch: u32,
        register: R,
    },
    /// A rare operation, executed from the module.
    Rare {
        operation: u32,
    },
    /// Behind the code: the target of a computed jump to no listed label.
    Nowhere,
}

/// For a watch point without a register: no function has as many.
pub(crate) const NO_REGISTER: R = R::MAX;

/// The orders for which a comparison of floats is true, in a byte.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Orders(u8);

impl Orders {
    pub(crate) fn new(op: FloatComparison) -> Self {
        let bit = |holds: bool, place: u8| u8::from(holds) << place;
        Self(bit(op.less, 0) | bit(op.equal, 1) | bit(op.greater, 2) | bit(op.unordered, 3))
    }

    #[inline(always)]
    pub(crate) fn comparison(self) -> FloatComparison {
        let has = |place: u8| self.0 >> place & 1 == 1;
        FloatComparison { less: has(0), equal: has(1), greater: has(2), unordered: has(3) }
    }
}

const _: () = assert!(size_of::<Instruction>() == 16);
