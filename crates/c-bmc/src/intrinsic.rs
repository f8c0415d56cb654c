//! LLVM intrinsics that access memory.

use obligato_bytecode::{Argument, Intrinsic, Register};
use obligato_term::BinaryOp;

use crate::access::AccessSite;
use crate::engine::{Engine, Path};
use crate::state::{SharedState, State};
use crate::strings::ByteCopy;

/// In a `va_list`: all six integer registers of eight bytes are used up,
const INTEGERS_USED: u128 = 0x30;
/// and all eight of sixteen bytes behind them.
const FLOATS_USED: u128 = 0xb0;

impl Engine<'_> {
    /// Executes an intrinsic.
    pub(crate) fn intrinsic(
        &mut self,
        at: AccessSite,
        state: &mut State,
        op: Intrinsic,
        to: Register,
        arguments: &[Argument],
    ) -> Path<()> {
        let mut values = Vec::with_capacity(arguments.len());
        for argument in arguments {
            let (Argument::Value(register) | Argument::Copy { from: register, .. }) = argument;
            values.push(self.get(state, *register));
        }
        let shared = &mut state.shared;
        match (op, values.as_slice()) {
            (Intrinsic::CopyMemory, &[to, from, size]) => {
                let copy = ByteCopy { to, from, size };
                self.overlap(at, shared, copy)?;
                self.copy_symbolic_size(at, shared, copy)?;
            }
            (Intrinsic::MoveMemory, &[to, from, size]) => {
                self.copy_symbolic_size(at, shared, ByteCopy { to, from, size })?;
            }
            (Intrinsic::FillMemory, &[to, byte, size]) => {
                self.fill(at, shared, to, byte, size)?;
            }
            (Intrinsic::StartArguments, &[list]) => {
                // As in the executor: all registers count as used, so all arguments lie in the area.
                let used = self.terms.constant(INTEGERS_USED | FLOATS_USED << 32, 64);
                let area = self.terms.constant(state.unnamed.into(), 64);
                let none = self.terms.constant(0, 64);
                let always = self.terms.bit(true);
                for (index, word) in [used, area, none].into_iter().enumerate() {
                    let there = self.moved(list, 8 * index as u64);
                    self.store(at, shared, there, word, always)?;
                }
            }
            (Intrinsic::CopyArguments, &[to, from]) => self.copy(at, shared, to, from, 24)?,
            // Stack objects last until the function returns: a use after the scope is a runtime error that only a run shows.
            (Intrinsic::SaveStack, _) => {
                state.registers[to.0 as usize] = Some(self.terms.constant(0, 64));
            }
            _ => {}
        }
        Some(())
    }

    /// A copy between overlapping stretches is a runtime error.
    pub(crate) fn overlap(
        &mut self,
        at: AccessSite,
        shared: &mut SharedState,
        copy: ByteCopy,
    ) -> Path<()> {
        let ByteCopy { to, from, size } = copy;
        let (ahead, behind) = (
            self.terms.binary(BinaryOp::Subtract, to, from),
            self.terms.binary(BinaryOp::Subtract, from, to),
        );
        let near = self.terms.binary(BinaryOp::LessUnsigned, ahead, size);
        let close = self.terms.binary(BinaryOp::LessUnsigned, behind, size);
        let either = self.terms.or(near, close);
        let same = self.terms.equal(to, from);
        let apart = self.terms.not(same);
        let bad = self.terms.and(apart, either);
        self.runtime_error(at, shared, "copy between overlapping places", bad)
    }
}
