//! Instructions, with what is particular to each kind.

mod call;

use llvm_sys::core::{
    LLVMCountIncoming, LLVMGetAlignment, LLVMGetAllocatedType, LLVMGetAtomicRMWBinOp,
    LLVMGetFCmpPredicate, LLVMGetGEPSourceElementType, LLVMGetICmpPredicate, LLVMGetIncomingBlock,
    LLVMGetIncomingValue, LLVMGetIndices, LLVMGetInstructionOpcode, LLVMGetMaskValue, LLVMGetNSW,
    LLVMGetNUW, LLVMGetNumIndices, LLVMGetNumMaskElements, LLVMGetNumSuccessors, LLVMGetOperand,
    LLVMGetSuccessor, LLVMGetVolatile, LLVMIsATerminatorInst, LLVMIsInBounds,
};
use llvm_sys::debuginfo::{
    LLVMDILocationGetColumn, LLVMDILocationGetLine, LLVMInstructionGetDebugLoc,
};
use llvm_sys::prelude::LLVMValueRef;
use obligato_model::Position;

use super::{AtomicOperator, Block, IntegerPredicate, Kind, Opcode, Type, Value};

/// An instruction of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Instruction<'b>(Value<'b>);

impl<'b> Instruction<'b> {
    /// `raw` is an instruction of the module that lives for `'b`.
    pub(super) fn new(raw: LLVMValueRef) -> Self {
        Self(Value::new(raw))
    }

