//! The symbolic models of the standard library: what its functions do to terms. The table of `obligato_c_library` says
//! which function has which; a call of one that has neither a model nor a C body is a cut.

use obligato_bytecode::{Address, ObjectId, Operation, Register};
use obligato_c_library::{Symbolic, find};
use obligato_c_unit::environment::is_allocator;
use obligato_c_unit::settings::Allocation;
use obligato_execute::CharacterTable;
use obligato_model::verdict::Names;
use obligato_model::{Bound, NotFollowed};
use obligato_symbolic::compute;
use obligato_term::{BinaryOp, Term};

use crate::access::AccessSite;
use crate::block::Contents;
use crate::bounds::Aliasable;
use crate::bytes::Bytes;
use crate::engine::{Engine, Path};
use crate::memory::{Kind, Memory, Object};
use crate::state::SharedState;
use crate::strings::{ByteComparison, ByteCopy, Compared};

/// Objects of the library itself.
#[derive(Clone, Copy, Debug)]
enum Owned {
    Errno,
    Classes,
    Lower,
    Upper,
}

/// Has the function a symbolic model? It takes precedence over the C body.
pub(crate) fn has_model(name: &str) -> bool {
    find(name).is_some_and(|function| function.symbolic.is_some())
}

impl Engine<'_> {
    /// Calls a function that is not defined in the unit.
    pub(crate) fn library(
        &mut self,
        at: AccessSite,
        shared: &mut SharedState,
        name: &str,
        values: &[Term],
    ) -> Path<Term> {
        let model = find(name).and_then(|function| function.symbolic);
        let Some(model) = model.filter(|model| model.accepts(values.len())) else {
            return self.unmodelled(at, shared, name);
        };
        if model.prints() {
            self.loosen_errno_beyond(&Bound::SuccessfulOutput, &mut shared.memory);
        }
        match model {
            Symbolic::CopyDisjoint => {
                let copy = ByteCopy { to: values[0], from: values[1], size: values[2] };
                self.overlap(at, shared, copy)?;
                self.copy_symbolic_size(at, shared, copy)?;
                Some(values[0])
            }
            Symbolic::Copy => {
                let copy = ByteCopy { to: values[0], from: values[1], size: values[2] };
                self.copy_symbolic_size(at, shared, copy)?;
                Some(values[0])
            }
            Symbolic::Fill => {
                self.fill(at, shared, values[0], values[1], values[2])?;
                Some(values[0])
            }
            Symbolic::CompareMemory | Symbolic::CompareStrings | Symbolic::ComparePrefixes => {
                let kind = match model {
                    Symbolic::CompareMemory => Compared::Memory,
                    _ => Compared::Strings,
                };
                // Of whole strings nobody says how many bytes count.
                let size = values.get(2).copied().filter(|_| model != Symbolic::CompareStrings);
                let (left, right) = (values[0], values[1]);
                self.compare_bytes(at, shared, ByteComparison { left, right, size, kind })
            }
            Symbolic::StringLength => self.length(at, shared, values[0]),
            Symbolic::CopyString => {
                self.copy_text(at, shared, values[0], values[1])?;
                Some(values[0])
            }
            Symbolic::AppendString => {
                let length = self.length(at, shared, values[0])?;
                let end = self.terms.binary(BinaryOp::Add, values[0], length);
                self.copy_text(at, shared, end, values[1])?;
                Some(values[0])
            }
            Symbolic::FindCharacter => self.find_byte(at, shared, values[0], values[1]),
            Symbolic::Exit => {
                self.leave_to_handlers(at, shared, name);
                None
            }
            Symbolic::Abort => {
                self.leave_to_handlers(at, shared, name);
                self.end(at, shared, "abort")
            }
            Symbolic::FailAssertion => {
                self.leave_to_handlers(at, shared, "assert");
                self.end(at, shared, "assertion failed")
            }
            Symbolic::Allocate => self.allocate(at, shared, values[0], Contents::Unwritten),
            Symbolic::AllocateArray => {
                let size = self.terms.binary(BinaryOp::Multiply, values[0], values[1]);
                self.allocate(at, shared, size, Contents::Zeros)
            }
            Symbolic::Free => {
                self.free(at, shared, values[0])?;
                Some(self.terms.constant(0, 64))
            }
            Symbolic::Errno => Some(self.owned(Owned::Errno)),
            Symbolic::ClassTable => Some(self.owned(Owned::Classes)),
            Symbolic::LowerTable => Some(self.owned(Owned::Lower)),
            Symbolic::UpperTable => Some(self.owned(Owned::Upper)),
            Symbolic::PrintFormat { format } => {
                let result = self.print_format(shared, values[format]);
                result.or_else(|| self.unmodelled(at, shared, name))
            }
            Symbolic::Print { .. } => Some(self.print()),
            Symbolic::PrintCharacter { .. } => Some(self.print_character(values[0])),
            Symbolic::PrintItems => Some(self.print_items(values[1], values[2])),
            Symbolic::FloatUnary(op, width) => {
                let [to, from] = [Register(0); 2];
                let result = self.float(&Operation::FloatUnary { op, width, to, from }, values);
                result.or_else(|| self.unmodelled(at, shared, name))
            }
            Symbolic::FloatBinary(op, width) => {
                let [to, left, right] = [Register(0); 3];
                let operation = Operation::FloatBinary { op, width, to, left, right };
                let result = self.float(&operation, values);
                let result = result.map(|result| self.either_zero(op, width, values, result));
                result.or_else(|| self.unmodelled(at, shared, name))
            }
        }
    }

    /// What ends the program calls handlers first, and these may call the function under test again: the state is then what it is here.
    fn leave_to_handlers(&mut self, at: AccessSite, shared: &SharedState, name: &str) {
        if !self.can_be_reentered() {
            return;
        }
        if let Some(bound) = Names::new([name]).map(Bound::StubEffects) {
            let always = self.terms.bit(true);
            self.beyond(at, shared, bound, always);
        }
    }

    /// Cuts the paths to a call of a function without a model.
    fn unmodelled(&mut self, at: AccessSite, shared: &SharedState, name: &str) -> Path<Term> {
        self.cut(at, shared, NotFollowed::Call(name.to_owned()))
    }

    /// The address of an object of the library itself.
    fn owned(&mut self, owned: Owned) -> Term {
        self.terms.constant(self.library_objects[owned as usize].0.into(), 64)
    }

    /// The number of the object that `errno` is: every function outside may set it.
    pub(crate) fn errno_object(&self) -> Option<u32> {
        self.library_objects.get(Owned::Errno as usize).map(|address| address.object().0)
    }

    /// Lets `errno` be anything beyond the bound that it is what the executor has there.
    pub(crate) fn loosen_errno(&mut self, memory: &mut Memory) {
        if let Some(bound) = Names::new(["errno"]).map(Bound::FixedInputs) {
            self.loosen_errno_beyond(&bound, memory);
        }
    }

    fn loosen_errno_beyond(&mut self, bound: &Bound, memory: &mut Memory) {
        let Some(number) = self.errno_object() else { return };
        let Some(mut bytes) = memory.get(number).map(|object| object.bytes.clone()) else { return };
        let held = bytes.load(&mut self.terms, 0, 4);
        let word = self.within(bound, held);
        bytes.store(&self.terms, 0, word);
        if let Some(object) = memory.get_mut(number) {
            object.bytes = bytes;
        }
    }

    /// Creates the objects of the library itself.
    pub(crate) fn add_library_objects(&mut self, memory: &mut Memory) {
        let errno = self.own(memory, &[0; 4]);
        self.library_objects = vec![errno];
        // Callers can name it, too.
        let number = errno.object().0;
        self.bounds.known_globals.insert(number);
        if !self.bounds.aliasable.is_empty() {
            self.bounds.aliasable.entry(number).or_insert(Aliasable::Global);
        }
        self.loosen_errno(memory);
        for table in [CharacterTable::Classes, CharacterTable::Lower, CharacterTable::Upper] {
            let start = self.own(memory, &table.bytes());
            self.character_tables.push((start.object().0, table));
            let pointer = start.advanced(table.zero()).0.to_le_bytes();
            let pointer = self.own(memory, &pointer);
            self.library_objects.push(pointer);
        }
    }

    fn own(&mut self, memory: &mut Memory, bytes: &[u8]) -> Address {
        let number = self.next_object;
        self.next_object += 1;
        let (bytes, alive) = (Bytes::new(&mut self.terms, bytes), self.terms.bit(true));
        memory.insert(number, Object { kind: Kind::Plain, bytes, alive });
        Address::new(ObjectId(number), 0)
    }

    /// Functions of `math.h` that the standard defines exactly.
    fn float(&mut self, operation: &Operation, values: &[Term]) -> Option<Term> {
        compute(&mut self.terms, operation, values)?.first().copied()
    }

    fn allocate(
        &mut self,
        at: AccessSite,
        shared: &mut SharedState,
        size: Term,
        contents: Contents,
    ) -> Path<Term> {
        let Some(size) = self.terms.as_constant(size) else {
            return self.cut(at, shared, NotFollowed::SymbolicObjectSize);
        };
        match self.create(shared, size, Kind::Heap, contents) {
            Some((_, address)) if self.is_allocation_given(at) => Some(address),
            Some((_, address)) => {
                let fails = self.only_beyond(&Bound::SuccessfulAllocation);
                let null = self.terms.constant(0, 64);
                Some(self.terms.choose(fails, null, address))
            }
            None => self.cut(at, shared, NotFollowed::LargeObject),
        }
    }

    /// Does an input say that this allocation succeeds, or a person that all do?
    fn is_allocation_given(&self, at: AccessSite) -> bool {
        let callers = self.open.iter().map(|(code, _)| *code);
        let mut running = callers.chain([at.frame.code]);
        self.allocation == Allocation::Succeeds
            || running.any(|code| is_allocator(&self.module.function(code).name))
    }

    fn free(&mut self, at: AccessSite, shared: &mut SharedState, pointer: Term) -> Path<()> {
        let last = self.next_object - 1;
        let Some(targets) = self.pointers.targets(&mut self.terms, pointer, last) else {
            return self.cut(at, shared, NotFollowed::UnconstrainedFree);
        };
        let zero = self.terms.constant(0, 64);
        let mut fine = self.terms.equal(pointer, zero);
        for target in targets.iter() {
            // What lies beyond a bound may be freed too; nothing that the formula describes changes.
            if let Some(bound) = self.bounds.beyond(target.object).cloned() {
                let literal = self.bounds.literal(&mut self.terms, &bound);
                let beyond = self.terms.not(literal);
                let gone = self.terms.and(beyond, target.when);
                fine = self.terms.or(fine, gone);
            }
            let Some(object) = shared.memory.get_mut(target.object) else { continue };
            if object.kind != Kind::Heap {
                continue;
            }
            let start = self.terms.equal(target.offset, zero);
            let here = self.terms.and(start, target.when);
            let valid = self.terms.and(here, object.alive);
            fine = self.terms.or(fine, valid);
            let kept = self.terms.not(here);
            object.alive = self.terms.and(object.alive, kept);
        }
        let bad = self.terms.not(fine);
        self.runtime_error(at, shared, "freed, but not allocated", bad)
    }
}
