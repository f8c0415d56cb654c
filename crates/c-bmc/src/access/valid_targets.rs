//! The valid targets of a symbolic pointer: those in bounds of a living object, and what an access beyond a bound means.

use obligato_model::{Bound, NotFollowed};
use obligato_term::{BinaryOp, Term};

use crate::access::{AccessSite, MemoryRange};
use crate::engine::{Engine, Path};
use crate::memory::Kind;
use crate::pointer::Target;
use crate::state::SharedState;

/// The targets of an access that are valid, and the bit that it goes beyond a bound, where it may read anything.
pub(super) struct Valid {
    pub(super) targets: Vec<Target>,
    pub(super) beyond: Term,
}

/// What an access does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    Read,
    Write,
}

/// Addresses below are null pointers with an offset: no object lies there on any machine we know.
const NULL_PAGE: u64 = 4096;

/// An unconstrained pointer is compared with at most so many objects.
const MOST_OBJECTS: usize = 200;

impl Engine<'_> {
    /// The targets of a pointer that have all the bytes. Inputs for which the condition holds and none is valid end with a runtime error.
    pub(super) fn valid_targets(
        &mut self,
        at: AccessSite,
        shared: &mut SharedState,
        MemoryRange { pointer, size }: MemoryRange,
        access: Access,
        condition: Term,
    ) -> Path<Valid> {
        let last = self.next_object - 1;
        let known = self.pointers.targets(&mut self.terms, pointer, last);
        let is_known = known.is_some();
        let targets = match known {
            Some(targets) => targets.to_vec(),
            None if shared.memory.len() <= MOST_OBJECTS => self.any_object(shared, pointer),
            None => {
                let reason = NotFollowed::UnconstrainedAccess;
                return self.cut(at, shared, reason);
            }
        };
        let mut valid = Vec::with_capacity(targets.len());
        let mut any = self.terms.bit(false);
        let mut beyond = self.terms.bit(false);
        for target in targets {
            if let Some((bound, when)) = self.bound_beyond(shared, pointer, &target, size) {
                let when = self.terms.and(when, target.when);
                let when = self.terms.and(when, condition);
                let gone = self.gone_beyond(at, shared, &bound, when);
                beyond = self.terms.or(beyond, gone);
                if access == Access::Write && self.terms.as_constant(gone) != Some(0) {
                    self.note_write_beyond(shared, target.object, &bound);
                }
            }
            let Some(object) = shared.memory.get(target.object) else { continue };
            let last = (object.bytes.len() as u64).checked_sub(size);
            let (Some(last), false) =
                (last, access == Access::Write && object.kind == Kind::Constant)
            else {
                continue;
            };
            if shared.guard.knows(&self.terms, target.when) == Some(false) {
                continue;
            }
            let last = self.terms.constant(last.into(), 64);
            let inside = self.terms.at_most(target.offset, last);
            let inside = self.terms.and(inside, object.alive);
            let valid_here = self.terms.and(target.when, inside);
            if self.terms.as_constant(valid_here) != Some(0) {
                any = self.terms.or(any, valid_here);
                valid.push(target);
            }
        }
        let none = self.terms.not(any);
        let mut bad = self.terms.and(condition, none);
        if !is_known {
            let gone = self.gone_beyond(at, shared, &Bound::AddressLayout, bad);
            beyond = self.terms.or(beyond, gone);
            if access == Access::Write && self.terms.as_constant(gone) != Some(0) {
                shared.note_wild_write(&Bound::AddressLayout);
            }
        }
        let described = self.terms.not(beyond);
        bad = self.terms.and(bad, described);
        let what = match access {
            Access::Write => "write outside of every object",
            Access::Read => "read outside of every object",
        };
        self.runtime_error(at, shared, what, bad)?;
        Some(Valid { targets: valid, beyond })
    }

    /// The inputs that go on beyond a bound where an access is valid there. In a loop none do: the path is cut, so that
    /// the formula does not grow with iterations that no test makes.
    fn gone_beyond(
        &mut self,
        at: AccessSite,
        shared: &SharedState,
        bound: &Bound,
        when: Term,
    ) -> Term {
        if self.terms.as_constant(when) == Some(0) {
            return when;
        }
        if at.frame.in_loop {
            self.beyond(at, shared, bound.clone(), when);
            return self.terms.bit(false);
        }
        let literal = self.bounds.literal(&mut self.terms, bound);
        let outside = self.terms.not(literal);
        self.terms.and(outside, when)
    }

    /// Notes a write beyond a bound: behind the end of an object of the test, or through a pointer that may point to any object
    /// that a caller knows. No C object lies at a fixed address.
    fn note_write_beyond(&mut self, shared: &mut SharedState, object: u32, bound: &Bound) {
        if self.bounds.beyond(object).is_some() {
            shared.note_wild_write(bound);
        } else if self.bounds.aliasable.contains_key(&object) {
            shared.note_write(object);
        }
    }

    /// If an access to a target may be valid beyond a bound: the bound, and the bit that it is.
    fn bound_beyond(
        &mut self,
        shared: &SharedState,
        pointer: Term,
        target: &Target,
        size: u64,
    ) -> Option<(Bound, Term)> {
        if let Some(bound) = self.bounds.beyond(target.object) {
            return Some((bound.clone(), self.terms.bit(true)));
        }
        if target.object == 0 {
            // A fixed address, such as that of a register: no object of the test lies there.
            let page = self.terms.constant(NULL_PAGE.into(), 64);
            let far = self.terms.at_most(page, pointer);
            return Some((Bound::AddressLayout, far));
        }
        let bound = self.bounds.extents.get(&target.object)?.clone();
        let object = shared.memory.get(target.object)?;
        let (length, alive) = (object.bytes.len() as u64, object.alive);
        let outside = match length.checked_sub(size) {
            Some(last) => {
                let last = self.terms.constant(last.into(), 64);
                let inside = self.terms.at_most(target.offset, last);
                self.terms.not(inside)
            }
            None => self.terms.bit(true),
        };
        Some((bound, self.terms.and(outside, alive)))
    }

    /// Every object, as targets of an unconstrained pointer.
    fn any_object(&mut self, shared: &SharedState, pointer: Term) -> Vec<Target> {
        let number = self.terms.extract(pointer, 32, 32);
        let low = self.terms.extract(pointer, 0, 32);
        let low = self.terms.zero_extend(low, 64);
        let base = self.terms.constant(obligato_bytecode::Address::BASE.into(), 64);
        let offset = self.terms.binary(BinaryOp::Subtract, low, base);
        let numbers: Vec<u32> = shared.memory.numbers().collect();
        let target = |object: u32| {
            let this = self.terms.constant(object.into(), 32);
            Target { object, when: self.terms.equal(number, this), offset }
        };
        numbers.into_iter().map(target).collect()
    }
}
