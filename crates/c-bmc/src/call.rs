//! Calls, and LLVM intrinsics that access memory.

use obligato_bytecode::{Argument, Callee, CodeId, Intrinsic, Register};
use obligato_c_unit::driver::OUTSIDE;
use obligato_c_unit::environment::{READ, WRITTEN};
use obligato_model::{Bound, NotFollowed};
use obligato_term::{BinaryOp, Term};

use crate::access::AccessSite;
use crate::block::Contents;
use crate::engine::{Caller, Engine, Path, Returned, VariadicArguments};
use crate::library::has_model;
use crate::memory::Kind;
use crate::state::{Frame, SharedState, State};
use crate::volatile::VolatileAccess;

/// In a `va_list`: all six integer registers of eight bytes are used up,
const INTEGERS_USED: u128 = 0x30;
/// and all eight of sixteen bytes behind them.
const FLOATS_USED: u128 = 0xb0;

/// The arguments of a call.
#[derive(Clone, Copy)]
struct Given<'a> {
    values: &'a [Term],
    /// The same, as operands of the call.
    arguments: &'a [Argument],
    /// The copies of structures among them.
    copies: &'a [u32],
}

impl Engine<'_> {
    /// Calls every possible callee, joins their results, and stores `wanted` of them in registers from `to` on.
    pub(crate) fn call(
        &mut self,
        at: AccessSite,
        state: &mut State,
        to: Register,
        wanted: u32,
        callee: Callee,
        arguments: &[Argument],
    ) -> Path<()> {
        let AccessSite { frame, operation: at } = at;
        let callees = self.callees(frame, state, at, callee)?;
        let mut copies = Vec::new();
        let values = self.arguments(frame, state, at, arguments, &mut copies)?;
        let given = Given { values: &values, arguments, copies: &copies };
        let mut done: Path<Returned> = None;
        for (when, code) in callees {
            let mut shared = state.shared.clone();
            let Some(guard) = shared.guard.and(&mut self.terms, when) else { continue };
            shared.guard = guard;
            let Some(result) = self.invoke(frame, at, shared, code, given) else {
                continue;
            };
            if result.results.len() < wanted as usize {
                self.end::<()>(frame, at, &result.shared, "call with other results");
                continue;
            }
            done = Some(match done.take() {
                None => result,
                Some(before) => self.join_results(before, result),
            });
        }
        let Returned { shared, results } = done?;
        state.shared = shared;
        for copy in copies {
            state.shared.memory.remove(copy);
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
        mut shared: SharedState,
        code: CodeId,
        Given { values, arguments, copies }: Given<'_>,
    ) -> Path<Returned> {
        let behind = self.module.code_behind(code);
        let code = behind.filter(|_| !has_model(&self.module.function(code).name)).unwrap_or(code);
        let target = self.module.function(code);
        if !target.is_defined() {
            let at = AccessSite { frame, operation: at };
            let results = match target.name.as_str() {
                OUTSIDE => self.call_stub(at, &mut shared, values)?,
                READ => self.follow_volatile(at, &mut shared, VolatileAccess::Read, values)?,
                WRITTEN => {
                    self.follow_volatile(at, &mut shared, VolatileAccess::Written, values)?
                }
                name => vec![self.library(at, &mut shared, name, values)?],
            };
            return Some(Returned { shared, results });
        }
        let named = target.signature.parameters as usize;
        if values.len() < named || (values.len() > named && !target.signature.variadic) {
            return self.end(frame, at, &shared, "call with other arguments");
        }
        if frame.depth >= self.limits.depth {
            let bound = Bound::CallDepth(self.limits.depth.into());
            let always = self.terms.bit(true);
            self.beyond(AccessSite { frame, operation: at }, &shared, bound, always);
            return None;
        }
        let mut reserved = copies.to_vec();
        let mut unnamed = 0;
        if values.len() > named {
            let (values, arguments) = (&values[named..], &arguments[named..]);
            let at = AccessSite { frame, operation: at };
            let (number, area) =
                self.store_variadic_arguments(at, &mut shared, values, arguments)?;
            reserved.push(number);
            unnamed = area;
        }
        let variadic = VariadicArguments { area: unnamed, objects: reserved };
        self.open.push((frame.code, at));
        let caller = Caller { depth: frame.depth + 1, in_loop: frame.in_loop };
        let result = self.run(code, &values[..named], variadic, shared, caller);
        self.open.pop();
        result
    }

    /// Stores unnamed arguments in a new object, in words of eight bytes.
    fn store_variadic_arguments(
        &mut self,
        at: AccessSite,
        shared: &mut SharedState,
        values: &[Term],
        arguments: &[Argument],
    ) -> Path<(u32, u64)> {
        let words = |argument: &Argument| match argument {
            Argument::Value(_) => 8,
            Argument::Copy { size, .. } => size.next_multiple_of(8),
        };
        let size: u64 = arguments.iter().map(words).fold(0, u64::saturating_add);
        let Some((number, area)) = self.create(shared, size.into(), Kind::Plain, Contents::Zeros)
        else {
            return self.cut(at.frame, at.operation, shared, NotFollowed::LargeVariadicArguments);
        };
        let always = self.terms.bit(true);
        let mut offset = 0;
        for (value, argument) in values.iter().zip(arguments) {
            let place = self.moved(area, offset);
            match argument {
                Argument::Value(_) => self.store(at, shared, place, *value, always)?,
                Argument::Copy { size, .. } => self.copy(at, shared, place, *value, *size)?,
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
        let (at, shared) = (AccessSite { frame, operation: at }, &mut state.shared);
        match (op, values.as_slice()) {
            (Intrinsic::CopyMemory, &[to, from, size]) => {
                self.overlap(at, shared, to, from, size)?;
                self.copy_symbolic_size(at, shared, to, from, size)?;
            }
            (Intrinsic::MoveMemory, &[to, from, size]) => {
                self.copy_symbolic_size(at, shared, to, from, size)?;
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
        self.runtime_error(at.frame, at.operation, shared, "copy between overlapping places", bad)
    }
}
