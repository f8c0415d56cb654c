//! The suite measured again as a whole: nothing that a campaign claims is said before its tests have
//! shown it a second time, read as any other suite.

use obligato_criteria::judge;
use obligato_engines_lustre::Outcome;
use obligato_lustre_replay::{Measurement, Watch};
use obligato_model::{Assessment, TestCase, Verdict};

use crate::error::CliError;
use crate::output::Verbosity;
use crate::progress::measured_line;
use obligato::Error;
use obligato::measuring::{MeasuredSuite, ModelSuite, measure_suite};
use obligato::model::LoadedModel;

use super::mutation::Mutation;

/// A suite that shows what it is said to show.
pub struct Checked<'a> {
    /// What its tests have shown.
    pub measured: MeasuredSuite<'a>,
    /// The verdicts that follow, with the proofs and the limits of the campaign.
    pub assessment: Assessment,
}

impl<'a> Checked<'a> {
    /// Measures the given and the new tests. Another covered obligation than the campaign has, or one
    /// less, is a fault of ours.
    pub fn new(
        loaded: &'a LoadedModel,
        mutation: Option<&Mutation<'_>>,
        suite: &ModelSuite,
        watch: Watch,
        outcome: &Outcome,
        verbosity: Verbosity,
    ) -> Result<Self, CliError> {
        let measured = measure(loaded, mutation, suite, watch, verbosity)?;
        let claimed = &outcome.assessment;
        let program = mutation.map_or(&loaded.lowered.program, Mutation::program);
        let mut assessment = judge(program, claimed.plan.clone(), &measured.evidence)
            .map_err(|error| CliError::from(Error::Internal(error.to_string())))?;
        let verdicts = assessment.verdicts.iter_mut().zip(&claimed.verdicts);
        for (obligation, (found, claimed)) in claimed.plan.obligations.iter().zip(verdicts) {
            if is_covered(found) != is_covered(claimed) {
                let (key, found, claimed) = (&obligation.key, found.name(), claimed.name());
                let message = format!("{key} was said to be {claimed} and is {found}");
                return Err(CliError::from(Error::Internal(message)));
            }
            if let (Verdict::Unresolved(found), Verdict::Unresolved(limit)) = (found, claimed) {
                found.clone_from(limit);
            }
        }
        Ok(Self { measured, assessment })
    }
}

/// Measures a suite of given and new tests, on mutants too if they are asked for.
pub fn measure<'a>(
    loaded: &'a LoadedModel,
    mutation: Option<&Mutation<'_>>,
    suite: &ModelSuite,
    watch: Watch,
    verbosity: Verbosity,
) -> Result<MeasuredSuite<'a>, CliError> {
    let measurement = Measurement::new(&loaded.lowered, watch).map_err(Error::from)?;
    let compiled = measurement.compile().map_err(Error::from)?;
    // The given tests violate no assertion, so it would be one of ours that does.
    let mut measured =
        measure_suite(loaded, suite, &measurement, &compiled, &mut measured_line(verbosity))
            .map_err(|error| CliError::from(Error::Internal(CliError::from(error).one_line())))?;
    if let Some(mutation) = mutation {
        let tests: Vec<TestCase> = suite.tests()?.collect::<Result<_, _>>()?;
        mutation.add_kills(&tests, &mut measured.evidence)?;
    }
    Ok(measured)
}

fn is_covered(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Covered { .. })
}
