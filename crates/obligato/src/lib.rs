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
//! A walk over a C function: what it has, what a suite covers of it, the tests and proofs that the suite lacks, whether that is good
//! enough, and the tests for a framework. Every step takes a request and gives plain data back:
//!
//! ```
//! use obligato::check::{CheckReport, CheckRequest, check};
//! use obligato::export::{ExportFormat, ExportRequest, export};
//! use obligato::generate::{GenerateRequest, Generation, Unobserved, generate};
//! use obligato::judging::JudgingOptions;
//! use obligato::measure::{MeasureRequest, measure};
//! use obligato::subject::SubjectOptions;
//! use obligato::{Criterion, Stop, progress};
//!
//! let directory = tempfile::tempdir()?;
//! let [file, tests, all, store] = ["limit.c", "suite.csv", "all.csv", "store"].map(|name| directory.path().join(name));
//! std::fs::write(&file, "int limit(int x, int most)\n{\n    return x > most && most > 0 ? most : x;\n}\n")?;
//! std::fs::write(&tests, "x,most\n# high\n5,3\n\n# low\n1,3\n")?;
//! let subject = SubjectOptions::new(&file).with_function("limit");
//! let stop = Stop::never();
//!
//! let request = CheckRequest { subject: subject.clone(), template: None };
//! let CheckReport::Unit(checked) = check(&request, &stop, &mut progress::ignore)? else {
//!     unreachable!("it is a C file");
//! };
//! assert_eq!(checked.functions.len(), 1);
//!
//! let judging = JudgingOptions::new(["mcdc".parse::<Criterion>()?]);
//! let request = MeasureRequest {
//!     subject: subject.clone(),
//!     tests: tests.clone(),
//!     format: None,
//!     observe: Vec::new(),
//!     judging: judging.clone(),
//! };
//! let measured = measure(&request, &stop, &mut progress::ignore)?;
//! let verdicts = measured.result.obligations.iter().map(|one| one.verdict.name());
//! // `most > 0` is never false.
//! assert_eq!(verdicts.filter(|name| *name == "unresolved").count(), 1);
//!
//! let request = GenerateRequest {
//!     tests: Some(tests),
//!     output: Some(all.clone()),
//!     ..GenerateRequest::new(subject.clone(), JudgingOptions { store: Some(store.clone()), ..judging })
//! };
//! let Generation::One(generated) = generate(&request, &stop, &mut Unobserved)? else {
//!     unreachable!("one function is named");
//! };
//! assert_eq!((generated.made.len(), generated.unresolved()), (1, 0));
//!
//! let format = ExportFormat::Unity;
//! let output = Some(directory.path().join("unity"));
//! let request = ExportRequest { subject, tests: all, from: None, format, output };
//! assert_eq!(export(&request, &stop)?.tests, 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A Lustre model takes the same requests. [`generate`](generate::generate) has one as its example, and so have the functions that
//! take models only.
//!
//! Work that may take long takes a [`Stop`], which ends it early:
//!
//! - `generate`, `generate_project`, `prove`, `mutate` and `reduce` search: what they have found until then counts, and is stored;
//! - `check`, `run`, `measure`, `judge`, `explain`, `merge`, `report`, `export`, `instrument` and `experiment` have no answer before
//!   their end: they return [`Error::Stopped`](error::Error::Stopped), and nothing is stored or written. So does `reduce` while it
//!   measures the whole suite;
//! - `check_proof` refuses the proofs that it has not checked by then.
//!
//! The others (`gate`, `justify`, `fmt`) take no time and run to their end.
//!
//! Every type that a request or an answer is made of can be named from here: engines and their limits in [`campaign`], the
//! search of C functions in [`generate`](mod@generate), what tests have shown in [`measuring`]. The vocabulary, such as verdicts, is in
//! `obligato_model`, stored documents are in `obligato_store`. `examples/embed` is a project of its own that uses this crate.

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
mod language;
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
