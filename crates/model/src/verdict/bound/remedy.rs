//! What lifts a bound: an option of the command line with a value worth trying next, or something that only a person can do.

use std::fmt;

use super::Bound;

/// What lifts a bound.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Remedy {
    /// An option, as it is typed.
    Option(String),
    /// No option does. This is what a person can do.
    Person(&'static str),
}

/// Nothing but a person's reason closes what such a bound leaves open.
const JUSTIFICATION: &str = "a justification";

impl Bound {
    /// The option of the command line that lifts it, if there is one.
    pub fn lifted_by(&self) -> Option<&'static str> {
        match self {
            Self::Steps(_) => Some("--steps"),
            Self::Elements(_) => Some("--elements"),
            Self::PointerDepth(_) => Some("--depth"),
            Self::Structures(_) => Some("--structures"),
            Self::StubResults(_) | Self::VolatileReads(_) => Some("--calls"),
            Self::ArrayCells(_) => Some("--array"),
            Self::NoAliasing => Some("--alias"),
            Self::Unwinding(_)
            | Self::CallDepth(_)
            | Self::Inputs(_)
            | Self::TerminatedStrings
            | Self::NamedEnumerators
            | Self::SuccessfulAllocation
            | Self::SuccessfulOutput
            | Self::Locale
            | Self::ZeroedMemory
            | Self::AddressLayout
            | Self::OwnCallbacks
            | Self::SameObjects
            | Self::OtherCalls(_)
            | Self::StubEffects(_)
            | Self::VolatileMemory(_)
            | Self::FixedInputs(_)
            | Self::Other(_) => None,
        }
    }

    /// What to try next: the option with a larger value, or what a person can do.
    pub fn remedy(&self) -> Remedy {
        if let Some(option) = self.lifted_by() {
            return Remedy::Option(match self.larger() {
                Some(value) => format!("{option} {value}"),
                None => option.to_owned(),
            });
        }
        Remedy::Person(match self {
            Self::Unwinding(_) => "a --range or --assume that bounds the loop, or a justification",
            Self::CallDepth(_) => {
                "a --range or --assume that bounds the recursion, or a justification"
            }
            Self::Inputs(_) => "fewer inputs by --array, --elements or --fixed",
            Self::StubEffects(_) => {
                "more --calls or --elements, what [stubs] says of it, or a justification"
            }
            Self::OtherCalls(_) => {
                "--init or --event with the functions that change it, or --state free"
            }
            Self::SuccessfulAllocation => "more --calls, or --allocation succeeds",
            Self::SameObjects => {
                "a C function that calls it with objects of its own, as the function under test, or a justification"
            }
            Self::OwnCallbacks => "a function of that type in the C file, or a justification",
            _ => JUSTIFICATION,
        })
    }

    /// The value to try next.
    fn larger(&self) -> Option<String> {
        let value = match self {
            // A pointer to pointers or arrays points to one of them, unless its size is given by name.
            Self::Elements(1) => return Some("NAME=4".to_owned()),
            Self::Steps(value) | Self::ArrayCells(value) => value.saturating_mul(4),
            Self::Elements(value) | Self::StubResults(value) | Self::VolatileReads(value) => {
                value.saturating_mul(2)
            }
            Self::PointerDepth(value) | Self::Structures(value) => value.saturating_add(1),
            _ => return None,
        };
        Some(value.max(1).to_string())
    }
}

impl fmt::Display for Remedy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Option(words) => f.write_str(words),
            Self::Person(words) => f.write_str(words),
        }
    }
}
