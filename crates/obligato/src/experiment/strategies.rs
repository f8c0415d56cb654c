//! Search strategies on C functions: how many runs and solved paths each takes to cover what it covers, with path filtering and without (Su et
//! al., Automated Coverage-Driven Test Data Generation Using Dynamic Symbolic Execution, section VI).
//!
//! Each strategy searches alone: the formula of all paths together is not asked. Work is counted, so the tables are the same everywhere.

use std::fmt::Write as _;
use std::path::PathBuf;

use obligato_campaign::{Budget, Phase, Standing, Status};
use obligato_concolic::search::{Filtering, Strategy};
use obligato_engines_c::{FunctionUnderTest, Outcome, Request, Statistics};
use obligato_model::{Criterion, Independence};
use obligato_store::file;

use super::expect_directory;
use crate::campaign::Stop;
use crate::directory::ensure_directory;
use crate::error::Error;
use crate::language::Command;
use crate::subject::SubjectOptions;
use crate::unit::LoadedUnit;

/// What a search may take: runs and conflicts, as for `generate`.
const WORK: u64 = 100_000;

/// Which functions are searched.
#[derive(Debug, Clone)]
pub struct StrategiesRequest {
    /// The programs, all of them C files; every function of each is searched.
    pub subjects: Vec<SubjectOptions>,
    /// Of all random choices.
    pub seed: u64,
    /// The directory for `search.csv` and `progress.csv`; made if it does not exist.
    pub output: PathBuf,
}

/// A search of a function.
#[derive(Debug, Clone)]
pub struct StrategyRow {
    /// The function.
    pub function: String,
    /// What had to be covered.
    pub criterion: Criterion,
    /// The name of the strategy.
    pub strategy: &'static str,
    /// Whether candidates without an open goal behind them were left out.
    pub filtering: Filtering,
    /// The obligations that it covered.
    pub covered: usize,
    /// All of them.
    pub obligations: usize,
    /// What it took.
    pub statistics: Statistics,
}

impl StrategyRow {
    /// Whether path filtering was `on` or `off`.
    pub fn filtering_word(&self) -> &'static str {
        match self.filtering {
            Filtering::On => "on",
            Filtering::Off => "off",
        }
    }
}

/// Searches every function of every file by every strategy, with path filtering and without, and writes the
/// tables. `on_function` is told each function before it is searched.
///
/// Half a comparison says nothing: one that `stop` ends is an error, and nothing is written.
pub fn compare_strategies(
    request: &StrategiesRequest,
    stop: &Stop,
    on_function: &mut dyn FnMut(&str),
) -> Result<Vec<StrategyRow>, Error> {
    for subject in &request.subjects {
        subject.expect_language(Command::CompareStrategies)?;
    }
    expect_directory(&request.output)?;
    let mut rows = Vec::new();
    for file in &request.subjects {
        let loaded = LoadedUnit::load(file, &[])?;
        for function in loaded.unit.functions() {
            let subject = file.clone().with_function(function);
            let loaded = LoadedUnit::load(&subject, &[])?;
            on_function(function);
            search_all(&loaded, &subject, request.seed, stop, &mut rows)?;
        }
    }
    ensure_directory(&request.output)?;
    let directory = &request.output;
    file::write(&directory.join("search.csv"), csv(&rows).as_bytes())?;
    file::write(&directory.join("progress.csv"), progress_csv(&rows).as_bytes())?;
    Ok(rows)
}

fn search_all(
    loaded: &LoadedUnit,
    subject: &SubjectOptions,
    seed: u64,
    stop: &Stop,
    rows: &mut Vec<StrategyRow>,
) -> Result<(), Error> {
    let interface = loaded.interface(subject)?;
    for criterion in [Criterion::Branch, Criterion::Mcdc(Independence::Masking)] {
        for (name, strategy) in Strategy::ALL {
            for filtering in [Filtering::On, Filtering::Off] {
                let subject = FunctionUnderTest {
                    unit: &loaded.unit,
                    interface: &interface,
                    steps: 1,
                    most_steps: 1,
                    options: loaded.options(false),
                    strategy,
                    filtering,
                    levels: 3,
                    most_conflicts: WORK,
                    may_yield: false,
                };
                let request = Request {
                    subject,
                    criteria: vec![criterion],
                    given: Vec::new(),
                    phases: vec![Phase::Concolic, Phase::Effects, Phase::RuntimeErrors],
                    budget: Budget::Work(WORK),
                    seed,
                    threads: 1,
                    shard: None,
                };
                let outcome = obligato_engines_c::run(&request, stop, &mut |_: &Status| {})
                    .map_err(|error| Error::Internal(error.to_string()))?;
                if stop.is_requested() {
                    return Err(Error::Stopped);
                }
                rows.push(StrategyRow {
                    function: interface.function.clone(),
                    criterion,
                    strategy: name,
                    filtering,
                    covered: covered(&outcome),
                    obligations: outcome.ledger.len(),
                    statistics: outcome.found.statistics,
                });
            }
        }
    }
    Ok(())
}

fn covered(outcome: &Outcome<'_>) -> usize {
    let is_covered = |index: &usize| outcome.ledger.standing(*index) == Standing::Covered;
    (0..outcome.ledger.len()).filter(is_covered).count()
}

fn csv(rows: &[StrategyRow]) -> String {
    let mut text =
        "function,criterion,strategy,filtering,covered,obligations,runs,solved,without_solution,given_up,filtered,exhausted\n"
            .to_owned();
    for row in rows {
        let found = &row.statistics;
        let _ = writeln!(
            text,
            "{},{},{},{},{},{},{},{},{},{},{},{}",
            row.function,
            row.criterion,
            row.strategy,
            row.filtering_word(),
            row.covered,
            row.obligations,
            found.runs,
            found.solved,
            found.unsolvable,
            found.given_up,
            found.filtered,
            found.exhausted
        );
    }
    text
}

fn progress_csv(rows: &[StrategyRow]) -> String {
    let mut text = "function,criterion,strategy,filtering,runs,covered\n".to_owned();
    for row in rows {
        for moment in &row.statistics.progress {
            let _ = writeln!(
                text,
                "{},{},{},{},{},{}",
                row.function,
                row.criterion,
                row.strategy,
                row.filtering_word(),
                moment.runs,
                moment.covered
            );
        }
    }
    text
}
