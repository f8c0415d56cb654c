//! Bounds: how far an engine looked.
//!
//! A size, a depth or a number of calls that the tool chose steers the search for tests and limits what a refutation says.
//! [`Limit::NotWithinBounds`](super::Limit::NotWithinBounds) names the bounds that a refutation used; one that used none is a proof.

use std::fmt;

use super::words::{Names, Templates, number};

/// A bound within which an engine searched.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Bound {
    /// At most so many steps per test, from the initial state on.
    Steps(u64),
    /// At most so many elements behind a pointer.
    Elements(u64),
    /// At most so many pointers in a row from an input.
    PointerDepth(u64),
    /// At most so many structures behind a pointer.
    Structures(u64),
    /// At most so many different results of a stub per step.
    StubResults(u64),
    /// At most so many cells of an array are inputs.
    ArrayCells(u64),
    /// Loops are unwound at most so often.
    Unwinding(u64),
    /// At most so many calls are open at once.
    CallDepth(u64),
    /// At most so many cells are inputs.
    Inputs(u64),
    /// No two pointers point to the same object.
    NoAliasing,
    /// Strings are terminated within their objects.
    TerminatedStrings,
    /// Enumerations hold values that have names.
    NamedEnumerators,
    /// Every allocation succeeds.
    SuccessfulAllocation,
    /// Memory that nothing has written holds zeros.
    ZeroedMemory,
    /// Objects lie in memory as the executor places them: order, alignment and bits of addresses.
    AddressLayout,
    /// Function pointers among the inputs are NULL or point to functions of the unit.
    OwnCallbacks,
    /// Nothing but the function under test changes these static variables between steps.
    OtherCalls(Names),
    /// These functions outside of the unit write no memory and call nothing back.
    StubEffects(Names),
    /// These volatile objects change only when the unit writes them.
    VolatileMemory(Names),
    /// These inputs have the one value that tests can give them.
    FixedInputs(Names),
    /// A bound that only a stored document names.
    Other(String),
}

/// Words, the bound that they and what follows them make, and the option that lifts it.
type Rows<T> = &'static [(&'static str, fn(T) -> Bound, Option<&'static str>)];

/// Bounds with a number, by the words before it.
const COUNTED: Rows<u64> = &[
    ("steps at most ", Bound::Steps, Some("--steps")),
    ("elements behind a pointer at most ", Bound::Elements, Some("--elements")),
    ("pointer depth at most ", Bound::PointerDepth, Some("--depth")),
    ("structures behind a pointer at most ", Bound::Structures, Some("--structures")),
    ("results of a stub per step at most ", Bound::StubResults, Some("--calls")),
    ("array cells at most ", Bound::ArrayCells, Some("--array")),
    ("loop unwinding at most ", Bound::Unwinding, None),
    ("call depth at most ", Bound::CallDepth, None),
    ("inputs at most ", Bound::Inputs, None),
];

/// Bounds about names, by the words before them.
const NAMED: Rows<Names> = &[
    ("no other function changes ", Bound::OtherCalls, Some("--state free")),
    ("no effects of ", Bound::StubEffects, None),
    ("plain memory for volatile ", Bound::VolatileMemory, None),
    ("one value for ", Bound::FixedInputs, None),
];

/// Bounds without a number.
const PLAIN: Templates<(Bound, Option<&str>)> = &[
    ("no aliasing", (Bound::NoAliasing, Some("--alias"))),
    ("terminated strings", (Bound::TerminatedStrings, None)),
    ("named enumerators", (Bound::NamedEnumerators, None)),
    ("successful allocation", (Bound::SuccessfulAllocation, None)),
    ("zero for memory that nothing has written", (Bound::ZeroedMemory, None)),
    ("the executor's layout of addresses", (Bound::AddressLayout, None)),
    ("function pointers to the unit's own functions", (Bound::OwnCallbacks, None)),
];

impl Bound {
    /// Reads a bound from its words.
    pub fn read(words: &str) -> Self {
        if let Some((_, (bound, _))) = PLAIN.iter().find(|(text, _)| *text == words) {
            return bound.clone();
        }
        let counted = COUNTED
            .iter()
            .find_map(|(prefix, bound, _)| words.strip_prefix(prefix).and_then(number).map(*bound));
        let named = || {
            NAMED.iter().find_map(|(prefix, bound, _)| {
                words.strip_prefix(prefix).and_then(Names::read).map(*bound)
            })
        };
        counted.or_else(named).unwrap_or_else(|| Self::Other(words.to_owned()))
    }

    /// The option of the command line that lifts it, if there is one.
    pub fn lifted_by(&self) -> Option<&'static str> {
        if let Some(value) = self.value() {
            return COUNTED.iter().find(|(_, bound, _)| bound(value) == *self)?.2;
        }
        if let Some(names) = self.names() {
            return NAMED.iter().find(|(_, bound, _)| bound(names.clone()) == *self)?.2;
        }
        PLAIN.iter().find(|(_, (bound, _))| bound == self)?.1.1
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
            | Self::CallDepth(value)
            | Self::Inputs(value) => Some(*value),
            _ => None,
        }
    }

    /// The names of a bound that is about some.
    fn names(&self) -> Option<&Names> {
        match self {
            Self::OtherCalls(names)
            | Self::StubEffects(names)
            | Self::VolatileMemory(names)
            | Self::FixedInputs(names) => Some(names),
            _ => None,
        }
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const LISTED: &str = "invariant: all bounds are listed";
        if let Self::Other(words) = self {
            return f.write_str(words);
        }
        if let Some(value) = self.value() {
            let found = COUNTED.iter().find(|(_, bound, _)| bound(value) == *self);
            return write!(f, "{}{value}", found.expect(LISTED).0);
        }
        if let Some(names) = self.names() {
            let found = NAMED.iter().find(|(_, bound, _)| bound(names.clone()) == *self);
            return write!(f, "{}{names}", found.expect(LISTED).0);
        }
        f.write_str(PLAIN.iter().find(|(_, (bound, _))| bound == self).expect(LISTED).0)
    }
}
