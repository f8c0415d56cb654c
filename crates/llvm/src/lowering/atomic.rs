//! Atomic operations: with one thread, a load and a store.

use obligato_bytecode::{Binary, Comparison, FloatBinary, Operation, Overflow, Register};

use super::memory::Access;
use super::{Lowered, Lowering};
use crate::ir::{AtomicOperator, Instruction};
use crate::parts::{Scalar, Unsupported, lanes};

impl<'b> Lowering<'_, 'b> {
    /// `old = *p; same = old == expected; *p = same ? desired : old; {old, same}`
    pub(super) fn compare_exchange(&mut self, instruction: Instruction<'b>) -> Lowered {
        let (expected, desired) = (instruction.operand(1), instruction.operand(2));
        let access = self.atomic_access(instruction)?;
        let (_, scalar) = lanes(access.of)?;
        if scalar.registers() != 1 {
            return Err(Unsupported(format!("an atomic operation on {}", access.of)));
        }
        let (expected, desired) = (self.operand(expected)?, self.operand(desired)?);
        let old = self.home(instruction);
        let same = Register(old.0 + 1);
        self.write_load(old, access)?;
        self.write_compare(Comparison::Equal, scalar.width(), [same, old, expected]);
        let to = self.writer.fresh(1);
        self.writer.emit(Operation::Select { to, test: same, then: desired, otherwise: old });
        self.write_store(to, access)
    }

    /// `old = *p; *p = old op operand; old`
    pub(super) fn read_modify_write(&mut self, instruction: Instruction<'b>) -> Lowered {
        let operator = instruction.atomic_operator();
        let access = self.atomic_access(instruction)?;
        let operand = self.operand(instruction.operand(1))?;
        let old = self.home(instruction);
        self.write_load(old, access)?;
        if operator == AtomicOperator::LLVMAtomicRMWBinOpXchg {
            return self.write_store(operand, access);
        }
        let (_, scalar) = lanes(access.of)?;
        let new = self.writer.fresh(scalar.registers());
        let unknown = || Unsupported(format!("the atomic operation {operator:?}"));
        if let Scalar::Float(width) = scalar {
            let op = float_operator(operator).ok_or_else(unknown)?;
            let (to, left, right) = (new, old, operand);
            self.writer.emit(Operation::FloatBinary { op, width, to, left, right });
        } else {
            let op = integer_operator(operator).ok_or_else(unknown)?;
            let (overflow, width) = (Overflow::default(), scalar.width());
            self.write_binary(op, overflow, width, [new, old, operand]);
            if operator == AtomicOperator::LLVMAtomicRMWBinOpNand {
                let all = self.writer.constant(&all_ones(width));
                self.write_binary(Binary::Xor, overflow, width, [new, new, all]);
            }
        }
        self.write_store(new, access)
    }

    fn atomic_access(&mut self, instruction: Instruction<'b>) -> Result<Access<'b>, Unsupported> {
        Ok(Access {
            of: instruction.operand(1).type_(),
            address: self.operand(instruction.operand(0))?,
            alignment: instruction.alignment(),
            volatile: instruction.is_volatile(),
        })
    }
}

fn all_ones(width: u8) -> Vec<u64> {
    let low = |bits: u8| if bits >= 64 { u64::MAX } else { (1 << bits) - 1 };
    if width > 64 { vec![u64::MAX, low(width - 64)] } else { vec![low(width)] }
}

fn integer_operator(operator: AtomicOperator) -> Option<Binary> {
    Some(match operator {
        AtomicOperator::LLVMAtomicRMWBinOpAdd => Binary::Add,
        AtomicOperator::LLVMAtomicRMWBinOpSub => Binary::Subtract,
        AtomicOperator::LLVMAtomicRMWBinOpAnd | AtomicOperator::LLVMAtomicRMWBinOpNand => {
            Binary::And
        }
        AtomicOperator::LLVMAtomicRMWBinOpOr => Binary::Or,
        AtomicOperator::LLVMAtomicRMWBinOpXor => Binary::Xor,
        AtomicOperator::LLVMAtomicRMWBinOpMax => Binary::MaximumSigned,
        AtomicOperator::LLVMAtomicRMWBinOpMin => Binary::MinimumSigned,
        AtomicOperator::LLVMAtomicRMWBinOpUMax => Binary::MaximumUnsigned,
        AtomicOperator::LLVMAtomicRMWBinOpUMin => Binary::MinimumUnsigned,
        _ => return None,
    })
}

fn float_operator(operator: AtomicOperator) -> Option<FloatBinary> {
    Some(match operator {
        AtomicOperator::LLVMAtomicRMWBinOpFAdd => FloatBinary::Add,
        AtomicOperator::LLVMAtomicRMWBinOpFSub => FloatBinary::Subtract,
        AtomicOperator::LLVMAtomicRMWBinOpFMax => FloatBinary::Maximum,
        AtomicOperator::LLVMAtomicRMWBinOpFMin => FloatBinary::Minimum,
        _ => return None,
    })
}
