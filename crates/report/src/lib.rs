//! Reports: what is stored of a judged suite, as text for people and for other tools.
//!
//! Plain data in, text out. A [`Report`] is made of the documents of a store; each format is a file with one
//! function that renders it. Nothing here runs, solves or reads a program, so a report says what was
//! found when the suite was judged, and the same store gives the same bytes.
//!
//! Start reading at [`report`]; [`elements`] is what formats that know lines and branches share.

/// Adds a line to a text.
macro_rules! line {
    ($text:expr, $($argument:tt)*) => {
        writeln!($text, $($argument)*).expect("invariant: a string takes all text")
    };
}

pub mod cobertura;
pub mod elements;
pub mod html;
pub mod json;
pub mod junit;
pub mod lcov;
pub mod markdown;
mod mutation;
pub mod report;
pub mod sarif;
mod words;
mod xml;

pub use report::{RecordedTests, Report, TestValues};
pub use words::failing as failing_tests;
