//! The table, one file for each header.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use crate::function::{Concrete, LibraryFunction};

/// Makes an enum of concrete models, and `ROWS`: each function that a model serves, as
/// `(name, header, C body, symbolic model)`.
macro_rules! functions {
    (
        $(#[$meta:meta])*
        $enumeration:ident in $group:ident, $rows:ident {
            $($model:ident { $(($name:literal, $header:literal, $body:ident, $symbolic:expr))+ })*
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[allow(missing_docs, reason = "each is the model of the functions in its rows")]
        pub enum $enumeration {
            $($model,)*
        }

        pub(super) const $rows: &[crate::function::LibraryFunction] = &[
            $($(crate::function::LibraryFunction {
                name: $name,
                header: $header,
                concrete: Some(crate::function::Concrete::$group($enumeration::$model)),
                body: $body,
                symbolic: $symbolic,
            },)+)*
        ];
    };
}

mod assert;
mod calls;
mod ctype;
mod math;
mod stdio;
mod stdlib;
mod string;
mod surroundings;

pub use assert::AssertFunction;
pub use calls::{Returns, calls_back, returns};
pub use ctype::CharacterFunction;
pub use math::{DoubleFunction, SingleFunction};
pub use stdio::{STREAMS, StdioFunction};
pub use stdlib::{SortFunction, StdlibFunction};
pub use string::StringFunction;
pub use surroundings::{allocates, may_ask_locale, may_print};

const TABLE: [&[LibraryFunction]; 9] = [
    string::STRING,
    ctype::CHARACTER,
    stdlib::STDLIB,
    stdlib::SORT,
    math::DOUBLE,
    math::SINGLE,
    stdio::STDIO,
    stdio::WITHOUT_CONCRETE_MODEL,
    assert::ASSERT,
];

/// All rows.
pub fn functions() -> impl Iterator<Item = &'static LibraryFunction> {
    TABLE.into_iter().flatten()
}

/// The row of a name.
pub fn find(name: &str) -> Option<&'static LibraryFunction> {
    static BY_NAME: LazyLock<BTreeMap<&str, &LibraryFunction>> =
        LazyLock::new(|| functions().map(|row| (row.name, row)).collect());
    BY_NAME.get(name).copied()
}

/// What a function asks the locale for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LocaleUse {
    /// The class of a character.
    Class,
    /// Its other case.
    Case,
    /// The order of strings, or which characters are equal in it.
    Order,
}

/// What the results of a function depend on in the locale. Digits are the same in all (C11 7.4.1).
pub fn locale_of(name: &str) -> Option<LocaleUse> {
    match find(name)?.concrete? {
        Concrete::Character(CharacterFunction::Isdigit | CharacterFunction::Isxdigit) => None,
        Concrete::Character(CharacterFunction::Tolower | CharacterFunction::Toupper) => {
            Some(LocaleUse::Case)
        }
        Concrete::Character(_) => Some(LocaleUse::Class),
        Concrete::String(StringFunction::Strcasecmp | StringFunction::Strncasecmp) => {
            Some(LocaleUse::Order)
        }
        Concrete::String(_) if name == "strcoll" => Some(LocaleUse::Order),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_has_one_row_and_is_found_by_it() {
        for row in functions() {
            assert_eq!(find(row.name), Some(row), "{} has two rows", row.name);
            assert!(row.concrete.is_some() || row.symbolic.is_some(), "{} has no model", row.name);
            assert!(row.header.strip_suffix(".h").is_some(), "{}", row.name);
        }
        assert_eq!(find("time"), None);
        assert_eq!(find(""), None);
    }
}
