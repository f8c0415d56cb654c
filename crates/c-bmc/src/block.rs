//! Executes one basic block: its operations in order. [`edges`](crate::edges) follows its outgoing edges.

use obligato_bytecode::{Address, Function, Intrinsic, ObjectId, Operation, Register};
use obligato_c_unit::watch::Moment;
use obligato_model::NotFollowed;
use obligato_symbolic::{UndefinedBehaviour, compute, undefined_behaviours};
use obligato_term::Term;

use crate::access::{AccessSite, MemoryRange};
use crate::bytes::Bytes;
use crate::call::ResultRegisters;
use crate::engine::{Engine, Leaving, Path};
use crate::memory::{Kind, Object};
use crate::state::{Frame, SharedState, State};
use crate::volatile::ReadKind;

impl Engine<'_> {
    /// Executes the block of a state. `None` if no path leaves it.
    pub(crate) fn run_block(&mut self, frame: Frame, mut state: State) -> Path<Leaving> {
        let function = self.function(frame);
        let range = function.blocks[state.block_instance.block as usize].code.clone();
        for operation in range {
            let at = AccessSite { frame, operation };
            if !self.has_room() {
                return self.cut(at, &state.shared, NotFollowed::FormulaLimit);
            }
            self.watch(frame, &mut state, operation, Moment::Before);
            let code = &function.code[operation as usize];
            if code.leaves() {
                self.watch(frame, &mut state, operation, Moment::After);
                return self.leave(at, state, function, code);
            }
            self.execute(at, &mut state, function, code)?;
            self.watch(frame, &mut state, operation, Moment::After);
        }
        None
    }

    /// What a register holds; one that was never written holds zero.
    pub(crate) fn get(&mut self, state: &State, register: Register) -> Term {
        match state.registers[register.0 as usize] {
            Some(term) => term,
            None => self.terms.constant(0, 64),
        }
    }

    fn execute(
        &mut self,
        at: AccessSite,
        state: &mut State,
        function: &Function,
        operation: &Operation,
    ) -> Path<()> {
        match *operation {
            Operation::Reserve { to, count, size, .. } => {
                let count = self.get(state, count);
                let Some(count) = self.terms.as_constant(count) else {
                    return self.cut(at, &state.shared, NotFollowed::SymbolicObjectSize);
                };
                let size = count.saturating_mul(size.into());
                let Some(address) = self.reserve(state, size) else {
                    return self.cut(at, &state.shared, NotFollowed::LargeObject);
                };
                state.registers[to.0 as usize] = Some(address);
            }
            Operation::Load { to, from, size, bits, volatile, .. } => {
                let pointer = self.get(state, from);
                let always = self.terms.bit(true);
                let reading = if volatile { ReadKind::Volatile } else { ReadKind::Plain };
                let bytes = MemoryRange { pointer, size: size.into() };
                let word = self.load_as(reading, at, &mut state.shared, bytes, always)?;
                let word = if volatile { self.reread(pointer, word) } else { word };
                let value = self.terms.extract(word, 0, bits);
                state.registers[to.0 as usize] = Some(self.terms.zero_extend(value, 64));
            }
            Operation::Store { to, from, size, .. } => {
                let (pointer, value) = (self.get(state, to), self.get(state, from));
                let word = self.terms.extract(value, 0, 8 * size);
                let always = self.terms.bit(true);
                self.store(at, &mut state.shared, pointer, word, always)?;
            }
            Operation::Call { to, results, callee, arguments } => {
                let arguments = &function.arguments[arguments.range()];
                let wanted = ResultRegisters { first: to, count: results };
                self.call(at, state, callee, arguments, wanted)?;
            }
            Operation::Intrinsic { op, to, arguments }
                if !matches!(
                    op,
                    Intrinsic::Overflowing { .. }
                        | Intrinsic::FunnelShift { .. }
                        | Intrinsic::IsClass { .. }
                ) =>
            {
                let arguments = &function.arguments[arguments.range()];
                self.intrinsic(at, state, op, to, arguments)?;
            }
            _ => self.compute(at, state, function, operation)?,
        }
        Some(())
    }

    fn compute(
        &mut self,
        at: AccessSite,
        state: &mut State,
        function: &Function,
        operation: &Operation,
    ) -> Path<()> {
        let reads = operation.reads(function);
        let operands: Vec<Term> =
            reads.into_iter().map(|register| self.get(state, register)).collect();
        let bound = self.bound_on_addresses(operation, &operands);
        for (kind, bad) in
            undefined_behaviours(&mut self.terms, operation, &operands, self.signed_overflow)
        {
            // Pointers that no caller lets overlap have no difference; beyond the bound they may.
            let bad = bound.as_ref().map_or(bad, |bound| self.within(bound, bad));
            self.runtime_error(at, &mut state.shared, name_of(kind), bad)?;
        }
        let Some(mut results) = compute(&mut self.terms, operation, &operands) else {
            let reason = NotFollowed::Operation(format!("{operation:?}"));
            return self.cut(at, &state.shared, reason);
        };
        if let Some(bound) = bound {
            for result in &mut results {
                *result = self.loosen_address_result(operation, &bound, *result);
            }
        }
        if let (Operation::FloatBinary { op, width, .. }, [result]) =
            (operation, results.as_mut_slice())
        {
            *result = self.either_zero(*op, *width, &operands, *result);
        }
        for (register, result) in operation.writes(function).into_iter().zip(results) {
            state.registers[register.0 as usize] = Some(result);
        }
        Some(())
    }

    /// A new object that lasts until the function returns; `None` if it is too large.
    pub(crate) fn reserve(&mut self, state: &mut State, size: u128) -> Option<Term> {
        let contents = Contents::Unwritten;
        let (number, address) = self.create(&mut state.shared, size, Kind::Plain, contents)?;
        state.reserved.push(number);
        Some(address)
    }

    /// A new object; `None` if it is too large.
    pub(crate) fn create(
        &mut self,
        shared: &mut SharedState,
        size: u128,
        kind: Kind,
        contents: Contents,
    ) -> Option<(u32, Term)> {
        let size = usize::try_from(size).ok().filter(|size| *size <= LARGEST)?;
        let number = self.next_object;
        self.next_object += 1;
        let mut bytes = Bytes::zeros(&mut self.terms, size);
        if contents == Contents::Unwritten {
            self.leave_unwritten(number, &mut bytes);
        }
        let alive = self.terms.bit(true);
        shared.memory.insert(number, Object { kind, bytes, alive });
        let address = Address::new(ObjectId(number), 0);
        Some((number, self.terms.constant(address.0.into(), 64)))
    }
}

/// What a new object holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Contents {
    /// Zeros.
    Zeros,
    /// Nothing was written: zeros as in the executor, anything in a program.
    Unwritten,
}

/// The size of the largest object that execution creates.
const LARGEST: usize = 1 << 20;

fn name_of(kind: UndefinedBehaviour) -> &'static str {
    match kind {
        UndefinedBehaviour::DivisionByZero => "division by zero",
        UndefinedBehaviour::SignedOverflow => "signed overflow",
        UndefinedBehaviour::FloatOutOfRange => "float out of the range of its integer",
        UndefinedBehaviour::PointersApart => "difference of pointers into different objects",
        UndefinedBehaviour::ShiftOutOfRange => "shift out of range",
    }
}
