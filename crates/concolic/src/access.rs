//! Accesses through symbolic pointers.
//!
//! Which object a pointer points to is a fork: this one, or another. Inside of it the offset stays symbolic: a load is an ite over all
//! candidate offsets, a store an ite at each of them. In objects with too many candidates the offset is concretised.

use obligato_bytecode::{Address, ObjectId};
use obligato_execute::Memory;
use obligato_term::{BinaryOp, Term, Terms};

/// A symbolic offset has at most so many candidates.
const MOST_OFFSETS: u64 = 512;

/// The candidates of a symbolic offset into an object.
#[derive(Clone, Debug)]
pub(crate) struct Window {
    /// The object.
    pub(crate) object: ObjectId,
    /// The symbolic offset from the start of the object: 64 bits.
    pub(crate) offset: Term,
    /// The first candidate, and those that follow it.
    first: u64,
    stride: u64,
    count: u64,
}

impl Window {
    /// The candidates for an access of `size` bytes through a pointer into an object of `extent` bytes; `None`
    /// if they are too many. `at` is the address in this run.
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
        (count <= MOST_OFFSETS).then_some(Self { object, offset, first, stride, count })
    }

    /// All candidates.
    fn offsets(&self) -> impl DoubleEndedIterator<Item = u64> + use<> {
        let (first, stride) = (self.first, self.stride);
        (0..self.count).map(move |index| first + index * stride)
    }

    /// One bit: is this the offset?
    fn is(&self, terms: &mut Terms, offset: u64) -> Term {
        let offset = terms.constant(offset.into(), 64);
        terms.equal(self.offset, offset)
    }

    /// The loaded word: an ite over the words at all candidates.
    pub(crate) fn load(
        &self,
        terms: &mut Terms,
        mut word_at: impl FnMut(&mut Terms, Address) -> Option<Term>,
    ) -> Option<Term> {
        let mut result = None;
        for offset in self.offsets().rev() {
            let word = word_at(terms, Address::new(self.object, offset))?;
            result = Some(match result {
                None => word,
                Some(rest) => {
                    let here = self.is(terms, offset);
                    terms.choose(here, word, rest)
                }
            });
        }
        result
    }

    /// Each byte that a store may change, with its new term, given the bytes of the value and the term before.
    pub(crate) fn store(
        &self,
        terms: &mut Terms,
        value: &[Term],
        mut before: impl FnMut(&mut Terms, Address) -> Option<Term>,
    ) -> Option<Vec<(Address, Term)>> {
        let mut changed: Vec<(Address, Term)> = Vec::new();
        for offset in self.offsets() {
            let here = self.is(terms, offset);
            for (index, byte) in value.iter().enumerate() {
                let at = Address::new(self.object, offset + index as u64);
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
