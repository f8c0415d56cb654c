//! Executes one basic block: its operations in order, and its outgoing edges.

use obligato_bytecode::{Argument, Callee, Function, Intrinsic, Operation, Register};
use obligato_c_unit::watch::Moment;
use obligato_model::NotFollowed;
use obligato_symbolic::{UndefinedBehaviour, compute, undefined_behaviours};
use obligato_term::Term;

use crate::access::AccessSite;
use crate::bytes::Bytes;
use crate::engine::{Engine, Leaving, Path, Returned};
use crate::memory::{Kind, Object};
use crate::state::{Frame, State};

impl Engine<'_> {
    /// Executes the block of a state. `None` if no path leaves it.
    pub(crate) fn run_block(&mut self, frame: Frame, mut state: State) -> Path<Leaving> {
        let function = self.function(frame);
        let range = function.blocks[state.block_instance.block as usize].code.clone();
        for at in range {
            if !self.has_room() {
                return self.cut(frame, at, &state.shared, NotFollowed::FormulaLimit);
            }
            self.watch(frame, &mut state, at, Moment::Before);
            let operation = &function.code[at as usize];
            if operation.leaves() {
                self.watch(frame, &mut state, at, Moment::After);
                return self.leave(frame, state, at, function, operation);
            }
            self.execute(frame, &mut state, at, function, operation)?;
            self.watch(frame, &mut state, at, Moment::After);
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
        frame: Frame,
        state: &mut State,
        at: u32,
        function: &Function,
        operation: &Operation,
    ) -> Path<()> {
        match *operation {
            Operation::Reserve { to, count, size, .. } => {
                let count = self.get(state, count);
                let Some(count) = self.terms.as_constant(count) else {
                    return self.cut(frame, at, &state.shared, NotFollowed::SymbolicObjectSize);
                };
                let size = count.saturating_mul(size.into());
                let Some(address) = self.reserve(state, size) else {
                    return self.cut(frame, at, &state.shared, NotFollowed::LargeObject);
                };
                state.registers[to.0 as usize] = Some(address);
            }
            Operation::Load { to, from, size, bits, volatile, .. } => {
                let pointer = self.get(state, from);
                let always = self.terms.bit(true);
                let word = self.load(
                    AccessSite { frame, operation: at },
                    &mut state.shared,
                    pointer,
                    size.into(),
                    always,
                )?;
                let word = if volatile { self.reread(pointer, word) } else { word };
                let value = self.terms.extract(word, 0, bits);
                state.registers[to.0 as usize] = Some(self.terms.zero_extend(value, 64));
            }
            Operation::Store { to, from, size, .. } => {
                let (pointer, value) = (self.get(state, to), self.get(state, from));
                let word = self.terms.extract(value, 0, 8 * size);
                let always = self.terms.bit(true);
                self.store(
                    AccessSite { frame, operation: at },
                    &mut state.shared,
                    pointer,
                    word,
                    always,
                )?;
            }
            Operation::Call { to, results, callee, arguments } => {
                let arguments = &function.arguments[arguments.range()];
                let at = AccessSite { frame, operation: at };
                self.call(at, state, to, results, callee, arguments)?;
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
                self.intrinsic(frame, state, at, op, to, arguments)?;
            }
            _ => self.compute(frame, state, at, function, operation)?,
        }
        Some(())
    }

    fn compute(
        &mut self,
        frame: Frame,
        state: &mut State,
        at: u32,
        function: &Function,
        operation: &Operation,
    ) -> Path<()> {
        let reads = operation.reads(function);
        let operands: Vec<Term> =
            reads.into_iter().map(|register| self.get(state, register)).collect();
        for (kind, bad) in
            undefined_behaviours(&mut self.terms, operation, &operands, self.signed_overflow)
        {
            self.runtime_error(frame, at, &mut state.shared, name_of(kind), bad)?;
        }
        let Some(mut results) = compute(&mut self.terms, operation, &operands) else {
            let reason = NotFollowed::Operation(format!("{operation:?}"));
            return self.cut(frame, at, &state.shared, reason);
        };
        if let Some(bound) = self.bound_on_addresses(operation, &operands) {
            for result in &mut results {
                *result = self.loosen_address_result(operation, &bound, *result);
            }
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
        shared: &mut crate::state::SharedState,
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
        let address = obligato_bytecode::Address::new(obligato_bytecode::ObjectId(number), 0);
        Some((number, self.terms.constant(address.0.into(), 64)))
    }

    fn leave(
        &mut self,
        frame: Frame,
        mut state: State,
        at: u32,
        function: &Function,
        operation: &Operation,
    ) -> Path<Leaving> {
        match *operation {
            Operation::Jump { to } => Some(Leaving::Edges(vec![(to.0, state)])),
            Operation::Branch { test, then, otherwise } => {
                let test = self.get(&state, test);
                let test = self.terms.extract(test, 0, 1);
                Some(Leaving::Edges(self.branch(state, &[(test, then.0)], Some(otherwise.0)).0))
            }
            Operation::Switch { on, arms, otherwise, .. } => {
                let value = self.get(&state, on);
                let cases = self.cases(value, &function.arms[arms.range()]);
                Some(Leaving::Edges(self.branch(state, &cases, Some(otherwise.0)).0))
            }
            Operation::JumpThrough { on, arms } => {
                let value = self.get(&state, on);
                let cases = self.cases(value, &function.arms[arms.range()]);
                let (edges, rest) = self.branch(state, &cases, None);
                if let Some(rest) = rest {
                    self.end::<()>(frame, at, &rest.shared, "a jump to nowhere");
                }
                Some(Leaving::Edges(edges))
            }
            Operation::Return { from } => {
                let parts = &function.lists[from.range()];
                let results = parts.iter().map(|part| self.get(&state, *part)).collect();
                for object in &state.reserved {
                    state.shared.memory.remove(*object);
                }
                Some(Leaving::Return(Returned { shared: state.shared, results }))
            }
            Operation::Stop(kind) => {
                let what = match kind {
                    obligato_bytecode::StopKind::Unreachable => "unreachable",
                    obligato_bytecode::StopKind::Trap => "trap",
                };
                self.end(frame, at, &state.shared, what)
            }
            Operation::Unsupported { note } => {
                let note = function.notes[note as usize].clone();
                self.cut(frame, at, &state.shared, NotFollowed::Other(note))
            }
            _ => None,
        }
    }

    /// Every input that satisfies the guard ends here with a runtime error.
    pub(crate) fn end<T>(
        &mut self,
        frame: Frame,
        operation: u32,
        shared: &crate::state::SharedState,
        what: &'static str,
    ) -> Path<T> {
        let guard = shared.guard.term();
        self.runtime_errors.push(crate::engine::RuntimeErrorSite {
            what,
            function: frame.code,
            operation,
            guard,
        });
        None
    }

    /// The targets of arms, each with its condition.
    fn cases(&mut self, value: Term, arms: &[obligato_bytecode::Arm]) -> Vec<(Term, u32)> {
        let mut cases: Vec<(Term, u32)> = Vec::new();
        for arm in arms {
            let key = self.terms.constant(arm.key.0.into(), 64);
            let equal = self.terms.equal(value, key);
            match cases.iter_mut().find(|(_, to)| *to == arm.to.0) {
                Some((any, _)) => *any = self.terms.or(*any, equal),
                None => cases.push((equal, arm.to.0)),
            }
        }
        cases
    }

    /// The states after a branch, and the state of the inputs that take none of the cases.
    fn branch(
        &mut self,
        state: State,
        cases: &[(Term, u32)],
        otherwise: Option<u32>,
    ) -> (Vec<(u32, State)>, Option<State>) {
        let mut edges = Vec::new();
        let mut rest = Some(state);
        for (test, to) in cases {
            let Some(here) = rest.take() else { break };
            let refused = self.terms.not(*test);
            let taken = here.shared.guard.and(&mut self.terms, *test);
            let passed = here.shared.guard.and(&mut self.terms, refused);
            match (taken, passed) {
                (Some(taken), Some(passed)) => {
                    let mut there = here.clone();
                    there.shared.guard = taken;
                    edges.push((*to, there));
                    rest = Some(State {
                        shared: crate::state::SharedState { guard: passed, ..here.shared },
                        ..here
                    });
                }
                (Some(taken), None) => {
                    edges.push((
                        *to,
                        State {
                            shared: crate::state::SharedState { guard: taken, ..here.shared },
                            ..here
                        },
                    ));
                }
                (None, Some(_)) => rest = Some(here),
                (None, None) => {}
            }
        }
        match (rest, otherwise) {
            (Some(rest), Some(to)) => {
                edges.push((to, rest));
                (edges, None)
            }
            (rest, _) => (edges, rest),
        }
    }

    /// The values of arguments; structures are copied.
    pub(crate) fn arguments(
        &mut self,
        frame: Frame,
        state: &mut State,
        at: u32,
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
                        return self.cut(frame, at, &state.shared, NotFollowed::LargeArgument);
                    };
                    copies.push(number);
                    self.copy(
                        AccessSite { frame, operation: at },
                        &mut state.shared,
                        copy,
                        source,
                        size,
                    )?;
                    copy
                }
            });
        }
        Some(values)
    }

    /// The possible callees, each with its condition.
    pub(crate) fn callees(
        &mut self,
        frame: Frame,
        state: &mut State,
        at: u32,
        callee: Callee,
    ) -> Path<Vec<(Term, obligato_bytecode::CodeId)>> {
        let register = match callee {
            Callee::Direct(code) => return Some(vec![(self.terms.bit(true), code)]),
            Callee::Through(register) => register,
        };
        let pointer = self.get(state, register);
        let last = self.next_object - 1;
        let Some(targets) = self.pointers.targets(&mut self.terms, pointer, last) else {
            return self.cut(frame, at, &state.shared, NotFollowed::UnconstrainedCall);
        };
        let first = 1 + self.module.globals.len() as u32;
        let mut callees = Vec::new();
        let mut any = self.terms.bit(false);
        for target in targets.iter() {
            if let Some(bound) = self.bounds.beyond(target.object).cloned() {
                self.beyond(AccessSite { frame, operation: at }, &state.shared, bound, target.when);
            }
            let index = target.object.checked_sub(first).map(|index| index as usize);
            let Some(index) = index.filter(|index| *index < self.module.functions.len()) else {
                continue;
            };
            let zero = self.terms.constant(0, 64);
            let at_start = self.terms.equal(target.offset, zero);
            let when = self.terms.and(target.when, at_start);
            any = self.terms.or(any, when);
            callees.push((when, obligato_bytecode::CodeId::new(index)));
        }
        let bad = self.terms.not(any);
        self.runtime_error(
            frame,
            at,
            &mut state.shared,
            "call through a pointer to no function",
            bad,
        )?;
        Some(callees)
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
