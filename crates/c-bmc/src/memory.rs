//! Symbolic memory: objects, each with the bit that it exists.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;

use obligato_term::{Term, Terms};

use crate::bytes::Bytes;

/// What may be done with an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Read and written.
    Plain,
    /// The same, and freed.
    Heap,
    /// Only read.
    Constant,
}

/// An object.
#[derive(Clone, Debug)]
pub(crate) struct Object {
    pub(crate) kind: Kind,
    pub(crate) bytes: Bytes,
    /// One bit: does it exist?
    pub(crate) alive: Term,
}

/// All objects by number, without the stack objects of functions that have returned.
#[derive(Clone, Debug)]
pub(crate) struct Memory {
    objects: BTreeMap<u32, Rc<Object>>,
    /// From this number on, objects are the function's own: no caller knows them.
    first_own: u32,
    version: u32,
    versions: Versions,
}

/// Numbers the contents of all memories of an engine: two memories of one version hold the same in every object that a caller may know.
#[derive(Clone, Debug, Default)]
pub(crate) struct Versions(Rc<Cell<u32>>);

impl Versions {
    fn next(&self) -> u32 {
        self.0.set(self.0.get() + 1);
        self.0.get()
    }
}

impl Memory {
    /// A memory without objects. Those from the number `first_own` on are the function's own.
    pub(crate) fn new(first_own: u32, versions: &Versions) -> Self {
        Self { objects: BTreeMap::new(), first_own, version: 0, versions: versions.clone() }
    }

    /// What tells contents apart: while it stays the same, so do all objects that a caller may know.
    pub(crate) fn version(&self) -> u32 {
        self.version
    }

    /// Notes that an object which a caller may know has changed, or may have.
    pub(crate) fn touch(&mut self) {
        self.version = self.versions.next();
    }

    pub(crate) fn get(&self, number: u32) -> Option<&Object> {
        self.objects.get(&number).map(Rc::as_ref)
    }

    /// An object, to change it.
    pub(crate) fn get_mut(&mut self, number: u32) -> Option<&mut Object> {
        if number < self.first_own {
            self.touch();
        }
        self.objects.get_mut(&number).map(Rc::make_mut)
    }

    pub(crate) fn insert(&mut self, number: u32, object: Object) {
        self.objects.insert(number, Rc::new(object));
    }

    pub(crate) fn remove(&mut self, number: u32) {
        self.objects.remove(&number);
    }

    /// The numbers of all objects.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = u32> + '_ {
        self.objects.keys().copied()
    }

    pub(crate) fn len(&self) -> usize {
        self.objects.len()
    }

    /// `ite(test, self, other)`.
    pub(crate) fn choose(mut self, terms: &mut Terms, test: Term, other: &Self) -> Self {
        let never = terms.bit(false);
        if self.version != other.version {
            self.touch();
        }
        for (number, mine) in &mut self.objects {
            match other.objects.get(number) {
                Some(theirs) if Rc::ptr_eq(mine, theirs) => {}
                Some(theirs) => {
                    let bytes = mine.bytes.choose(terms, test, &theirs.bytes);
                    let alive = terms.choose(test, mine.alive, theirs.alive);
                    *mine = Rc::new(Object { kind: mine.kind, bytes, alive });
                }
                None => {
                    let alive = terms.choose(test, mine.alive, never);
                    Rc::make_mut(mine).alive = alive;
                }
            }
        }
        for (number, theirs) in &other.objects {
            if !self.objects.contains_key(number) {
                let mut object = theirs.clone();
                Rc::make_mut(&mut object).alive = terms.choose(test, never, theirs.alive);
                self.objects.insert(*number, object);
            }
        }
        self
    }
}
