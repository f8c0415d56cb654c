//! Intrinsics that clang emits for C without optimisation, each by its name.

use obligato_bytecode::{
    Argument, Binary, Comparison, FloatBinary, FloatUnary, Intrinsic, Operation, Overflow,
    Register, StopKind, Unary,
};

use super::{Lowered, Lowering, is_wide};
use crate::ir::{Instruction, Kind, Value};
use crate::parts::{Scalar, Unsupported, lanes};

impl<'b> Lowering<'_, 'b> {
    pub(super) fn intrinsic(&mut self, instruction: Instruction<'b>, name: &str) -> Lowered {
        // `abs` of C is undefined for the smallest number, which has no counterpart.
        if name == "llvm.abs" && is_true(instruction.operand(1)) {
            return self.absolute(instruction);
        }
        if let Some(op) = unary_named(name) {
            return self.unary(instruction, op);
        }
        if let Some(op) = minimum_or_maximum(name) {
            return self.binary(instruction, op);
        }
        if let Some(op) = float_unary_named(name) {
            return self.float_unary(instruction, op);
        }
        if let Some(op) = float_binary_named(name) {
            return self.float_binary(instruction, op);
        }
        if let Some((op, signed)) = overflowing_named(name) {
            return self.overflowing(instruction, op, signed);
        }
        let argument = |index| instruction.operand(index);
        match name {
            // Fused where that is one instruction of the machine, as clang has it.
            "llvm.fmuladd" => {
                let fused = self.function.has_target_feature("+fma");
                self.multiply_add(instruction, fused)
            }
            "llvm.fma" => self.multiply_add(instruction, true),
            "llvm.fshl" => self.funnel_shift(instruction, true),
            "llvm.fshr" => self.funnel_shift(instruction, false),
            "llvm.is.fpclass" => self.is_class(instruction),
            "llvm.memcpy" | "llvm.memcpy.inline" => self.plain(instruction, Intrinsic::CopyMemory),
            "llvm.memmove" => self.plain(instruction, Intrinsic::MoveMemory),
            "llvm.memset" | "llvm.memset.inline" => self.plain(instruction, Intrinsic::FillMemory),
            "llvm.va_start" => self.plain(instruction, Intrinsic::StartArguments),
            "llvm.va_end" => self.plain(instruction, Intrinsic::EndArguments),
            "llvm.va_copy" => self.plain(instruction, Intrinsic::CopyArguments),
            "llvm.stacksave" => self.plain(instruction, Intrinsic::SaveStack),
            "llvm.stackrestore" => self.plain(instruction, Intrinsic::RestoreStack),
            "llvm.trap" | "llvm.ubsantrap" => {
                self.writer.emit(Operation::Stop(StopKind::Trap));
                Ok(())
            }
            "llvm.expect"
            | "llvm.expect.with.probability"
            | "llvm.annotation"
            | "llvm.ptr.annotation"
            | "llvm.threadlocal.address"
            | "llvm.launder.invariant.group"
            | "llvm.strip.invariant.group"
            | "llvm.arithmetic.fence"
            | "llvm.ssa.copy" => self.copy_operand(instruction, argument(0)),
            "llvm.ptrmask" => self.mask_pointer(instruction),
            "llvm.objectsize" => {
                // Without optimisation nothing is known: the largest or the smallest answer, as asked.
                let least = is_true(argument(1));
                self.answer(instruction, if least { 0 } else { u64::MAX });
                Ok(())
            }
            "llvm.is.constant" => {
                let constant = !matches!(argument(0).kind(), Kind::Argument | Kind::Instruction);
                self.answer(instruction, u64::from(constant));
                Ok(())
            }
            // To the nearest, as C starts.
            "llvm.get.rounding" => {
                self.answer(instruction, 1);
                Ok(())
            }
            "llvm.assume"
            | "llvm.lifetime.start"
            | "llvm.lifetime.end"
            | "llvm.invariant.start"
            | "llvm.invariant.end"
            | "llvm.prefetch"
            | "llvm.donothing"
            | "llvm.sideeffect"
            | "llvm.var.annotation"
            | "llvm.experimental.noalias.scope.decl" => Ok(()),
            _ => Err(Unsupported(format!("the intrinsic {name}"))),
        }
    }

    /// Takes as many arguments as the operation has, one register each.
    fn plain(&mut self, instruction: Instruction<'b>, op: Intrinsic) -> Lowered {
        let values: Vec<_> = instruction.arguments().take(op.arguments() as usize).collect();
        let registers: Result<Vec<_>, _> =
            values.into_iter().map(|value| self.operand(value)).collect();
        self.write_intrinsic(op, self.home(instruction), registers?);
        Ok(())
    }

    fn write_intrinsic(&mut self, op: Intrinsic, to: Register, arguments: Vec<Register>) {
        let arguments = self.writer.arguments(arguments.into_iter().map(Argument::Value));
        self.writer.emit(Operation::Intrinsic { op, to, arguments });
    }

    fn overflowing(&mut self, instruction: Instruction<'b>, op: Binary, signed: bool) -> Lowered {
        let (1, Scalar::Integer(width)) = lanes(instruction.operand(0).type_())? else {
            return Err(Unsupported("overflow of vectors".to_owned()));
        };
        let mut arguments = self.operand_parts(instruction.operand(0))?;
        arguments.extend(self.operand_parts(instruction.operand(1))?);
        let op = Intrinsic::Overflowing { op, signed, width };
        self.write_intrinsic(op, self.home(instruction), arguments);
        Ok(())
    }

    /// `-x` overflows for the smallest number alone, whatever is chosen then.
    fn absolute(&mut self, instruction: Instruction<'b>) -> Lowered {
        let (1, Scalar::Integer(width)) = lanes(instruction.value().type_())? else {
            return self.unary(instruction, Unary::Absolute);
        };
        if is_wide(width) {
            return Err(Unsupported(format!("the absolute value of {width} bits")));
        }
        let value = self.operand(instruction.operand(0))?;
        let (zero, to) = (self.writer.constant(&[0]), self.home(instruction));
        let (negated, test) = (self.writer.fresh(1), self.writer.fresh(1));
        let overflow = Overflow { signed: true, unsigned: false };
        self.write_binary(Binary::Subtract, overflow, width, [negated, zero, value]);
        self.write_compare(Comparison::LessSigned, width, [test, value, zero]);
        self.writer.emit(Operation::Select { to, test, then: negated, otherwise: value });
        Ok(())
    }

    fn funnel_shift(&mut self, instruction: Instruction<'b>, left: bool) -> Lowered {
        match lanes(instruction.value().type_())? {
            (1, Scalar::Integer(width)) if !is_wide(width) => {
                self.plain(instruction, Intrinsic::FunnelShift { left, width })
            }
            _ => Err(Unsupported(format!("a rotation of {}", instruction.value().type_()))),
        }
    }

    fn is_class(&mut self, instruction: Instruction<'b>) -> Lowered {
        let (value, mask) = (instruction.operand(0), instruction.operand(1));
        let (1, Scalar::Float(width)) = lanes(value.type_())? else {
            return Err(Unsupported(format!("classes of {}", value.type_())));
        };
        let mask = self.constants.words(mask)?[0] as u16;
        self.plain(instruction, Intrinsic::IsClass { mask, width })
    }

    fn mask_pointer(&mut self, instruction: Instruction<'b>) -> Lowered {
        let left = self.operand(instruction.operand(0))?;
        let right = self.operand(instruction.operand(1))?;
        let to = self.home(instruction);
        let overflow = Overflow::default();
        self.write_binary(Binary::And, overflow, 64, [to, left, right]);
        Ok(())
    }

    /// The value is known now.
    fn answer(&mut self, instruction: Instruction<'b>, word: u64) {
        let bits = self.constants.layout.bits(instruction.value().type_());
        let word = if bits < 64 { word & ((1 << bits) - 1) } else { word };
        let from = self.writer.constant(&[word]);
        self.writer.emit(Operation::Move { to: self.home(instruction), from });
    }
}

