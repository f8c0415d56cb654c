//! Arithmetic and comparisons, lane by lane.

use obligato_bytecode::{
    Binary, Comparison, FloatBinary, FloatComparison, FloatUnary, FloatWidth, Operation, Overflow,
    Register, Unary,
};

use super::{Lowered, Lowering, behind, is_wide};
use crate::ir::{Instruction, IntegerPredicate, Type};
use crate::parts::{Scalar, Unsupported, lanes};

/// Lanes of integers.
fn integer_lanes(of: Type<'_>) -> Result<(u32, u8), Unsupported> {
    match lanes(of)? {
        (count, Scalar::Integer(width)) => Ok((count, width)),
        _ => Err(Unsupported(format!("computing with {of} as integers"))),
    }
}

/// Lanes of floats.
fn float_lanes(of: Type<'_>) -> Result<(u32, FloatWidth), Unsupported> {
    match lanes(of)? {
        (count, Scalar::Float(width)) => Ok((count, width)),
        _ => Err(Unsupported(format!("computing with {of} as floats"))),
    }
}

impl<'b> Lowering<'_, 'b> {
    pub(super) fn binary(&mut self, instruction: Instruction<'b>, op: Binary) -> Lowered {
        let (signed, unsigned) = instruction.undefined_overflows();
        let overflow = Overflow { signed, unsigned };
        let (count, width) = integer_lanes(instruction.value().type_())?;
        let numbers = [instruction.operand(0), instruction.operand(1)];
        // Of the pointers themselves: the numbers that the compiler makes of them say nothing about their objects.
        let (op, [left, right]) = match instruction.subtracted_pointers() {
            Some(pointers) if width == 64 => (Binary::Difference, pointers),
            _ => (op, numbers),
        };
        let (left, right) = (self.operand(left)?, self.operand(right)?);
        let to = self.home(instruction);
        let step = if is_wide(width) { 2 } else { 1 };
        for lane in (0..count).map(|lane| lane * step) {
            let (to, left, right) = (behind(to, lane), behind(left, lane), behind(right, lane));
            self.write_binary(op, overflow, width, [to, left, right]);
        }
        Ok(())
    }

    /// One operation on integers of any width.
    pub(super) fn write_binary(
        &mut self,
        op: Binary,
        overflow: Overflow,
        width: u8,
        [to, left, right]: [Register; 3],
    ) {
        self.writer.emit(if is_wide(width) {
            Operation::WideBinary { op, overflow, width, to, left, right }
        } else {
            Operation::Binary { op, overflow, width, to, left, right }
        });
    }

    pub(super) fn unary(&mut self, instruction: Instruction<'b>, op: Unary) -> Lowered {
        let (count, width) = integer_lanes(instruction.value().type_())?;
        if is_wide(width) {
            return Err(Unsupported(format!("{op:?} of {width} bits")));
        }
        let from = self.operand(instruction.operand(0))?;
        let to = self.home(instruction);
        for lane in 0..count {
            let (to, from) = (behind(to, lane), behind(from, lane));
            self.writer.emit(Operation::Unary { op, width, to, from });
        }
        Ok(())
    }

    pub(super) fn float_binary(
        &mut self,
        instruction: Instruction<'b>,
        op: FloatBinary,
    ) -> Lowered {
        let (count, width) = float_lanes(instruction.value().type_())?;
        let left = self.operand(instruction.operand(0))?;
        let right = self.operand(instruction.operand(1))?;
        let to = self.home(instruction);
        for lane in 0..count {
            let (to, left, right) = (behind(to, lane), behind(left, lane), behind(right, lane));
            self.writer.emit(Operation::FloatBinary { op, width, to, left, right });
        }
        Ok(())
    }

    pub(super) fn float_unary(&mut self, instruction: Instruction<'b>, op: FloatUnary) -> Lowered {
        let (count, width) = float_lanes(instruction.value().type_())?;
        let from = self.operand(instruction.operand(0))?;
        let to = self.home(instruction);
        for lane in 0..count {
            let (to, from) = (behind(to, lane), behind(from, lane));
            self.writer.emit(Operation::FloatUnary { op, width, to, from });
        }
        Ok(())
    }

    pub(super) fn multiply_add(&mut self, instruction: Instruction<'b>, fused: bool) -> Lowered {
        let (count, width) = float_lanes(instruction.value().type_())?;
        let left = self.operand(instruction.operand(0))?;
        let right = self.operand(instruction.operand(1))?;
        let addend = self.operand(instruction.operand(2))?;
        let to = self.home(instruction);
        for lane in 0..count {
            self.writer.emit(Operation::FloatMultiplyAdd {
                fused,
                width,
                to: behind(to, lane),
                left: behind(left, lane),
                right: behind(right, lane),
                addend: behind(addend, lane),
            });
        }
        Ok(())
    }

    pub(super) fn compare(&mut self, instruction: Instruction<'b>) -> Lowered {
        let op = comparison_of(instruction.integer_predicate());
        let (count, scalar) = lanes(instruction.operand(0).type_())?;
        let left = self.operand(instruction.operand(0))?;
        let right = self.operand(instruction.operand(1))?;
        let to = self.home(instruction);
        for lane in 0..count {
            let operand = lane * scalar.registers();
            let (left, right) = (behind(left, operand), behind(right, operand));
            self.write_compare(op, scalar.width(), [behind(to, lane), left, right]);
        }
        Ok(())
    }

    /// One comparison of integers of any width.
    pub(super) fn write_compare(
        &mut self,
        op: Comparison,
        width: u8,
        [to, left, right]: [Register; 3],
    ) {
        self.writer.emit(if is_wide(width) {
            Operation::WideCompare { op, width, to, left, right }
        } else {
            Operation::Compare { op, width, to, left, right }
        });
    }

    pub(super) fn float_compare(&mut self, instruction: Instruction<'b>) -> Lowered {
        let bits = instruction.float_predicate();
        let op = FloatComparison {
            equal: bits & 1 != 0,
            greater: bits & 2 != 0,
            less: bits & 4 != 0,
            unordered: bits & 8 != 0,
        };
        let (count, width) = float_lanes(instruction.operand(0).type_())?;
        let left = self.operand(instruction.operand(0))?;
        let right = self.operand(instruction.operand(1))?;
        let to = self.home(instruction);
        for lane in 0..count {
            let (to, left, right) = (behind(to, lane), behind(left, lane), behind(right, lane));
            self.writer.emit(Operation::FloatCompare { op, width, to, left, right });
        }
        Ok(())
    }
}

fn comparison_of(predicate: IntegerPredicate) -> Comparison {
    match predicate {
        IntegerPredicate::LLVMIntEQ => Comparison::Equal,
        IntegerPredicate::LLVMIntNE => Comparison::NotEqual,
        IntegerPredicate::LLVMIntUGT => Comparison::GreaterUnsigned,
        IntegerPredicate::LLVMIntUGE => Comparison::GreaterEqualUnsigned,
        IntegerPredicate::LLVMIntULT => Comparison::LessUnsigned,
        IntegerPredicate::LLVMIntULE => Comparison::LessEqualUnsigned,
        IntegerPredicate::LLVMIntSGT => Comparison::GreaterSigned,
        IntegerPredicate::LLVMIntSGE => Comparison::GreaterEqualSigned,
        IntegerPredicate::LLVMIntSLT => Comparison::LessSigned,
        IntegerPredicate::LLVMIntSLE => Comparison::LessEqualSigned,
    }
}
