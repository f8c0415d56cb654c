//! Suites as sources and files of other test tools: plain data in, text out. Nothing here reads a file or runs anything.
//!
//! Tests of C functions are [`unit::UnitTests`]. A [`bench`] is their C source, the same for every framework: it includes the unit, stands
//! in for what nobody defines, and has a function per test. [`framework`] writes the small file beside it that lists these tests for a
//! framework and tells it what failed. [`testcomp`] and [`ktest`] write inputs alone.
//!
//! Tests of Lustre models are a [`table::Table`], which [`table`] writes as a C or a Rust program.
//!
//! Start reading at [`unit`], then [`bench`].

/// Adds formatted text to a string.
macro_rules! add {
    ($text:expr, $($part:tt)*) => {{
        use std::fmt::Write as _;
        write!($text, $($part)*).expect("invariant: a string takes all text");
    }};
}

/// The same as a line.
macro_rules! line {
    ($text:expr, $($part:tt)*) => {{
        use std::fmt::Write as _;
        writeln!($text, $($part)*).expect("invariant: a string takes all text");
    }};
}

pub mod bench;
pub mod framework;
pub mod ktest;
pub mod table;
pub mod testcomp;
pub mod text;
pub mod unit;

/// A file to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportedFile {
    /// Its name, without a directory.
    pub name: String,
    /// What is in it.
    pub bytes: Vec<u8>,
}

impl ExportedFile {
    /// A file with this text.
    pub fn of_text(name: impl Into<String>, text: String) -> Self {
        Self { name: name.into(), bytes: text.into_bytes() }
    }
}
