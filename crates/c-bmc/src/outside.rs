//! Stubs of functions without a definition: their results are inputs, call by call.

use obligato_bytecode::{Address, Module};
use obligato_c_unit::Layout;
use obligato_c_unit::callbacks::is_callback;
use obligato_c_unit::driver::Driver;
use obligato_c_unit::interface::{Interface, ObjectIndex};
use obligato_model::{Bound, NotFollowed};
use obligato_term::{BinaryOp, Term};

use crate::access::{AccessSite, MemoryRange};
use crate::engine::{Engine, Path};
use crate::state::SharedState;
use crate::stub_effects::StubEffects;
use crate::volatile::ReadKind;

/// The memory of a stub: the results of its calls, and copies of their arguments.
#[derive(Clone, Debug)]
pub(crate) struct StubResults {
    pub(crate) name: String,
    /// The name of its code.
    pub(crate) symbol: String,
    /// Is it part of the interface at all?
    known: bool,
    /// Does it allocate memory, and give back whether that fails?
    allocates: bool,
    /// Per call, address and size.
    results: Vec<(Address, u64)>,
    /// Per call and parameter, address and size.
    pub(crate) given: Vec<Vec<(Address, u64)>>,
    /// Per parameter, may it write through it?
    pub(crate) writes: Vec<bool>,
    /// Do calls give it more than it knows of?
    pub(crate) uneven: bool,
    /// The numbers of the only globals that it may write, if that is known.
    pub(crate) globals: Option<Vec<u32>>,
    /// What tests let it write.
    pub(crate) effects: StubEffects,
}

impl StubResults {
    /// Those of all functions that a driver stubs.
    pub(crate) fn all(
        module: &Module,
        driver: &Driver,
        interface: &Interface,
        layout: &Layout,
    ) -> Vec<Self> {
        let place =
            |ObjectIndex(at): &ObjectIndex| (layout.objects[*at], interface.objects[*at].size);
        let stub = driver.stubs().map(|name| {
            let outside = interface.outside.iter().find(|one| one.name == name);
            Self {
                name: outside.map_or(name, |one| &one.label).to_owned(),
                symbol: name.to_owned(),
                known: outside.is_some(),
                allocates: driver.allocators.iter().any(|one| one == name),
                uneven: driver.outside.iter().any(|one| one.name == name && one.uneven),
                writes: outside.map_or(Vec::new(), |one| one.writes.clone()),
                globals: outside.and_then(|one| one.globals.as_ref()).map(|names| {
                    let globals = names.iter().filter_map(|name| module.global_named(name));
                    globals.map(|global| Module::object_of_global(global).0).collect()
                }),
                effects: outside.map_or_else(StubEffects::default, |one| {
                    StubEffects::new(&one.effects, layout)
                }),
                results: outside.map_or(Vec::new(), |one| one.results.iter().map(place).collect()),
                given: outside.map_or(Vec::new(), |one| {
                    one.given.iter().map(|given| given.iter().map(place).collect()).collect()
                }),
            }
        });
        stub.collect()
    }
}

