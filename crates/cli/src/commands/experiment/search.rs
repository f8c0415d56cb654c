//! Search strategies on C functions: how many runs and solved paths each takes to cover what it covers, with path filtering and without (Su et
//! al., Automated Coverage-Driven Test Data Generation Using Dynamic Symbolic Execution, section VI).
//!
//! Each strategy searches alone: the formula of all paths together is not asked. Work is counted, so the tables are the same everywhere.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::PathBuf;

use obligato_campaign::{Budget, Phase, Standing, Status};
use obligato_concolic::search::{Filtering, Strategy};
use obligato_engines_c::{FunctionUnderTest, Outcome, Request};
use obligato_model::{Criterion, Independence};
use obligato_solver::Stop;
use obligato_store::file;

use super::expect_directory;
use crate::args::{ExperimentArgs, ModelArgs, SubjectArgs, UnitArgs};
use crate::error::CliError;
use crate::exit::Exit;
use crate::output::{Output, printable};
use crate::progress::Progress;
use obligato::Error;
use obligato::directory::ensure_directory;
use obligato::unit::LoadedUnit;

/// What a search may take: runs and conflicts, as for `generate`.
const WORK: u64 = 100_000;

/// A search of a function.
struct Row {
    function: String,
    criterion: Criterion,
    strategy: &'static str,
    filtering: Filtering,
    covered: usize,
    total: usize,
    statistics: obligato_engines_c::Statistics,
}

/// Searches every function of every file by every strategy, with filtering and without.
pub fn run(arguments: &ExperimentArgs, output: &mut Output) -> Result<Exit, CliError> {
    expect_directory(&arguments.output)?;
    let mut rows = Vec::new();
    let mut progress = Progress::new(output.verbosity());
    for file in &arguments.models {
        let loaded = LoadedUnit::load(&subject(file.clone(), None).options(), &[])?;
        for function in loaded.unit.functions() {
            let subject = subject(file.clone(), Some(function.clone()));
            let loaded = LoadedUnit::load(&subject.options(), &[])?;
            progress.announce(format_args!("{function}"));
            search_all(&loaded, &subject, arguments.seed, &mut rows)?;
        }
    }
    progress.end();
    ensure_directory(&arguments.output)?;
    let directory = &arguments.output;
    file::write(&directory.join("search.csv"), csv(&rows).as_bytes())?;
    file::write(&directory.join("progress.csv"), progress_csv(&rows).as_bytes())?;
    write_table(&rows, output)?;
    output.remark(format_args!(
        "\nWritten: {} with search.csv and progress.csv",
        printable(&directory.display().to_string())
    ))?;
    Ok(Exit::Success)
}

fn subject(file: PathBuf, function: Option<String>) -> SubjectArgs {
    let model = ModelArgs { file, ..ModelArgs::default() };
    SubjectArgs { model, unit: UnitArgs { function, ..UnitArgs::default() } }
}

fn search_all(
    loaded: &LoadedUnit,
    subject: &SubjectArgs,
    seed: u64,
    rows: &mut Vec<Row>,
) -> Result<(), CliError> {
    let interface = loaded.interface(&subject.options())?;
    for criterion in [Criterion::Branch, Criterion::Mcdc(Independence::Masking)] {
        for (name, strategy) in Strategy::ALL {
            for filtering in [Filtering::On, Filtering::Off] {
                let subject = FunctionUnderTest {
                    unit: &loaded.unit,
                    interface: &interface,
                    steps: 1,
                    options: loaded.options(false),
                    strategy,
                    filtering,
                    levels: 3,
                    most_conflicts: WORK,
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
                let watcher = &mut |_: &Status| {};
                let outcome = obligato_engines_c::run(&request, &Stop::never(), watcher)
                    .map_err(|error| CliError::from(Error::Internal(error.to_string())))?;
                let (covered, total) = coverage(&outcome);
                let function = interface.function.clone();
                let statistics = outcome.found.statistics;
                rows.push(Row {
                    function,
                    criterion,
                    strategy: name,
                    filtering,
                    covered,
                    total,
                    statistics,
                });
            }
        }
    }
    Ok(())
}

fn coverage(outcome: &Outcome<'_>) -> (usize, usize) {
    let all = 0..outcome.ledger.len();
    let covered = |index: &usize| outcome.ledger.standing(*index) == Standing::Covered;
    (all.clone().filter(covered).count(), all.len())
}

fn word(filtering: Filtering) -> &'static str {
    match filtering {
        Filtering::On => "on",
        Filtering::Off => "off",
    }
}

fn csv(rows: &[Row]) -> String {
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
            word(row.filtering),
            row.covered,
            row.total,
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

fn progress_csv(rows: &[Row]) -> String {
    let mut text = "function,criterion,strategy,filtering,runs,covered\n".to_owned();
    for row in rows {
        for moment in &row.statistics.progress {
            let _ = writeln!(
                text,
                "{},{},{},{},{},{}",
                row.function,
                row.criterion,
                row.strategy,
                word(row.filtering),
                moment.runs,
                moment.covered
            );
        }
    }
    text
}

fn write_table(rows: &[Row], output: &mut Output) -> Result<(), CliError> {
    let width = rows.iter().map(|row| row.function.chars().count()).max().unwrap_or(0).max(8);
    writeln!(
        output,
        "{:width$}  criterion       strategy     filter  covered      runs    solved  filtered",
        "function"
    )?;
    for row in rows {
        writeln!(
            output,
            "{:width$}  {:14}  {:11}  {:6}  {:3} of {:3}  {:6}  {:8}  {:8}",
            printable(&row.function),
            row.criterion.title(),
            row.strategy,
            word(row.filtering),
            row.covered,
            row.total,
            row.statistics.runs,
            row.statistics.solved,
            row.statistics.filtered
        )?;
    }
    Ok(())
}
