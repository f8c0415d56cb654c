//! Conversions, lane by lane.

use obligato_bytecode::{Cast, FloatWidth, Operation};

use super::{Lowered, Lowering, behind};
use crate::ir::{Instruction, Opcode};
use crate::parts::{Scalar, Unsupported, lanes};

impl<'b> Lowering<'_, 'b> {
    pub(super) fn cast(&mut self, instruction: Instruction<'b>) -> Lowered {
        let value = instruction.operand(0);
        let (target, source) = (instruction.value().type_(), value.type_());
        let (count, to_scalar) = lanes(target)?;
        let (_, from_scalar) = lanes(source)?;
        let op = cast_of(instruction.opcode(), from_scalar, to_scalar)
            .ok_or_else(|| Unsupported(format!("a conversion from {source} to {target}")))?;
        let from = self.operand(value)?;
        let to = self.home(instruction);
        for lane in 0..count {
            let to = behind(to, lane * to_scalar.registers());
            let from = behind(from, lane * from_scalar.registers());
            self.writer.emit(Operation::Cast { op, to, from });
        }
        Ok(())
    }
}

pub(super) fn cast_of(opcode: Opcode, from: Scalar, to: Scalar) -> Option<Cast> {
    Some(match (opcode, from, to) {
        (Opcode::LLVMTrunc, Scalar::Integer(from), Scalar::Integer(to)) => {
            Cast::Truncate { from, to }
        }
        (Opcode::LLVMZExt, Scalar::Integer(from), Scalar::Integer(to)) => {
            Cast::ExtendUnsigned { from, to }
        }
        (Opcode::LLVMSExt, Scalar::Integer(from), Scalar::Integer(to)) => {
            Cast::ExtendSigned { from, to }
        }
        (Opcode::LLVMFPToUI, Scalar::Float(from), Scalar::Integer(to)) => {
            Cast::FloatToUnsigned { from, to }
        }
        (Opcode::LLVMFPToSI, Scalar::Float(from), Scalar::Integer(to)) => {
            Cast::FloatToSigned { from, to }
        }
        (Opcode::LLVMUIToFP, Scalar::Integer(from), Scalar::Float(to)) => {
            Cast::UnsignedToFloat { from, to }
        }
        (Opcode::LLVMSIToFP, Scalar::Integer(from), Scalar::Float(to)) => {
            Cast::SignedToFloat { from, to }
        }
        (
            Opcode::LLVMFPTrunc,
            Scalar::Float(FloatWidth::Double),
            Scalar::Float(FloatWidth::Single),
        ) => Cast::DoubleToSingle,
        (
            Opcode::LLVMFPExt,
            Scalar::Float(FloatWidth::Single),
            Scalar::Float(FloatWidth::Double),
        ) => Cast::SingleToDouble,
        (Opcode::LLVMPtrToInt, Scalar::Pointer, Scalar::Integer(to)) => {
            Cast::PointerToInteger { to }
        }
        (Opcode::LLVMIntToPtr, Scalar::Integer(from), Scalar::Pointer) => {
            Cast::IntegerToPointer { from }
        }
        _ => return None,
    })
}
