//! What a campaign is asked to do, and who watches it.

use std::time::Duration;

use obligato_lustre::lowering::Lowered;
use obligato_model::{Criterion, TestCase};
use obligato_transition_system::NodeId;

/// Where a test or a proof comes from. Cheap phases come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Phase {
    /// The suite that was there before.
    Given,
    /// Directed random simulation in lanes.
    Random,
    /// Solving a step or a few from concrete states (You et al., algorithms 1 to 3).
    Incremental,
    /// Solving from the initial state, all open obligations together (Whalen et al., section IV).
    Complete,
    /// Proof that the rest cannot be covered.
    Prove,
}

impl Phase {
    /// The phases that make something, in their order.
    pub const MAKERS: [Self; 4] = [Self::Random, Self::Incremental, Self::Complete, Self::Prove];

    /// The name that commands and reports use.
    pub fn name(self) -> &'static str {
        match self {
            Self::Given => "given",
            Self::Random => "random",
            Self::Incremental => "incremental",
            Self::Complete => "complete",
            Self::Prove => "prove",
        }
    }
}

/// What a campaign may spend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// So much time.
    Time(Duration),
    /// So many units of work: simulated steps and conflicts of solvers, weighed. The same request
    /// and seed give the same answer everywhere and every time.
    Work(u64),
}

/// A campaign: a test or a proof for every obligation of these criteria.
#[derive(Clone, Debug)]
pub struct Request<'a> {
    /// The model.
    pub lowered: &'a Lowered,
    /// The scalars that are observed; usually the outputs.
    pub observed: Vec<NodeId>,
    /// The criteria, in the order of reports. Mutants have a campaign of their own.
    pub criteria: Vec<Criterion>,
    /// Tests that are there already: what they cover is kept.
    pub tests: Vec<TestCase>,
    /// The phases to run, in order.
    pub phases: Vec<Phase>,
    /// What it may spend.
    pub budget: Budget,
    /// Another number gives other tests.
    pub seed: u64,
    /// How many threads may work; the answer to a budget of work is the same for any number.
    pub threads: usize,
}

/// How far a campaign has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Status {
    /// What it is doing.
    pub phase: Phase,
    /// All obligations.
    pub obligations: usize,
    /// Those that tests cover.
    pub covered: usize,
    /// Those that are proved uncoverable.
    pub uncoverable: usize,
    /// Tests made so far.
    pub tests: usize,
    /// How deep the search is, where it has a depth.
    pub depth: Option<usize>,
}

impl Status {
    /// Those that are still open.
    pub fn open(&self) -> usize {
        self.obligations - self.covered - self.uncoverable
    }
}

/// Is told how far a campaign has come, whenever that changes.
pub trait Watcher {
    /// So far.
    fn watch(&mut self, status: &Status);
}

impl<F: FnMut(&Status)> Watcher for F {
    fn watch(&mut self, status: &Status) {
        self(status);
    }
}
