//! `volatile` accesses: each read of a step takes its value from an input of its own, and each write goes to an output of its
//! own. Beyond the bound on such reads, a read gives anything.

use std::collections::BTreeMap;

use obligato_bytecode::Address;
use obligato_c_unit::interface::{Interface, ObjectIndex, VolatileStretch};
use obligato_c_unit::{Layout, Settings};
use obligato_model::verdict::Names;
use obligato_model::{Bound, NotFollowed};
use obligato_term::{BinaryOp, Term};

use crate::access::{AccessSite, MemoryRange};
use crate::engine::{Engine, Path};
use crate::pointer::Target;
use crate::state::SharedState;

/// The `volatile` stretches of the objects of a function.
#[derive(Clone, Debug, Default)]
pub(crate) struct VolatileMemory {
    stretches: Vec<Stretch>,
    /// The names of the objects of the interface, by their numbers.
    names: BTreeMap<u32, String>,
    /// Of which objects so many cells are inputs that there may be more, and the bound on them.
    cut_short: BTreeMap<u32, Bound>,
    /// Which `volatile` objects are plain memory, because a person says so.
    settings: Settings,
    /// The counter of the first stretch among those of the stubs: of its reads, and behind it of its writes.
    first: usize,
}

/// A stretch of an object, with the objects of its reads and writes.
#[derive(Clone, Debug)]
struct Stretch {
    name: String,
    /// The number of the object, and its address.
    object: u32,
    start: Address,
    /// The size of the object.
    extent: u64,
    offset: u64,
    size: u64,
    reads: Vec<Address>,
    writes: Vec<Address>,
}

/// How memory is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReadKind {
    /// Through `volatile`, or on behalf of the environment: what it gives is known.
    Volatile,
    /// In another way.
    Plain,
}

/// What is done with memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum VolatileAccess {
    /// It is about to be read.
    Read,
    /// It has been written.
    Written,
}

/// An access through one target of its pointer.
#[derive(Clone, Copy)]
struct StretchAccess<'a> {
    access: VolatileAccess,
    target: &'a Target,
    size: u64,
}

impl VolatileMemory {
    /// For a function; the counters of its stubs come before those of its stretches.
    pub(crate) fn new(
        interface: &Interface,
        layout: &Layout,
        settings: &Settings,
        stubs: usize,
    ) -> Self {
        let address = |object: &ObjectIndex| layout.objects[object.0];
        let stretch = |one: &VolatileStretch| Stretch {
            name: one.name.clone(),
            object: address(&one.object).object().0,
            start: address(&one.object),
            extent: interface.objects[one.object.0].size,
            offset: one.offset,
            size: one.size,
            reads: one.reads.iter().map(address).collect(),
            writes: one.writes.iter().map(address).collect(),
        };
        let stretches: Vec<Stretch> = interface.volatile.iter().map(stretch).collect();
        let cut_short = cut_short(&stretches, interface.array);
        let objects = interface.objects.iter().zip(&layout.objects);
        let names = objects.map(|(object, at)| (at.object().0, object.name.clone())).collect();
        Self { stretches, names, cut_short, settings: settings.clone(), first: stubs }
    }

    /// How many counters there are, those of the stubs included.
    pub(crate) fn counters(&self) -> usize {
        self.first + 2 * self.stretches.len()
    }

    /// May the environment change parts of an object?
    pub(crate) fn has(&self, object: u32) -> bool {
        self.stretches.iter().any(|one| one.object == object)
    }

    /// Do reads of these bytes of an object all have inputs? A symbolic offset may lead to any byte of it.
    fn covers(&self, object: u32, offset: Option<u64>, size: u64) -> bool {
        let own =
            || self.stretches.iter().filter(|one| one.object == object && !one.reads.is_empty());
        let Some(extent) = own().next().map(|one| one.extent) else { return false };
        let (mut at, end) = match offset {
            Some(first) => (first, first.saturating_add(size)),
            None => (0, extent),
        };
        for stretch in own() {
            if stretch.offset <= at && at < stretch.offset + stretch.size {
                at = stretch.offset + stretch.size;
            }
        }
        at >= end
    }
}

