//! What calls of a library function ask of the surroundings of a program, which may refuse it or answer in other ways.

use super::{StdlibFunction, StringFunction, find, locale_of};
use crate::function::Concrete;

/// Does it allocate memory?
pub fn allocates(name: &str) -> bool {
    matches!(
        find(name).and_then(|row| row.concrete),
        Some(
            Concrete::Stdlib(
                StdlibFunction::Malloc
                    | StdlibFunction::Calloc
                    | StdlibFunction::AlignedAlloc
                    | StdlibFunction::Realloc
                    | StdlibFunction::Reallocarray
            ) | Concrete::String(StringFunction::Strdup | StringFunction::Strndup)
        )
    )
}

/// May it print? Formats that go into memory count as well.
pub fn may_print(name: &str) -> bool {
    find(name).is_some_and(|row| row.header == "stdio.h")
}

/// May its result depend on the locale: on characters, or on how numbers are written?
pub fn may_ask_locale(name: &str) -> bool {
    let converts = |header: &str| header == "ctype.h" || header == "stdio.h";
    let reads_number = |name: &str| name.contains("strto") || name.starts_with("ato");
    locale_of(name).is_some()
        || find(name).is_some_and(|row| converts(row.header) || reads_number(row.name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_ask_for_what_the_standard_says() {
        for name in ["malloc", "realloc", "aligned_alloc", "strdup"] {
            assert!(allocates(name), "{name}");
        }
        assert!(!allocates("free") && !allocates("memcpy") && !allocates("f"));
        assert!(may_print("printf") && may_print("fputc") && !may_print("strlen"));
        for name in ["isalpha", "toupper", "__ctype_b_loc", "strcasecmp", "sprintf"] {
            assert!(may_ask_locale(name), "{name}");
        }
        for name in ["strtod", "strtol", "__isoc23_strtol", "atoi"] {
            assert!(may_ask_locale(name), "{name}");
        }
        assert!(!may_ask_locale("abs") && !may_ask_locale("memcmp") && !may_ask_locale("f"));
    }
}
