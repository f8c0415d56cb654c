//! What a suite can be, for the commands that are told so.

use clap::ValueEnum;
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

impl SuiteFormat {
    /// The word for it.
    pub fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }
}
