//! Classes of characters: a program may have chosen another locale than "C" before it calls the function under test.
//!
//! What classes the characters of ASCII have is the same in all of them (POSIX.1-2017, base definitions 7.3.1); of the characters beyond, and of
//! upper and lower case, each says something else.

use obligato_c_library::{LocaleUse, locale_of};
use obligato_execute::CharacterTable;
use obligato_model::Bound;
use obligato_term::{BinaryOp, Term};

use crate::bounds::ReadPlace;
use crate::engine::Engine;

/// The characters from zero on that are the same everywhere.
const ASCII: u64 = 128;

impl Engine<'_> {
    /// What a table behind `ctype.h` holds: beyond the locale "C", anything for characters that are not ASCII.
    pub(crate) fn loosen_class(&mut self, place: ReadPlace, held: Term) -> Term {
        let found = self.character_tables.iter().find(|(object, _)| *object == place.object);
        let Some((_, table)) = found else { return held };
        // Turkish has another upper case of `i`.
        let same = if *table == CharacterTable::Classes { ASCII } else { 0 };
        let (zero, end) = (table.zero(), same * table.entry());
        let zero = self.terms.constant(zero.into(), 64);
        let distance = self.terms.binary(BinaryOp::Subtract, place.offset, zero);
        let end = self.terms.constant(end.into(), 64);
        let is_ascii = self.terms.binary(BinaryOp::LessUnsigned, distance, end);
        let other = self.within_at(&Bound::Locale, held, place);
        self.terms.choose(is_ascii, held, other)
    }

    /// The result of a library function that runs as code: of a character's class or case, or of a comparison of strings.
    pub(crate) fn loosen_library_result(
        &mut self,
        name: &str,
        values: &[Term],
        result: Term,
    ) -> Term {
        let same = match (locale_of(name), values) {
            (Some(LocaleUse::Class), [_]) => ASCII,
            (Some(LocaleUse::Case), [_]) => 0,
            (Some(LocaleUse::Order), _) => {
                let order = self.terms.extract(result, 0, 32);
                let order = self.any_order(order);
                let order = self.within(&Bound::Locale, order);
                return self.terms.zero_extend(order, 64);
            }
            _ => return result,
        };
        let character = self.terms.extract(values[0], 0, 32);
        let end = self.terms.constant(same.into(), 32);
        let is_ascii = self.terms.binary(BinaryOp::LessUnsigned, character, end);
        let word = self.terms.extract(result, 0, 32);
        let word = self.within(&Bound::Locale, word);
        let other = self.terms.zero_extend(word, 64);
        self.terms.choose(is_ascii, result, other)
    }
}
