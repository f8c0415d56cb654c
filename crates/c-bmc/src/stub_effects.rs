//! What stubs write: within the bounds what a test lets them, beyond them anything that they reach.

use std::collections::BTreeSet;

use obligato_bytecode::Address;
use obligato_c_unit::Layout;
use obligato_c_unit::interface::{AccessPathRoot, Effect, Effects, ObjectIndex};
use obligato_model::Bound;
use obligato_model::verdict::Names;
use obligato_term::Term;

use crate::access::AccessSite;
use crate::bounds::Aliasable;
use crate::engine::{Engine, Path};
use crate::memory::Kind;
use crate::outside::StubResults;
use crate::state::SharedState;

/// At most so many words of memory that a stub can reach have unconstrained values of their own.
const MOST_WORDS: usize = 2048;

/// What tests let a stub write, and where that lies.
#[derive(Clone, Debug, Default)]
pub(crate) struct StubEffects {
    stretches: Vec<Stretch>,
    /// Per call, the object with what is written.
    calls: Vec<Address>,
}

/// A stretch of memory that a stub may write.
#[derive(Clone, Debug)]
struct Stretch {
    effect: Effect,
    /// Where its place starts, if that is a global.
    global: Option<Address>,
}

/// Bytes of the object of a call.
#[derive(Clone, Copy, Debug)]
struct OwnBytes {
    /// How often the stub was called before.
    calls: Term,
    offset: u64,
    size: u64,
}

/// A word that a stub is given, or that lies in a structure which it is given.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GivenWord {
    word: Term,
    /// Is it a pointer, and no part of a structure that may be anything else?
    is_pointer: bool,
}

/// A word that was read where there is memory.
#[derive(Clone, Copy, Debug)]
struct Peeked {
    word: Term,
    /// One bit: is there memory?
    valid: Term,
}

/// The memory that a stub can reach.
#[derive(Debug, Default)]
pub(crate) struct Reach {
    /// What it can write.
    objects: BTreeSet<u32>,
    /// What it can only read.
    constants: BTreeSet<u32>,
    /// May it write elsewhere, or call functions of the unit?
    is_open: bool,
}

impl StubEffects {
    pub(crate) fn new(effects: &Effects, layout: &Layout) -> Self {
        let stretch = |effect: &Effect| {
            let global = match effect.place.root {
                AccessPathRoot::Argument(_) => None,
                AccessPathRoot::Global(ObjectIndex(at)) => Some(layout.objects[at]),
            };
            Stretch { effect: effect.clone(), global }
        };
        Self {
            stretches: effects.stretches.iter().map(stretch).collect(),
            calls: effects.calls.iter().map(|ObjectIndex(at)| layout.objects[*at]).collect(),
        }
    }
}

