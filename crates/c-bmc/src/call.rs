//! Calls: their possible callees, their arguments, and the join of their results.

use obligato_bytecode::{Argument, Callee, CodeId, Register};
use obligato_c_unit::driver::OUTSIDE;
use obligato_c_unit::environment::{READ, WRITTEN};
use obligato_model::{Bound, NotFollowed};
use obligato_term::Term;

use crate::access::AccessSite;
use crate::block::Contents;
use crate::bounds::Aliasable;
use crate::engine::{Caller, Engine, Path, Returned, VariadicArguments};
use crate::library::has_model;
use crate::memory::Kind;
use crate::pointer::Target;
use crate::state::{SharedState, State};
use crate::volatile::VolatileAccess;

/// The arguments of a call.
#[derive(Clone, Copy)]
struct Given<'a> {
    values: &'a [Term],
    /// The same, as operands of the call.
    arguments: &'a [Argument],
    /// The copies of structures among them.
    copies: &'a [u32],
}

/// The registers that take the results of a call.
#[derive(Clone, Copy)]
pub(crate) struct ResultRegisters {
    pub(crate) first: Register,
    pub(crate) count: u32,
}

impl Engine<'_> {
    /// Calls every possible callee, joins their results, and stores those that are wanted.
    pub(crate) fn call(
        &mut self,
        at: AccessSite,
        state: &mut State,
        callee: Callee,
        arguments: &[Argument],
        wanted: ResultRegisters,
    ) -> Path<()> {
        let callees = self.callees(at, state, callee)?;
        let mut copies = Vec::new();
        let values = self.arguments(at, state, arguments, &mut copies)?;
        let given = Given { values: &values, arguments, copies: &copies };
        let mut done: Path<Returned> = None;
        for (when, code) in callees {
            let mut shared = state.shared.clone();
            let Some(guard) = shared.guard.and(&mut self.terms, when) else { continue };
            shared.guard = guard;
            let Some(result) = self.invoke(at, shared, code, given) else {
                continue;
            };
            let is_short = result.results.len() < wanted.count as usize;
            if is_short && self.module.function(code).stands_in {
                self.cut::<()>(at, &result.shared, NotFollowed::StubArguments);
                continue;
            }
            if is_short {
                self.end::<()>(at, &result.shared, "call with other results");
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
        for (index, result) in results.into_iter().take(wanted.count as usize).enumerate() {
            state.registers[wanted.first.0 as usize + index] = Some(result);
        }
        Some(())
    }

    fn invoke(
        &mut self,
        at: AccessSite,
        mut shared: SharedState,
        code: CodeId,
        Given { values, arguments, copies }: Given<'_>,
    ) -> Path<Returned> {
        let behind = self.module.code_behind(code);
        let name = &self.module.function(code).name;
        let code = behind.filter(|_| !has_model(&self.module.function(code).name)).unwrap_or(code);
        let target = self.module.function(code);
        if !target.is_defined() {
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
        let is_other =
            |given: usize| given < named || (given > named && !target.signature.variadic);
        let caller = self.module.function(at.frame.code);
        if target.stands_in && (is_other(values.len()) || target.is_misused(caller, at.operation)) {
            return self.cut(at, &shared, NotFollowed::StubArguments);
        }
        if is_other(values.len()) {
            return self.end(at, &shared, "call with other arguments");
        }
        if at.frame.depth >= self.limits.depth {
            let bound = Bound::CallDepth(self.limits.depth.into());
            let always = self.terms.bit(true);
            self.beyond(at, &shared, bound, always);
            return None;
        }
        let mut reserved = copies.to_vec();
        let mut unnamed = 0;
        let mut own_area = None;
        if values.len() > named {
            let (values, arguments) = (&values[named..], &arguments[named..]);
            let (number, area) =
                self.store_variadic_arguments(at, &mut shared, values, arguments)?;
            reserved.push(number);
            unnamed = area;
            own_area = Some(number);
        }
        let variadic = VariadicArguments { area: unnamed, objects: reserved };
        self.open.push((at.frame.code, at.operation));
        let caller = Caller { depth: at.frame.depth + 1, in_loop: at.frame.in_loop };
        self.variadic_areas.push(own_area);
        let result = self.run(code, &values[..named], variadic, shared, caller);
        self.variadic_areas.pop();
        self.open.pop();
        let mut returned = result?;
        if let (Some(_), [result]) = (behind, returned.results.as_mut_slice()) {
            *result = self.loosen_library_result(name, values, *result);
        }
        Some(returned)
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
            return self.cut(at, shared, NotFollowed::LargeVariadicArguments);
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

    /// The values of arguments; structures are copied.
    fn arguments(
        &mut self,
        at: AccessSite,
        state: &mut State,
        arguments: &[Argument],
        copies: &mut Vec<u32>,
    ) -> Path<Vec<Term>> {
        let mut values = Vec::with_capacity(arguments.len());
        for argument in arguments {
            values.push(match *argument {
                Argument::Value(register) => self.get(state, register),
                Argument::Copy { from, size, .. } => {
                    let source = self.get(state, from);
                    let made =
                        self.create(&mut state.shared, size.into(), Kind::Plain, Contents::Zeros);
                    let Some((number, copy)) = made else {
                        return self.cut(at, &state.shared, NotFollowed::LargeArgument);
                    };
                    copies.push(number);
                    self.copy(at, &mut state.shared, copy, source, size)?;
                    copy
                }
            });
        }
        Some(values)
    }

    /// The possible callees, each with its condition.
    fn callees(
        &mut self,
        at: AccessSite,
        state: &mut State,
        callee: Callee,
    ) -> Path<Vec<(Term, CodeId)>> {
        let register = match callee {
            Callee::Direct(code) => return Some(vec![(self.terms.bit(true), code)]),
            Callee::Through(register) => register,
        };
        let pointer = self.get(state, register);
        let last = self.next_object - 1;
        let Some(targets) = self.pointers.targets(&mut self.terms, pointer, last) else {
            return self.cut(at, &state.shared, NotFollowed::UnconstrainedCall);
        };
        self.cut_fixed_calls(at, state, &targets)?;
        let first = 1 + self.module.globals.len() as u32;
        let mut callees = Vec::new();
        let mut any = self.terms.bit(false);
        for target in targets.iter() {
            if let Some(bound) = self.bounds.beyond(target.object).cloned() {
                self.beyond(at, &state.shared, bound, target.when);
            }
            let index = target.object.checked_sub(first).map(|index| index as usize);
            let Some(index) = index.filter(|index| *index < self.module.functions.len()) else {
                // Behind a pointer to anything, a caller may give a function as well.
                if self.bounds.aliasable.get(&target.object) == Some(&Aliasable::Pointed) {
                    self.beyond(at, &state.shared, Bound::OwnCallbacks, target.when);
                }
                continue;
            };
            let zero = self.terms.constant(0, 64);
            let at_start = self.terms.equal(target.offset, zero);
            let when = self.terms.and(target.when, at_start);
            any = self.terms.or(any, when);
            callees.push((when, CodeId::new(index)));
        }
        let bad = self.terms.not(any);
        self.runtime_error(at, &mut state.shared, "call through a pointer to no function", bad)?;
        Some(callees)
    }

    /// Nothing is known of code at an address where no object lies, such as that of a boot loader.
    fn cut_fixed_calls(
        &mut self,
        at: AccessSite,
        state: &mut State,
        targets: &[Target],
    ) -> Path<()> {
        let null = self.terms.constant(0, 64);
        let mut fixed = self.terms.bit(false);
        for target in targets.iter().filter(|target| target.object == 0) {
            let is_null = self.terms.equal(target.offset, null);
            let elsewhere = self.terms.not(is_null);
            let when = self.terms.and(target.when, elsewhere);
            fixed = self.terms.or(fixed, when);
        }
        self.cut_where(at, &mut state.shared, NotFollowed::FixedCall, fixed)
    }
}
