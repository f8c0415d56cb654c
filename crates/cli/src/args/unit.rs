//! The arguments that say how a C file is read and what the inputs of its functions are.
//!
//! Everything under [`InputArgs`] can also stand in an `obligato.toml`; what is given here wins.

use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, ValueEnum};
use obligato_c_unit::settings;
use obligato_model::Integer;

const HEADING: &str = "Only for C";
const INPUTS: &str = "Inputs of C functions, also set by obligato.toml";

/// How a C file is read.
#[derive(Debug, Clone, Default, Args)]
pub struct UnitArgs {
    /// The function under test, with all that it calls [default: the only one of the file]
    #[arg(long, value_name = "NAME", help_heading = HEADING)]
    pub function: Option<String>,
    /// Take &, |, ^, == and != on Boolean operands as part of conditions, not as joining them
    #[arg(long, help_heading = HEADING)]
    pub logical_only: bool,
    /// Do not run the tests as machine code beside the executor
    #[arg(long, help_heading = HEADING)]
    pub no_native: bool,
    /// The settings [default: the obligato.toml beside the C file, if there is one]
    #[arg(long, value_name = "FILE", help_heading = HEADING)]
    pub config: Option<PathBuf>,
    /// What inputs there are.
    #[command(flatten)]
    pub inputs: InputArgs,
    /// Flags for clang, such as -Iinclude -DNDEBUG
    #[arg(last = true, index = 2, value_name = "FLAG", help_heading = HEADING)]
    pub flags: Vec<String>,
}

/// What inputs there are, and how much a test may take.
#[derive(Debug, Clone, Default, Args)]
pub struct InputArgs {
    /// How many elements pointers to numbers point to, or one pointer does [default: 8]
    #[arg(long, value_name = "[POINTER=]N", help_heading = INPUTS)]
    pub elements: Vec<Elements>,
    /// How many elements pointers to structures point to [default: 1]
    #[arg(long, value_name = "N", help_heading = INPUTS)]
    pub structures: Option<u64>,
    /// How many pointers behind each other point to something [default: 3]
    #[arg(long, value_name = "N", help_heading = INPUTS)]
    pub depth: Option<u32>,
    /// How many elements of an array are inputs [default: 16]
    #[arg(long, value_name = "N", help_heading = INPUTS)]
    pub array: Option<u64>,
    /// How many calls of a function outside get a result of their own in a step [default: 4]
    #[arg(long, value_name = "N", help_heading = INPUTS)]
    pub calls: Option<u64>,
    /// The values that an input may have, such as speed=0..300, both ends included
    #[arg(long, value_name = "NAME=LOW..HIGH", help_heading = INPUTS)]
    pub range: Vec<NamedRange>,
    /// What holds of the inputs whenever the function is called, in C, such as 'low <= high && p != NULL'; may be given again
    #[arg(long, value_name = "PRECONDITION", help_heading = INPUTS)]
    pub assume: Vec<String>,
    /// Globals that are inputs although nothing shows it, separated by commas
    #[arg(long, value_name = "NAME", value_delimiter = ',', help_heading = INPUTS)]
    pub global: Vec<String>,
    /// Globals that keep their initial values, separated by commas
    #[arg(long, value_name = "NAME", value_delimiter = ',', help_heading = INPUTS)]
    pub fixed: Vec<String>,
    /// Whether static variables start as the program says, or are inputs [default: initial]
    #[arg(long, value_name = "STATE", value_enum, help_heading = INPUTS)]
    pub state: Option<State>,
    /// Let pointers also point to what a pointer before them points to
    #[arg(long, help_heading = INPUTS)]
    pub alias: bool,
    /// Whether an overflow of signed numbers is a fault, or wraps around [default: fault]
    #[arg(long, value_name = "MEANING", value_enum, help_heading = INPUTS)]
    pub signed_overflow: Option<Overflow>,
    /// How many operations a test may execute [default: 100000000]
    #[arg(long, value_name = "N", help_heading = INPUTS)]
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

/// How static variables start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// As the program says.
    #[value(help = None)]
    Initial,
    /// As inputs.
    #[value(help = None)]
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Overflow {
    /// The C standard gives it no meaning, so it is a fault.
    #[value(help = None)]
    Fault,
    /// As the machine does.
    #[value(help = None)]
    Wraps,
}

impl InputArgs {
    /// The arguments as words of a command line.
    pub fn words(&self) -> Vec<String> {
        let mut words: Vec<String> = Vec::new();
        let mut add = |name: &str, value: Option<String>| {
            words.extend(value.map(|value| format!("--{name}={value}")));
        };
        for Elements { pointer, count } in &self.elements {
            let pointer = pointer.iter().map(|name| format!("{name}=")).collect::<String>();
            add("elements", Some(format!("{pointer}{count}")));
        }
        add("structures", self.structures.map(|n| n.to_string()));
        add("depth", self.depth.map(|n| n.to_string()));
        add("array", self.array.map(|n| n.to_string()));
        add("calls", self.calls.map(|n| n.to_string()));
        for NamedRange { name, range: Range { low, high } } in &self.range {
            add("range", Some(format!("{name}={low}..{high}")));
        }
        for precondition in &self.assume {
            add("assume", Some(precondition.clone()));
        }
        for (name, list) in [("global", &self.global), ("fixed", &self.fixed)] {
            add(name, Some(list.join(",")).filter(|list| !list.is_empty()));
        }
        add("state", word(self.state));
        add("signed-overflow", word(self.signed_overflow));
        add("operations", self.operations.map(|n| n.to_string()));
        words.extend(self.alias.then(|| "--alias".to_owned()));
        words
    }
}

fn word(value: Option<impl ValueEnum>) -> Option<String> {
    Some(value?.to_possible_value()?.get_name().to_owned())
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
}
