//! Calls the hooks of the shadow after each operation, if there is one.

use obligato_bytecode::{Address, CodeId, Function, Intrinsic, Operation, Register};

use crate::environment::Environment;
use crate::instruction::Instruction;
use crate::machine::{Machine, Run};
use crate::shadow::{Around, Marked, Shadow, Site};
use crate::watch::Observer;

impl<S, O, E> Machine<'_, S, O, E>
where
    S: Shadow,
    O: Observer,
    E: Environment<S::Mark>,
{
    /// Sets the marks of what the instruction at this position has written.
    pub(crate) fn shade(&mut self, position: usize) -> Run<()> {
        let Some(frame) = self.frames.last() else { return Ok(()) };
        let (base, program) = (frame.base as usize, self.program);
        let code = CodeId::new(frame.function as usize);
        let decoded = program.function(code);
        let index = decoded.origin[position];
        let function = &decoded.function;
        let operation = &function.code[index as usize];
        let site = Site { function: code, index, operation, part: 0 };
        let at = |register: u32| base + register as usize;
        // Variables in registers: loads and stores of them move a value and its mark.
        if let Instruction::Move { to, from } | Instruction::Cut { to, from, .. } =
            decoded.code[position]
            && !matches!(operation, Operation::Cast { .. })
        {
            self.marks[at(to)] = match decoded.code[position] {
                Instruction::Cut { gap, .. } => self.shadow.cut(&self.marks[at(from)], gap),
                _ => self.marks[at(from)].clone(),
            };
            self.shadow.moved(&mut self.marks[at(to)..=at(to)]);
            return Ok(());
        }
        match *operation {
            Operation::Load { to, from, size, .. } => {
                let held = |at| held(&self.registers, &self.overwritten, at);
                let pointer = Marked { value: held(at(from.0)), mark: &self.marks[at(from.0)] };
                let bytes = self.memory.marks(Address(pointer.value), size.into())?;
                let result = self.registers[at(to.0)];
                let mark = self.shadow.load(site, pointer, bytes, &self.memory, result);
                self.marks[at(to.0)] = mark;
            }
            Operation::Store { to, from, .. } => {
                let pointer =
                    Marked { value: self.registers[at(to.0)], mark: &self.marks[at(to.0)] };
                let value =
                    Marked { value: self.registers[at(from.0)], mark: &self.marks[at(from.0)] };
                self.shadow.store(site, pointer, value, &mut self.memory);
            }
            // Their marks have moved with the values already.
            Operation::Moves { to, .. } => {
                for register in &function.lists[to.range()] {
                    let at = at(register.0);
                    self.shadow.moved(&mut self.marks[at..=at]);
                }
            }
            Operation::Intrinsic {
                op: Intrinsic::CopyMemory | Intrinsic::MoveMemory | Intrinsic::FillMemory,
                ..
            } => {
                let operands = operation.reads(function);
                let marked = |register: &Register| Marked {
                    value: self.registers[at(register.0)],
                    mark: &self.marks[at(register.0)],
                };
                let listed: Vec<Marked<'_, S::Mark>> = operands.iter().map(marked).collect();
                self.shadow.swept(site, &listed);
                let (to, bytes) = (operands[0].0, operands[2].0);
                self.shade_moved(self.registers[at(to)], self.registers[at(bytes)])?;
            }
            _ => self.shade_computed(site, base),
        }
        Ok(())
    }

    /// Lets the shadow add to the marks of bytes that were copied or filled.
    fn shade_moved(&mut self, to: u64, size: u64) -> Run<()> {
        if size > 0 {
            self.shadow.moved(self.memory.marks_mut(Address(to), size)?);
        }
        Ok(())
    }

    /// Asks for the mark of each part of a computed value.
    fn shade_computed(&mut self, site: Site<'_>, base: usize) {
        let function = &self.program.function(site.function).function;
        let at = |register: Register| base + register.0 as usize;
        let written: Vec<usize> = site.operation.writes(function).into_iter().map(at).collect();
        let read = site.operation.reads(function).into_iter().map(at);
        let (registers, overwritten) = (&self.registers, &self.overwritten);
        let held = |at| held(registers, overwritten, at);
        let operands: Vec<Marked<'_, S::Mark>> =
            read.map(|at| Marked { value: held(at), mark: &self.marks[at] }).collect();
        let marks: Vec<S::Mark> = written
            .iter()
            .enumerate()
            .map(|(part, at)| {
                self.shadow.compute(Site { part, ..site }, &operands, self.registers[*at])
            })
            .collect();
        for (at, mark) in written.into_iter().zip(marks) {
            self.marks[at] = mark;
        }
    }

    /// Tells the shadow that the current operation ended the run.
    pub(crate) fn shade_failure(&mut self) {
        let Some(frame) = self.frames.last() else { return };
        let (base, program) = (frame.base as usize, self.program);
        let code = CodeId::new(frame.function as usize);
        let decoded = program.function(code);
        let index = decoded.origin[(frame.next as usize).saturating_sub(1)];
        let operation = &decoded.function.code[index as usize];
        let read = operation.reads(&decoded.function).into_iter();
        let operands: Vec<Marked<'_, S::Mark>> = read
            .map(|register| base + register.0 as usize)
            .map(|at| Marked { value: self.registers[at], mark: &self.marks[at] })
            .collect();
        let site = Site { function: code, index, operation, part: 0 };
        self.shadow.failed(site, &operands, &self.memory);
    }

    /// Tells the shadow that control went from one position of the code to another.
    pub(crate) fn shade_branch(&mut self, from: usize, to: usize) {
        let Some(frame) = self.frames.last() else { return };
        let (base, program) = (frame.base as usize, self.program);
        let code = CodeId::new(frame.function as usize);
        let decoded = program.function(code);
        let index = decoded.origin[from];
        let operation = &decoded.function.code[index as usize];
        let site = Site { function: code, index, operation, part: 0 };
        let end = base + decoded.function.registers as usize;
        let around = Around {
            registers: &self.registers[base..end],
            marks: &mut self.marks[base..end],
            memory: &mut self.memory,
        };
        self.shadow.branch(site, block_start(&decoded.function, decoded.origin[to]), around);
    }
}

/// The value of a register before the operation that was just executed.
fn held(registers: &[u64], overwritten: &[(usize, u64)], at: usize) -> u64 {
    let before = overwritten.iter().find(|(register, _)| *register == at);
    before.map_or(registers[at], |(_, value)| *value)
}

/// Where the block of an operation starts: its first operations may have nothing to do.
fn block_start(function: &Function, operation: u32) -> u32 {
    let behind = function.blocks.partition_point(|block| block.code.start <= operation);
    behind.checked_sub(1).map_or(0, |block| function.blocks[block].code.start)
}
