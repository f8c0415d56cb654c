//! What an engine for C does not follow: why it cut a path, or concretised a value.

use std::fmt;

use super::words::{Templates, between, faithful, find, number, words_for};

/// Why an engine for C does not follow a path, or a value, symbolically.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotFollowed {
    /// The formula has reached its limit of terms, or its deadline.
    FormulaLimit,
    /// A run has made more than so many terms.
    Terms(u64),
    /// A run has left more than so many forks.
    Forks(u64),
    /// An object of symbolic size is created.
    SymbolicObjectSize,
    /// A block of symbolic size is copied.
    SymbolicCopySize,
    /// A block of symbolic size is filled.
    SymbolicFillSize,
    /// A block of symbolic size is copied from or to a volatile object.
    SymbolicVolatileSize,
    /// An object is larger than the formula allows.
    LargeObject,
    /// An argument that is passed by value is larger than the formula allows.
    LargeArgument,
    /// The variable arguments of a call are larger than the formula allows.
    LargeVariadicArguments,
    /// A block of constant size is too large to be filled.
    LargeFill,
    /// The blocks that are compared are too large.
    LargeComparison,
    /// A string is in an object that is too large to look for its end.
    LargeString,
    /// A symbolic offset has too many candidates.
    SymbolicOffset,
    /// A load or store through an unconstrained pointer.
    UnconstrainedAccess,
    /// A call through an unconstrained pointer.
    UnconstrainedCall,
    /// A call at an address where no object lies.
    FixedCall,
    /// An unconstrained pointer is freed.
    UnconstrainedFree,
    /// The program frees an object of the test, into which a later step has to write its inputs.
    FreedInput,
    /// A stub calls the harness with arguments of another number.
    StubArguments,
    /// A volatile access does not say its size.
    VolatileArguments,
    /// A call of a function that has neither a body nor a symbolic model.
    Call(String),
    /// A call of a function that nothing defines and no stub answers.
    UndefinedCall(String),
    /// A call of a function that may return twice.
    ReturnsTwice(String),
    /// The executor computes a function of the standard library that reads inputs.
    ReadsInputs(String),
    /// An operation without a term.
    Operation(String),
    /// The solver reaches a cut, and its values do not say which.
    UnknownCut,
    /// An operation that the front end does not translate, in its words; or a reason that only a stored document names.
    Other(String),
}

/// Reasons without parameters.
#[rustfmt::skip]
const PLAIN: Templates<NotFollowed> = &[
    ("there is no room or time for more", &[], NotFollowed::FormulaLimit),
    ("an object whose size depends on inputs", &[], NotFollowed::SymbolicObjectSize),
    ("a copy whose size depends on inputs", &[], NotFollowed::SymbolicCopySize),
    ("a stretch whose size depends on inputs", &[], NotFollowed::SymbolicFillSize),
    ("a volatile copy whose size depends on inputs", &[], NotFollowed::SymbolicVolatileSize),
    ("an object that is too large", &[], NotFollowed::LargeObject),
    ("a copy that is too large", &[], NotFollowed::LargeArgument),
    ("arguments that are too large", &[], NotFollowed::LargeVariadicArguments),
    ("too many bytes to fill", &[], NotFollowed::LargeFill),
    ("a comparison of long stretches", &[], NotFollowed::LargeComparison),
    ("a text in a large object", &[], NotFollowed::LargeString),
    ("a symbolic offset with too many candidates", &["an offset that may be too many"], NotFollowed::SymbolicOffset),
    ("an access through an unconstrained pointer", &["an access through a pointer that may be anything"], NotFollowed::UnconstrainedAccess),
    ("a call through an unconstrained pointer", &["a call through a pointer that may be anything"], NotFollowed::UnconstrainedCall),
    ("a call at a fixed address", &[], NotFollowed::FixedCall),
    ("an unconstrained pointer is freed", &["a pointer that may be anything is freed"], NotFollowed::UnconstrainedFree),
    ("an object of the test is given back before the last step", &[], NotFollowed::FreedInput),
    ("a call outside with other arguments", &[], NotFollowed::StubArguments),
    ("a volatile access without a size", &[], NotFollowed::VolatileArguments),
    ("something was cut off", &[], NotFollowed::UnknownCut),
];

const TERMS: [&str; 2] = ["more than ", " terms"];
const FORKS: [&str; 2] = ["more than ", " forks in one run"];
const CALL: [&str; 2] = ["a call of '", "'"];
const UNDEFINED_CALL: [&str; 2] = ["a call of '", "', which is defined nowhere"];
const RETURNS_TWICE: [&str; 2] = ["'", "', which may return twice"];
const READS_INPUTS: [&str; 2] = ["'", "', which looks at inputs"];
const OPERATION: [&str; 2] = ["no term for ", ""];

impl NotFollowed {
    /// Reads a reason from its words.
    pub fn read(words: &str) -> Self {
        if let Some(reason) = Self::read_plain(words) {
            return reason;
        }
        let inner = |[start, end]: [&str; 2]| between(words, start, end).map(str::to_owned);
        let count = |[start, end]: [&str; 2]| between(words, start, end).and_then(number);
        let readings = [
            count(TERMS).map(Self::Terms),
            count(FORKS).map(Self::Forks),
            inner(UNDEFINED_CALL).map(Self::UndefinedCall),
            inner(CALL).map(Self::Call),
            inner(RETURNS_TWICE).map(Self::ReturnsTwice),
            inner(READS_INPUTS).map(Self::ReadsInputs),
            inner(OPERATION).map(Self::Operation),
        ];
        faithful(words, readings).unwrap_or_else(|| Self::Other(words.to_owned()))
    }

    /// Reads a reason without parameters.
    pub(super) fn read_plain(words: &str) -> Option<Self> {
        find(PLAIN, words).cloned()
    }

    fn plain_words(&self) -> &'static str {
        words_for(PLAIN, self).expect("invariant: all reasons without parameters are listed")
    }
}

impl fmt::Display for NotFollowed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (parameter, [start, end]): (&dyn fmt::Display, _) = match self {
            Self::Terms(most) => (most, TERMS),
            Self::Forks(most) => (most, FORKS),
            Self::Call(name) => (name, CALL),
            Self::UndefinedCall(name) => (name, UNDEFINED_CALL),
            Self::ReturnsTwice(name) => (name, RETURNS_TWICE),
            Self::ReadsInputs(name) => (name, READS_INPUTS),
            Self::Operation(operation) => (operation, OPERATION),
            Self::Other(words) => return f.write_str(words),
            Self::FormulaLimit
            | Self::SymbolicObjectSize
            | Self::SymbolicCopySize
            | Self::SymbolicFillSize
            | Self::SymbolicVolatileSize
            | Self::LargeObject
            | Self::LargeArgument
            | Self::LargeVariadicArguments
            | Self::LargeFill
            | Self::LargeComparison
            | Self::LargeString
            | Self::SymbolicOffset
            | Self::UnconstrainedAccess
            | Self::UnconstrainedCall
            | Self::FixedCall
            | Self::UnconstrainedFree
            | Self::FreedInput
            | Self::StubArguments
            | Self::VolatileArguments
            | Self::UnknownCut => return f.write_str(self.plain_words()),
        };
        write!(f, "{start}{parameter}{end}")
    }
}
