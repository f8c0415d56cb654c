//! Loads and stores, also through symbolic pointers.

use obligato_bytecode::Address;
use obligato_execute::{Marked, Memory};
use obligato_term::{BinaryOp, Term};

use super::{Mark, Tracer};
use crate::access::{Window, word_at};
use crate::trace::{Alternative, CodeLocation, Continuation, ForkKind};

impl Tracer<'_> {
    /// Adds the fork of an access: the pointer points into this object, with `size` bytes inside of it.
    pub(super) fn access(
        &mut self,
        location: CodeLocation,
        pointer: Marked<'_, Mark>,
        size: u64,
        extent: u64,
    ) {
        let Some(term) = *pointer.mark else { return };
        let (inside, same) = self.inside(term, Address(pointer.value), size, extent);
        let outside = self.terms.not(inside);
        let term = self.terms.and(outside, same);
        let beyond = Alternative { term, target: None, continuation: Continuation::RuntimeError };
        self.fork(location, ForkKind::Access, inside, vec![beyond]);
    }

    /// Two bits: are `size` bytes inside of the object, does the pointer point to this object at all?
    pub(super) fn inside(
        &mut self,
        pointer: Term,
        at: Address,
        size: u64,
        extent: u64,
    ) -> (Term, Term) {
        let object = self.terms.constant(at.object().0.into(), 32);
        let meant = self.terms.extract(pointer, 32, 32);
        let same = self.terms.equal(meant, object);
        let base = self.terms.constant(Address::new(at.object(), 0).0.into(), 64);
        let offset = self.terms.binary(BinaryOp::Subtract, pointer, base);
        let last = self.terms.constant(extent.saturating_sub(size).into(), 64);
        (self.terms.at_most(offset, last), same)
    }

    /// The term of a word that was loaded.
    pub(super) fn loaded(
        &mut self,
        location: CodeLocation,
        pointer: Marked<'_, Mark>,
        size: u64,
        memory: &Memory<Mark>,
    ) -> Option<Term> {
        let at = Address(pointer.value);
        let Some(term) = *pointer.mark else {
            return word_at(&mut self.terms, memory, at, size);
        };
        let extent = memory.size_of_object(at)?;
        self.access(location, pointer, size, extent);
        if let Some(window) = Window::new(&mut self.terms, term, at, size, extent) {
            window.load(&mut self.terms, |terms, address| word_at(terms, memory, address, size))
        } else {
            self.concretise(location, pointer);
            word_at(&mut self.terms, memory, at, size)
        }
    }

    pub(super) fn bytes_of(&mut self, word: Term, size: u64) -> Vec<Term> {
        (0..size).map(|index| self.terms.extract(word, 8 * index as u8, 8)).collect()
    }

    /// Stores through a symbolic pointer, whose term is `term`.
    pub(super) fn store_through(
        &mut self,
        location: CodeLocation,
        pointer: Marked<'_, Mark>,
        term: Term,
        value: &[Term],
        memory: &mut Memory<Mark>,
    ) {
        let at = Address(pointer.value);
        let size = value.len() as u64;
        let Some(extent) = memory.size_of_object(at) else { return };
        self.access(location, pointer, size, extent);
        let before = std::mem::take(&mut self.before);
        let changed = if let Some(window) = Window::new(&mut self.terms, term, at, size, extent) {
            window.store(&mut self.terms, value, |terms, address| {
                let offset = usize::try_from(address.offset()).ok()?;
                match memory.marks(address, 1).ok()?.first()? {
                    Some(term) => Some(*term),
                    None => Some(terms.constant((*before.get(offset)?).into(), 8)),
                }
            })
        } else {
            self.concretise(location, pointer);
            let bytes = value.iter().enumerate();
            Some(bytes.map(|(index, byte)| (at.advanced(index as u64), *byte)).collect())
        };
        self.before = before;
        for (address, byte) in changed.unwrap_or_default() {
            let mark = self.mark(byte);
            if let Ok(marks) = memory.marks_mut(address, 1) {
                marks[0] = mark;
            }
        }
    }
}
