//! Variable arguments.
//!
//! For x86-64 the compiler spells out itself how `va_arg` walks a `va_list`: four fields, two of which say how
//! many machine registers have been used up. A list that says "all of them" takes every argument
//! from the overflow area, in words of eight bytes, so the registers in which the machine would have passed
//! arguments do not matter. (System V ABI, AMD64 supplement, 3.5.7.)

use obligato_bytecode::{Address, Argument};

use crate::environment::Environment;
use crate::machine::{Machine, Run};
use crate::shadow::Shadow;
use crate::watch::Observer;

/// The size of a `va_list`.
pub(crate) const LIST_SIZE: u64 = 24;
/// The offset of the pointer to the overflow area in it.
pub(crate) const OVERFLOW_AREA: u64 = 8;
/// All six integer registers of eight bytes are used up,
const INTEGERS_USED: u32 = 48;
/// and all eight of sixteen bytes behind them.
const FLOATS_USED: u32 = 176;

impl<S, O, E> Machine<'_, S, O, E>
where
    S: Shadow,
    O: Observer,
    E: Environment<S::Mark>,
{
    /// Puts the unnamed arguments of the function that is being entered into memory.
    pub(crate) fn lay_out_unnamed(&mut self, caller: usize, arguments: &[Argument]) -> Run<()> {
        let words = |argument: &Argument| match argument {
            Argument::Value(_) => 8,
            Argument::Copy { size, .. } => size.next_multiple_of(8),
        };
        let size = arguments.iter().map(words).fold(0, u64::saturating_add);
        self.spend(size)?;
        let area = self.memory.reserve(size)?;
        let mut at = area;
        for argument in arguments {
            match *argument {
                Argument::Value(register) => {
                    let (word, mark) = self.marked(caller + register.0 as usize);
                    let (bytes, marks) = self.memory.bytes_mut(at, 8)?;
                    bytes.copy_from_slice(&word.to_le_bytes());
                    self.shadow.spread(&mark, marks);
                }
                Argument::Copy { from, size, .. } => {
                    let source = Address(self.registers[caller + from.0 as usize]);
                    self.memory.copy(at, source, size)?;
                }
            }
            at = at.advanced(words(argument));
        }
        if let Some(frame) = self.frames.last_mut() {
            frame.unnamed = area.0;
        }
        Ok(())
    }

    /// `va_start`.
    pub(crate) fn start_arguments(&mut self, list: u64) -> Run<()> {
        let area = self.frames.last().map_or(0, |frame| frame.unnamed);
        let mut bytes = [0; LIST_SIZE as usize];
        bytes[..4].copy_from_slice(&INTEGERS_USED.to_le_bytes());
        bytes[4..8].copy_from_slice(&FLOATS_USED.to_le_bytes());
        bytes[OVERFLOW_AREA as usize..][..8].copy_from_slice(&area.to_le_bytes());
        let (target, marks) = self.memory.bytes_mut(Address(list), LIST_SIZE)?;
        target.copy_from_slice(&bytes);
        marks.fill(S::Mark::default());
        Ok(())
    }
}