    /// What it computes.
    pub fn value(self) -> Value<'b> {
        self.0
    }

    /// What it does.
    pub fn opcode(self) -> Opcode {
        // SAFETY: a living instruction, here and below.
        unsafe { LLVMGetInstructionOpcode(self.raw()) }
    }

    /// Where in the text it comes from. Line 0 means nowhere.
    pub fn place(self) -> Option<Position> {
        // SAFETY: as above; a location is asked only if there is one.
        unsafe {
            let location = LLVMInstructionGetDebugLoc(self.raw());
            if location.is_null() {
                return None;
            }
            let line = LLVMDILocationGetLine(location);
            (line > 0).then(|| Position { line, column: LLVMDILocationGetColumn(location) })
        }
    }

    /// What a branch tests, if the compiler knows it.
    pub fn known_test(self) -> Option<Value<'b>> {
        let chooses = self.opcode() == Opcode::LLVMBr && self.successors().count() == 2;
        let test = chooses.then(|| self.operand(0))?;
        (!matches!(test.kind(), Kind::Argument | Kind::Instruction)).then_some(test)
    }

    /// One of its operands.
    pub fn operand(self, index: u32) -> Value<'b> {
        assert!(index < self.0.operand_count(), "it has that operand");
        // SAFETY: as above, and it has that operand.
        Value::new(unsafe { LLVMGetOperand(self.raw(), index) })
    }

    /// How an `icmp` compares.
    pub fn integer_predicate(self) -> IntegerPredicate {
        self.assert_one_of(&[Opcode::LLVMICmp]);
        // SAFETY: as above, and of the right kind.
        unsafe { LLVMGetICmpPredicate(self.raw()) }
    }

    /// How an `fcmp` compares: LLVM's four bits for equal, greater, less, unordered, the first lowest.
    pub fn float_predicate(self) -> u32 {
        self.assert_one_of(&[Opcode::LLVMFCmp]);
        // SAFETY: as above, and of the right kind.
        unsafe { LLVMGetFCmpPredicate(self.raw()) as u32 }
    }

    /// Which overflows are undefined: signed and unsigned.
    pub fn undefined_overflows(self) -> (bool, bool) {
        use Opcode::{LLVMAdd, LLVMMul, LLVMShl, LLVMSub};
        if ![LLVMAdd, LLVMSub, LLVMMul, LLVMShl].contains(&self.opcode()) {
            return (false, false);
        }
        // SAFETY: as above, and of a kind that has these flags.
        unsafe { (LLVMGetNSW(self.raw()) != 0, LLVMGetNUW(self.raw()) != 0) }
    }

    /// The pointers that it subtracts, if it does. Then the compiler makes numbers of both by itself, at the same place; where the
    /// program does, each has the place of its cast. Constants have none.
    pub fn subtracted_pointers(self) -> Option<[Value<'b>; 2]> {
        let is_made = |value: Value<'b>| {
            let number = Self(value);
            value.kind() == Kind::Instruction
                && number.opcode() == Opcode::LLVMPtrToInt
                && number.place() == self.place()
        };
        let is_constant = |value: Value<'b>| {
            value.kind() == Kind::Expression && value.expression_opcode() == Opcode::LLVMPtrToInt
        };
        if self.opcode() != Opcode::LLVMSub {
            return None;
        }
        let operands = [self.operand(0), self.operand(1)];
        let is_difference = operands.iter().any(|one| is_made(*one))
            && operands.iter().all(|one| is_made(*one) || is_constant(*one));
        is_difference.then(|| operands.map(|number| Self(number).operand(0)))
    }

    /// The alignment of an access to memory.
    pub fn alignment(self) -> u32 {
        self.assert_one_of(MEMORY);
        // SAFETY: as above, and of a kind that has one.
        unsafe { LLVMGetAlignment(self.raw()) }
    }

    /// Is an access to memory volatile?
    pub fn is_volatile(self) -> bool {
        self.assert_one_of(&MEMORY[1..]);
        // SAFETY: as above, and of a kind that can be.
        unsafe { LLVMGetVolatile(self.raw()) != 0 }
    }

    /// What an `alloca` makes space for.
    pub fn allocated(self) -> Type<'b> {
        self.assert_one_of(&[Opcode::LLVMAlloca]);
        // SAFETY: as above, and of the right kind.
        Type::new(unsafe { LLVMGetAllocatedType(self.raw()) })
    }

    /// The type that the indices of a `getelementptr` walk through.
    pub fn element_pointer_source(self) -> Type<'b> {
        self.assert_one_of(&[Opcode::LLVMGetElementPtr]);
        // SAFETY: as above, and of the right kind.
        Type::new(unsafe { LLVMGetGEPSourceElementType(self.raw()) })
    }

    /// Must a `getelementptr` stay inside of its object?
    pub fn is_inside(self) -> bool {
        self.assert_one_of(&[Opcode::LLVMGetElementPtr]);
        // SAFETY: as above, and of the right kind.
        unsafe { LLVMIsInBounds(self.raw()) != 0 }
    }

    /// The indices of an `extractvalue` or `insertvalue`.
    pub fn indices(self) -> Vec<u32> {
        self.assert_one_of(&[Opcode::LLVMExtractValue, Opcode::LLVMInsertValue]);
        // SAFETY: as above, and of the right kind; the list is as long as it says.
        unsafe {
            let count = LLVMGetNumIndices(self.raw()) as usize;
            std::slice::from_raw_parts(LLVMGetIndices(self.raw()), count).to_vec()
        }
    }

    /// Which element of the two operands each element of a `shufflevector` is, if it matters.
    pub fn mask(self) -> Vec<Option<u32>> {
        self.assert_one_of(&[Opcode::LLVMShuffleVector]);
        // SAFETY: as above, and of the right kind.
        let count = unsafe { LLVMGetNumMaskElements(self.raw()) };
        // SAFETY: as above, and there is such an element.
        (0..count)
            .map(|index| u32::try_from(unsafe { LLVMGetMaskValue(self.raw(), index) }).ok())
            .collect()
    }

    /// What an `atomicrmw` does.
    pub fn atomic_operator(self) -> AtomicOperator {
        self.assert_one_of(&[Opcode::LLVMAtomicRMW]);
        // SAFETY: as above, and of the right kind.
        unsafe { LLVMGetAtomicRMWBinOp(self.raw()) }
    }

    /// Which values a phi takes coming from which blocks.
    pub fn incoming(self) -> impl Iterator<Item = (Value<'b>, Block<'b>)> {
        self.assert_one_of(&[Opcode::LLVMPHI]);
        // SAFETY: as above, and of the right kind.
        let count = unsafe { LLVMCountIncoming(self.raw()) };
        // SAFETY: as above, and there is such a pair.
        (0..count).map(move |index| unsafe {
            let value = Value::new(LLVMGetIncomingValue(self.raw(), index));
            (value, Block::new(LLVMGetIncomingBlock(self.raw(), index)))
        })
    }

    /// Where the end of a block goes on.
    pub fn successors(self) -> impl Iterator<Item = Block<'b>> {
        // SAFETY: as above; asked only of what ends a block.
        let count = unsafe {
            let ends = !LLVMIsATerminatorInst(self.raw()).is_null();
            if ends { LLVMGetNumSuccessors(self.raw()) } else { 0 }
        };
        // SAFETY: as above, and there is such a successor.
        (0..count).map(move |index| Block::new(unsafe { LLVMGetSuccessor(self.raw(), index) }))
    }

    fn assert_one_of(self, opcodes: &[Opcode]) {
        assert!(opcodes.contains(&self.opcode()), "only instructions of its kind have that");
    }

    pub(super) fn raw(self) -> LLVMValueRef {
        self.0.raw()
    }
}

/// What has an alignment; all but the first may be volatile.
const MEMORY: &[Opcode] = &[
    Opcode::LLVMAlloca,
    Opcode::LLVMLoad,
    Opcode::LLVMStore,
    Opcode::LLVMAtomicRMW,
    Opcode::LLVMAtomicCmpXchg,
];
