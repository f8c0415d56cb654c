//! What suites are written as.

use obligato_model::TestCase;
use obligato_store::Signature;
use obligato_store::suite::{CsvPrinter, Format, Kind2Printer, Printer as JsonPrinter, RifPrinter};

use crate::error::Error;

/// What a suite is written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExportFormat {
    /// C for Unity.
    Unity,
    /// C for cmocka.
    Cmocka,
    /// C for Check.
    Check,
    /// C++ for `CppUTest`.
    CppUTest,
    /// C++ for `GoogleTest`.
    GoogleTest,
    /// XML of Test-Comp.
    TestComp,
    /// KLEE's tests.
    Ktest,
    /// A suite, a row per step.
    Csv,
    /// A suite in our JSON.
    Json,
    /// A suite in Kind 2's JSON: the inputs.
    Kind2,
    /// A suite for the tools around Lustre V6.
    Rif,
    /// A table in C.
    C,
    /// A table in Rust.
    Rust,
}

impl ExportFormat {
    /// Every format.
    pub const ALL: [Self; 13] = [
        Self::Unity,
        Self::Cmocka,
        Self::Check,
        Self::CppUTest,
        Self::GoogleTest,
        Self::TestComp,
        Self::Ktest,
        Self::Csv,
        Self::Json,
        Self::Kind2,
        Self::Rif,
        Self::C,
        Self::Rust,
    ];

    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Unity => "unity",
            Self::Cmocka => "cmocka",
            Self::Check => "check",
            Self::CppUTest => "cpputest",
            Self::GoogleTest => "googletest",
            Self::TestComp => "testcomp",
            Self::Ktest => "ktest",
            Self::Csv => "csv",
            Self::Json => "json",
            Self::Kind2 => "kind2",
            Self::Rif => "rif",
            Self::C => "c",
            Self::Rust => "rust",
        }
    }
}

/// A suite in one of its formats.
pub fn print_suite(
    format: Format,
    signature: &Signature,
    tests: &[TestCase],
) -> Result<String, Error> {
    let mut text = String::new();
    match format {
        Format::Csv => {
            let mut printer = CsvPrinter::new(signature.variables())?;
            text.push_str(&printer.header()?);
            for test in tests {
                text.push_str(&printer.print(test)?);
            }
        }
        Format::Kind2 => {
            let mut printer = Kind2Printer::new(signature);
            for test in tests {
                text.push_str(&printer.print(test)?);
            }
            text.push_str(&printer.finish());
        }
        Format::Rif => {
            let mut printer = RifPrinter::new(signature);
            text.push_str(&printer.header()?);
            for test in tests {
                text.push_str(&printer.print(test)?);
            }
        }
        Format::Json => {
            let mut printer = JsonPrinter::for_program(signature)?;
            for test in tests {
                text.push_str(&printer.print(test)?);
            }
            text.push_str(&printer.finish());
        }
    }
    Ok(text)
}
