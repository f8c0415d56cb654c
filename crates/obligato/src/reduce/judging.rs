//! A suite on a model, or some of its tests: what they show, judged.

use obligato_campaign::{Knowledge, assess};
use obligato_criteria::plan;
use obligato_lustre_replay::measure::Compiled;
use obligato_lustre_replay::{Measurement, Meter, Watch};
use obligato_model::{Assessment, Criterion, Verdict};

use crate::campaign::Stop;
use crate::error::Error;
use crate::measuring::{MeasuredSuite, ModelSuite, measure_suite};
use crate::model::LoadedModel;
use crate::progress::OnProgress;

/// A model prepared for measuring by some criteria.
pub struct Judge<'a> {
    /// What tests are measured with.
    pub measurement: Measurement<'a>,
    loaded: &'a LoadedModel,
    criteria: &'a [Criterion],
}

/// What tests have shown, and the verdicts that follow.
pub struct Judged<'a> {
    pub measured: MeasuredSuite<'a>,
    pub assessment: Assessment,
}

impl<'a> Judge<'a> {
    /// Prepares to watch for what the criteria ask.
    pub fn new(loaded: &'a LoadedModel, criteria: &'a [Criterion]) -> Result<Self, Error> {
        let outputs = loaded.lowered.system.outputs.iter().map(|output| output.node);
        let watch = Watch::for_criteria(criteria, outputs.collect());
        let measurement = Measurement::new(&loaded.lowered, watch)?;
        Ok(Self { measurement, loaded, criteria })
    }

    /// Runs all tests of the suite and judges what they show. Stopped before, it has no answer.
    pub fn judge(
        &self,
        compiled: &Compiled<'_>,
        suite: &ModelSuite,
        stop: &Stop,
        on_progress: OnProgress<'_>,
    ) -> Result<Judged<'a>, Error> {
        let meter = Meter::new(&self.measurement, compiled);
        let measured = measure_suite(self.loaded, suite, meter, stop, on_progress)?;
        let program = &self.loaded.lowered.program;
        let plan = plan(program, self.criteria);
        let assessment = assess(program, plan, &measured.evidence, &Knowledge::default())
            .map_err(|error| Error::Internal(error.to_string()))?;
        Ok(Judged { measured, assessment })
    }
}

impl Judged<'_> {
    /// Per obligation, whether it is covered.
    pub fn covered(&self) -> impl Iterator<Item = bool> + '_ {
        let verdicts = self.assessment.verdicts.iter();
        verdicts.map(|verdict| matches!(verdict, Verdict::Covered { .. }))
    }
}
