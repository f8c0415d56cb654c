//! Rare operations, executed from the module.

use obligato_bytecode::{Address, List, Operation, Register, StopKind};

use crate::cast::{cast, expect_fitting};
use crate::environment::Environment;
use crate::executable::SignedOverflow;
use crate::finding::FindingKind;
use crate::float;
use crate::integer::{signed, wide};
use crate::machine::{Machine, Run};
use crate::shadow::Shadow;
use crate::watch::Observer;

impl<S, O, E> Machine<'_, S, O, E>
where
    S: Shadow,
    O: Observer,
    E: Environment<S::Mark>,
{
    /// Executes an operation of the running function without an instruction of its own.
    pub(crate) fn execute_rare(&mut self, index: u32) -> Run<()> {
        let Some(frame) = self.frames.last() else { return Ok(()) };
        let base = frame.base as usize;
        let function = &self.program.functions[frame.function as usize].function;
        let at = |register: Register| base + register.0 as usize;
        match function.code[index as usize] {
            Operation::Moves { to, from } => self.move_all(to, from, base, &function.lists),
            Operation::WideBinary { op, overflow, width, to, left, right } => {
                let (left, right) = (self.pair(at(left)), self.pair(at(right)));
                let (value, overflowed) = wide::binary(op, left, right, width)?;
                let checked = self.program.options.signed_overflow == SignedOverflow::Found;
                if overflow.signed && overflowed && checked {
                    return Err(FindingKind::SignedOverflow { op }.into());
                }
                let to = at(to);
                (self.registers[to], self.registers[to + 1]) = wide::split(value);
            }
            Operation::WideCompare { op, width, to, left, right } => {
                let (left, right) = (self.pair(at(left)), self.pair(at(right)));
                self.registers[at(to)] = wide::compare(op, left, right, width).into();
            }
            Operation::FloatMultiplyAdd { fused, width, to, left, right, addend } => {
                let operands = [left, right, addend].map(|register| self.registers[at(register)]);
                self.registers[at(to)] = float::multiply_add(fused, width, operands);
            }
            Operation::Cast { op, to, from } => {
                let (reads, writes) = op.registers();
                let low = self.registers[at(from)];
                let high = if reads > 1 { self.registers[at(from) + 1] } else { 0 };
                expect_fitting(op, low)?;
                let (low, high) = cast(op, low, high);
                self.registers[at(to)] = low;
                if writes > 1 {
                    self.registers[at(to) + 1] = high;
                }
            }
            Operation::Select { to, test, then, otherwise } => {
                let chosen = if self.registers[at(test)] & 1 == 1 { then } else { otherwise };
                self.registers[at(to)] = self.registers[at(chosen)];
            }
            Operation::Offset { to, base, offset, .. } => {
                let address = self.registers[at(base)].wrapping_add(offset.cast_unsigned());
                self.registers[at(to)] = address;
            }
            Operation::Index { to, base, index, width, scale, .. } => {
                let index = signed(self.registers[at(index)], 64 - width);
                let distance = index.wrapping_mul(scale.cast_signed());
                let address = Address(self.registers[at(base)]).indexed(distance);
                self.registers[at(to)] = address.0;
            }
            Operation::Intrinsic { op, to, arguments } => {
                let arguments = &function.arguments[arguments.range()];
                self.execute_intrinsic(op, at(to), arguments, base)?;
            }
            Operation::Stop(StopKind::Unreachable) => return Err(FindingKind::Unreachable.into()),
            Operation::Stop(StopKind::Trap) => return Err(FindingKind::Trap.into()),
            Operation::Unsupported { note, .. } => {
                let note = function.notes[note as usize].clone();
                return Err(FindingKind::Unsupported { note }.into());
            }
            // All others have instructions of their own.
            _ => {}
        }
        Ok(())
    }

    fn pair(&self, at: usize) -> u128 {
        wide::join(self.registers[at], self.registers[at + 1])
    }

    fn move_all(&mut self, to: List, from: List, base: usize, lists: &[Register]) {
        let sources = lists[from.range()].iter();
        let held: Vec<(u64, S::Mark)> =
            sources.map(|register| self.marked(base + register.0 as usize)).collect();
        for (register, (value, mark)) in lists[to.range()].iter().zip(held) {
            self.registers[base + register.0 as usize] = value;
            self.marks[base + register.0 as usize] = mark;
        }
    }
}
