//! What a call of a library function does to control: how often it returns, and whether it calls what it is given.

use super::{AssertFunction, StdlibFunction, find};
use crate::function::Concrete;

/// How often a call returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Returns {
    /// To where it was called, once.
    Once,
    /// It does not come back.
    Never,
    /// Once more, long after it has.
    Twice,
}

/// What stands for these is not in the table: compilers know them, or nobody here can execute them.
const WITHOUT_ROW: [(&str, Returns); 7] = [
    ("__builtin_unreachable", Returns::Never),
    ("__builtin_trap", Returns::Never),
    ("__builtin_abort", Returns::Never),
    ("__builtin_exit", Returns::Never),
    ("__builtin_setjmp", Returns::Twice),
    ("vfork", Returns::Twice),
    ("getcontext", Returns::Twice),
];

/// How often a call of this function returns; of what is not known here, once.
pub fn returns(name: &str) -> Returns {
    if let Some((_, returns)) = WITHOUT_ROW.iter().find(|(known, _)| *known == name) {
        return *returns;
    }
    match find(name).and_then(|row| row.concrete) {
        Some(
            Concrete::Stdlib(
                StdlibFunction::Exit | StdlibFunction::Abort | StdlibFunction::Longjmp,
            )
            | Concrete::Assert(AssertFunction::AssertFail),
        ) => Returns::Never,
        Some(Concrete::Stdlib(StdlibFunction::Setjmp)) => Returns::Twice,
        _ => Returns::Once,
    }
}

/// Does it call a function that it is given?
pub fn calls_back(name: &str) -> bool {
    matches!(find(name).and_then(|row| row.concrete), Some(Concrete::Sort(_)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_end_as_the_standard_says() {
        for (name, expected) in [
            ("abort", Returns::Never),
            ("quick_exit", Returns::Never),
            ("_longjmp", Returns::Never),
            ("__assert_fail", Returns::Never),
            ("__builtin_trap", Returns::Never),
            ("__sigsetjmp", Returns::Twice),
            ("__builtin_setjmp", Returns::Twice),
            ("qsort", Returns::Once),
            ("f", Returns::Once),
        ] {
            assert_eq!(returns(name), expected, "{name}");
        }
        assert!(WITHOUT_ROW.iter().all(|(name, _)| find(name).is_none()));
    }

    #[test]
    fn sorting_and_searching_call_back() {
        assert!(calls_back("qsort") && calls_back("bsearch"));
        assert!(!calls_back("free") && !calls_back("f"));
    }
}
