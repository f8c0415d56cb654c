//! Bounds: how far an engine looked.
//!
//! A size, a depth or a number of calls that the tool chose steers the search for tests and limits what a refutation says.
//! [`Limit::NotWithinBounds`](super::Limit::NotWithinBounds) names the bounds that a refutation used; one that used none is a proof.
//! [`remedy`] says what lifts a bound, [`comparison`] which of two refutations says more.

use std::fmt;

use super::words::{Names, between, number};

mod comparison;
mod remedy;

pub use comparison::{BoundedGroup, is_stronger, strongest};
pub use remedy::Remedy;

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
    /// At most so many different values of a volatile object per step.
    VolatileReads(u64),
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
    /// A pointer that every step is given points to the same objects in all of them.
    SameObjects,
    /// Enumerations hold values that have names.
    NamedEnumerators,
    /// Every allocation succeeds.
    SuccessfulAllocation,
    /// Everything can be printed.
    SuccessfulOutput,
    /// Characters beyond ASCII have the classes of the locale "C".
    Locale,
    /// Memory that nothing has written holds zeros.
    ZeroedMemory,
    /// Objects lie in memory as the executor places them: order, alignment and bits of addresses.
    AddressLayout,
    /// Function pointers among the inputs are NULL, or point to functions of the unit or to a stub of their own.
    OwnCallbacks,
    /// Nothing but the function under test changes these static variables between steps.
    OtherCalls(Names),
    /// These functions outside of the unit write no other memory than tests let them, and call nothing else back.
    StubEffects(Names),
    /// These volatile objects change only when the unit writes them.
    VolatileMemory(Names),
    /// These inputs have the one value that tests can give them.
    FixedInputs(Names),
    /// A bound that only a stored document names.
    Other(String),
}

/// A kind of bound with a number.
struct Counted {
    /// What stores call it.
    kind: &'static str,
    bound: fn(u64) -> Bound,
    /// Its words with the number 1.
    one: &'static str,
    /// What stands before and behind any other number.
    more: [&'static str; 2],
    /// What earlier versions wrote before the number.
    earlier: &'static str,
}

/// A kind of bound about names.
struct Named {
    kind: &'static str,
    bound: fn(Names) -> Bound,
    /// What stands before the names.
    words: &'static str,
    /// What earlier versions wrote there.
    earlier: &'static [&'static str],
}

/// A bound without parameters.
struct Plain {
    kind: &'static str,
    bound: Bound,
    words: &'static str,
    /// What earlier versions wrote.
    earlier: &'static [&'static str],
}

const fn counted(
    kind: &'static str,
    bound: fn(u64) -> Bound,
    one: &'static str,
    more: [&'static str; 2],
    earlier: &'static str,
) -> Counted {
    Counted { kind, bound, one, more, earlier }
}

const fn named(
    kind: &'static str,
    bound: fn(Names) -> Bound,
    words: &'static str,
    earlier: &'static [&'static str],
) -> Named {
    Named { kind, bound, words, earlier }
}

const fn plain(
    kind: &'static str,
    bound: Bound,
    words: &'static str,
    earlier: &'static [&'static str],
) -> Plain {
    Plain { kind, bound, words, earlier }
}

#[rustfmt::skip]
const COUNTED: &[Counted] = &[
    counted("steps", Bound::Steps, "one step", ["at most ", " steps"], "steps at most "),
    counted("elements", Bound::Elements, "one element behind a pointer",
        ["at most ", " elements behind a pointer"], "elements behind a pointer at most "),
    counted("pointer-depth", Bound::PointerDepth, "one pointer in a row",
        ["at most ", " pointers in a row"], "pointer depth at most "),
    counted("structures", Bound::Structures, "one structure behind a pointer",
        ["at most ", " structures behind a pointer"], "structures behind a pointer at most "),
    counted("stub-results", Bound::StubResults, "one result of a stub per step",
        ["at most ", " results of a stub per step"], "results of a stub per step at most "),
    counted("volatile-reads", Bound::VolatileReads, "one value of a volatile object per step",
        ["at most ", " values of a volatile object per step"], "values of a volatile object per step at most "),
    counted("array-cells", Bound::ArrayCells, "one cell of an array as input",
        ["at most ", " cells of an array as inputs"], "array cells at most "),
    counted("unwinding", Bound::Unwinding, "one iteration of a loop",
        ["at most ", " iterations of a loop"], "loop unwinding at most "),
    counted("call-depth", Bound::CallDepth, "one open call",
        ["at most ", " open calls"], "call depth at most "),
    counted("inputs", Bound::Inputs, "one input", ["at most ", " inputs"], "inputs at most "),
];

#[rustfmt::skip]
const NAMED: &[Named] = &[
    named("other-calls", Bound::OtherCalls, "no other function changes ", &[]),
    named("stub-effects", Bound::StubEffects, "no further writes and no further callbacks by ",
        &["no writes and no callbacks by ", "no effects of "]),
    named("volatile-memory", Bound::VolatileMemory, "only the unit changes volatile ",
        &["plain memory for volatile "]),
    named("fixed-inputs", Bound::FixedInputs, "one value of ", &["one value for "]),
];

