//! What the executor decides and C leaves open: what unwritten memory holds, and where objects lie. Each is a
//! [bound](crate::bounds) on what a refutation says.

use obligato_bytecode::{Address, Binary, Cast, Comparison, FloatBinary, FloatWidth, Operation};
use obligato_model::Bound;
use obligato_term::Term;

use crate::bytes::Bytes;
use crate::engine::Engine;

/// Objects with more words than this get no unconstrained value for each.
const MOST_WORDS: usize = 4096;

impl Engine<'_> {
    /// Lets the bytes of a new object be anything beyond the bound that unwritten memory is zero.
    pub(crate) fn leave_unwritten(&mut self, number: u32, bytes: &mut Bytes) {
        if bytes.len() > 8 * MOST_WORDS {
            self.bounds.unset.insert(number, Bound::ZeroedMemory);
            return;
        }
        for start in (0..bytes.len()).step_by(8) {
            let length = (bytes.len() - start).min(8);
            let zero = self.terms.constant(0, 8 * length as u8);
            let word = self.within(&Bound::ZeroedMemory, zero);
            bytes.store(&self.terms, start, word);
        }
    }

    /// The bound on the result of an operation that depends on where objects lie.
    pub(crate) fn bound_on_addresses(
        &mut self,
        operation: &Operation,
        operands: &[Term],
    ) -> Option<Bound> {
        let last = self.next_object - 1;
        let Self { pointers, terms, bounds, .. } = self;
        let mut objects = |term: Term| -> Vec<u32> {
            let targets = pointers.targets(terms, term, last);
            let objects = targets.iter().flat_map(|targets| targets.iter()).map(|one| one.object);
            objects.filter(|object| *object > 0 && bounds.beyond(*object).is_none()).collect()
        };
        match (operation, operands) {
            (
                Operation::Compare { width: 64, .. }
                | Operation::Binary { op: Binary::Difference, .. },
                [left, right],
            ) => {
                let (left, right) = (objects(*left), objects(*right));
                let pairs =
                    || left.iter().flat_map(|one| right.iter().map(move |two| (*one, *two)));
                let apart = |(one, two): &(u32, u32)| {
                    one != two && !(self.is_function(*one) && self.is_function(*two))
                };
                if !pairs().any(|pair| apart(&pair)) {
                    let is_placed = self.is_compared_with_number(operands);
                    return is_placed.then_some(Bound::AddressLayout);
                }
                let aliasable = &self.bounds.aliasable;
                let can_alias = |(one, two): (u32, u32)| {
                    one == two || (aliasable.contains_key(&one) && aliasable.contains_key(&two))
                };
                Some(if needs_one_object(operation) && pairs().all(can_alias) {
                    Bound::NoAliasing
                } else {
                    Bound::AddressLayout
                })
            }
            (Operation::Cast { op: Cast::PointerToInteger { .. }, .. }, [pointer]) => {
                (!objects(*pointer).is_empty()).then_some(Bound::AddressLayout)
            }
            _ if uses_bits(operation) => {
                let is_address = operands.iter().any(|one| self.is_address(*one));
                is_address.then_some(Bound::AddressLayout)
            }
            _ => None,
        }
    }

    /// The value of a load of part of a word: of an address, it is bits that nobody knows.
    pub(crate) fn loosen_part_of_address(
        &mut self,
        bytes: &Bytes,
        offset: Term,
        size: u64,
        value: Term,
    ) -> Term {
        if size == 8 {
            return value;
        }
        let places = self.offsets(bytes, offset, size as usize).unwrap_or_default();
        let words = places.iter().filter_map(|place| bytes.word_around(&mut self.terms, *place));
        let words: Vec<Term> = words.collect();
        if words.into_iter().any(|word| self.is_address(word)) {
            return self.within(&Bound::AddressLayout, value);
        }
        value
    }

    /// Is one of two words an address, and the other one a number but null, as in `p == (char *)-1`?
    fn is_compared_with_number(&mut self, operands: &[Term]) -> bool {
        let is_number = |engine: &mut Self, term: Term| {
            engine.terms.as_constant(term).is_some_and(|word| word != 0) && !engine.is_address(term)
        };
        let [left, right] = operands else { return false };
        let (left, right) = (*left, *right);
        (is_number(self, left) && self.is_address(right))
            || (is_number(self, right) && self.is_address(left))
    }

    /// May it be the address of something within an object? Numbers hardly ever look like one.
    fn is_address(&mut self, term: Term) -> bool {
        let last = self.next_object - 1;
        let targets = self.pointers.targets(&mut self.terms, term, last);
        targets.iter().flat_map(|targets| targets.iter()).any(|target| {
            let Some(index) = target.object.checked_sub(1) else { return false };
            let global = self.module.globals.get(index as usize);
            let largest = global.map_or(Address::LARGEST_OBJECT, |one| one.bytes.len() as u64);
            let offset = self.terms.as_constant(target.offset);
            offset.is_none_or(|offset| offset <= u128::from(largest))
                && self.bounds.beyond(target.object).is_none()
        })
    }

    /// The result of an operation on addresses: beyond the bound anything of its width.
    pub(crate) fn loosen_address_result(
        &mut self,
        operation: &Operation,
        bound: &Bound,
        result: Term,
    ) -> Term {
        let width = match operation {
            Operation::Compare { .. } => 1,
            Operation::Binary { width, .. } | Operation::Unary { width, .. } => *width,
            Operation::Cast { op: Cast::Truncate { to, .. }, .. } => *to,
            Operation::Cast { op: Cast::PointerToInteger { to }, .. } => (*to).min(64),
            _ => return result,
        };
        let value = self.terms.extract(result, 0, width);
        let value = self.within(bound, value);
        self.terms.zero_extend(value, 64)
    }

    /// C does not say which of two zeros is the smaller one: any of them is the result.
    pub(crate) fn either_zero(
        &mut self,
        op: FloatBinary,
        width: FloatWidth,
        values: &[Term],
        result: Term,
    ) -> Term {
        let (FloatBinary::Minimum | FloatBinary::Maximum, [left, right, ..]) = (op, values) else {
            return result;
        };
        let width = if width == FloatWidth::Single { 32 } else { 64 };
        let [zero, negative] =
            [0, 1 << (width - 1)].map(|word: u128| self.terms.constant(word, width));
        let [left, right] = [left, right].map(|value| self.terms.extract(*value, 0, width));
        let [one, two] = [left, right].map(|value| {
            let is_zero = self.terms.equal(value, zero);
            let is_negative = self.terms.equal(value, negative);
            self.terms.or(is_zero, is_negative)
        });
        let both = self.terms.and(one, two);
        let takes = self.terms.variable(1);
        let either = self.terms.choose(takes, left, right);
        let either = self.terms.zero_extend(either, 64);
        self.terms.choose(both, either, result)
    }

    /// Is it the number of a function?
    pub(crate) fn is_function(&self, object: u32) -> bool {
        let first = 1 + self.module.globals.len() as u32;
        (first..first + self.module.functions.len() as u32).contains(&object)
    }
}

/// Does it make something else of its operands than addresses of the same objects?
fn uses_bits(operation: &Operation) -> bool {
    match operation {
        Operation::Binary { op, width: 64, .. } => {
            !matches!(op, Binary::Add | Binary::Subtract | Binary::Difference)
        }
        Operation::Unary { width: 64, .. } => true,
        Operation::Cast { op: Cast::Truncate { from, .. }, .. } => *from == 64,
        _ => false,
    }
}

/// Does where objects lie matter to it only if its operands point into different ones? Pointers into different objects are
/// not equal, and have no difference.
fn needs_one_object(operation: &Operation) -> bool {
    matches!(
        operation,
        Operation::Compare { op: Comparison::Equal | Comparison::NotEqual, .. }
            | Operation::Binary { op: Binary::Difference, .. }
    )
}
