//! The same bits under another type, and values as words of 8 bytes.

use obligato_bytecode::{Binary, Operation, Overflow, Register};

use super::{Lowered, Lowering, neighbours};
use crate::ir::{Instruction, Shape, Type, Value};
use crate::parts::Unsupported;

/// A register and how many of its bits count.
type Piece = (Register, u32);

impl<'b> Lowering<'_, 'b> {
    pub(super) fn bit_cast(&mut self, instruction: Instruction<'b>) -> Lowered {
        let value = instruction.operand(0);
        let from = self.operand(value)?;
        let sources = self.pieces(value.type_(), from)?;
        let targets = self.pieces(instruction.value().type_(), self.home(instruction))?;
        self.recombine(&sources, &targets);
        Ok(())
    }

    /// An argument as words of 8 bytes, as it lies in memory.
    pub(super) fn words(&mut self, value: Value<'b>) -> Result<Vec<Register>, Unsupported> {
        if matches!(value.type_().shape(), Shape::Structure(_) | Shape::Array(_)) {
            return Err(Unsupported(format!("{} as a variable argument", value.type_())));
        }
        let first = self.operand(value)?;
        let sources = self.pieces(value.type_(), first)?;
        if let [(register, _)] = sources.as_slice() {
            return Ok(vec![*register]);
        }
        let bits: u32 = sources.iter().map(|(_, bits)| bits).sum();
        let count = bits.div_ceil(64);
        let words: Vec<_> = neighbours(self.writer.fresh(count), count).collect();
        let targets: Vec<Piece> = words.iter().map(|word| (*word, 64)).collect();
        self.recombine(&sources, &targets);
        Ok(words)
    }

    fn pieces(&mut self, of: Type<'b>, first: Register) -> Result<Vec<Piece>, Unsupported> {
        let parts = self.constants.parts.parts(of)?;
        let registers = neighbours(first, parts.len() as u32);
        Ok(registers.zip(parts.iter().map(|part| u32::from(part.bits))).collect())
    }

    /// Lays out the bits of the sources one behind the other, lowest first, and cuts them into the targets.
    fn recombine(&mut self, sources: &[Piece], targets: &[Piece]) {
        let mut target_start = 0;
        for (to, target_bits) in targets {
            let target_end = target_start + target_bits;
            let mut whole = None;
            let mut source_start = 0;
            for (from, source_bits) in sources {
                let source_end = source_start + source_bits;
                let (start, end) = (source_start.max(target_start), source_end.min(target_end));
                if start < end {
                    let mut piece = *from;
                    let bits = end - start;
                    piece = self.shift(Binary::ShiftRightUnsigned, piece, start - source_start);
                    if end < source_end {
                        let mask = self.writer.constant(&[(1 << bits) - 1]);
                        piece = self.word_operation(Binary::And, piece, mask);
                    }
                    piece = self.shift(Binary::ShiftLeft, piece, start - target_start);
                    whole = Some(match whole {
                        None => piece,
                        Some(others) => self.word_operation(Binary::Or, others, piece),
                    });
                }
                source_start = source_end;
            }
            let from = whole.unwrap_or_else(|| self.writer.constant(&[0]));
            self.writer.emit(Operation::Move { to: *to, from });
            target_start = target_end;
        }
    }

    fn shift(&mut self, op: Binary, value: Register, distance: u32) -> Register {
        if distance == 0 {
            return value;
        }
        let distance = self.writer.constant(&[u64::from(distance)]);
        self.word_operation(op, value, distance)
    }

    fn word_operation(&mut self, op: Binary, left: Register, right: Register) -> Register {
        let to = self.writer.fresh(1);
        let overflow = Overflow::default();
        self.writer.emit(Operation::Binary { op, overflow, width: 64, to, left, right });
        to
    }
}
