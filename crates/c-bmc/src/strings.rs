//! Models of `memcpy`, `memset`, `memcmp` and string functions, with symbolic lengths.

use obligato_model::verdict::Names;
use obligato_model::{Bound, NotFollowed};
use obligato_term::{BinaryOp, Term};

use crate::access::AccessSite;
use crate::engine::{Engine, Path};
use crate::state::SharedState;

/// The standard says which sign the results of these have, and no more.
const COMPARISONS: &str = "memcmp(), strcmp() and strncmp()";

/// Accesses that may be longer are cut.
const LONGEST: usize = 512;

/// A copy of bytes, of which a term says how many.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ByteCopy {
    pub to: Term,
    pub from: Term,
    pub size: Term,
}

/// Two byte sequences to be compared.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ByteComparison {
    pub left: Term,
    pub right: Term,
    /// At most so many bytes count, if there is a limit.
    pub size: Option<Term>,
    pub kind: Compared,
}

/// What [`Engine::compare_bytes`] compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Compared {
    Memory,
    Strings,
}

/// What a comparison may give instead of the difference of two bytes.
struct OtherOrders {
    /// Holds where it gives the difference.
    bound: Term,
    /// Any negative `int`.
    less: Term,
    /// Any positive one.
    more: Term,
}

/// A string as far as the formula describes it.
struct Text {
    /// Each byte, with the bit that it belongs to the string, the zero included.
    bytes: Vec<(Term, Term)>,
    /// One bit: does the string go on behind them?
    going: Term,
}

