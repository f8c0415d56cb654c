//! The tables of an experiment, for people and for programs.

mod csv;
mod markdown;

pub use csv::csv;
pub use markdown::{markdown, median_killed, median_tests};
