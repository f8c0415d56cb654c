//! The bytes of an object, as parts of the words that were stored there.
//!
//! A byte is kept as a word and its index in it, so that a load of what was stored is the same term, and
//! a state join makes an ite per word, not per byte. Pages are shared until they are written.

use std::rc::Rc;

use obligato_term::{Term, Terms};

/// Byte `.1` of the word `.0`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Slot(Term, u8);

const PAGE: usize = 64;
/// Words are no wider, in bytes.
const WORD: usize = 8;

/// The bytes of an object.
#[derive(Clone, Debug)]
pub(crate) struct Bytes {
    pages: Vec<Rc<Vec<Slot>>>,
    size: usize,
}

impl Bytes {
    /// These numbers.
    pub(crate) fn new(terms: &mut Terms, bytes: &[u8]) -> Self {
        let pages = bytes.chunks(PAGE).map(|chunk| {
            Rc::new(chunk.iter().map(|byte| Slot(terms.constant((*byte).into(), 8), 0)).collect())
        });
        Self { pages: pages.collect(), size: bytes.len() }
    }

    /// So many zeros.
    pub(crate) fn zeros(terms: &mut Terms, size: usize) -> Self {
        let zero = Slot(terms.constant(0, 8), 0);
        let full = Rc::new(vec![zero; PAGE]);
        let mut pages = vec![full; size / PAGE];
        if !size.is_multiple_of(PAGE) {
            pages.push(Rc::new(vec![zero; size % PAGE]));
        }
        Self { pages, size }
    }

    pub(crate) fn len(&self) -> usize {
        self.size
    }

    fn slot(&self, at: usize) -> Slot {
        self.pages[at / PAGE][at % PAGE]
    }

    fn set(&mut self, at: usize, slot: Slot) {
        let page = &mut self.pages[at / PAGE];
        if page[at % PAGE] != slot {
            Rc::make_mut(page)[at % PAGE] = slot;
        }
    }

    /// The word of `count` bytes, at most eight, low byte first.
    pub(crate) fn load(&self, terms: &mut Terms, at: usize, count: usize) -> Term {
        let Slot(first, start) = self.slot(at);
        let whole = (1..count).all(|k| self.slot(at + k) == Slot(first, start + k as u8));
        if whole {
            return terms.extract(first, 8 * start, 8 * count as u8);
        }
        let mut word = self.byte(terms, at);
        for k in 1..count {
            let byte = self.byte(terms, at + k);
            word = terms.concat(byte, word);
        }
        word
    }

    fn byte(&self, terms: &mut Terms, at: usize) -> Term {
        let Slot(word, place) = self.slot(at);
        terms.extract(word, 8 * place, 8)
    }

    /// The word of eight bytes that a byte is part of, if one was stored there, or the numbers around it.
    pub(crate) fn word_around(&self, terms: &mut Terms, at: usize) -> Option<Term> {
        let Slot(word, _) = self.slot(at);
        if usize::from(terms.width(word)) == 8 * WORD {
            return Some(word);
        }
        let start = at - at % WORD;
        let places = start..(start + WORD).min(self.size);
        let bytes: Option<Vec<u8>> = places
            .map(|place| {
                let Slot(word, index) = self.slot(place);
                terms.as_constant(word).map(|number| (number >> (8 * index)) as u8)
            })
            .collect();
        let number = u64::from_le_bytes(bytes?.try_into().ok()?);
        Some(terms.constant(number.into(), 64))
    }

    /// Writes a word of whole bytes.
    pub(crate) fn store(&mut self, terms: &Terms, at: usize, word: Term) {
        for k in 0..usize::from(terms.width(word) / 8) {
            self.set(at + k, Slot(word, k as u8));
        }
    }

    /// Copies bytes from another place, as if through a buffer.
    pub(crate) fn copy_from(&mut self, source: &Self, from: usize, to: usize, count: usize) {
        let slots: Vec<Slot> = (from..from + count).map(|at| source.slot(at)).collect();
        for (k, slot) in slots.into_iter().enumerate() {
            self.set(to + k, slot);
        }
    }

    /// `ite(test, self, other)`, of the same size.
    pub(crate) fn choose(&self, terms: &mut Terms, test: Term, other: &Self) -> Self {
        let mut result = self.clone();
        for page in 0..self.pages.len() {
            if Rc::ptr_eq(&self.pages[page], &other.pages[page]) {
                continue;
            }
            let end = (page * PAGE + self.pages[page].len()).min(self.size);
            let mut at = page * PAGE;
            while at < end {
                if self.slot(at) == other.slot(at) {
                    at += 1;
                    continue;
                }
                let count = self.run(terms, at).min(other.run(terms, at)).min(end - at);
                let (one, two) = (self.load(terms, at, count), other.load(terms, at, count));
                let chosen = terms.choose(test, one, two);
                result.store(terms, at, chosen);
                at += count;
            }
        }
        result
    }

    /// How many bytes from here on belong to one word, or are numbers.
    fn run(&self, terms: &Terms, at: usize) -> usize {
        let Slot(word, place) = self.slot(at);
        let limit = (self.size - at).min(WORD);
        if terms.as_constant(word).is_some() {
            // Up to the next border between words.
            let limit = limit.min(WORD - at % WORD);
            let number = |k: &usize| terms.as_constant(self.slot(at + k).0).is_some();
            return (0..limit).take_while(number).count().max(1);
        }
        let same = |k: &usize| self.slot(at + k) == Slot(word, place + *k as u8);
        (0..limit).take_while(same).count().max(1)
    }
}
