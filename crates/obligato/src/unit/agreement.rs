//! The same tests as machine code: do executor and machine agree?

use obligato_c_unit::{Interface, NativeBuild, NativeOptions, RunOptions};
use obligato_model::{Suite, TestId};

use super::LoadedUnit;
use super::refusal::refuse_native;
use crate::error::Error;
use crate::subject::SubjectOptions;

impl LoadedUnit {
    /// Runs a suite as machine code as well. Tests on which the two do not agree are taken out of the
    /// suite: whatever were counted of them might be a wrong number.
    pub fn compare_natively(
        &self,
        asked: &SubjectOptions,
        interface: &Interface,
        suite: &mut Suite,
        options: RunOptions,
    ) -> Result<Agreement, Error> {
        if asked.unit.no_native || suite.tests.is_empty() {
            return Ok(Agreement::default());
        }
        let build = self.unit.build_natively(NativeOptions::default()).map_err(refuse_native)?;
        self.compare_on(Some(&build), interface, suite, options)
    }

    /// The same, with machine code that is there already, if it is asked for.
    pub fn compare_on(
        &self,
        build: Option<&NativeBuild>,
        interface: &Interface,
        suite: &mut Suite,
        options: RunOptions,
    ) -> Result<Agreement, Error> {
        let (agreement, refused) = self.compare_each(build, interface, suite, options)?;
        let mut position = 0;
        suite.tests.retain(|_| {
            position += 1;
            !refused.contains(&TestId::new(position - 1))
        });
        Ok(agreement)
    }

    /// The same; gives the tests on which the two do not agree.
    pub fn compare_each(
        &self,
        build: Option<&NativeBuild>,
        interface: &Interface,
        suite: &Suite,
        options: RunOptions,
    ) -> Result<(Agreement, Vec<TestId>), Error> {
        let (mut agreement, mut refused) = (Agreement::default(), Vec::new());
        let Some(build) = build.filter(|_| !suite.tests.is_empty()) else {
            return Ok((agreement, refused));
        };
        let replay =
            self.unit.replay_on(build, interface, suite, options).map_err(refuse_native)?;
        let found = suite.tests.iter().zip(&replay.disagreements).enumerate();
        for (position, (test, disagreements)) in found {
            if let Some(first) = disagreements.first() {
                agreement.doubted.push(format!("{}: {first}", test.name));
                refused.push(TestId::new(position));
            }
        }
        agreement.agreed = suite.tests.len() - refused.len();
        Ok((agreement, refused))
    }
}

/// What came of the comparison.
#[derive(Debug, Clone, Default)]
pub struct Agreement {
    /// On so many tests they agree.
    pub agreed: usize,
    /// Tests on which they do not: a fault of ours.
    pub doubted: Vec<String>,
}

impl Agreement {
    /// Do they agree on all?
    pub fn is_full(&self) -> bool {
        self.doubted.is_empty()
    }
}
