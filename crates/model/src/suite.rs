//! Test cases and suites.

use crate::{Type, Value};

/// An input or an output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// As a user of the language would write it: `speed`, `p->next[2].len`.
    pub name: String,
    /// Its type.
    pub kind: Type,
}

/// What a program takes and what it shows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SuiteInterface {
    /// What a test may set.
    pub inputs: Vec<Variable>,
    /// What an observer may see.
    pub outputs: Vec<Variable>,
}

/// One value per input of the suite; `None` where the test leaves it open.
pub type Step = Vec<Option<Value>>;

/// A named sequence of steps from the initial state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestCase {
    /// Unique within its suite.
    pub name: String,
    /// In order of time; a unit without state has one.
    pub steps: Vec<Step>,
}

/// Test cases over the same inputs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Suite {
    /// The inputs, in the order in which every step lists their values.
    pub inputs: Vec<Variable>,
    /// The tests, in the order in which they run.
    pub tests: Vec<TestCase>,
}

impl TestCase {
    /// The name of the test at `index` when nobody gave it one.
    pub fn default_name(index: usize) -> String {
        format!("t{}", index + 1)
    }
}
