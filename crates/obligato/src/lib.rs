//! Turns coverage obligations into tests or proofs.

pub mod campaign;
pub mod check;
pub mod check_proof;
pub mod config;
pub mod details;
pub mod directory;
pub mod error;
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
