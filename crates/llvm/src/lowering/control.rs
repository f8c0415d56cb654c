//! Where to go on, and the copies that phis ask for on the way.

use obligato_bytecode::{Arm, ArmKey, Operation, StopKind, Target};

use super::{Lowered, Lowering, neighbours};
use crate::ir::{Block, Instruction, Opcode, Shape, Value};
use crate::parts::Unsupported;

impl<'b> Lowering<'_, 'b> {
    /// Notes what a phi takes, once for each block that it comes from: a switch may have several ways.
    pub(super) fn collect_incoming(&mut self, block: u32, phi: Instruction<'b>) {
        for (value, from) in phi.incoming() {
            let copies = self.incoming.entry((block, self.blocks[&from])).or_default();
            if copies.last().is_none_or(|(last, _)| *last != phi) {
                copies.push((phi, value));
            }
        }
    }

    /// The end of a block.
    pub(super) fn leave(&mut self, from: u32, instruction: Instruction<'b>) -> Lowered {
        match instruction.opcode() {
            Opcode::LLVMBr => self.branch(from, instruction),
            Opcode::LLVMSwitch => self.switch(from, instruction),
            Opcode::LLVMIndirectBr => self.jump_through(from, instruction),
            Opcode::LLVMRet => self.return_(instruction),
            _ => {
                self.writer.emit(Operation::Stop(StopKind::Unreachable));
                Ok(())
            }
        }
    }

    fn branch(&mut self, from: u32, instruction: Instruction<'b>) -> Lowered {
        let successors: Vec<_> = instruction.successors().collect();
        if let [to] = successors.as_slice() {
            let to = self.blocks[to];
            self.write_copies(from, to);
            self.writer.place = instruction.place();
            self.writer.emit(Operation::Jump { to: Target(to) });
            return Ok(());
        }
        let mut test = self.operand(instruction.operand(0))?;
        if instruction.known_test().is_some() {
            // An arm of `c ? -1 : a`: a register of its own lets it be watched and forced as the other arms are.
            let home = self.home(instruction);
            self.copy(home, test, 1);
            test = home;
        }
        let then = self.target(from, successors[0]);
        let otherwise = self.target(from, successors[1]);
        self.writer.emit(Operation::Branch { test, then, otherwise });
        Ok(())
    }

    fn switch(&mut self, from: u32, instruction: Instruction<'b>) -> Lowered {
        let on = instruction.operand(0);
        let Shape::Integer(width @ 1..=64) = on.type_().shape() else {
            return Err(Unsupported(format!("a switch on {}", on.type_())));
        };
        let on = self.operand(on)?;
        // Operands: the value, the block for all others, then a key and a block for each arm.
        let keys: Vec<Value<'b>> = instruction.value().operands().skip(2).step_by(2).collect();
        let successors: Vec<_> = instruction.successors().collect();
        let arms = keys.iter().zip(&successors[1..]).map(|(key, block)| Arm {
            key: ArmKey(key.integer_words()[0]),
            to: self.target(from, *block),
        });
        let arms = arms.collect();
        let arms = self.writer.arms(arms);
        let otherwise = self.target(from, successors[0]);
        self.writer.emit(Operation::Switch { on, width: width as u8, arms, otherwise });
        Ok(())
    }

    fn jump_through(&mut self, from: u32, instruction: Instruction<'b>) -> Lowered {
        let on = self.operand(instruction.operand(0))?;
        let mut arms = Vec::new();
        for block in instruction.successors() {
            let function = self.function;
            let address = self.constants.symbols.address_of_block(function, block);
            let address = address.ok_or_else(|| Unsupported("a label nowhere".to_owned()))?;
            arms.push(Arm { key: ArmKey(address.0), to: self.target(from, block) });
        }
        let arms = self.writer.arms(arms);
        self.writer.emit(Operation::JumpThrough { on, arms });
        Ok(())
    }

    fn return_(&mut self, instruction: Instruction<'b>) -> Lowered {
        let value = instruction.value().operands().next();
        let parts = value.map_or(Ok(Vec::new()), |value| self.operand_parts(value))?;
        let from = self.writer.list(parts);
        self.writer.emit(Operation::Return { from });
        Ok(())
    }

    /// Where to go for a block: to it, or first to the copies that its phis ask for.
    fn target(&mut self, from: u32, to: Block<'b>) -> Target {
        let to = self.blocks[&to];
        if !self.incoming.contains_key(&(to, from)) {
            return Target(to);
        }
        let next = (self.blocks.len() + self.edges.len()) as u32;
        let number = *self.edge_numbers.entry((from, to)).or_insert(next);
        if number == next {
            self.edges.push((from, to));
        }
        Target(number)
    }

    /// Writes the blocks that make copies on the way between two others.
    pub(super) fn write_edges(&mut self) {
        for (from, to) in std::mem::take(&mut self.edges) {
            self.write_copies(from, to);
            self.writer.emit(Operation::Jump { to: Target(to) });
            self.writer.end_block();
        }
    }

    /// Gives the phis of a block their values: all at once, since one may take what another one held.
    fn write_copies(&mut self, from: u32, to: u32) {
        let copies = self.incoming.get(&(to, from)).cloned().unwrap_or_default();
        let Some((first, _)) = copies.first() else { return };
        self.writer.place = first.place();
        let (mut targets, mut sources) = (Vec::new(), Vec::new());
        for (phi, value) in &copies {
            match self.operand_parts(*value) {
                Ok(parts) => {
                    targets.extend(neighbours(self.home(*phi), parts.len() as u32));
                    sources.extend(parts);
                }
                Err(Unsupported(text)) => return self.writer.emit_unsupported(text, false),
            }
        }
        let operation = match (targets.as_slice(), sources.as_slice()) {
            ([to], [from]) => Operation::Move { to: *to, from: *from },
            _ => {
                Operation::Moves { to: self.writer.list(targets), from: self.writer.list(sources) }
            }
        };
        self.writer.emit(operation);
    }
}