fn is_true(value: Value<'_>) -> bool {
    value.kind() == Kind::Integer && value.integer_words() == [1]
}

fn unary_named(name: &str) -> Option<Unary> {
    Some(match name {
        "llvm.bswap" => Unary::SwapBytes,
        "llvm.bitreverse" => Unary::ReverseBits,
        "llvm.ctpop" => Unary::CountOnes,
        "llvm.ctlz" => Unary::CountLeadingZeros,
        "llvm.cttz" => Unary::CountTrailingZeros,
        "llvm.abs" => Unary::Absolute,
        _ => return None,
    })
}

fn minimum_or_maximum(name: &str) -> Option<Binary> {
    Some(match name {
        "llvm.smin" => Binary::MinimumSigned,
        "llvm.smax" => Binary::MaximumSigned,
        "llvm.umin" => Binary::MinimumUnsigned,
        "llvm.umax" => Binary::MaximumUnsigned,
        _ => return None,
    })
}

fn float_unary_named(name: &str) -> Option<FloatUnary> {
    Some(match name {
        "llvm.fabs" => FloatUnary::Absolute,
        "llvm.sqrt" => FloatUnary::SquareRoot,
        "llvm.floor" => FloatUnary::Floor,
        "llvm.ceil" => FloatUnary::Ceiling,
        "llvm.trunc" => FloatUnary::Truncate,
        "llvm.round" => FloatUnary::Round,
        "llvm.roundeven" => FloatUnary::RoundEven,
        "llvm.rint" => FloatUnary::Rint,
        "llvm.nearbyint" => FloatUnary::NearbyInt,
        _ => return None,
    })
}

fn float_binary_named(name: &str) -> Option<FloatBinary> {
    Some(match name {
        "llvm.copysign" => FloatBinary::CopySign,
        "llvm.minnum" => FloatBinary::Minimum,
        "llvm.maxnum" => FloatBinary::Maximum,
        "llvm.pow" => FloatBinary::Power,
        _ => return None,
    })
}

fn overflowing_named(name: &str) -> Option<(Binary, bool)> {
    Some(match name {
        "llvm.sadd.with.overflow" => (Binary::Add, true),
        "llvm.uadd.with.overflow" => (Binary::Add, false),
        "llvm.ssub.with.overflow" => (Binary::Subtract, true),
        "llvm.usub.with.overflow" => (Binary::Subtract, false),
        "llvm.smul.with.overflow" => (Binary::Multiply, true),
        "llvm.umul.with.overflow" => (Binary::Multiply, false),
        _ => return None,
    })
}
