//! What a user may say about the inputs of a unit.

use std::collections::{BTreeMap, BTreeSet};

use obligato_model::Integer;

/// How inputs are made from types, and which there are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// How many elements a pointer to numbers points to.
    pub elements: u64,
    /// How many elements a pointer to structures points to.
    pub structures: u64,
    /// The same for single pointers, by name.
    pub elements_of: BTreeMap<String, u64>,
    /// How many pointers behind each other point to something.
    pub depth: u32,
    /// Of an array, this many elements are inputs; the others keep their values.
    pub array: u64,
    /// Is the last character behind a `char *` always 0?
    pub terminated: bool,
    /// May a pointer also be one that came before it?
    pub alias: bool,
    /// How many calls of a function outside of the unit get a result of their own in each step; later
    /// ones get the last one again.
    pub calls: u64,
    /// Smallest and largest values, by name.
    pub ranges: BTreeMap<String, (Integer, Integer)>,
    /// Globals that are inputs although nothing shows it.
    pub globals: BTreeSet<String>,
    /// Globals that keep their initial values although the unit reads them.
    pub fixed: BTreeSet<String>,
    /// Is what is `static` an input as well?
    pub free_state: bool,
    /// The outputs that are observed; all if there are none.
    pub observed: BTreeSet<String>,
    /// Libraries that are linked: their functions are not replaced by inputs.
    pub most_inputs: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            elements: 8,
            structures: 1,
            elements_of: BTreeMap::new(),
            depth: 3,
            array: 16,
            terminated: true,
            alias: false,
            calls: 4,
            ranges: BTreeMap::new(),
            globals: BTreeSet::new(),
            fixed: BTreeSet::new(),
            free_state: false,
            observed: BTreeSet::new(),
            most_inputs: 4096,
        }
    }
}
