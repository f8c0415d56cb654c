//! What a suite can be, for the commands that are told so.

use clap::ValueEnum;
use obligato::measure;
use obligato_store::suite;

/// A format of suites.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SuiteFormat {
    /// A row per step.
    #[value(help = None)]
    Csv,
    /// Ours.
    #[value(help = None)]
    Json,
    /// Kind 2's.
    #[value(help = None)]
    Kind2,
    /// Lustre V6's.
    #[value(help = None)]
    Rif,
}

impl From<SuiteFormat> for suite::Format {
    fn from(format: SuiteFormat) -> Self {
        match format {
            SuiteFormat::Csv => Self::Csv,
            SuiteFormat::Json => Self::Json,
            SuiteFormat::Kind2 => Self::Kind2,
            SuiteFormat::Rif => Self::Rif,
        }
    }
}

/// A format of what is measured: suites to be run, or what another tool measured of one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum MeasuredFormat {
    /// A row per step.
    #[value(help = None)]
    Csv,
    /// Ours.
    #[value(help = None)]
    Json,
    /// Kind 2's.
    #[value(help = None)]
    Kind2,
    /// Lustre V6's.
    #[value(help = None)]
    Rif,
    /// What clang measured.
    #[value(help = None)]
    LlvmCov,
}

impl From<MeasuredFormat> for measure::MeasuredFormat {
    fn from(format: MeasuredFormat) -> Self {
        match format {
            MeasuredFormat::Csv => Self::Suite(suite::Format::Csv),
            MeasuredFormat::Json => Self::Suite(suite::Format::Json),
            MeasuredFormat::Kind2 => Self::Suite(suite::Format::Kind2),
            MeasuredFormat::Rif => Self::Suite(suite::Format::Rif),
            MeasuredFormat::LlvmCov => Self::LlvmCov,
        }
    }
}

/// The word for a format.
pub fn format_word(format: &impl ValueEnum) -> String {
    format.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
}