impl Engine<'_> {
    /// An upper bound on the size of the objects that a pointer may point to.
    fn reach(&mut self, shared: &SharedState, pointer: Term) -> usize {
        let last = self.next_object - 1;
        let targets = self.pointers.targets(&mut self.terms, pointer, last);
        let size = |object: u32| shared.memory.get(object).map_or(0, |one| one.bytes.len());
        match targets {
            Some(targets) => targets.iter().map(|target| size(target.object)).max().unwrap_or(0),
            None => shared.memory.numbers().map(size).max().unwrap_or(0),
        }
    }

    /// Cuts the inputs for which an access goes on behind the bytes that the formula describes. Within the bounds on objects there
    /// are none, as it ends with a runtime error there.
    fn leave_behind(
        &mut self,
        at: AccessSite,
        shared: &SharedState,
        pointers: &[Term],
        going: Term,
    ) {
        if self.terms.as_constant(going) == Some(0) {
            return;
        }
        let last = self.next_object - 1;
        for pointer in pointers {
            let Some(targets) = self.pointers.targets(&mut self.terms, *pointer, last) else {
                self.beyond(at, shared, Bound::AddressLayout, going);
                continue;
            };
            for target in targets.iter() {
                if let Some(bound) = self.bounds.on_size(target.object) {
                    let when = self.terms.and(target.when, going);
                    self.beyond(at, shared, bound, when);
                }
            }
        }
    }

    /// The result of a function that only reads: where it goes on behind the bytes that the formula describes, it is unconstrained.
    fn read_behind(&mut self, pointers: &[Term], going: Term, mut result: Term) -> Term {
        if self.terms.as_constant(going) == Some(0) {
            return result;
        }
        let last = self.next_object - 1;
        for pointer in pointers {
            let targets = self.pointers.targets(&mut self.terms, *pointer, last);
            let mut bounds: Vec<(Bound, Term)> = Vec::new();
            match targets {
                None => bounds.push((Bound::AddressLayout, self.terms.bit(true))),
                Some(targets) => {
                    bounds.extend(targets.iter().filter_map(|target| {
                        Some((self.bounds.on_size(target.object)?, target.when))
                    }));
                }
            }
            for (bound, when) in bounds {
                let literal = self.bounds.literal(&mut self.terms, &bound);
                let beyond = self.terms.not(literal);
                let gone = self.terms.and(going, when);
                let gone = self.terms.and(gone, beyond);
                let anything = self.unconstrained(&bound, self.terms.width(result));
                result = self.terms.choose(gone, anything, result);
            }
        }
        result
    }

    /// One bit: is a number less than a size?
    fn below(&mut self, number: usize, size: Term) -> Term {
        let number = self.terms.constant(number as u128, self.terms.width(size));
        self.terms.binary(BinaryOp::LessUnsigned, number, size)
    }

    /// Copies as many bytes as a term says.
    pub(crate) fn copy_symbolic_size(
        &mut self,
        at: AccessSite,
        shared: &mut SharedState,
        copy: ByteCopy,
    ) -> Path<()> {
        let ByteCopy { to, from, size } = copy;
        if let Some(size) = self.terms.as_constant(size) {
            return self.copy(at, shared, to, from, size as u64);
        }
        let most = self.reach(shared, from).min(self.reach(shared, to));
        if most > LONGEST {
            return self.cut(at, shared, NotFollowed::SymbolicCopySize);
        }
        let mut bytes = Vec::with_capacity(most + 1);
        for index in 0..=most {
            let when = self.below(index, size);
            let place = self.moved(from, index as u64);
            bytes.push((self.load(at, shared, place, 1, when)?, when));
        }
        for (index, (byte, when)) in bytes.into_iter().enumerate() {
            let place = self.moved(to, index as u64);
            self.store(at, shared, place, byte, when)?;
        }
        let longer = self.below(most + 1, size);
        self.leave_behind(at, shared, &[from, to], longer);
        Some(())
    }

    /// Fills as many bytes as a term says.
    pub(crate) fn fill(
        &mut self,
        at: AccessSite,
        shared: &mut SharedState,
        to: Term,
        byte: Term,
        size: Term,
    ) -> Path<()> {
        let byte = self.terms.extract(byte, 0, 8);
        let always = self.terms.bit(true);
        if let Some(size) = self.terms.as_constant(size) {
            let mut eight = byte;
            for _ in 1..8 {
                eight = self.terms.concat(eight, byte);
            }
            let size = size as u64;
            if size > MOST_FILLED {
                return self.cut(at, shared, NotFollowed::LargeFill);
            }
            for start in (0..size).step_by(8) {
                let place = self.moved(to, start);
                let part = self.terms.extract(eight, 0, 8 * (size - start).min(8) as u8);
                self.store(at, shared, place, part, always)?;
            }
            return Some(());
        }
        let most = self.reach(shared, to);
        if most > LONGEST {
            return self.cut(at, shared, NotFollowed::SymbolicFillSize);
        }
        for index in 0..=most {
            let when = self.below(index, size);
            let place = self.moved(to, index as u64);
            self.store(at, shared, place, byte, when)?;
        }
        let longer = self.below(most + 1, size);
        self.leave_behind(at, shared, &[to], longer);
        Some(())
    }

    /// The order of two byte sequences, as an `int`: the difference of the first bytes that differ. Strings end at a zero.
    pub(crate) fn compare_bytes(
        &mut self,
        at: AccessSite,
        shared: &mut SharedState,
        comparison: ByteComparison,
    ) -> Path<Term> {
        let ByteComparison { left, right, size, kind } = comparison;
        let known = size.and_then(|size| self.terms.as_constant(size)).map(|size| size as usize);
        let most = self.reach(shared, left).max(self.reach(shared, right));
        let count = known.map_or(most + 1, |known| known.min(most + 1));
        if count > LONGEST {
            return self.cut(at, shared, NotFollowed::LargeComparison);
        }
        let mut going = self.terms.bit(true);
        let mut pairs = Vec::with_capacity(count);
        for index in 0..count {
            let within = match size {
                Some(size) => self.below(index, size),
                None => self.terms.bit(true),
            };
            let when = self.terms.and(going, within);
            if self.terms.as_constant(when) == Some(0) {
                break;
            }
            let one = self.moved(left, index as u64);
            let one = self.load(at, shared, one, 1, when)?;
            let two = self.moved(right, index as u64);
            let two = self.load(at, shared, two, 1, when)?;
            let same = self.terms.equal(one, two);
            pairs.push((when, same, one, two));
            // `memcmp` reads all bytes of both.
            if kind == Compared::Strings {
                let zero = self.terms.constant(0, 8);
                let ended = self.terms.equal(one, zero);
                let more = self.terms.not(ended);
                let both = self.terms.and(same, more);
                going = self.terms.and(when, both);
            }
        }
        let longer = match size {
            _ if known.is_some_and(|known| known <= count) => self.terms.bit(false),
            Some(size) => self.below(count, size),
            None => self.terms.bit(true),
        };
        let behind = self.terms.and(going, longer);
        let other = self.other_orders();
        let mut result = self.terms.constant(0, 32);
        for (when, same, one, two) in pairs.into_iter().rev() {
            let below = self.terms.binary(BinaryOp::LessUnsigned, one, two);
            let [one, two] = [one, two].map(|byte| self.terms.zero_extend(byte, 32));
            let difference = self.terms.binary(BinaryOp::Subtract, one, two);
            let order = self.order(other.as_ref(), difference, below);
            let differs = self.terms.not(same);
            let here = self.terms.and(when, differs);
            result = self.terms.choose(here, order, result);
        }
        let result = self.read_behind(&[left, right], behind, result);
        Some(self.terms.zero_extend(result, 64))
    }

    /// The choice of other results of a comparison, as a fresh variable.
    fn other_orders(&mut self) -> Option<OtherOrders> {
        let bound = Bound::FixedInputs(Names::new([COMPARISONS])?);
        let size = self.terms.variable(31);
        let (negative, zero) = (self.terms.bit(true), self.terms.constant(0, 31));
        let less = self.terms.concat(negative, size);
        let is_zero = self.terms.equal(size, zero);
        let (one, size) = (self.terms.constant(1, 32), self.terms.zero_extend(size, 32));
        let more = self.terms.choose(is_zero, one, size);
        Some(OtherOrders { bound: self.bounds.literal(&mut self.terms, &bound), less, more })
    }

    /// What a comparison gives for what differs: the difference, and beyond that bound any `int` of the same sign.
    fn order(&mut self, other: Option<&OtherOrders>, difference: Term, is_less: Term) -> Term {
        let Some(OtherOrders { bound, less, more }) = other else { return difference };
        let any = self.terms.choose(is_less, *less, *more);
        self.terms.choose(*bound, difference, any)
    }

    /// The result of a comparison that was a difference: beyond that bound any `int` of the same sign.
    pub(crate) fn any_order(&mut self, difference: Term) -> Term {
        let other = self.other_orders();
        let zero = self.terms.constant(0, 32);
        let is_zero = self.terms.equal(difference, zero);
        let is_less = self.terms.binary(BinaryOp::LessSigned, difference, zero);
        let order = self.order(other.as_ref(), difference, is_less);
        self.terms.choose(is_zero, zero, order)
    }

    /// The bytes of a string as far as the formula describes them.
    fn text(&mut self, at: AccessSite, shared: &mut SharedState, text: Term) -> Path<Text> {
        let most = self.reach(shared, text);
        if most > LONGEST {
            return self.cut(at, shared, NotFollowed::LargeString);
        }
        let mut going = self.terms.bit(true);
        let mut bytes = Vec::new();
        for index in 0..=most {
            let place = self.moved(text, index as u64);
            let byte = self.load(at, shared, place, 1, going)?;
            bytes.push((going, byte));
            let zero = self.terms.constant(0, 8);
            let ended = self.terms.equal(byte, zero);
            let more = self.terms.not(ended);
            going = self.terms.and(going, more);
            if self.terms.as_constant(going) == Some(0) {
                break;
            }
        }
        Some(Text { bytes, going })
    }

    /// `strlen`.
    pub(crate) fn length(
        &mut self,
        at: AccessSite,
        shared: &mut SharedState,
        text: Term,
    ) -> Path<Term> {
        let Text { bytes, going: behind } = self.text(at, shared, text)?;
        let described = self.terms.constant(bytes.len() as u128, 64);
        let mut length = self.terms.constant(0, 64);
        for (index, (going, _)) in bytes.into_iter().enumerate() {
            let here = self.terms.constant(index as u128, 64);
            length = self.terms.choose(going, here, length);
        }
        let length = self.read_behind(&[text], behind, length);
        // A string that goes on has all these bytes.
        let shorter = self.terms.binary(BinaryOp::LessUnsigned, length, described);
        let wrong = self.terms.and(behind, shorter);
        Some(self.terms.choose(wrong, described, length))
    }

    /// `strcpy`.
    pub(crate) fn copy_text(
        &mut self,
        at: AccessSite,
        shared: &mut SharedState,
        to: Term,
        from: Term,
    ) -> Path<()> {
        let Text { bytes, going: behind } = self.text(at, shared, from)?;
        self.leave_behind(at, shared, &[from], behind);
        for (index, (going, byte)) in bytes.into_iter().enumerate() {
            let place = self.moved(to, index as u64);
            self.store(at, shared, place, byte, going)?;
        }
        Some(())
    }

    /// `strchr`.
    pub(crate) fn find_byte(
        &mut self,
        at: AccessSite,
        shared: &mut SharedState,
        text: Term,
        wanted: Term,
    ) -> Path<Term> {
        let wanted = self.terms.extract(wanted, 0, 8);
        let most = self.reach(shared, text);
        if most > LONGEST {
            return self.cut(at, shared, NotFollowed::LargeString);
        }
        let mut going = self.terms.bit(true);
        let mut found = Vec::new();
        for index in 0..=most {
            if self.terms.as_constant(going) == Some(0) {
                break;
            }
            let place = self.moved(text, index as u64);
            let byte = self.load(at, shared, place, 1, going)?;
            let hit = self.terms.equal(byte, wanted);
            let here = self.terms.and(going, hit);
            found.push((here, place));
            let zero = self.terms.constant(0, 8);
            let ended = self.terms.equal(byte, zero);
            let over = self.terms.or(hit, ended);
            let more = self.terms.not(over);
            going = self.terms.and(going, more);
        }
        let mut result = self.terms.constant(0, 64);
        for (here, place) in found.into_iter().rev() {
            result = self.terms.choose(here, place, result);
        }
        Some(self.read_behind(&[text], going, result))
    }
}

/// The most bytes that one call fills.
const MOST_FILLED: u64 = 1 << 16;
