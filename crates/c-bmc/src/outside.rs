//! Stubs of functions without a definition: their results are inputs, call by call.

use obligato_bytecode::Address;
use obligato_c_unit::Layout;
use obligato_c_unit::driver::Driver;
use obligato_c_unit::interface::{Interface, ObjectIndex};
use obligato_term::{BinaryOp, Term};

use crate::access::AccessSite;
use crate::engine::{Engine, Path};
use crate::state::SharedState;

/// The memory of a stub: the results of its calls, and copies of their arguments.
#[derive(Clone, Debug)]
pub(crate) struct StubResults {
    name: String,
    /// Is it part of the interface at all?
    known: bool,
    /// Per call, address and size.
    results: Vec<(Address, u64)>,
    /// Per call and parameter, address and size.
    given: Vec<Vec<(Address, u64)>>,
}

impl StubResults {
    /// Those of all functions that a driver stubs.
    pub(crate) fn all(driver: &Driver, interface: &Interface, layout: &Layout) -> Vec<Self> {
        let place =
            |ObjectIndex(at): &ObjectIndex| (layout.objects[*at], interface.objects[*at].size);
        let stub = driver.outside.iter().map(|callable| {
            let outside = interface.outside.iter().find(|one| one.name == callable.name);
            Self {
                name: callable.name.clone(),
                known: outside.is_some(),
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
            return self.cut(at.frame, at.operation, shared, "a call outside with other arguments");
        };
        let id = self.terms.as_constant(id).map_or(usize::MAX, |id| id as usize);
        let count = self.terms.as_constant(count).unwrap_or(0) as usize;
        let Some(stub) = self.outside.get(id).cloned().filter(|stub| stub.known) else {
            let name = self.outside.get(id).map_or("", |stub| &stub.name);
            let reason = format!("a call of '{name}', which is defined nowhere");
            return self.cut(at.frame, at.operation, shared, reason);
        };
        let calls = shared.calls[id];
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
                self.copy_when(at, shared, target, pointer, place.1, when)?;
            }
        }
        for (call, (address, size)) in stub.results.iter().enumerate() {
            let number = self.terms.constant(call as u128, 32);
            let when = if call + 1 == stub.results.len() {
                self.terms.at_most(number, calls)
            } else {
                self.terms.equal(calls, number)
            };
            if self.terms.as_constant(when) != Some(0) {
                let source = self.terms.constant(address.0.into(), 64);
                self.copy_when(at, shared, result, source, *size, when)?;
            }
        }
        let one = self.terms.constant(1, 32);
        shared.calls[id] = self.terms.binary(BinaryOp::Add, calls, one);
        Some(Vec::new())
    }

    /// Copies `size` bytes where `when` holds.
    fn copy_when(
        &mut self,
        at: AccessSite,
        shared: &mut SharedState,
        to: Term,
        from: Term,
        size: u64,
        when: Term,
    ) -> Path<()> {
        for start in (0..size).step_by(8) {
            let source = self.moved(from, start);
            let part = self.load(at, shared, source, (size - start).min(8), when)?;
            let target = self.moved(to, start);
            self.store(at, shared, target, part, when)?;
        }
        Some(())
    }
}
