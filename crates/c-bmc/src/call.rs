//! Calls, and what bitcode leaves to the code generator.

use obligato_bytecode::{Argument, Callee, CodeId, Intrinsic, Register};
use obligato_c_unit::driver::OUTSIDE;
use obligato_term::{BinaryOp, Term};

use crate::engine::{Engine, Path};
use crate::library::has_model;
use crate::memory::Kind;
use crate::state::{Frame, State, World};

/// In a `va_list`: all six integer registers of eight bytes are used up,
const INTEGERS_USED: u128 = 0x30;
/// and all eight of sixteen bytes behind them.
const FLOATS_USED: u128 = 0xb0;

/// What a function is given.
#[derive(Clone, Copy)]
struct Given<'a> {
    values: &'a [Term],
    /// The same as the code says it.
    arguments: &'a [Argument],
    /// The objects that were made for structures among them.
    copies: &'a [u32],
}

impl Engine<'_> {
    /// Calls whoever a callee may be, and puts the results where the caller wants them.
    pub(crate) fn call(
        &mut self,
        frame: Frame,
        state: &mut State,
        at: u32,
        (to, wanted): (Register, u32),
        callee: Callee,
        arguments: &[Argument],
    ) -> Path<()> {
        let callees = self.callees(frame, state, at, callee)?;
        let mut copies = Vec::new();
        let values = self.arguments(frame, state, at, arguments, &mut copies)?;
        let given = Given { values: &values, arguments, copies: &copies };
        let mut done: Path<(World, Vec<Term>)> = None;
        for (when, code) in callees {
            let mut world = state.world.clone();
            let Some(guard) = world.guard.and(&mut self.terms, when) else { continue };
            world.guard = guard;
            let Some(result) = self.invoke(frame, at, world, code, given) else {
                continue;
            };
            if result.1.len() < wanted as usize {
                self.end::<()>(frame, at, &result.0, "call with other results");
                continue;
            }
            done = Some(match done.take() {
                None => result,
                Some(before) => self.join_results(before, result),
            });
        }
        let (world, results) = done?;
        state.world = world;
        for copy in copies {
            state.world.memory.remove(copy);
        }
        for (index, result) in results.into_iter().take(wanted as usize).enumerate() {
            state.registers[to.0 as usize + index] = Some(result);
        }
        Some(())
    }

    fn invoke(
        &mut self,
        frame: Frame,
        at: u32,
        mut world: World,
        code: CodeId,
        Given { values, arguments, copies }: Given<'_>,
    ) -> Path<(World, Vec<Term>)> {
        let behind = self.module.code_behind(code);
        let code = behind.filter(|_| !has_model(&self.module.function(code).name)).unwrap_or(code);
        let target = self.module.function(code);
        if !target.is_defined() {
            let results = if target.name == OUTSIDE {
                self.answer((frame, at), &mut world, values)?
            } else {
                vec![self.library((frame, at), &mut world, &target.name, values)?]
            };
            return Some((world, results));
        }
        let named = target.signature.parameters as usize;
        if values.len() < named || (values.len() > named && !target.signature.variadic) {
            return self.end(frame, at, &world, "call with other arguments");
        }
        if frame.depth >= self.limits.depth {
            let reason = format!("{} calls are open", self.limits.depth);
            return self.cut(frame, at, &world, reason);
        }
        let mut reserved = copies.to_vec();
        let mut unnamed = 0;
        if values.len() > named {
            let rest = (&values[named..], &arguments[named..]);
            let (number, area) = self.lay_out((frame, at), &mut world, rest)?;
            reserved.push(number);
            unnamed = area;
        }
        self.open.push((frame.code, at));
        let result = self.run(code, &values[..named], (unnamed, reserved), world, frame.depth + 1);
        self.open.pop();
        result
    }

    /// Puts arguments without a name into memory, in words of eight bytes.
    fn lay_out(
        &mut self,
        at: (Frame, u32),
        world: &mut World,
        (values, arguments): (&[Term], &[Argument]),
    ) -> Path<(u32, u64)> {
        let words = |argument: &Argument| match argument {
            Argument::Value(_) => 8,
            Argument::Copy { size, .. } => size.next_multiple_of(8),
        };
        let size: u64 = arguments.iter().map(words).fold(0, u64::saturating_add);
        let Some((number, area)) = self.create(world, size.into(), Kind::Plain) else {
            return self.cut(at.0, at.1, world, "arguments that are too large");
        };
        let always = self.terms.bit(true);
        let mut offset = 0;
        for (value, argument) in values.iter().zip(arguments) {
            let place = self.moved(area, offset);
            match argument {
                Argument::Value(_) => self.store(at, world, place, *value, always)?,
                Argument::Copy { size, .. } => self.copy(at, world, place, *value, *size)?,
            }
            offset += words(argument);
        }
        let address = self.terms.as_constant(area).unwrap_or(0) as u64;
        Some((number, address))
    }

    pub(crate) fn intrinsic(
        &mut self,
        frame: Frame,
        state: &mut State,
        at: u32,
        op: Intrinsic,
        to: Register,
        arguments: &[Argument],
    ) -> Path<()> {
        let mut values = Vec::with_capacity(arguments.len());
        for argument in arguments {
            let (Argument::Value(register) | Argument::Copy { from: register, .. }) = argument;
            values.push(self.get(state, *register));
        }
        let (place, world) = ((frame, at), &mut state.world);
        match (op, values.as_slice()) {
            (Intrinsic::CopyMemory, &[to, from, size]) => {
                self.overlap(place, world, to, from, size)?;
                self.copy_some(place, world, to, from, size)?;
            }
            (Intrinsic::MoveMemory, &[to, from, size]) => {
                self.copy_some(place, world, to, from, size)?;
            }
            (Intrinsic::FillMemory, &[to, byte, size]) => {
                self.fill(place, world, to, byte, size)?;
            }
            (Intrinsic::StartArguments, &[list]) => {
                // What the executor says: all registers are used up, so all arguments lie in the area.
                let used = self.terms.constant(INTEGERS_USED | FLOATS_USED << 32, 64);
                let area = self.terms.constant(state.unnamed.into(), 64);
                let none = self.terms.constant(0, 64);
                let always = self.terms.bit(true);
                for (index, word) in [used, area, none].into_iter().enumerate() {
                    let there = self.moved(list, 8 * index as u64);
                    self.store(place, world, there, word, always)?;
                }
            }
            (Intrinsic::CopyArguments, &[to, from]) => self.copy(place, world, to, from, 24)?,
            // Objects on the stack last until the function returns; who uses one after its scope has a fault all the same.
            (Intrinsic::SaveStack, _) => {
                state.registers[to.0 as usize] = Some(self.terms.constant(0, 64));
            }
            _ => {}
        }
        Some(())
    }

    /// Copies between places that overlap are faults.
    pub(crate) fn overlap(
        &mut self,
        at: (Frame, u32),
        world: &mut World,
        to: Term,
        from: Term,
        size: Term,
    ) -> Path<()> {
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
        self.fault(at.0, at.1, world, "copy between overlapping places", bad)
    }
}