impl Engine<'_> {
    /// Executes a call that a stub makes to the harness: records the arguments, and copies the result of this call.
    pub(crate) fn call_stub(
        &mut self,
        at: AccessSite,
        shared: &mut SharedState,
        values: &[Term],
    ) -> Path<Vec<Term>> {
        let &[id, count, given, _, result] = values else {
            return self.cut(at, shared, NotFollowed::StubArguments);
        };
        let id = self.terms.as_constant(id).map_or(usize::MAX, |id| id as usize);
        let count = self.terms.as_constant(count).unwrap_or(0) as usize;
        let Some(stub) = self.outside.get(id).cloned().filter(|stub| stub.known) else {
            let name = self.outside.get(id).map_or("", |stub| &stub.name);
            let reason = NotFollowed::UndefinedCall(name.to_owned());
            return self.cut(at, shared, reason);
        };
        let calls = shared.calls[id];
        let pointers = self.given_pointers(at, shared, &stub, given)?;
        for (call, kept) in stub.given.iter().enumerate() {
            let number = self.terms.constant(call as u128, 32);
            let when = self.terms.equal(calls, number);
            if self.terms.as_constant(when) == Some(0) {
                continue;
            }
            for (index, place) in kept.iter().enumerate().take(count) {
                let pointer = self.moved(given, 8 * index as u64);
                let always = self.terms.bit(true);
                let pointer = self.load(at, shared, pointer, 8, always)?;
                let target = self.terms.constant(place.0.0.into(), 64);
                let source = MemoryRange { pointer, size: place.1 };
                self.copy_when(at, shared, target, source, when)?;
            }
        }
        // Who asks about callbacks has written before.
        if stub.allocates {
            // One that fails may say why.
            self.loosen_errno(&mut shared.memory);
        }
        if !stub.allocates && !is_callback(&stub.symbol) {
            let reach = self.reach_of_stub(shared, &stub, &pointers);
            self.apply_effects(at, shared, &stub.effects, calls, given)?;
            self.let_stub_write(at, shared, &stub, reach);
        }
        for (call, (address, size)) in stub.results.iter().enumerate() {
            let number = self.terms.constant(call as u128, 32);
            let when = if call + 1 == stub.results.len() {
                self.terms.at_most(number, calls)
            } else {
                self.terms.equal(calls, number)
            };
            if self.terms.as_constant(when) != Some(0) {
                let pointer = self.terms.constant(address.0.into(), 64);
                let source = MemoryRange { pointer, size: *size };
                self.copy_when(at, shared, result, source, when)?;
            }
        }
        if let Some((_, size)) = stub.results.last() {
            let most = stub.results.len() as u64;
            let repeats = self.repeats(calls, most);
            let bound =
                if stub.allocates { Bound::SuccessfulAllocation } else { Bound::StubResults(most) };
            let result = MemoryRange { pointer: result, size: *size };
            self.loosen_repeated(at, shared, result, repeats, &bound)?;
        }
        let one = self.terms.constant(1, 32);
        shared.calls[id] = self.terms.binary(BinaryOp::Add, calls, one);
        Some(Vec::new())
    }

    /// Has it been asked more often than there are values?
    pub(crate) fn repeats(&mut self, count: Term, most: u64) -> Term {
        let last = self.terms.constant(most.into(), 32);
        self.terms.at_most(last, count)
    }

    /// Beyond the bound on values of their own, what repeats the last value is unconstrained instead.
    pub(crate) fn loosen_repeated(
        &mut self,
        at: AccessSite,
        shared: &mut SharedState,
        result: MemoryRange,
        repeats: Term,
        bound: &Bound,
    ) -> Path<()> {
        if self.terms.as_constant(repeats) == Some(0) {
            return Some(());
        }
        for start in (0..result.size).step_by(8) {
            let pointer = self.moved(result.pointer, start);
            let bytes = MemoryRange { pointer, size: (result.size - start).min(8) };
            let held = self.load_as(ReadKind::Volatile, at, shared, bytes, repeats)?;
            let word = self.within(bound, held);
            self.store(at, shared, pointer, word, repeats)?;
        }
        Some(())
    }

    /// Copies bytes where `when` holds.
    pub(crate) fn copy_when(
        &mut self,
        at: AccessSite,
        shared: &mut SharedState,
        to: Term,
        from: MemoryRange,
        when: Term,
    ) -> Path<()> {
        for start in (0..from.size).step_by(8) {
            let pointer = self.moved(from.pointer, start);
            let bytes = MemoryRange { pointer, size: (from.size - start).min(8) };
            let part = self.load_as(ReadKind::Volatile, at, shared, bytes, when)?;
            let target = self.moved(to, start);
            self.store(at, shared, target, part, when)?;
        }
        Some(())
    }
}
