//! Calls of functions that are defined nowhere: their results are inputs, call by call.

use obligato_bytecode::Address;
use obligato_c_unit::Layout;
use obligato_c_unit::driver::Driver;
use obligato_c_unit::interface::{Interface, ObjectIndex};
use obligato_term::{BinaryOp, Term};

use crate::access::At;
use crate::engine::{Engine, Path};
use crate::state::World;

/// Where the results of a function outside are, and where what it is given is kept.
#[derive(Clone, Debug)]
pub(crate) struct Answers {
    name: String,
    /// Is it part of the interface at all?
    known: bool,
    /// Per call, address and size.
    results: Vec<(Address, u64)>,
    /// Per call and parameter, address and size.
    given: Vec<Vec<(Address, u64)>>,
}

impl Answers {
    /// Of all functions that a driver stands in for.
    pub(crate) fn all(driver: &Driver, interface: &Interface, layout: &Layout) -> Vec<Self> {
        let place =
            |ObjectIndex(at): &ObjectIndex| (layout.objects[*at], interface.objects[*at].size);
        let answers = driver.outside.iter().map(|callable| {
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
        answers.collect()
    }
}

impl Engine<'_> {
    /// What the stand-in of such a function asks for.
    pub(crate) fn answer(&mut self, at: At, world: &mut World, values: &[Term]) -> Path<Vec<Term>> {
        let &[id, count, given, _, result] = values else {
            return self.cut(at.0, at.1, world, "a call outside with other arguments");
        };
        let id = self.terms.as_constant(id).map_or(usize::MAX, |id| id as usize);
        let count = self.terms.as_constant(count).unwrap_or(0) as usize;
        let Some(answers) = self.outside.get(id).cloned().filter(|answers| answers.known) else {
            let name = self.outside.get(id).map_or("", |answers| &answers.name);
            let reason = format!("a call of '{name}', which is defined nowhere");
            return self.cut(at.0, at.1, world, reason);
        };
        let calls = world.calls[id];
        for (call, kept) in answers.given.iter().enumerate() {
            let number = self.terms.constant(call as u128, 32);
            let when = self.terms.equal(calls, number);
            if self.terms.as_constant(when) == Some(0) {
                continue;
            }
            for (index, place) in kept.iter().enumerate().take(count) {
                let pointer = self.moved(given, 8 * index as u64);
                let always = self.terms.bit(true);
                let pointer = self.load(at, world, pointer, 8, always)?;
                let target = self.terms.constant(place.0.0.into(), 64);
                self.copy_when(at, world, target, pointer, place.1, when)?;
            }
        }
        for (call, (address, size)) in answers.results.iter().enumerate() {
            let number = self.terms.constant(call as u128, 32);
            let when = if call + 1 == answers.results.len() {
                self.terms.at_most(number, calls)
            } else {
                self.terms.equal(calls, number)
            };
            if self.terms.as_constant(when) != Some(0) {
                let source = self.terms.constant(address.0.into(), 64);
                self.copy_when(at, world, result, source, *size, when)?;
            }
        }
        let one = self.terms.constant(1, 32);
        world.calls[id] = self.terms.binary(BinaryOp::Add, calls, one);
        Some(Vec::new())
    }

    /// Copies so many bytes where a bit holds.
    fn copy_when(
        &mut self,
        at: At,
        world: &mut World,
        to: Term,
        from: Term,
        size: u64,
        when: Term,
    ) -> Path<()> {
        for start in (0..size).step_by(8) {
            let source = self.moved(from, start);
            let part = self.load(at, world, source, (size - start).min(8), when)?;
            let target = self.moved(to, start);
            self.store(at, world, target, part, when)?;
        }
        Some(())
    }
}
