//! What the executor decides and C leaves open: what unwritten memory holds, and where objects lie. Each is a
//! [bound](crate::bounds) on what a refutation says.

use obligato_bytecode::{Cast, Comparison, Operation};
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
            (Operation::Compare { width: 64, .. }, [left, right]) => {
                let (left, right) = (objects(*left), objects(*right));
                let pairs =
                    || left.iter().flat_map(|one| right.iter().map(move |two| (*one, *two)));
                let apart = |(one, two): &(u32, u32)| {
                    one != two && !(self.is_function(*one) && self.is_function(*two))
                };
                if !pairs().any(|pair| apart(&pair)) {
                    return None;
                }
                let aliasable = &self.bounds.aliasable;
                let can_alias = |(one, two): (u32, u32)| {
                    one == two || (aliasable.contains_key(&one) && aliasable.contains_key(&two))
                };
                Some(if is_equality(operation) && pairs().all(can_alias) {
                    Bound::NoAliasing
                } else {
                    Bound::AddressLayout
                })
            }
            (Operation::Cast { op: Cast::PointerToInteger { .. }, .. }, [pointer]) => {
                (!objects(*pointer).is_empty()).then_some(Bound::AddressLayout)
            }
            _ => None,
        }
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
            Operation::Cast { op: Cast::PointerToInteger { to }, .. } => (*to).min(64),
            _ => return result,
        };
        let value = self.terms.extract(result, 0, width);
        let value = self.within(bound, value);
        self.terms.zero_extend(value, 64)
    }

    /// Is it the number of a function?
    pub(crate) fn is_function(&self, object: u32) -> bool {
        let first = 1 + self.module.globals.len() as u32;
        (first..first + self.module.functions.len() as u32).contains(&object)
    }
}

fn is_equality(operation: &Operation) -> bool {
    matches!(operation, Operation::Compare { op: Comparison::Equal | Comparison::NotEqual, .. })
}
