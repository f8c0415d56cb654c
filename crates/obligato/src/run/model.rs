//! A suite on a Lustre model, in lanes, batch after batch.

use obligato_lustre_replay::{LANES, Runner, Trace};
use obligato_lustre_syntax::Source;
use obligato_model::{Step, TestCase};
use obligato_store::run::Findings;
use obligato_store::{Signature, StoreError, SuiteFile, suite};
use obligato_transition_system::{LaneProgram, lanes};

use super::subject::{RunSubject, ShownNodes};
use super::{Prepared, PreparedRun, RanTest, RunRequest};
use crate::error::Error;
use crate::failures::{FailedCheck, Failures, stored};
use crate::model::LoadedModel;
use crate::progress::{OnProgress, Progress};
use crate::record::Record;

/// A model and a suite that was read.
pub struct ModelRun {
    loaded: LoadedModel,
    shown: ShownNodes,
    suite: SuiteFile,
    format: suite::Format,
    count: usize,
}

impl ModelRun {
    /// Reads both.
    pub fn prepare(request: &RunRequest) -> Result<PreparedRun, Error> {
        let loaded = LoadedModel::load(&request.subject)?;
        let (subject, shown) = RunSubject::of_model(&loaded, &request.show)?;
        let suite = SuiteFile::read(&request.tests)?;
        let format = request.format.unwrap_or_else(|| suite.format());
        let mut tests = suite.tests_for(subject.signature(), format)?;
        let count = tests.try_fold(0, |count, test| test.map(|_| count + 1))?;
        drop(tests);
        let remarks = loaded.remarks.clone();
        let model = Self { loaded, shown, suite, format, count };
        Ok(PreparedRun { subject, remarks, program: Prepared::Model(Box::new(model)) })
    }

    /// Runs the tests; answers with the checks that they failed.
    pub fn run<E: From<Error>>(
        &self,
        signature: &Signature,
        take: &mut impl FnMut(RanTest) -> Result<(), E>,
        on_progress: OnProgress<'_>,
    ) -> Result<Vec<FailedCheck>, E> {
        let LoadedModel { file, lowered, .. } = &self.loaded;
        let (mut failures, source) = (Failures::new(file, lowered), file.source());
        let options =
            lanes::LaneOptions { observe: self.shown.nodes(), ..lanes::LaneOptions::default() };
        let program = LaneProgram::new(&lowered.system, &options).map_err(Error::from)?;
        let mut runner = Runner::new(&program, &self.shown.0);
        let mut tests = self.suite.tests_for(signature, self.format).map_err(Error::from)?;
        let mut done = 0;
        loop {
            let batch = tests.by_ref().take(LANES).collect::<Result<Vec<_>, StoreError>>();
            let batch = batch.map_err(Error::from)?;
            if batch.is_empty() {
                break;
            }
            let (inputs, expected): (Vec<TestCase>, Vec<Vec<Step>>) =
                batch.into_iter().map(|test| signature.split(test)).unzip();
            let traces = runner.run(&inputs).map_err(Error::from)?;
            for ((test, expected), trace) in inputs.into_iter().zip(&expected).zip(traces) {
                failures.take(&test.name, &trace.failures);
                let found = self.judge(&source, expected, &trace);
                let record = Record::new(test, trace, signature);
                done += 1;
                take(RanTest { record, found })?;
            }
            on_progress(Progress::Ran { done, of: self.count });
        }
        Ok(failures.describe(done))
    }

    /// Holds a trace against what its test expects.
    fn judge(&self, source: &Source<'_>, expected: &[Step], trace: &Trace) -> Findings {
        let lowered = &self.loaded.lowered;
        let differences = self.loaded.differing(expected, trace);
        let failures = trace.failures.iter().map(|failure| stored(failure, lowered, source));
        Findings { failures: failures.collect(), differences, exhausted: trace.exhausted }
    }
}
