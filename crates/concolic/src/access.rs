//! Memory through pointers that depend on inputs.
//!
//! The object that is meant is a fork: this one, or another. Inside of it the offset stays free: a load is a choice among all bytes that could
//! be meant, a store changes each of them if it is meant. Objects that are too large for that have the offset fixed.

use obligato_bytecode::{Address, ObjectId};
use obligato_execute::Memory;
use obligato_term::{BinaryOp, Term, Terms};

/// At most so many places of an object are told apart.
const MOST_PLACES: u64 = 512;

/// The bytes of an object that a pointer into it may mean.
#[derive(Clone, Debug)]
pub(crate) struct Window {
    /// The object.
    pub(crate) object: ObjectId,
    /// The distance of the pointer from the start of the object: 64 bits.
    pub(crate) offset: Term,
    /// The first place, and those that follow it.
    first: u64,
    stride: u64,
    count: u64,
}

impl Window {
    /// The places at which `size` bytes can be accessed through a pointer to an object of `extent` bytes; `None`
    /// if they are too many. `at` is where it points in this run.
    pub(crate) fn new(
        terms: &mut Terms,
        pointer: Term,
        at: Address,
        size: u64,
        extent: u64,
    ) -> Option<Self> {
        let object = at.object();
        let base = terms.constant(u128::from(Address::new(object, 0).0), 64);
        let offset = terms.binary(BinaryOp::Subtract, pointer, base);
        let stride = 1 << terms.trailing_zeros(offset).min(16);
        let here = at.offset().cast_unsigned();
        let first = here % stride;
        let room = extent.checked_sub(size + first)?;
        let count = room / stride + 1;
        (count <= MOST_PLACES).then_some(Self { object, offset, first, stride, count })
    }

    /// The offsets of all places.
    fn places(&self) -> impl DoubleEndedIterator<Item = u64> + use<> {
        let (first, stride) = (self.first, self.stride);
        (0..self.count).map(move |index| first + index * stride)
    }

    /// One bit: is this the place?
    fn is(&self, terms: &mut Terms, place: u64) -> Term {
        let place = terms.constant(place.into(), 64);
        terms.equal(self.offset, place)
    }

    /// What is loaded: the word at the place that is meant.
    pub(crate) fn load(
        &self,
        terms: &mut Terms,
        mut word_at: impl FnMut(&mut Terms, Address) -> Option<Term>,
    ) -> Option<Term> {
        let mut result = None;
        for place in self.places().rev() {
            let word = word_at(terms, Address::new(self.object, place))?;
            result = Some(match result {
                None => word,
                Some(rest) => {
                    let here = self.is(terms, place);
                    terms.choose(here, word, rest)
                }
            });
        }
        result
    }

    /// What a store leaves in each byte that it may change, given the bytes of the value and what was there before.
    pub(crate) fn store(
        &self,
        terms: &mut Terms,
        value: &[Term],
        mut before: impl FnMut(&mut Terms, Address) -> Option<Term>,
    ) -> Option<Vec<(Address, Term)>> {
        let mut changed: Vec<(Address, Term)> = Vec::new();
        for place in self.places() {
            let here = self.is(terms, place);
            for (index, byte) in value.iter().enumerate() {
                let at = Address::new(self.object, place + index as u64);
                let known = changed.iter().rposition(|(address, _)| *address == at);
                let old = match known {
                    Some(index) => changed[index].1,
                    None => before(terms, at)?,
                };
                let new = terms.choose(here, *byte, old);
                match known {
                    Some(index) => changed[index].1 = new,
                    None => changed.push((at, new)),
                }
            }
        }
        Some(changed)
    }
}

/// The byte at an address, as a term.
pub(crate) fn byte_at(
    terms: &mut Terms,
    memory: &Memory<Option<Term>>,
    address: Address,
) -> Option<Term> {
    let mark = memory.marks(address, 1).ok()?.first().copied()?;
    if let Some(term) = mark {
        Some(term)
    } else {
        let byte = *memory.read(address, 1).ok()?.first()?;
        Some(terms.constant(byte.into(), 8))
    }
}

/// The word of so many bytes at an address, low byte first.
pub(crate) fn word_at(
    terms: &mut Terms,
    memory: &Memory<Option<Term>>,
    address: Address,
    size: u64,
) -> Option<Term> {
    let mut word = byte_at(terms, memory, address)?;
    for index in 1..size {
        let byte = byte_at(terms, memory, address.advanced(index))?;
        word = terms.concat(byte, word);
    }
    Some(word)
}
