//! Structures and vectors as values: choosing, taking and replacing their parts.

use obligato_bytecode::{Comparison, Operation, Register};

use super::{Lowered, Lowering, behind, neighbours};
use crate::ir::{Instruction, Kind, Shape, Type, Value};
use crate::parts::Unsupported;

impl<'b> Lowering<'_, 'b> {
    /// One test for all parts, or one for each lane.
    pub(super) fn select(&mut self, instruction: Instruction<'b>) -> Lowered {
        let test = instruction.operand(0);
        let count = self.count(instruction.value().type_())?;
        let tests = self.count(test.type_())?;
        let test = self.operand(test)?;
        let then = self.operand(instruction.operand(1))?;
        let otherwise = self.operand(instruction.operand(2))?;
        let to = self.home(instruction);
        for part in 0..count {
            // All parts of a lane share its test; a vector without lanes has no parts either.
            let test = behind(test, part * tests / count);
            let (then, otherwise) = (behind(then, part), behind(otherwise, part));
            self.writer.emit(Operation::Select { to: behind(to, part), test, then, otherwise });
        }
        Ok(())
    }

    /// Which registers of a whole the indices of an instruction mean: the first, and how many.
    fn indexed(
        &mut self,
        whole: Type<'b>,
        instruction: Instruction<'b>,
    ) -> Result<(u32, u32), Unsupported> {
        let (mut start, mut part) = (0, whole);
        for index in instruction.indices() {
            start += self.constants.parts.start_of_field(part, index)?;
            part = part.part(index);
        }
        Ok((start, self.count(part)?))
    }

    pub(super) fn extract_value(&mut self, instruction: Instruction<'b>) -> Lowered {
        let whole = instruction.operand(0);
        let (start, count) = self.indexed(whole.type_(), instruction)?;
        let from = self.operand(whole)?;
        self.copy(self.home(instruction), behind(from, start), count);
        Ok(())
    }

    pub(super) fn insert_value(&mut self, instruction: Instruction<'b>) -> Lowered {
        let (whole, part) = (instruction.operand(0), instruction.operand(1));
        let (start, count) = self.indexed(whole.type_(), instruction)?;
        self.copy_operand(instruction, whole)?;
        let from = self.operand(part)?;
        self.copy(behind(self.home(instruction), start), from, count);
        Ok(())
    }

    pub(super) fn extract_element(&mut self, instruction: Instruction<'b>) -> Lowered {
        let (whole, index) = (instruction.operand(0), instruction.operand(1));
        let count = self.count(instruction.value().type_())?;
        let from = self.operand(whole)?;
        let to = self.home(instruction);
        if let Some(lane) = known_lane(whole.type_(), index) {
            self.copy(to, behind(from, lane * count), count);
            return Ok(());
        }
        self.copy(to, from, count);
        for lane in 1..lane_count(whole.type_()) {
            let test = self.is_lane(index, lane)?;
            let lane = behind(from, lane * count);
            for (to, then) in neighbours(to, count).zip(neighbours(lane, count)) {
                self.writer.emit(Operation::Select { to, test, then, otherwise: to });
            }
        }
        Ok(())
    }

    pub(super) fn insert_element(&mut self, instruction: Instruction<'b>) -> Lowered {
        let (whole, part) = (instruction.operand(0), instruction.operand(1));
        let index = instruction.operand(2);
        let count = self.count(part.type_())?;
        let (from, part) = (self.operand(whole)?, self.operand(part)?);
        if let Some(lane) = known_lane(whole.type_(), index) {
            self.copy_operand(instruction, whole)?;
            self.copy(behind(self.home(instruction), lane * count), part, count);
            return Ok(());
        }
        for lane in 0..lane_count(whole.type_()) {
            let test = self.is_lane(index, lane)?;
            let to = behind(self.home(instruction), lane * count);
            let from = behind(from, lane * count);
            for number in 0..count {
                self.writer.emit(Operation::Select {
                    to: behind(to, number),
                    test,
                    then: behind(part, number),
                    otherwise: behind(from, number),
                });
            }
        }
        Ok(())
    }

    /// Whether an index is that of a lane.
    fn is_lane(&mut self, index: Value<'b>, lane: u32) -> Result<Register, Unsupported> {
        let Shape::Integer(width @ 1..=64) = index.type_().shape() else {
            return Err(Unsupported(format!("an index of the type {}", index.type_())));
        };
        let left = self.operand(index)?;
        let right = self.writer.constant(&[u64::from(lane)]);
        let to = self.writer.fresh(1);
        self.write_compare(Comparison::Equal, width as u8, [to, left, right]);
        Ok(to)
    }

    pub(super) fn shuffle(&mut self, instruction: Instruction<'b>) -> Lowered {
        let sources = instruction.operand(0);
        let first = self.operand(sources)?;
        let count = self.count(sources.type_().element())?;
        let lanes = lane_count(sources.type_());
        let second = self.operand(instruction.operand(1))?;
        let zero = self.writer.constant(&vec![0; count as usize]);
        for (lane, chosen) in (0..).zip(instruction.mask()) {
            let from = match chosen {
                Some(chosen) if chosen < lanes => behind(first, chosen * count),
                Some(chosen) => behind(second, (chosen - lanes) * count),
                None => zero,
            };
            self.copy(behind(self.home(instruction), lane * count), from, count);
        }
        Ok(())
    }
}

/// The lane that an index means, if it is a number and there is such a lane.
fn known_lane(of: Type<'_>, index: Value<'_>) -> Option<u32> {
    let number = (index.kind() == Kind::Integer).then(|| index.integer_words()[0])?;
    u32::try_from(number).ok().filter(|lane| *lane < lane_count(of))
}

fn lane_count(of: Type<'_>) -> u32 {
    match of.shape() {
        Shape::Vector(count) => count,
        _ => 0,
    }
}