impl Engine<'_> {
    /// Writes what a test lets a call write, where there is memory for it.
    pub(crate) fn apply_effects(
        &mut self,
        at: AccessSite,
        shared: &mut SharedState,
        effects: &StubEffects,
        calls: Term,
        arguments: Term,
    ) -> Path<()> {
        for stretch in &effects.stretches {
            let Effect { place, size, value, given } = &stretch.effect;
            let flag = OwnBytes { calls, offset: *given, size: 1 };
            let is_given = self.of_call(shared, effects, flag);
            let zero = self.terms.constant(0, 8);
            let none = self.terms.equal(is_given, zero);
            let mut when = self.terms.not(none);
            if self.terms.as_constant(when) == Some(0) {
                continue;
            }
            let mut pointer = match (stretch.global, place.root) {
                (None, AccessPathRoot::Argument(index)) => {
                    let argument = self.moved(arguments, 8 * index as u64);
                    let always = self.terms.bit(true);
                    self.load(at, shared, argument, 8, always)?
                }
                (global, _) => {
                    let Address(global) = global.unwrap_or(Address::NULL);
                    self.terms.constant(global.into(), 64)
                }
            };
            for offset in &place.pointers {
                let there = self.moved(pointer, *offset);
                let Peeked { word, valid } = self.peek(shared, there);
                pointer = word;
                when = self.terms.and(when, valid);
            }
            let target = self.moved(pointer, place.offset);
            let own = OwnBytes { calls, offset: *value, size: *size };
            self.poke(shared, effects, target, when, own);
        }
        Some(())
    }

    /// A word of the object of a call.
    fn of_call(&mut self, shared: &SharedState, effects: &StubEffects, own: OwnBytes) -> Term {
        let OwnBytes { calls, offset, size } = own;
        let mut word = self.terms.constant(0, 8 * size as u8);
        for (call, address) in effects.calls.iter().enumerate().rev() {
            let Some(object) = shared.memory.get(address.object().0) else { continue };
            let own = object.bytes.load(&mut self.terms, offset as usize, size as usize);
            if call + 1 == effects.calls.len() {
                word = own;
                continue;
            }
            let number = self.terms.constant(call as u128, 32);
            let this = self.terms.equal(calls, number);
            word = self.terms.choose(this, own, word);
        }
        word
    }

    /// Reads a pointer, without an error where there is no memory.
    fn peek(&mut self, shared: &SharedState, pointer: Term) -> Peeked {
        let mut peeked = Peeked { word: self.terms.constant(0, 64), valid: self.terms.bit(false) };
        let last = self.next_object - 1;
        let Some(targets) = self.pointers.targets(&mut self.terms, pointer, last) else {
            return peeked;
        };
        for target in targets.iter() {
            let Some(object) = shared.memory.get(target.object) else { continue };
            let Some(end) = object.bytes.len().checked_sub(8) else { continue };
            let (bytes, alive) = (object.bytes.clone(), object.alive);
            let end = self.terms.constant(end as u128, 64);
            let inside = self.terms.at_most(target.offset, end);
            let here = self.terms.all([target.when, inside, alive]);
            if self.terms.as_constant(here) == Some(0) {
                continue;
            }
            let Some(word) = self.read(&bytes, target.offset, 8) else { continue };
            let word = self.loosened(shared, target.object, target.offset, word);
            peeked.word = self.terms.choose(here, word, peeked.word);
            peeked.valid = self.terms.or(peeked.valid, here);
        }
        peeked
    }

    /// Writes bytes of the object of a call where there is memory for them.
    fn poke(
        &mut self,
        shared: &mut SharedState,
        effects: &StubEffects,
        pointer: Term,
        when: Term,
        own: OwnBytes,
    ) {
        let size = own.size;
        let last = self.next_object - 1;
        let Some(targets) = self.pointers.targets(&mut self.terms, pointer, last) else { return };
        for target in targets.iter() {
            let object = shared.memory.get(target.object);
            let Some(object) = object.filter(|one| one.kind != Kind::Constant) else { continue };
            let Some(end) = (object.bytes.len() as u64).checked_sub(size) else { continue };
            let Some(offsets) = self.offsets(&object.bytes, target.offset, size as usize) else {
                continue;
            };
            let alive = object.alive;
            let end = self.terms.constant(end.into(), 64);
            let inside = self.terms.at_most(target.offset, end);
            let here = self.terms.all([when, target.when, inside, alive]);
            if self.terms.as_constant(here) == Some(0) {
                continue;
            }
            if self.bounds.aliasable.contains_key(&target.object) {
                shared.note_write(target.object);
            }
            for offset in offsets {
                let this = self.terms.constant(offset as u128, 64);
                let this = self.terms.equal(target.offset, this);
                let hit = self.terms.and(here, this);
                if self.terms.as_constant(hit) == Some(0) {
                    continue;
                }
                for start in (0..size).step_by(8) {
                    let length = (size - start).min(8);
                    let part = OwnBytes { offset: own.offset + start, size: length, ..own };
                    let new = self.of_call(shared, effects, part);
                    let terms = &mut self.terms;
                    let Some(object) = shared.memory.get_mut(target.object) else { continue };
                    let place = offset + start as usize;
                    let old = object.bytes.load(terms, place, length as usize);
                    let word = terms.choose(hit, new, old);
                    object.bytes.store(terms, place, word);
                }
            }
        }
    }

    /// The words of its arguments through which a stub may write.
    pub(crate) fn given_pointers(
        &mut self,
        at: AccessSite,
        shared: &mut SharedState,
        stub: &StubResults,
        given: Term,
    ) -> Path<Vec<GivenWord>> {
        let mut words = Vec::new();
        let always = self.terms.bit(true);
        for (index, writes) in stub.writes.iter().copied().enumerate() {
            // A number may be an address as well, unless a contract says that nothing is written through it.
            if !writes && stub.globals.is_some() {
                continue;
            }
            let place = self.moved(given, 8 * index as u64);
            let argument = self.load(at, shared, place, 8, always)?;
            // A structure may hold several pointers.
            let size = stub.given.first().and_then(|call| call.get(index)).map_or(8, |one| one.1);
            for offset in (0..size.saturating_sub(7)).step_by(8) {
                let word = self.moved(argument, offset);
                let word = self.load(at, shared, word, 8, always)?;
                words.push(GivenWord { word, is_pointer: writes && size == 8 });
            }
        }
        Some(words)
    }

    /// The memory that a stub can reach, as it is when the stub is called: what it writes itself makes it reach nothing more.
    pub(crate) fn reach_of_stub(
        &mut self,
        shared: &SharedState,
        stub: &StubResults,
        given: &[GivenWord],
    ) -> Reach {
        let mut todo = stub.globals.clone().unwrap_or_else(|| self.exported.clone());
        todo.extend(self.errno_object());
        if stub.globals.is_none() {
            // What a caller has given the function under test, others may know too.
            let aliasable = self.bounds.aliasable.iter();
            let pointed = aliasable.filter(|(_, how)| **how == Aliasable::Pointed);
            todo.extend(pointed.map(|(one, _)| *one));
        }
        // It may have kept addresses of earlier calls, and so may others.
        todo.extend(shared.given_away.iter().filter(|_| stub.globals.is_none()));
        // Those that are not named lie in an object of the call.
        todo.extend(self.variadic_areas.last().copied().flatten());
        let mut reach = Reach { is_open: stub.uneven, ..Reach::default() };
        for GivenWord { word, is_pointer } in given {
            let is_known = self.add_targets(*word, &mut todo);
            // Nobody knows what it writes through a pointer that may be anything.
            reach.is_open |= *is_pointer && !is_known;
        }
        let mut words = 0;
        while let Some(number) = todo.pop() {
            if self.is_function(number) {
                reach.is_open |= !self.is_stub(number);
                continue;
            }
            let Some(object) = shared.memory.get(number) else { continue };
            if reach.objects.contains(&number) || reach.constants.contains(&number) {
                continue;
            }
            words += object.bytes.len().div_ceil(8);
            if words > MOST_WORDS {
                reach.is_open = true;
                continue;
            }
            // What it cannot write, it can read, and follow the pointers there.
            let is_constant = object.kind == Kind::Constant;
            let reached = if is_constant { &mut reach.constants } else { &mut reach.objects };
            reached.insert(number);
            let bytes = object.bytes.clone();
            for offset in (0..bytes.len().saturating_sub(7)).step_by(8) {
                let word = bytes.load(&mut self.terms, offset, 8);
                self.add_targets(word, &mut todo);
            }
        }
        reach
    }

    /// Beyond the bound that stubs have no effects, the memory that a stub can reach holds anything. One that is given a
    /// function may call it, which the formula does not describe.
    pub(crate) fn let_stub_write(
        &mut self,
        at: AccessSite,
        shared: &mut SharedState,
        stub: &StubResults,
        reach: Reach,
    ) {
        let name = stub.name.as_str();
        let Some(bound) = Names::new([name]).map(Bound::StubEffects) else { return };
        // It may call the function under test again before it returns, or never return: the state is then what it is here.
        let may_reenter = stub.globals.is_none() && self.can_be_reentered();
        if reach.is_open || may_reenter {
            let always = self.terms.bit(true);
            self.beyond(at, shared, bound.clone(), always);
        }
        for number in reach.objects {
            // Its result, and those of later stubs, may point there.
            shared.note_given_away(number);
            self.bounds.aliasable.entry(number).or_insert(Aliasable::Pointed);
            let Some(mut bytes) = shared.memory.get(number).map(|object| object.bytes.clone())
            else {
                continue;
            };
            for offset in (0..bytes.len()).step_by(8) {
                let length = (bytes.len() - offset).min(8);
                let held = bytes.load(&mut self.terms, offset, length);
                let word = self.within(&bound, held);
                bytes.store(&self.terms, offset, word);
            }
            if let Some(object) = shared.memory.get_mut(number) {
                object.bytes = bytes;
            }
        }
    }

    /// Is it the code of a stub? Who calls one outside of the unit does nothing to the unit by that.
    fn is_stub(&self, number: u32) -> bool {
        let first = 1 + self.module.globals.len() as u32;
        let index = number.checked_sub(first).map(|index| index as usize);
        let function = index.and_then(|index| self.module.functions.get(index));
        function.is_some_and(|one| self.is_stub_symbol(&one.name))
    }

    /// Is it the name of a stub's code?
    pub(crate) fn is_stub_symbol(&self, symbol: &str) -> bool {
        self.outside.iter().any(|stub| stub.symbol == symbol)
    }

    /// Lists the objects that a pointer may lead to; false if it may lead to others as well.
    fn add_targets(&mut self, pointer: Term, todo: &mut Vec<u32>) -> bool {
        let last = self.next_object - 1;
        let Some(targets) = self.pointers.targets(&mut self.terms, pointer, last) else {
            todo.extend(self.pointers.mentioned(&self.terms, pointer, last));
            return false;
        };
        todo.extend(targets.iter().map(|target| target.object));
        true
    }
}
