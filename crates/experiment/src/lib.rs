//! Experiments on criteria, as in the papers on observable MC/DC: how many faults do suites find
//! that are just large enough for a criterion?
//!
//! A [`Case`] is a model in one structure with a pool of tests. [`run_case`] reduces the pool for each
//! criterion, many times, draws random suites of the same size, and holds all of them against mutants
//! under each oracle. Instead of one pool there may be suites that were made for each criterion
//! ([`making`]). What it found is plain data ([`findings`]); [`comparison`] asks of it what the
//! papers ask, by the tests of [`statistics`]; [`tables`] and [`plot`] print it. The same
//! settings give the same bytes.
//!
//! Start reading at [`run`], then [`findings`].

pub mod comparison;
pub mod findings;
pub mod making;
mod number;
pub mod plot;
mod pool;
pub mod run;
pub mod statistics;
pub mod tables;

pub use findings::{CaseFindings, Experiment, Settings, Structure};
pub use making::{Made, MadeSuite, make_suites};
pub use run::{Case, ExperimentError, Stage, run_case};

/// A text to be written into a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    /// The name of the file.
    pub name: String,
    /// What it holds.
    pub text: String,
}

/// All that is printed of an experiment: `experiment.md`, tables as CSV, and plots for each model.
pub fn documents(experiment: &Experiment) -> Vec<Document> {
    let comparisons = comparison::comparisons(experiment);
    let mut documents = vec![Document {
        name: "experiment.md".to_owned(),
        text: tables::markdown(experiment, &comparisons),
    }];
    documents.extend(tables::csv(experiment, &comparisons));
    documents.extend(plot::plots(experiment));
    documents
}
