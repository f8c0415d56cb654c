//! A suite on all mutants of a model: which of them run together, and on which tests.
//!
//! Every step computes all the mutants of its graph, so one graph for all would make each round as
//! slow as all together: there is a graph for as many as run at once. Where one kill is enough, a
//! suite is taken in portions, small ones first, and what they have killed is left out of the
//! graphs for the next. Most mutants die early, so most tests run on few.

use obligato_lustre::Model;
use obligato_lustre::lowering::{self, lower_mutants};
use obligato_lustre::mutation::Mutant;
use obligato_model::TestCase;

use super::{Kills, MUTANTS, MutantRunner, MutationError, Oracle, compile};

/// The tests of the first portion; each is twice as large as the one before,
const FIRST_PORTION: usize = 16;
/// up to this many.
const LARGEST_PORTION: usize = 1024;

/// For how long a mutant is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    /// Until a test kills it: then what later tests did to it is not known.
    FirstKill,
    /// To the end of the suite.
    SuiteEnd,
}

/// A model with mutants of it, and how they are told from it.
#[derive(Clone, Copy, Debug)]
pub struct MutationExperiment<'m> {
    /// The model.
    pub model: &'m Model,
    /// Its name in reports.
    pub path: &'m str,
    /// The text that was parsed.
    pub bytes: &'m [u8],
    /// How it is lowered.
    pub options: lowering::Options,
    /// The mutants.
    pub mutants: &'m [Mutant],
    /// What is compared.
    pub oracle: &'m Oracle,
}

impl MutationExperiment<'_> {
    /// Runs a suite; `progress` hears how many of the tests are done.
    pub fn run(
        &self,
        tests: &[TestCase],
        until: Until,
        progress: &mut dyn FnMut(usize),
    ) -> Result<Kills, MutationError> {
        let mut kills = Kills::new(tests.len(), self.mutants.len());
        let mut open: Vec<usize> = (0..self.mutants.len()).collect();
        let mut size = match until {
            Until::FirstKill => FIRST_PORTION,
            Until::SuiteEnd => LARGEST_PORTION,
        };
        let mut start = 0;
        while start < tests.len() && !open.is_empty() {
            let end = tests.len().min(start + size);
            for round in open.chunks(MUTANTS) {
                let found = self.run_round(round, &tests[start..end], until)?;
                kills.insert(start, round, &found);
            }
            if until == Until::FirstKill {
                let done = &kills.tests[start..end];
                open.retain(|mutant| !done.iter().any(|test| test.kills(*mutant)));
            }
            progress(end);
            start = end;
            size = LARGEST_PORTION.min(2 * size);
        }
        Ok(kills)
    }

    /// Runs tests on these mutants, which have a lane each.
    fn run_round(
        &self,
        round: &[usize],
        tests: &[TestCase],
        until: Until,
    ) -> Result<Kills, MutationError> {
        let mutants: Vec<Mutant> = round.iter().map(|at| self.mutants[*at].clone()).collect();
        let system = lower_mutants(self.model, self.path, self.bytes, &self.options, &mutants);
        let system = system.map_err(MutationError::Model)?;
        let compared = self.oracle.compared(&system)?;
        let program = compile(&system, &compared)?;
        Ok(MutantRunner::new(&program, &system, &compared)?.run(tests, until)?)
    }
}
