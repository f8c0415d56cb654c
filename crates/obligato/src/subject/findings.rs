//! What the runs of a suite showed besides coverage.

use obligato_c_unit::TestRun;

use crate::failures::FailedCheck;
use crate::measuring::Exhausted;
use crate::unit::{Agreement, Endings, Unmeasured};

/// What the runs of a suite showed besides coverage, by language.
#[derive(Debug)]
pub enum RunFindings {
    /// Runs of a Lustre model.
    Model {
        /// The checks of the model that tests failed.
        failures: Vec<FailedCheck>,
        /// The tests that were given up.
        exhausted: Vec<Exhausted>,
    },
    /// Runs of a C function.
    Unit {
        /// What each test did.
        runs: Vec<TestRun>,
        /// The tests that ended before their last step did.
        endings: Endings,
        /// Whether machine code did the same as the executor.
        agreement: Agreement,
    },
    /// The tests ran elsewhere; what clang did not measure.
    Elsewhere(Unmeasured),
}

impl RunFindings {
    /// What each test of a C function did; nothing of other tests.
    pub fn runs(&self) -> &[TestRun] {
        match self {
            Self::Unit { runs, .. } => runs,
            Self::Model { .. } | Self::Elsewhere(_) => &[],
        }
    }
}
