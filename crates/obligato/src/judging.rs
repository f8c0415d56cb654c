//! By what a suite is judged, and what is done with the verdicts, for every walk that judges.

use std::path::PathBuf;

use obligato_criteria::Vectors;
use obligato_model::{Criterion, Program};
use obligato_store::StoredResult;

use crate::error::Error;
use crate::expectations::FailingTests;
use crate::fingerprints::{self, Codes};
use crate::justifications::Justifications;
use crate::storage::MOST_DETAILED;

/// By what a suite is judged, and what is kept.
#[derive(Debug, Clone, Default)]
pub struct JudgingOptions {
    /// The criteria, each once, in the order of reports.
    pub criteria: Vec<Criterion>,
    /// The file of justifications; the usual one, if it is there, where none is named.
    pub justifications: Option<PathBuf>,
    /// Whether tests count whose expected outputs do not come out.
    pub failing: FailingTests,
    /// Whether whole evaluations are wanted, as truth tables show them.
    pub tables: bool,
    /// How the tool was called, word by word without its name, for the evidence in the store; empty where a library is called.
    pub invocation: Vec<String>,
    /// The directory in which suite, result and what stands behind it are stored, if they are.
    pub store: Option<PathBuf>,
}

impl JudgingOptions {
    /// These criteria; nothing is stored.
    pub fn new(criteria: impl IntoIterator<Item = Criterion>) -> Self {
        Self { criteria: criteria.into_iter().collect(), ..Self::default() }
    }

    /// Whole evaluations of so many tests take memory; they are kept only for truth tables that are wanted, or that are
    /// stored and short enough to be read, and for criteria that cannot do without.
    pub fn vectors(&self, tests: usize) -> Vectors {
        let stored = self.store.is_some() && tests <= MOST_DETAILED;
        if self.tables || stored { Vectors::Keep } else { Vectors::needed_by(&self.criteria) }
    }

    /// The result with the fingerprints of the code that was judged and with the reasons of people, and what there is to
    /// know of those.
    pub fn complete(
        &self,
        result: StoredResult,
        program: &Program,
        codes: &Codes,
    ) -> Result<(StoredResult, Vec<String>), Error> {
        let functions = fingerprints::functions(program, &result, codes);
        let mut result = result.of_functions(functions);
        let reasons = Justifications::load(self.justifications.as_deref())?;
        let notes = reasons.apply(&mut result);
        Ok((result, notes))
    }
}
