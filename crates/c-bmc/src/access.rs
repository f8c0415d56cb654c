//! Loads and stores through symbolic pointers, which may have several targets.

use std::rc::Rc;

use obligato_model::{Bound, NotFollowed};
use obligato_term::{BinaryOp, Term, Terms};

use crate::bounds::{Aliasable, ReadPlace};
use crate::bytes::Bytes;
use crate::engine::{Engine, Path};
use crate::memory::Kind;
use crate::pointer::grid;
use crate::state::{Frame, SharedState};
use crate::volatile::ReadKind;

mod valid_targets;

use valid_targets::Access;

/// The operation that makes an access, and the call it runs in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AccessSite {
    pub(crate) frame: Frame,
    pub(crate) operation: u32,
}

/// So many bytes from a pointer on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MemoryRange {
    pub(crate) pointer: Term,
    pub(crate) size: u64,
}

impl Engine<'_> {
    /// Reads a word of at most eight bytes. Where `when` does not hold, it is unconstrained.
    pub(crate) fn load(
        &mut self,
        at: AccessSite,
        shared: &mut SharedState,
        pointer: Term,
        size: u64,
        when: Term,
    ) -> Path<Term> {
        self.load_as(ReadKind::Plain, at, shared, MemoryRange { pointer, size }, when)
    }

    /// The same, for who says how `volatile` objects are read.
    pub(crate) fn load_as(
        &mut self,
        reading: ReadKind,
        at: AccessSite,
        shared: &mut SharedState,
        bytes: MemoryRange,
        when: Term,
    ) -> Path<Term> {
        let size = bytes.size;
        let places = self.valid_targets(at, shared, bytes, Access::Read, when)?;
        let mut result: Option<Term> = None;
        for target in places.targets {
            let Some(object) = shared.memory.get(target.object) else { continue };
            let bytes = object.bytes.clone();
            let Some(value) = self.read(&bytes, target.offset, size as usize) else {
                return self.cut(at, shared, NotFollowed::SymbolicOffset);
            };
            let value = self.loosen_part_of_address(&bytes, target.offset, size, value);
            let mut value = self.loosened(shared, target.object, target.offset, value);
            if reading == ReadKind::Plain {
                value = self.read_unnoticed(target.object, value);
            }
            result = Some(match result {
                None => value,
                Some(others) => self.terms.choose(target.when, value, others),
            });
        }
        let zero = self.terms.constant(0, 8 * size as u8);
        let result = result.unwrap_or(zero);
        if self.terms.as_constant(places.beyond) == Some(0) {
            return Some(result);
        }
        let anything = self.unknown_word(8 * size as u8);
        Some(self.terms.choose(places.beyond, anything, result))
    }

    /// May a pointer beyond a bound point to the object? A caller knows globals and what it passes, but no local variable.
    fn is_known_to_callers(&self, shared: &SharedState, object: u32) -> bool {
        let is_constant =
            || shared.memory.get(object).is_none_or(|object| object.kind == Kind::Constant);
        let is_global = self.bounds.known_globals.contains(&object);
        (is_global || self.bounds.aliasable.contains_key(&object)) && !is_constant()
    }

    /// May a write through another pointer have changed the object, if a caller lets them overlap?
    fn may_be_aliased(&self, shared: &SharedState, object: u32) -> bool {
        let aliasable = &self.bounds.aliasable;
        let Some(kind) = aliasable.get(&object) else { return false };
        let is_pointed = |kind: &Aliasable| *kind == Aliasable::Pointed;
        let mut others = shared.written.iter().filter(|other| **other != object);
        others.any(|other| is_pointed(kind) || aliasable.get(other).is_some_and(is_pointed))
    }

    /// What an object holds at an offset, where the formula says so; beyond the bounds that matter to the object, anything.
    pub(crate) fn loosened(
        &mut self,
        shared: &SharedState,
        object: u32,
        offset: Term,
        held: Term,
    ) -> Term {
        let (width, version) = (self.terms.width(held), shared.memory.version());
        let place = ReadPlace { object, offset, width, version };
        let mut value = held;
        if let Some(bound) = self.bounds.unset.get(&object).cloned() {
            value = self.within_at(&bound, value, place);
        }
        value = self.loosen_class(place, value);
        if self.may_be_aliased(shared, object) {
            value = self.within_at(&Bound::NoAliasing, value, place);
        }
        if self.is_known_to_callers(shared, object) {
            for bound in Rc::clone(&shared.wild_writes).iter() {
                value = self.within_at(bound, value, place);
            }
        }
        value
    }

    pub(crate) fn read(&mut self, bytes: &Bytes, offset: Term, count: usize) -> Option<Term> {
        let places = self.offsets(bytes, offset, count)?;
        let highest = places.last().copied().unwrap_or(0);
        let bits = usize::BITS - highest.leading_zeros();
        Some(select(&mut self.terms, bytes, offset, &places, bits, count))
    }

    /// The candidates of a symbolic offset into an object; `None` if they are more than the limit.
    pub(crate) fn offsets(&self, bytes: &Bytes, offset: Term, count: usize) -> Option<Vec<usize>> {
        let last = bytes.len() - count;
        let grid = grid(&self.terms, offset);
        if grid.step == 0 {
            return Some(vec![(grid.start as usize).min(last)]);
        }
        let start = (grid.start.cast_signed()).rem_euclid(grid.step.cast_signed()) as usize;
        let step = usize::try_from(grid.step).ok()?;
        if last.saturating_sub(start) / step >= self.limits.offsets {
            return None;
        }
        let places: Vec<usize> = (start..=last).step_by(step).collect();
        Some(if places.is_empty() { vec![0] } else { places })
    }

    /// Writes a word of whole bytes where `when` holds.
    pub(crate) fn store(
        &mut self,
        at: AccessSite,
        shared: &mut SharedState,
        pointer: Term,
        value: Term,
        when: Term,
    ) -> Path<()> {
        let size = u64::from(self.terms.width(value) / 8);
        let bytes = MemoryRange { pointer, size };
        let valid = self.valid_targets(at, shared, bytes, Access::Write, when)?;
        let described = self.terms.not(valid.beyond);
        let when = self.terms.and(when, described);
        let places = valid.targets;
        let alone = places.len() == 1;
        for target in places {
            let here = if alone { when } else { self.terms.and(when, target.when) };
            let Some(object) = shared.memory.get(target.object) else { continue };
            let Some(offsets) = self.offsets(&object.bytes, target.offset, size as usize) else {
                return self.cut(at, shared, NotFollowed::SymbolicOffset);
            };
            if self.bounds.aliasable.contains_key(&target.object) {
                shared.note_write(target.object);
            }
            let terms = &mut self.terms;
            let Some(object) = shared.memory.get_mut(target.object) else { continue };
            let bytes = &mut object.bytes;
            let constant = terms.as_constant(target.offset).is_some();
            let highest = offsets.last().copied().unwrap_or(0);
            let bits = (usize::BITS - highest.leading_zeros()).max(1) as u8;
            for offset in offsets {
                let hit = if constant {
                    here
                } else {
                    let low = terms.extract(target.offset, 0, bits);
                    let this = terms.constant(offset as u128, bits);
                    let equal = terms.equal(low, this);
                    terms.and(here, equal)
                };
                if terms.as_constant(hit) == Some(0) {
                    continue;
                }
                let old = bytes.load(terms, offset, size as usize);
                let new = terms.choose(hit, value, old);
                bytes.store(terms, offset, new);
            }
        }
        Some(())
    }

    /// Copies `size` bytes; the stretches may overlap.
    pub(crate) fn copy(
        &mut self,
        at: AccessSite,
        shared: &mut SharedState,
        to: Term,
        from: Term,
        size: u64,
    ) -> Path<()> {
        if size == 0 {
            return Some(());
        }
        let always = self.terms.bit(true);
        let source = MemoryRange { pointer: from, size };
        let target = MemoryRange { pointer: to, size };
        let sources = self.valid_targets(at, shared, source, Access::Read, always)?;
        let targets = self.valid_targets(at, shared, target, Access::Write, always)?;
        let inside = self.terms.or(sources.beyond, targets.beyond);
        if let (&[source], &[target]) = (sources.targets.as_slice(), targets.targets.as_slice())
            && self.terms.as_constant(inside) == Some(0)
            && let (Some(from), Some(to)) =
                (self.terms.as_constant(source.offset), self.terms.as_constant(target.offset))
            && !self.bounds.unset.contains_key(&source.object)
            && !self.volatile.has(source.object)
            && !self.may_be_aliased(shared, source.object)
            && (shared.wild_writes.is_empty() || !self.is_known_to_callers(shared, source.object))
        {
            if self.bounds.aliasable.contains_key(&target.object) {
                shared.note_write(target.object);
            }
            let Some(bytes) = shared.memory.get(source.object).map(|object| object.bytes.clone())
            else {
                return Some(());
            };
            if let Some(object) = shared.memory.get_mut(target.object) {
                object.bytes.copy_from(&bytes, from as usize, to as usize, size as usize);
            }
            return Some(());
        }
        let mut parts = Vec::new();
        for start in (0..size).step_by(8) {
            let pointer = self.moved(from, start);
            parts.push(self.load(at, shared, pointer, (size - start).min(8), always)?);
        }
        for (index, part) in parts.into_iter().enumerate() {
            let pointer = self.moved(to, 8 * index as u64);
            self.store(at, shared, pointer, part, always)?;
        }
        Some(())
    }

    /// A pointer `by` bytes further.
    pub(crate) fn moved(&mut self, pointer: Term, by: u64) -> Term {
        let by = self.terms.constant(by.into(), 64);
        self.terms.binary(BinaryOp::Add, pointer, by)
    }
}

/// The word at a symbolic offset: a binary tree of ites over the bits of the offset, from the highest on.
fn select(
    terms: &mut Terms,
    bytes: &Bytes,
    offset: Term,
    places: &[usize],
    bits: u32,
    count: usize,
) -> Term {
    if let &[only] = places {
        return bytes.load(terms, only, count);
    }
    let Some(bit) = bits.checked_sub(1) else { return bytes.load(terms, places[0], count) };
    let half = places.partition_point(|place| place >> bit & 1 == 0);
    let (low, high) = places.split_at(half);
    if low.is_empty() || high.is_empty() {
        return select(terms, bytes, offset, places, bit, count);
    }
    let one = select(terms, bytes, offset, high, bit, count);
    let zero = select(terms, bytes, offset, low, bit, count);
    let test = terms.extract(offset, bit as u8, 1);
    terms.choose(test, one, zero)
}
