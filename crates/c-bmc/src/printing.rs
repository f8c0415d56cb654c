//! Functions of `stdio.h` that print: they change nothing that a unit can see but their result.
//!
//! How many characters a format makes is not followed: the result is unconstrained. So a proof holds whatever it is, and a test
//! that is found is run before it counts. Strings are not read; one without an end is a runtime error that only a run shows.

use obligato_bytecode::Address;
use obligato_model::Bound;
use obligato_term::{BinaryOp, Term};

use crate::engine::Engine;
use crate::state::SharedState;

/// Formats that are longer are not read.
const LONGEST: usize = 4096;

impl Engine<'_> {
    /// The result of printing by a format: unconstrained, or `None` if the format may store something.
    pub(crate) fn print_format(&mut self, shared: &SharedState, format: Term) -> Option<Term> {
        self.stores_nothing(shared, format).then(|| self.print())
    }

    /// The result of printing: unconstrained.
    pub(crate) fn print(&mut self) -> Term {
        let result = self.terms.variable(32);
        self.terms.zero_extend(result, 64)
    }

    /// The result of printing a character, or `EOF`.
    pub(crate) fn print_character(&mut self, character: Term) -> Term {
        let byte = self.terms.extract(character, 0, 8);
        let printed = self.terms.zero_extend(byte, 64);
        let end_of_file = self.terms.constant(u32::MAX.into(), 64);
        let fails = self.only_beyond(&Bound::SuccessfulOutput);
        self.terms.choose(fails, end_of_file, printed)
    }

    /// The result of printing items of a size.
    pub(crate) fn print_items(&mut self, size: Term, count: Term) -> Term {
        let zero = self.terms.constant(0, 64);
        let nothing = self.terms.binary(BinaryOp::Equal, size, zero);
        let printed = self.terms.choose(nothing, zero, count);
        let fewer = self.terms.variable(64);
        let fails = self.only_beyond(&Bound::SuccessfulOutput);
        self.terms.choose(fails, fewer, printed)
    }

    /// Is this a format that is known, without `%n`?
    fn stores_nothing(&mut self, shared: &SharedState, format: Term) -> bool {
        let Some(address) = self.terms.as_constant(format) else { return false };
        let address = Address(address as u64);
        let Some(object) = shared.memory.get(address.object().0) else { return false };
        let Ok(start) = usize::try_from(address.offset()) else { return false };
        let mut text = Vec::new();
        for at in start..object.bytes.len().min(start + LONGEST) {
            let byte = object.bytes.load(&mut self.terms, at, 1);
            match self.terms.as_constant(byte) {
                Some(0) => return !stores(&text),
                Some(byte) => text.push(byte as u8),
                None => return false,
            }
        }
        false
    }
}

/// Does a format have a `%n` in it?
fn stores(format: &[u8]) -> bool {
    let mut rest = format.iter();
    while let Some(byte) = rest.next() {
        if *byte == b'%' && rest.find(|byte| !BETWEEN.contains(byte)) == Some(&b'n') {
            return true;
        }
    }
    false
}

/// What may stand between the beginning of a directive and its letter.
const BETWEEN: &[u8] = b"0123456789-+ #'.*hlLqjzt$";

#[cfg(test)]
mod tests {
    use super::stores;

    #[test]
    fn only_a_directive_stores() {
        for format in ["", "n", "%d\n", "100%% now", "%-5s: %08lxn", "%"] {
            assert!(!stores(format.as_bytes()), "{format}");
        }
        for format in ["%n", "a%5hhnb", "%d %ln"] {
            assert!(stores(format.as_bytes()), "{format}");
        }
    }
}
