//! Bounds: how far an engine looked.
//!
//! What was refuted only within bounds is no proof; [`Limit::NotWithinBounds`](super::Limit::NotWithinBounds) names them.

use std::fmt;

use super::words::{Templates, number};

/// A bound within which an engine searched.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Bound {
    /// At most so many steps per test.
    Steps(u64),
    /// At most so many elements behind a pointer.
    Elements(u64),
    /// At most so many pointers in a row from an input.
    PointerDepth(u64),
    /// At most so many structures of one type, where they link to each other.
    Structures(u64),
    /// At most so many different results of a stub per step.
    StubResults(u64),
    /// At most so many cells of an array are inputs.
    ArrayCells(u64),
    /// Loops are unwound at most so often.
    Unwinding(u64),
    /// At most so many calls are open at once.
    CallDepth(u64),
    /// No two pointers point to the same object.
    NoAliasing,
    /// Strings are terminated within their objects.
    TerminatedStrings,
    /// Static variables start as the file initialises them.
    InitialState,
    /// Enumerations hold values that have names.
    NamedEnumerators,
    /// Every allocation succeeds.
    SuccessfulAllocation,
    /// A bound that only a stored document names.
    Other(String),
}

/// Bounds with a number, by the words behind it.
const COUNTED: Templates<fn(u64) -> Bound> = &[
    ("steps at most ", Bound::Steps),
    ("elements behind a pointer at most ", Bound::Elements),
    ("pointer depth at most ", Bound::PointerDepth),
    ("linked structures at most ", Bound::Structures),
    ("results of a stub per step at most ", Bound::StubResults),
    ("array cells at most ", Bound::ArrayCells),
    ("loop unwinding at most ", Bound::Unwinding),
    ("call depth at most ", Bound::CallDepth),
];

/// Bounds without a number.
const PLAIN: Templates<Bound> = &[
    ("no aliasing", Bound::NoAliasing),
    ("terminated strings", Bound::TerminatedStrings),
    ("initial static state", Bound::InitialState),
    ("named enumerators", Bound::NamedEnumerators),
    ("successful allocation", Bound::SuccessfulAllocation),
];

impl Bound {
    /// Reads a bound from its words.
    pub fn read(words: &str) -> Self {
        if let Some((_, bound)) = PLAIN.iter().find(|(text, _)| *text == words) {
            return bound.clone();
        }
        let counted = COUNTED
            .iter()
            .find_map(|(prefix, bound)| words.strip_prefix(prefix).and_then(number).map(*bound));
        counted.unwrap_or_else(|| Self::Other(words.to_owned()))
    }

    /// The number of a bound that has one.
    fn value(&self) -> Option<u64> {
        match self {
            Self::Steps(value)
            | Self::Elements(value)
            | Self::PointerDepth(value)
            | Self::Structures(value)
            | Self::StubResults(value)
            | Self::ArrayCells(value)
            | Self::Unwinding(value)
            | Self::CallDepth(value) => Some(*value),
            Self::NoAliasing
            | Self::TerminatedStrings
            | Self::InitialState
            | Self::NamedEnumerators
            | Self::SuccessfulAllocation
            | Self::Other(_) => None,
        }
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Self::Other(words) = self {
            return f.write_str(words);
        }
        if let Some(value) = self.value() {
            let is_it = |(_, bound): &&(&str, fn(u64) -> Self)| bound(value) == *self;
            let (words, _) = COUNTED.iter().find(is_it).expect("invariant: all are listed");
            return write!(f, "{words}{value}");
        }
        let (words, _) =
            PLAIN.iter().find(|(_, bound)| bound == self).expect("invariant: all are listed");
        f.write_str(words)
    }
}
