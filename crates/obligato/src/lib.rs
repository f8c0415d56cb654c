//! Obligato turns coverage obligations into tests or proofs: the library behind the command `obligato`.
//!
//! This crate is the walk from a program to verdicts, for C functions and Lustre models alike. Each step is a function that
//! takes a plain request and returns plain data. Nothing here prints; how far long work has come is told to a parameter.
//!
//! | to | call | what comes back |
//! | --- | --- | --- |
//! | name a program | [`SubjectOptions`](subject::SubjectOptions) | |
//! | see what it has | [`check()`](check::check) | counts, inputs and outputs, what cannot be measured |
//! | run a suite on it | [`run()`](run::run) | outputs, differences, runtime errors |
//! | measure a suite | [`measure()`](measure::measure) | a verdict per obligation |
//! | judge a recording made elsewhere | [`judge()`](judge::judge) | the same |
//! | make the missing tests and proofs | [`generate()`](generate::generate), [`generate_project`](project::generate_project) | tests, proofs, verdicts |
//! | leave out superfluous tests | [`reduce()`](reduce::reduce) | a smaller suite |
//! | seed faults | [`mutate()`](mutate::mutate) | mutants killed, survived, equivalent |
//! | prove properties | [`prove()`](prove::prove), [`check_proof()`](check_proof::check_proof) | proofs or counterexamples |
//! | look into a decision | [`explain()`](explain::explain) | its truth table, its tests, where effects get lost |
//! | put results together | [`merge()`](merge::merge) | one result |
//! | decide whether a result is good enough | [`gate()`](gate::gate), [`justify()`](justify::justify) | what is met and what is not |
//! | show it | [`report()`](report::report), [`export()`](export::export) | a page, LCOV, SARIF, …; sources for test frameworks |
//!
//! ```
//! use obligato::judging::JudgingOptions;
//! use obligato::measure::{MeasureRequest, measure};
//! use obligato::subject::SubjectOptions;
//! use obligato::{Criterion, Stop, progress};
//!
//! let directory = tempfile::tempdir()?;
//! let [model, tests] = ["guard.lus", "suite.csv"].map(|name| directory.path().join(name));
//! std::fs::write(&model, "node guard(a, b: bool) returns (y: bool); let y = a and b; tel")?;
//! std::fs::write(&tests, "a,b\n# t1\ntrue,true\n\n# t2\nfalse,true\n")?;
//! let request = MeasureRequest {
//!     subject: SubjectOptions::new(model),
//!     tests,
//!     format: None,
//!     observe: Vec::new(),
//!     judging: JudgingOptions::new(["mcdc".parse::<Criterion>()?]),
//! };
//! let measured = measure(&request, &Stop::never(), &mut progress::ignore)?;
//! let verdicts: Vec<&str> =
//!     measured.result.obligations.iter().map(|one| one.verdict.name()).collect();
//! // `b` is never false.
//! assert_eq!(verdicts, ["covered", "covered", "covered", "unresolved"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Work that may take long takes a [`Stop`], which ends it early:
//!
//! - `generate`, `generate_project`, `prove`, `mutate` and `reduce` search: what they have found until then counts, and is stored;
//! - `measure`, `judge`, `explain`, `merge`, `report` and `experiment` have no answer before their end: they return
//!   [`Error::Stopped`](error::Error::Stopped), and nothing is stored. So does `reduce` while it measures the whole suite;
//! - `check_proof` refuses the proofs that it has not checked by then.
//!
//! `run` hands each test to a function that can end it by an error. The others (`check`, `gate`, `justify`, `export`) run to their end.
//!
//! `examples/embed` is a project of its own that uses this crate.

pub mod campaign;
pub mod check;
pub mod check_proof;
mod conclusion;
pub mod config;
mod date;
pub mod details;
pub mod directory;
pub mod error;
pub mod evidence;
pub mod expectations;
pub mod experiment;
pub mod explain;
pub mod export;
pub mod failures;
pub mod fingerprints;
pub mod fmt;
pub mod gate;
pub mod generate;
pub mod instrument;
pub mod judge;
pub mod judging;
pub mod justifications;
pub mod justify;
pub mod key_path;
pub mod lost;
pub mod measure;
pub mod measuring;
pub mod merge;
mod missing;
pub mod model;
pub mod mutants;
pub mod mutate;
pub mod nearest;
pub mod observed;
mod outcomes;
pub mod progress;
pub mod project;
pub mod prove;
pub mod record;
pub mod reduce;
pub mod refusal;
pub mod report;
pub mod run;
pub mod scalars;
pub mod shards;
pub mod shell;
pub mod snippet;
pub mod storage;
pub mod stored_proofs;
pub mod subject;
pub mod suite_writer;
pub mod text;
pub mod timeline;
pub mod unit;

pub use error::Error;
pub use obligato_model::Criterion;
pub use obligato_solver::Stop;

/// What is written into results as their maker.
pub const TOOL: &str = concat!("obligato ", env!("CARGO_PKG_VERSION"));
