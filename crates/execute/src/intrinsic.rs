//! LLVM intrinsics that are no plain operation on numbers: copies of memory, variable arguments, the stack.

use obligato_bytecode::{Address, Argument, Intrinsic};

use crate::environment::Environment;
use crate::finding::FindingKind;
use crate::float;
use crate::integer::{self, gap, wide};
use crate::machine::{Machine, Run};
use crate::memory::Level;
use crate::shadow::Shadow;
use crate::variadic::LIST_SIZE;
use crate::watch::Observer;

impl<S, O, E> Machine<'_, S, O, E>
where
    S: Shadow,
    O: Observer,
    E: Environment<S::Mark>,
{
    /// Executes an intrinsic and writes its results from `to` on.
    pub(crate) fn execute_intrinsic(
        &mut self,
        op: Intrinsic,
        to: usize,
        arguments: &[Argument],
        base: usize,
    ) -> Run<()> {
        let register = |at: usize| match arguments[at] {
            Argument::Value(register) | Argument::Copy { from: register, .. } => {
                base + register.0 as usize
            }
        };
        let value = |machine: &Self, at: usize| machine.registers[register(at)];
        match op {
            Intrinsic::CopyMemory | Intrinsic::MoveMemory => {
                let (to, from) = (Address(value(self, 0)), Address(value(self, 1)));
                self.copy_memory(op, to, from, value(self, 2))?;
            }
            Intrinsic::FillMemory => {
                let mark = self.marks[register(1)].clone();
                self.fill_memory(Address(value(self, 0)), value(self, 1), &mark, value(self, 2))?;
            }
            Intrinsic::StartArguments => self.start_arguments(value(self, 0))?,
            Intrinsic::EndArguments => {}
            Intrinsic::CopyArguments => {
                let (to, from) = (Address(value(self, 0)), Address(value(self, 1)));
                self.memory.copy(to, from, LIST_SIZE)?;
            }
            Intrinsic::Overflowing { op, signed, width } if width > 64 => {
                let left = wide::join(value(self, 0), value(self, 1));
                let right = wide::join(value(self, 2), value(self, 3));
                let (result, overflow) = wide::overflowing(op, signed, left, right, width);
                (self.registers[to], self.registers[to + 1]) = wide::split(result);
                self.registers[to + 2] = overflow.into();
            }
            Intrinsic::Overflowing { op, signed, width } => {
                let (left, right) = (value(self, 0), value(self, 1));
                let (result, overflow) = integer::overflowing(op, signed, left, right, gap(width));
                self.registers[to] = result;
                self.registers[to + 1] = overflow.into();
            }
            Intrinsic::FunnelShift { left, width } => {
                let (high, low, distance) = (value(self, 0), value(self, 1), value(self, 2));
                self.registers[to] = integer::funnel_shift(left, high, low, distance, width);
            }
            Intrinsic::IsClass { mask, width } => {
                self.registers[to] = float::is_class(mask, width, value(self, 0)).into();
            }
            Intrinsic::SaveStack => {
                let level = self.memory.level();
                self.registers[to] = u64::from(level.objects) << 32 | u64::from(level.bytes);
            }
            Intrinsic::RestoreStack => self.restore_stack(value(self, 0))?,
        }
        Ok(())
    }

    fn copy_memory(&mut self, op: Intrinsic, to: Address, from: Address, size: u64) -> Run<()> {
        if size == 0 {
            return Ok(());
        }
        self.spend(size)?;
        let apart = to.0.abs_diff(from.0);
        // Copying a structure onto itself is what the compiler makes of `*p = *p`.
        if op == Intrinsic::CopyMemory && apart != 0 && apart < size {
            return Err(FindingKind::OverlappingCopy { size }.into());
        }
        Ok(self.memory.copy(to, from, size)?)
    }

    fn fill_memory(&mut self, to: Address, byte: u64, mark: &S::Mark, size: u64) -> Run<()> {
        if size == 0 {
            return Ok(());
        }
        self.spend(size)?;
        let (bytes, marks) = self.memory.bytes_mut(to, size)?;
        bytes.fill(byte as u8);
        let mut low = [S::Mark::default()];
        self.shadow.spread(mark, &mut low);
        let [low] = low;
        marks.fill(low);
        Ok(())
    }

    /// Ends the objects since `SaveStack`, as far as they are those of the running function.
    fn restore_stack(&mut self, saved: u64) -> Run<()> {
        let level = Level { objects: (saved >> 32) as u32, bytes: saved as u32 };
        let now = self.memory.level();
        let least = self.frames.last().map_or(now, |frame| frame.level);
        let within = least.objects <= level.objects && level.objects <= now.objects;
        if !within || level.bytes < least.bytes || level.bytes > now.bytes {
            return Err(
                FindingKind::Unsupported { note: "a stack that was not saved".to_owned() }.into()
            );
        }
        self.memory.lower(level);
        Ok(())
    }
}
