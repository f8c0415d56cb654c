//! Classes of characters: a program may have chosen another locale than "C" before it calls the function under test.
//!
//! What locales say of ASCII is the same in all that programs use; of the characters beyond, each says something else.

use obligato_c_library::depends_on_locale;
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
        let (zero, end) = (table.zero(), ASCII * table.entry());
        let zero = self.terms.constant(zero.into(), 64);
        let distance = self.terms.binary(BinaryOp::Subtract, place.offset, zero);
        let end = self.terms.constant(end.into(), 64);
        let is_ascii = self.terms.binary(BinaryOp::LessUnsigned, distance, end);
        let other = self.within_at(&Bound::Locale, held, place);
        self.terms.choose(is_ascii, held, other)
    }

    /// The result of a function of `ctype.h` for a character.
    pub(crate) fn loosen_classified(&mut self, name: &str, values: &[Term], result: Term) -> Term {
        let [character] = values else { return result };
        if !depends_on_locale(name) {
            return result;
        }
        let character = self.terms.extract(*character, 0, 32);
        let end = self.terms.constant(ASCII.into(), 32);
        let is_ascii = self.terms.binary(BinaryOp::LessUnsigned, character, end);
        let word = self.terms.extract(result, 0, 32);
        let word = self.within(&Bound::Locale, word);
        let other = self.terms.zero_extend(word, 64);
        self.terms.choose(is_ascii, result, other)
    }
}
