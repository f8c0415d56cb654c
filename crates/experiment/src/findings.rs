//! What an experiment asked and what it found, as plain data.

use obligato_engines_lustre::Budget;
use obligato_lustre_replay::Oracle;
use obligato_model::{Criterion, Tally};

use crate::statistics::{Sample, SampleError};

/// What an experiment asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The criteria to reduce for, each once.
    pub criteria: Vec<Criterion>,
    /// The oracles, each once.
    pub oracles: Vec<Oracle>,
    /// So many mutants are sampled of each model.
    pub mutants: usize,
    /// So many times each pool is reduced.
    pub reductions: usize,
    /// What making a suite may take, if suites are made.
    pub generation: Option<Budget>,
    /// What it may take to prove that mutants which no test kills are equivalent, if that is tried.
    pub equivalence: Option<Budget>,
    /// How many threads may work; the answer to a budget of work is the same for any number.
    pub threads: usize,
    /// Of all random choices.
    pub seed: u64,
}

/// How a model is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Structure {
    /// As it stands.
    Written,
    /// With intermediate Boolean variables replaced by their definitions.
    Inlined,
}

impl Structure {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Written => "written",
            Self::Inlined => "inlined",
        }
    }
}

/// The word for an oracle.
pub fn oracle_name(oracle: &Oracle) -> String {
    match oracle {
        Oracle::Outputs => "outputs".to_owned(),
        Oracle::Maximum => "maximum".to_owned(),
        Oracle::Names(names) => names.join("+"),
    }
}

/// An experiment and all that it found.
#[derive(Clone, Debug)]
pub struct Experiment {
    /// What was asked.
    pub settings: Settings,
    /// What was found, model by model and structure by structure.
    pub cases: Vec<CaseFindings>,
}

impl Experiment {
    /// The names of the models, in order, each once.
    pub fn models(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.cases.iter().map(|case| case.name.as_str()).collect();
        names.dedup();
        names
    }

    /// What was found of a model.
    pub fn cases_of<'a>(&'a self, model: &'a str) -> impl Iterator<Item = &'a CaseFindings> {
        self.cases.iter().filter(move |case| case.name == model)
    }
}

/// What was found of a model in one structure.
#[derive(Clone, Debug)]
pub struct CaseFindings {
    /// The model's name, its own among all models.
    pub name: String,
    /// How it is written.
    pub structure: Structure,
    /// What it has.
    pub size: Size,
    /// Tests of the pool.
    pub tests: usize,
    /// Steps of all of them.
    pub steps: usize,
    /// Tests that were drawn at random for the pool, but violate an assertion.
    pub dropped: usize,
    /// All mutants there are.
    pub possible: usize,
    /// Those that ran.
    pub mutants: usize,
    /// By oracle, those that the whole pool kills.
    pub killed: Vec<usize>,
    /// By oracle, those that are proved to be equivalent to the model.
    pub equivalent: Vec<usize>,
    /// By criterion.
    pub criteria: Vec<CriterionFindings>,
}

impl CaseFindings {
    /// How many mutants suites are held against under the oracle at a place: those that are not known to be
    /// equivalent.
    pub fn scored(&self, oracle: usize) -> usize {
        self.mutants - self.equivalent[oracle]
    }
}

/// How large a model is, with every call expanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Scalar inputs.
    pub inputs: usize,
    /// Scalar outputs.
    pub outputs: usize,
    /// Scalars of named variables, inputs and outputs included.
    pub variables: usize,
    /// Scalars kept from step to step.
    pub latches: usize,
    /// Decisions.
    pub decisions: usize,
    /// Conditions.
    pub conditions: usize,
}

/// What was found for a criterion.
#[derive(Clone, Debug)]
pub struct CriterionFindings {
    /// The criterion.
    pub criterion: Criterion,
    /// How its obligations end with the whole pool.
    pub obligations: Tally,
    /// The suites that keep what the pool covers.
    pub reduced: Vec<SuiteFindings>,
    /// For each of them, a random suite of as many tests: of the pool, or of the same lengths.
    pub random: Vec<SuiteFindings>,
}

/// What was found of a suite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SuiteFindings {
    /// Its tests.
    pub tests: usize,
    /// Steps of all of them.
    pub steps: usize,
    /// Obligations it covers.
    pub covered: usize,
    /// By oracle, the mutants it kills.
    pub killed: Vec<usize>,
}

/// How suites were chosen from a pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// For a criterion.
    Reduced,
    /// At random, as many tests as for the criterion.
    Random,
}

impl Choice {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Reduced, Self::Random];

    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Reduced => "reduced",
            Self::Random => "random",
        }
    }
}

impl CriterionFindings {
    /// No suites yet.
    pub fn new(criterion: Criterion, obligations: Tally) -> Self {
        Self { criterion, obligations, reduced: Vec::new(), random: Vec::new() }
    }

    /// The suites that were chosen so.
    pub fn suites(&self, choice: Choice) -> &[SuiteFindings] {
        match choice {
            Choice::Reduced => &self.reduced,
            Choice::Random => &self.random,
        }
    }

    /// What such suites kill under the oracle at a place, of so many mutants.
    pub fn killed(
        &self,
        choice: Choice,
        oracle: usize,
        mutants: usize,
    ) -> Result<Sample, SampleError> {
        let counts = self.suites(choice).iter().map(|suite| suite.killed[oracle] as u64);
        Sample::new(counts.collect(), mutants as u64)
    }
}
