//! Objects on the stack, loads and stores part by part, addresses.

use obligato_bytecode::{Operation, Register};

use super::{Lowered, Lowering, neighbours};
use crate::element_pointer::{Step, steps};
use crate::ir::{Instruction, Type};
use crate::parts::{Part, Unsupported, ensure_bytes};

/// How memory is accessed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Access<'b> {
    /// The type of the value.
    pub of: Type<'b>,
    /// The register of the address.
    pub address: Register,
    /// The alignment of the address.
    pub alignment: u32,
    pub volatile: bool,
}

impl<'b> Lowering<'_, 'b> {
    pub(super) fn reserve(&mut self, instruction: Instruction<'b>) -> Lowered {
        let layout = self.constants.layout;
        let size = layout.size(instruction.allocated());
        let size = u32::try_from(size)
            .map_err(|_| Unsupported(format!("an object of {size} bytes on the stack")))?;
        let count = self.operand(instruction.operand(0))?;
        let to = self.home(instruction);
        let alignment = instruction.alignment().max(1);
        let position = self.writer.emit(Operation::Reserve { to, count, size, alignment });
        self.reserves.insert(to, position);
        Ok(())
    }

    pub(super) fn load(&mut self, instruction: Instruction<'b>) -> Lowered {
        let access = Access {
            of: instruction.value().type_(),
            address: self.operand(instruction.operand(0))?,
            alignment: instruction.alignment(),
            volatile: instruction.is_volatile(),
        };
        self.write_load(self.home(instruction), access)
    }

    pub(super) fn store(&mut self, instruction: Instruction<'b>) -> Lowered {
        let value = instruction.operand(0);
        let access = Access {
            of: value.type_(),
            address: self.operand(instruction.operand(1))?,
            alignment: instruction.alignment(),
            volatile: instruction.is_volatile(),
        };
        let from = self.operand(value)?;
        self.write_store(from, access)
    }

    /// Reads all parts of a value into the registers from `to` on.
    pub(super) fn write_load(&mut self, to: Register, access: Access<'b>) -> Lowered {
        ensure_bytes(self.constants.layout, access.of)?;
        let parts = self.constants.parts.parts(access.of)?;
        for (part, to) in parts.iter().zip(neighbours(to, parts.len() as u32)) {
            let (from, alignment) = self.part_address(access, *part);
            let (size, bits, volatile) = (part.size, part.bits, access.volatile);
            self.writer.emit(Operation::Load { to, from, size, bits, alignment, volatile });
        }
        Ok(())
    }

    /// Writes all parts of a value from the registers from `from` on.
    pub(super) fn write_store(&mut self, from: Register, access: Access<'b>) -> Lowered {
        ensure_bytes(self.constants.layout, access.of)?;
        let parts = self.constants.parts.parts(access.of)?;
        for (part, from) in parts.iter().zip(neighbours(from, parts.len() as u32)) {
            let (to, alignment) = self.part_address(access, *part);
            let (size, volatile) = (part.size, access.volatile);
            self.writer.emit(Operation::Store { to, from, size, alignment, volatile });
        }
        Ok(())
    }

    fn part_address(&mut self, access: Access<'b>, part: Part) -> (Register, u32) {
        let (base, alignment) = (access.address, access.alignment.max(1));
        if part.offset == 0 {
            return (base, alignment);
        }
        let to = self.writer.fresh(1);
        let offset = part.offset.cast_signed();
        self.writer.emit(Operation::Offset { to, base, offset, inside: true });
        (to, alignment.min(1 << part.offset.trailing_zeros().min(30)))
    }

    pub(super) fn element_pointer(&mut self, instruction: Instruction<'b>) -> Lowered {
        if self.count(instruction.value().type_())? != 1 {
            return Err(Unsupported("a vector of addresses".to_owned()));
        }
        let inside = instruction.is_inside();
        let source = instruction.element_pointer_source();
        let indices = instruction.value().operands().skip(1);
        let mut steps = steps(self.constants.layout, source, indices)?;
        steps.retain(|step| *step != Step::Bytes(0));
        if steps.is_empty() {
            steps.push(Step::Bytes(0));
        }
        let mut base = self.operand(instruction.operand(0))?;
        let last = steps.len() - 1;
        for (number, step) in steps.into_iter().enumerate() {
            let home = self.home(instruction);
            let to = if number == last { home } else { self.writer.fresh(1) };
            let operation = match step {
                Step::Bytes(offset) => Operation::Offset { to, base, offset, inside },
                Step::Scaled { index, width, scale } => {
                    let (index, width) = (self.operand(index)?, width as u8);
                    Operation::Index { to, base, index, width, scale, inside }
                }
            };
            self.writer.emit(operation);
            base = to;
        }
        Ok(())
    }
}
