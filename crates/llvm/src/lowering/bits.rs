//! Values as bits: the same bits under another type, and cut from other places.
//!
//! A value is a list of pieces, lowest first. New values are other lists, and [`Lowering::assemble`] computes the
//! registers that hold them. Integers of more than 128 bits, which clang uses to reach into long runs of bit-fields, are
//! only ever handled so: moved, masked, shifted by constants, cut and extended.

use obligato_bytecode::{Binary, Operation, Overflow, Register};

use super::{Lowered, Lowering, neighbours};
use crate::ir::{Instruction, Kind, Opcode, Shape, Type, Value};
use crate::parts::Unsupported;

/// Some bits of a register, or zeros.
#[derive(Clone, Copy, Debug)]
struct Piece {
    register: Option<Register>,
    /// The lowest of them.
    start: u32,
    /// How many.
    bits: u32,
    /// Are those above them zero?
    clear: bool,
}

/// Is this an integer that takes more than two registers?
fn is_long(of: Type<'_>) -> bool {
    matches!(of.shape(), Shape::Integer(129..))
}

impl<'b> Lowering<'_, 'b> {
    pub(super) fn bit_cast(&mut self, instruction: Instruction<'b>) -> Lowered {
        let pieces = self.pieces(instruction.operand(0))?;
        self.assemble_result(instruction, &pieces)
    }

    /// An argument as words of 8 bytes, as it lies in memory.
    pub(super) fn words(&mut self, value: Value<'b>) -> Result<Vec<Register>, Unsupported> {
        if matches!(value.type_().shape(), Shape::Structure(_) | Shape::Array(_)) {
            return Err(Unsupported(format!("{} as a variable argument", value.type_())));
        }
        let pieces = self.pieces(value)?;
        if let [Piece { register: Some(register), .. }] = pieces.as_slice() {
            return Ok(vec![*register]);
        }
        let count = total(&pieces).div_ceil(64);
        let words: Vec<_> = neighbours(self.writer.fresh(count), count).collect();
        let targets: Vec<_> = words.iter().map(|word| (*word, 64)).collect();
        self.assemble(&pieces, &targets);
        Ok(words)
    }

    /// An instruction on integers of more than 128 bits, if it is one.
    pub(super) fn long_integer(&mut self, instruction: Instruction<'b>) -> Option<Lowered> {
        let long = is_long(instruction.value().type_())
            || instruction.value().operands().next().is_some_and(|first| is_long(first.type_()));
        long.then(|| match instruction.opcode() {
            Opcode::LLVMAnd => self.word_by_word(instruction, Binary::And),
            Opcode::LLVMOr => self.word_by_word(instruction, Binary::Or),
            Opcode::LLVMXor => self.word_by_word(instruction, Binary::Xor),
            Opcode::LLVMShl | Opcode::LLVMLShr | Opcode::LLVMAShr => self.shift(instruction),
            Opcode::LLVMTrunc | Opcode::LLVMZExt | Opcode::LLVMSExt => self.resize(instruction),
            _ => Err(Unsupported(format!("computing with {}", instruction.operand(0).type_()))),
        })
    }

    fn word_by_word(&mut self, instruction: Instruction<'b>, op: Binary) -> Lowered {
        let left = self.operand_parts(instruction.operand(0))?;
        let right = self.operand_parts(instruction.operand(1))?;
        let to = neighbours(self.home(instruction), left.len() as u32);
        for ((left, right), to) in left.into_iter().zip(right).zip(to) {
            self.write_binary(op, Overflow::default(), 64, [to, left, right]);
        }
        Ok(())
    }

    fn shift(&mut self, instruction: Instruction<'b>) -> Lowered {
        let (value, distance) = (instruction.operand(0), instruction.operand(1));
        let pieces = self.pieces(value)?;
        let bits = total(&pieces);
        let distance = match distance.kind() {
            Kind::Integer => u32::try_from(distance.integer_words()[0]).unwrap_or(bits).min(bits),
            _ => return Err(Unsupported(format!("shifting {} by a variable", value.type_()))),
        };
        let shifted = if instruction.opcode() == Opcode::LLVMShl {
            let mut shifted = self.fill(None, distance);
            shifted.extend(cut(&pieces, 0, bits - distance));
            shifted
        } else {
            let signed = instruction.opcode() == Opcode::LLVMAShr;
            let mut shifted = cut(&pieces, distance, bits - distance);
            shifted.extend(self.fill(pieces.last().filter(|_| signed), distance));
            shifted
        };
        self.assemble_result(instruction, &shifted)
    }

    fn resize(&mut self, instruction: Instruction<'b>) -> Lowered {
        let mut pieces = self.pieces(instruction.operand(0))?;
        let Shape::Integer(target) = instruction.value().type_().shape() else {
            return Err(Unsupported("resizing vectors of long integers".to_owned()));
        };
        let bits = total(&pieces);
        if target < bits {
            pieces = cut(&pieces, 0, target);
        } else {
            let signed = instruction.opcode() == Opcode::LLVMSExt;
            let top = pieces.last().copied().filter(|_| signed);
            pieces.extend(self.fill(top.as_ref(), target - bits));
        }
        self.assemble_result(instruction, &pieces)
    }

    /// The pieces of an operand: its registers.
    fn pieces(&mut self, value: Value<'b>) -> Result<Vec<Piece>, Unsupported> {
        let registers = self.operand_parts(value)?;
        let parts = self.constants.parts.parts(value.type_())?;
        let piece =
            |(register, bits)| Piece { register: Some(register), start: 0, bits, clear: true };
        Ok(registers
            .into_iter()
            .zip(parts.iter().map(|part| part.bits.into()))
            .map(piece)
            .collect())
    }

    /// So many zeros, or copies of the highest bit of a piece.
    fn fill(&mut self, sign_of: Option<&Piece>, bits: u32) -> Vec<Piece> {
        // Up to the highest bit of a word, and down again through all of it.
        let register = sign_of.and_then(|piece| Some((piece.register?, piece.start + piece.bits)));
        let register = register.map(|(register, end)| {
            let up = self.distance_operation(Binary::ShiftLeft, register, 64 - end);
            self.distance_operation(Binary::ShiftRightSigned, up, 63)
        });
        let starts = (0..bits).step_by(64);
        starts
            .map(|start| Piece { register, start: 0, bits: 64.min(bits - start), clear: false })
            .collect()
    }

    fn assemble_result(&mut self, instruction: Instruction<'b>, pieces: &[Piece]) -> Lowered {
        let parts = self.constants.parts.parts(instruction.value().type_())?;
        let registers = neighbours(self.home(instruction), parts.len() as u32);
        let targets: Vec<_> =
            registers.zip(parts.iter().map(|part| u32::from(part.bits))).collect();
        self.assemble(pieces, &targets);
        Ok(())
    }

    /// Lays the pieces one behind the other, and cuts them into targets of so many bits.
    fn assemble(&mut self, pieces: &[Piece], targets: &[(Register, u32)]) {
        let mut start = 0;
        for (to, bits) in targets {
            let available = total(pieces).saturating_sub(start);
            let mut whole = None;
            let mut place = 0;
            for piece in cut(pieces, start, (*bits).min(available)) {
                let distance = place;
                place += piece.bits;
                let Some(part) = self.isolate(piece) else { continue };
                let part = self.distance_operation(Binary::ShiftLeft, part, distance);
                whole = Some(match whole {
                    None => part,
                    Some(others) => self.word_operation(Binary::Or, others, part),
                });
            }
            let from = whole.unwrap_or_else(|| self.writer.constant(&[0]));
            self.writer.emit(Operation::Move { to: *to, from });
            start += bits;
        }
    }

    /// The bits of a piece as a number, unless they are zero.
    fn isolate(&mut self, piece: Piece) -> Option<Register> {
        let register = piece.register?;
        let down = self.distance_operation(Binary::ShiftRightUnsigned, register, piece.start);
        if piece.clear || piece.start + piece.bits == 64 {
            return Some(down);
        }
        let mask = self.writer.constant(&[(1 << piece.bits) - 1]);
        Some(self.word_operation(Binary::And, down, mask))
    }

    fn distance_operation(&mut self, op: Binary, value: Register, distance: u32) -> Register {
        if distance == 0 {
            return value;
        }
        let distance = self.writer.constant(&[u64::from(distance)]);
        self.word_operation(op, value, distance)
    }

    fn word_operation(&mut self, op: Binary, left: Register, right: Register) -> Register {
        let to = self.writer.fresh(1);
        self.write_binary(op, Overflow::default(), 64, [to, left, right]);
        to
    }
}

fn total(pieces: &[Piece]) -> u32 {
    pieces.iter().map(|piece| piece.bits).sum()
}

/// `length` bits from the bit `start` on.
fn cut(pieces: &[Piece], start: u32, length: u32) -> Vec<Piece> {
    let mut found = Vec::new();
    let mut position = 0;
    for piece in pieces {
        let end = position + piece.bits;
        let (first, last) = (position.max(start), end.min(start + length));
        if first < last {
            found.push(Piece {
                register: piece.register,
                start: piece.start + (first - position),
                bits: last - first,
                clear: piece.clear && last == end,
            });
        }
        position = end;
    }
    found
}
