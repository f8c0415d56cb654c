//! What tests and benchmarks of several crates share. A dev-dependency, never part of the product.
//!
//! It uses the vocabulary and nothing else of ours, so that every crate below `model` may use it. What needs a front end or an
//! engine stays in `tests/support` of the crate that has it.
//!
//! [`places`] says where the repository and the shared data are, [`golden`] compares with golden files, [`scratch`] writes
//! temporary ones, [`subjects`] lists real C units, [`models`] public Lustre models, [`exhaustive`] makes every test that small types
//! allow, [`tools`] asks for programs that may be absent. Functions here panic: a test fails by panicking.

pub mod exhaustive;
pub mod golden;
pub mod models;
pub mod numbers;
pub mod places;
pub mod scratch;
pub mod subjects;
pub mod tools;

pub use exhaustive::all_tests;
pub use golden::{assert_golden, is_blessing};
pub use numbers::Numbers;
pub use places::{crate_directory, repository, shared};
pub use scratch::ScratchFile;
pub use tools::is_installed;