#[rustfmt::skip]
const PLAIN: &[Plain] = &[
    plain("no-aliasing", Bound::NoAliasing, "no two pointers to one object", &["no aliasing"]),
    plain("same-objects", Bound::SameObjects, "the same objects behind the pointers of all steps", &[]),
    plain("terminated-strings", Bound::TerminatedStrings, "strings that end within their objects",
        &["terminated strings"]),
    plain("named-enumerators", Bound::NamedEnumerators, "enumerations with named values only",
        &["named enumerators"]),
    plain("successful-allocation", Bound::SuccessfulAllocation, "no allocation that fails",
        &["successful allocation"]),
    plain("successful-output", Bound::SuccessfulOutput, "no output that fails", &[]),
    plain("locale", Bound::Locale, "the locale \"C\"", &[]),
    plain("zeroed-memory", Bound::ZeroedMemory, "zeros in memory that nothing has written",
        &["zero for memory that nothing has written"]),
    plain("address-layout", Bound::AddressLayout, "objects at the addresses of the executor",
        &["the executor's layout of addresses"]),
    plain("own-callbacks", Bound::OwnCallbacks, "function pointers that are NULL, lead into the unit or to a stub of their own",
        &["function pointers that are NULL or lead into the unit", "function pointers to the unit's own functions"]),
];

/// What stores call a bound that has only words.
const OTHER: &str = "other";

impl Bound {
    /// Reads a bound from its words, those of earlier versions too.
    pub fn read(words: &str) -> Self {
        let plain = PLAIN.iter().find(|one| one.words == words || one.earlier.contains(&words));
        if let Some(one) = plain {
            return one.bound.clone();
        }
        let counted = COUNTED.iter().find_map(|one| {
            let several = || between(words, one.more[0], one.more[1]).and_then(number);
            let value =
                if words == one.one { Some(1) } else { several().filter(|value| *value != 1) };
            let earlier = || words.strip_prefix(one.earlier).and_then(number);
            value.or_else(earlier).map(one.bound)
        });
        let named = || {
            NAMED.iter().find_map(|one| {
                let mut starts = std::iter::once(&one.words).chain(one.earlier);
                let rest = starts.find_map(|start| words.strip_prefix(*start))?;
                Names::read(rest).map(one.bound)
            })
        };
        counted.or_else(named).unwrap_or_else(|| Self::Other(words.to_owned()))
    }

    /// What stores call this kind of bound.
    pub fn kind(&self) -> &'static str {
        match self.row() {
            Some(Row::Counted(one, _)) => one.kind,
            Some(Row::Named(one, _)) => one.kind,
            Some(Row::Plain(one)) => one.kind,
            None => OTHER,
        }
    }

    /// A bound of a kind that has a number.
    pub fn with_value(kind: &str, value: u64) -> Option<Self> {
        COUNTED.iter().find(|one| one.kind == kind).map(|one| (one.bound)(value))
    }

    /// A bound of a kind that is about names.
    pub fn with_names(kind: &str, names: Names) -> Option<Self> {
        NAMED.iter().find(|one| one.kind == kind).map(|one| (one.bound)(names))
    }

    /// A bound of a kind without parameters.
    pub fn of_kind(kind: &str) -> Option<Self> {
        PLAIN.iter().find(|one| one.kind == kind).map(|one| one.bound.clone())
    }

    /// The number of a bound that has one.
    pub fn value(&self) -> Option<u64> {
        match self {
            Self::Steps(value)
            | Self::Elements(value)
            | Self::PointerDepth(value)
            | Self::Structures(value)
            | Self::StubResults(value)
            | Self::VolatileReads(value)
            | Self::ArrayCells(value)
            | Self::Unwinding(value)
            | Self::CallDepth(value)
            | Self::Inputs(value) => Some(*value),
            _ => None,
        }
    }

    /// The names of a bound that is about some.
    pub fn names(&self) -> Option<&Names> {
        match self {
            Self::OtherCalls(names)
            | Self::StubEffects(names)
            | Self::VolatileMemory(names)
            | Self::FixedInputs(names) => Some(names),
            _ => None,
        }
    }

    /// Its row in the tables above; none if it has only words.
    fn row(&self) -> Option<Row<'_>> {
        if let Some(value) = self.value() {
            let found = COUNTED.iter().find(|one| (one.bound)(value) == *self);
            return found.map(|one| Row::Counted(one, value));
        }
        if let Some(names) = self.names() {
            let found = NAMED.iter().find(|one| (one.bound)(names.clone()) == *self);
            return found.map(|one| Row::Named(one, names));
        }
        PLAIN.iter().find(|one| one.bound == *self).map(Row::Plain)
    }
}

/// A bound in the tables, with its parameter.
enum Row<'b> {
    Counted(&'static Counted, u64),
    Named(&'static Named, &'b Names),
    Plain(&'static Plain),
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Self::Other(words) = self {
            return f.write_str(words);
        }
        match self.row().expect("invariant: all bounds are listed") {
            Row::Counted(one, 1) => f.write_str(one.one),
            Row::Counted(one, value) => write!(f, "{}{value}{}", one.more[0], one.more[1]),
            Row::Named(one, names) => write!(f, "{}{names}", one.words),
            Row::Plain(one) => f.write_str(one.words),
        }
    }
}