/// The objects of which as many cells are read as of an array are inputs.
fn cut_short(stretches: &[Stretch], array: u64) -> BTreeMap<u32, Bound> {
    let mut cells: BTreeMap<u32, u64> = BTreeMap::new();
    for stretch in stretches.iter().filter(|one| !one.reads.is_empty()) {
        *cells.entry(stretch.object).or_default() += 1;
    }
    let many = cells.into_iter().filter(|(_, count)| *count >= array);
    many.map(|(object, _)| (object, Bound::ArrayCells(array))).collect()
}

impl Engine<'_> {
    /// Follows a `volatile` access to a constant number of bytes.
    pub(crate) fn follow_volatile(
        &mut self,
        at: AccessSite,
        shared: &mut SharedState,
        access: VolatileAccess,
        values: &[Term],
    ) -> Path<Vec<Term>> {
        let &[pointer, size] = values else {
            return self.cut(at, shared, NotFollowed::VolatileArguments);
        };
        let Some(size) = self.terms.as_constant(size) else {
            let reason = NotFollowed::SymbolicVolatileSize;
            return self.cut(at, shared, reason);
        };
        let last = self.next_object - 1;
        let Some(targets) = self.pointers.targets(&mut self.terms, pointer, last) else {
            return Some(Vec::new());
        };
        for target in targets.iter() {
            for index in 0..self.volatile.stretches.len() {
                if self.volatile.stretches[index].object == target.object {
                    let touch = StretchAccess { access, target, size: size as u64 };
                    self.touch_stretch(at, shared, index, touch)?;
                }
            }
        }
        Some(Vec::new())
    }

    /// Follows an access through one target to one stretch.
    fn touch_stretch(
        &mut self,
        at: AccessSite,
        shared: &mut SharedState,
        index: usize,
        StretchAccess { access, target, size }: StretchAccess<'_>,
    ) -> Path<()> {
        let stretch = self.volatile.stretches[index].clone();
        let (start, end) = (stretch.offset, stretch.offset + stretch.size);
        let (bytes, when) = if let Some(offset) = self.terms.as_constant(target.offset) {
            let offset = offset as u64;
            let first = start.max(offset);
            (first..end.min(offset.saturating_add(size)).max(first), target.when)
        } else {
            let place = self.terms.constant(start.into(), 64);
            let here = self.terms.equal(target.offset, place);
            let exact = self.terms.and(here, target.when);
            self.cut_partial(at, shared, &stretch, target, size);
            let covered = if size >= stretch.size { start..end } else { start..start + size };
            (covered, exact)
        };
        if bytes.is_empty() || self.terms.as_constant(when) == Some(0) {
            return Some(());
        }
        let counter =
            self.volatile.first + 2 * index + usize::from(access == VolatileAccess::Written);
        let count = shared.calls[counter];
        let there = self.terms.constant(stretch.start.advanced(bytes.start).0.into(), 64);
        let own = match access {
            VolatileAccess::Read => &stretch.reads,
            VolatileAccess::Written => &stretch.writes,
        };
        let length = bytes.end - bytes.start;
        for (number, address) in own.iter().enumerate() {
            let this = self.terms.constant(number as u128, 32);
            let repeats = access == VolatileAccess::Read && number + 1 == own.len();
            let turn = if repeats {
                self.terms.at_most(this, count)
            } else {
                self.terms.equal(count, this)
            };
            let turn = self.terms.and(turn, when);
            if self.terms.as_constant(turn) == Some(0) {
                continue;
            }
            let own = address.advanced(bytes.start - start).0;
            let own = self.terms.constant(own.into(), 64);
            let (to, from) = match access {
                VolatileAccess::Read => (there, own),
                VolatileAccess::Written => (own, there),
            };
            let from = MemoryRange { pointer: from, size: length };
            self.copy_when(at, shared, to, from, turn)?;
        }
        if access == VolatileAccess::Read && !own.is_empty() {
            let most = own.len() as u64;
            let repeats = self.repeats(count, most);
            let repeats = self.terms.and(repeats, when);
            let bound = Bound::VolatileReads(most);
            let read = MemoryRange { pointer: there, size: length };
            self.loosen_repeated(at, shared, read, repeats, &bound)?;
        }
        let more = self.terms.zero_extend(when, 32);
        shared.calls[counter] = self.terms.binary(BinaryOp::Add, count, more);
        Some(())
    }

    /// An access at a symbolic offset that touches a stretch elsewhere than at its start is not described.
    fn cut_partial(
        &mut self,
        at: AccessSite,
        shared: &SharedState,
        stretch: &Stretch,
        target: &Target,
        size: u64,
    ) {
        let Some(bound) = Names::new([stretch.name.as_str()]).map(Bound::VolatileMemory) else {
            return;
        };
        let place = self.terms.constant(stretch.offset.into(), 64);
        let end = self.terms.constant((stretch.offset + stretch.size).into(), 64);
        let here = self.terms.equal(target.offset, place);
        let elsewhere = self.terms.not(here);
        let length = self.terms.constant(size.into(), 64);
        let last = self.terms.binary(BinaryOp::Add, target.offset, length);
        let before_end = self.terms.binary(BinaryOp::LessUnsigned, target.offset, end);
        let behind_start = self.terms.binary(BinaryOp::LessUnsigned, place, last);
        let overlaps = self.terms.and(before_end, behind_start);
        let partial = self.terms.and(overlaps, elsewhere);
        let partial = self.terms.and(partial, target.when);
        self.beyond(at, shared, bound, partial);
    }

    /// What is read of an object past the `volatile` that its declaration says, as by `memcpy`: no read that has an input of its own. Of
    /// what the environment may change it gives anything.
    pub(crate) fn read_unnoticed(&mut self, object: u32, word: Term) -> Term {
        let stretches = self.volatile.stretches.iter().filter(|one| one.object == object);
        let names: Vec<&str> = stretches.map(|one| one.name.as_str()).collect();
        match Names::new(names) {
            Some(names) => self.within(&Bound::VolatileMemory(names), word),
            None => word,
        }
    }

    /// What a `volatile` object holds when it is read: where reads have no inputs, something may have changed it.
    pub(crate) fn reread(&mut self, pointer: Term, word: Term) -> Term {
        let last = self.next_object - 1;
        let size = u64::from(self.terms.width(word) / 8);
        let targets = self.pointers.targets(&mut self.terms, pointer, last);
        let Some(targets) = targets else {
            let bound = Names::new(["*"]).map(Bound::VolatileMemory);
            return bound.map_or(word, |bound| self.within(&bound, word));
        };
        let mut open = Vec::new();
        let mut word = word;
        for target in targets.iter() {
            let offset = self.terms.as_constant(target.offset).map(|offset| offset as u64);
            if self.bounds.beyond(target.object).is_some()
                || self.volatile.covers(target.object, offset, size)
            {
                continue;
            }
            if let Some(bound) = self.volatile.cut_short.get(&target.object).cloned() {
                word = self.within(&bound, word);
                continue;
            }
            let index = (target.object as usize).checked_sub(1);
            let global = || Some(&self.module.globals.get(index?)?.name);
            let name = self.volatile.names.get(&target.object).or_else(global);
            let name = name.map_or("*", String::as_str);
            if !self.volatile.settings.is_plain_memory(name) {
                open.push(name.to_owned());
            }
        }
        match Names::new(open.iter().map(String::as_str)) {
            Some(names) => self.within(&Bound::VolatileMemory(names), word),
            None => word,
        }
    }
}
