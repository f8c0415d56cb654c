//! What a person says of the inputs of a C function: sizes, ranges, assumptions, the state at the start.
//!
//! Everything here can also stand in an `obligato.toml` ([`config`](crate::config)); what a request says wins.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use obligato_c_unit::settings;
use obligato_model::Integer;

/// What inputs there are, and how much a test may take. What is not said is as the configuration file says, or as usual.
#[derive(Debug, Clone, Default)]
pub struct InputOptions {
    /// How many elements pointers to numbers point to, or one pointer does.
    pub elements: Vec<Elements>,
    /// How many elements pointers to structures point to.
    pub structures: Option<u64>,
    /// How many pointers behind each other point to something.
    pub depth: Option<u32>,
    /// How many elements of an array are inputs.
    pub array: Option<u64>,
    /// How many calls of a stub get a result of their own in a step, and how many reads of a volatile object a value.
    pub calls: Option<u64>,
    /// What reads of volatile objects give.
    pub volatile: Option<Volatile>,
    /// Whether allocations may fail.
    pub allocation: Option<Allocation>,
    /// The values that inputs may have.
    pub range: Vec<NamedRange>,
    /// What holds of the inputs whenever the function is called, in C.
    pub assume: Vec<String>,
    /// Globals that are inputs although no code shows it.
    pub global: Vec<String>,
    /// Globals that keep their initial values.
    pub fixed: Vec<String>,
    /// Whether static variables start as the program says, or are inputs.
    pub state: Option<State>,
    /// The function that every test calls once, before its first step.
    pub init: Option<String>,
    /// The functions that may be called before any step.
    pub event: Vec<String>,
    /// Whether pointers may also point to what a pointer before them points to.
    pub alias: bool,
    /// Whether an overflow of signed numbers is undefined behaviour, or wraps around.
    pub signed_overflow: Option<Overflow>,
    /// How many operations a test may execute.
    pub operations: Option<u64>,
}

/// How many elements there are behind a pointer, or behind all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Elements {
    /// The pointer; all if there is none.
    pub pointer: Option<String>,
    /// How many.
    pub count: u64,
}

impl FromStr for Elements {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (pointer, count) = match text.rsplit_once('=') {
            Some((pointer, count)) => (Some(pointer.to_owned()), count),
            None => (None, text),
        };
        let count = count.parse().map_err(|_| format!("'{count}' is no number of elements"))?;
        Ok(Self { pointer, count })
    }
}

/// The values that an input may have, both ends included.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Range {
    /// The smallest.
    pub low: Integer,
    /// The largest.
    pub high: Integer,
}

/// No number of a range is written with more characters than this: those of the widest C integer are fewer.
const LONGEST_NUMBER: usize = 48;

impl FromStr for Range {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parse = |number: &str| {
            let short = Some(number.trim()).filter(|number| number.len() <= LONGEST_NUMBER);
            short.and_then(|number| number.parse().ok())
        };
        let ends = text.split_once("..").and_then(|(low, high)| Some((parse(low)?, parse(high)?)));
        let (low, high) = ends.ok_or("a range is two whole numbers, such as 0..300")?;
        if low > high {
            return Err("this range is empty: its first number is the larger one".to_owned());
        }
        Ok(Self { low, high })
    }
}

/// The range of an input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedRange {
    /// The input.
    pub name: String,
    /// Its values.
    pub range: Range,
}

impl FromStr for NamedRange {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, range) =
            text.rsplit_once('=').ok_or("the name of an input comes first, as in speed=0..300")?;
        Ok(Self { name: name.to_owned(), range: range.parse()? })
    }
}

/// What reads of volatile objects give.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Volatile {
    /// A value of its own each time.
    Inputs,
    /// What was written last.
    Memory,
    /// What was written last for these, a value of its own each time for others.
    MemoryOf(BTreeSet<String>),
}

impl FromStr for Volatile {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once('=') {
            None if text == "inputs" => Ok(Self::Inputs),
            None if text == "memory" => Ok(Self::Memory),
            Some(("memory", names)) if !names.is_empty() => {
                Ok(Self::MemoryOf(names.split(',').map(|name| name.trim().to_owned()).collect()))
            }
            _ => Err("volatile objects are inputs, memory, or memory=NAME,NAME".to_owned()),
        }
    }
}

impl fmt::Display for Volatile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Inputs => f.write_str("inputs"),
            Self::Memory => f.write_str("memory"),
            Self::MemoryOf(names) => {
                let names: Vec<&str> = names.iter().map(String::as_str).collect();
                write!(f, "memory={}", names.join(","))
            }
        }
    }
}

impl From<Volatile> for settings::VolatileObjects {
    fn from(volatile: Volatile) -> Self {
        match volatile {
            Volatile::Inputs => Self::Inputs,
            Volatile::Memory => Self::Memory,
            Volatile::MemoryOf(names) => Self::MemoryOf(names),
        }
    }
}

/// What `malloc`, `calloc` and `realloc` do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Allocation {
    /// A test says of each call whether it fails.
    MayFail,
    /// They give memory as long as there is some.
    Succeeds,
}

impl From<Allocation> for settings::Allocation {
    fn from(allocation: Allocation) -> Self {
        match allocation {
            Allocation::MayFail => Self::MayFail,
            Allocation::Succeeds => Self::Succeeds,
        }
    }
}

/// How static variables start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// As the program says.
    Initial,
    /// As inputs.
    Free,
}

impl From<State> for settings::State {
    fn from(state: State) -> Self {
        match state {
            State::Initial => Self::Kept,
            State::Free => Self::Free,
        }
    }
}

/// What an overflow of signed numbers means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Overflow {
    /// The C standard gives it no meaning, so it is undefined behaviour.
    Fault,
    /// The machine's meaning: it wraps around.
    Wraps,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_and_elements_are_read_as_they_are_written() {
        let range: NamedRange = "p->next[2].len=-1..300".parse().unwrap();
        assert_eq!(range.name, "p->next[2].len");
        assert_eq!(range.range, Range { low: (-1).into(), high: 300.into() });
        for wrong in ["x", "x=1", "x=1..", "x=2..1", "1..2", &format!("x=0..{}", "9".repeat(99))] {
            assert!(wrong.parse::<NamedRange>().is_err(), "{wrong}");
        }
        let one: Elements = "p=4".parse().unwrap();
        assert_eq!(one, Elements { pointer: Some("p".to_owned()), count: 4 });
        assert_eq!("4".parse(), Ok(Elements { pointer: None, count: 4 }));
        assert!("p=many".parse::<Elements>().is_err());
    }

    #[test]
    fn volatile_objects_are_inputs_or_memory_all_or_by_name() {
        for text in ["inputs", "memory", "memory=mode,tick"] {
            let read: Volatile = text.parse().unwrap();
            assert_eq!(read.to_string(), text);
        }
        for wrong in ["", "memory=", "plain", "inputs=tick"] {
            assert!(wrong.parse::<Volatile>().is_err(), "{wrong}");
        }
    }
}
