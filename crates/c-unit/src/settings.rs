//! What a user may say about the inputs of a unit.

use std::collections::{BTreeMap, BTreeSet};

use obligato_model::Integer;

use crate::interface::OF_FILE;

/// Of an array, so many elements are inputs if nobody says otherwise.
pub const USUAL_ARRAY: u64 = 256;

/// How inputs are made from types, and which there are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// How many elements a pointer to numbers points to.
    pub elements: u64,
    /// How many elements a pointer to structures points to.
    pub structures: u64,
    /// How many elements single pointers point to, by name.
    pub sizes: BTreeMap<String, u64>,
    /// How many pointers behind each other point to something.
    pub depth: u32,
    /// Of an array, this many elements are inputs; the others keep their values. [`USUAL_ARRAY`] means fewer if that would be too
    /// many inputs.
    pub array: u64,
    /// Is the last character behind a `char *` always 0?
    pub terminated: bool,
    /// May a pointer also be one that came before it?
    pub alias: bool,
    /// How many calls of a function outside of the unit get a result of their own in each step; later
    /// ones get the last one again.
    pub calls: u64,
    /// Smallest and largest values, by name.
    pub ranges: BTreeMap<String, Range>,
    /// What holds whenever a function is called, by the name of the function.
    pub preconditions: BTreeMap<String, Vec<String>>,
    /// What holds whenever the function under test is called, whichever that is.
    pub assumed: Vec<String>,
    /// Globals that are inputs although nothing shows it.
    pub globals: BTreeSet<String>,
    /// Globals that keep their initial values although the unit reads them.
    pub fixed: BTreeSet<String>,
    /// What becomes of what is `static`.
    pub state: State,
    /// The function that every test calls once, before its first step.
    pub init: Option<String>,
    /// The functions, such as interrupt handlers, that may be called before any step.
    pub events: Vec<String>,
    /// Which `volatile` objects are plain memory.
    pub volatile: VolatileObjects,
    /// May allocations fail?
    pub allocation: Allocation,
    /// What functions outside may write, by their names.
    pub stubs: BTreeMap<String, StubContract>,
    /// The outputs that are observed; all if there are none.
    pub observed: BTreeSet<String>,
    /// No more cells than this are inputs.
    pub most_inputs: usize,
}

/// What a person says of a function outside.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StubContract {
    /// What it may write: names of its parameters, for what they lead to, and of globals.
    pub writes: BTreeSet<String>,
}

/// The smallest and the largest value of an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Range {
    /// The smallest.
    pub low: Integer,
    /// The largest.
    pub high: Integer,
}

/// What becomes of what is `static`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// It starts as the program says, and keeps what steps leave in it.
    Kept,
    /// It is an input, like other globals.
    Free,
}

/// What reads of `volatile` objects give.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum VolatileObjects {
    /// A value of its own each time.
    Inputs,
    /// What was written last.
    Memory,
    /// What was written last for these, and a value of its own each time for others.
    MemoryOf(BTreeSet<String>),
}

/// What `malloc`, `calloc` and `realloc` do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Allocation {
    /// A test says of each call whether it fails.
    MayFail,
    /// They give memory as long as there is some.
    Succeeds,
}

impl Settings {
    /// Is a `volatile` object of this name plain memory? What lies in an object or behind a pointer is if that is.
    pub fn is_plain_memory(&self, name: &str) -> bool {
        let name = name.strip_prefix(OF_FILE).unwrap_or(name);
        let of_word = |character: char| character.is_ascii_alphanumeric() || character == '_';
        let end = name.find(|character| !of_word(character)).unwrap_or(name.len());
        match &self.volatile {
            VolatileObjects::Inputs => false,
            VolatileObjects::Memory => true,
            VolatileObjects::MemoryOf(names) => {
                names.contains(name) || names.contains(&name[..end])
            }
        }
    }

    /// Is there a `volatile` object that may be no plain memory?
    pub fn has_volatile_inputs(&self) -> bool {
        self.volatile != VolatileObjects::Memory
    }

    /// What holds whenever a function is called.
    pub fn preconditions_of(&self, function: &str) -> impl Iterator<Item = &String> {
        let named = self.preconditions.get(function).into_iter().flatten();
        named.chain(&self.assumed)
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            elements: 8,
            structures: 1,
            sizes: BTreeMap::new(),
            depth: 3,
            array: USUAL_ARRAY,
            terminated: true,
            alias: false,
            calls: 4,
            ranges: BTreeMap::new(),
            preconditions: BTreeMap::new(),
            assumed: Vec::new(),
            globals: BTreeSet::new(),
            fixed: BTreeSet::new(),
            state: State::Kept,
            init: None,
            events: Vec::new(),
            volatile: VolatileObjects::Inputs,
            allocation: Allocation::MayFail,
            stubs: BTreeMap::new(),
            observed: BTreeSet::new(),
            most_inputs: 8192,
        }
    }
}
