//! The request for a campaign for a C function.

use obligato_c_unit::{Interface, RunOptions, Unit};
use obligato_concolic::search::{Filtering, Strategy};

/// A campaign for a C function: a test or a proof for every obligation of its criteria.
pub type Request<'u> = obligato_campaign::Request<FunctionUnderTest<'u>>;

/// A C function, and how its engines are set.
#[derive(Clone, Debug)]
pub struct FunctionUnderTest<'u> {
    /// The unit.
    pub unit: &'u Unit,
    /// The inputs and outputs of the function.
    pub interface: &'u Interface,
    /// How many steps a new test has that the search for paths makes.
    pub steps: usize,
    /// How many steps a test has at most: the length of the longest call sequence.
    pub most_steps: usize,
    /// How tests run.
    pub options: RunOptions,
    /// In which order candidates are tried.
    pub strategy: Strategy,
    /// Are irrelevant candidates skipped?
    pub filtering: Filtering,
    /// How many levels ahead predictive search counts goals.
    pub levels: u32,
    /// The conflict limit of one query.
    pub most_conflicts: u64,
    /// May the campaign end as soon as only wider inputs help, since somebody searches on with these?
    pub may_yield: bool,
}
