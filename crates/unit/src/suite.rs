//! Suites of a function: run, measured.

use obligato_criteria::{Contradiction, Evidence, Vectors};
use obligato_execute::{Limits, Program as Executable, SignedOverflow};
use obligato_model::{Criterion, Event, Observability, RecordedTest, Recording, Suite, Watched};

use crate::effects::{Turner, add_effects};
use crate::interface::Interface;
use crate::measure::{Evidencer, Watcher, Watches};
use crate::run::{Runner, TestRun};
use crate::script::{Columns, SuiteError, Write};
use crate::unit::{LoadError, Unit};
use crate::watch::{Meaning, Point};

/// Why a suite cannot be run.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The function is not there.
    #[error(transparent)]
    Unit(#[from] LoadError),
    /// The suite is for another function.
    #[error(transparent)]
    Suite(#[from] SuiteError),
    /// The events of a run contradict the source: the map between the two is wrong.
    #[error("the compiled code does not do what its source says: {0}")]
    Contradiction(#[from] Contradiction),
    /// The code is not what it should be.
    #[error("the code of the unit is malformed: {0}")]
    Malformed(String),
}

/// How tests run.
#[derive(Clone, Copy, Debug)]
pub struct RunOptions {
    /// How much a test may take.
    pub limits: Limits,
    /// Is it a fault if signed arithmetic overflows?
    pub signed_overflow: SignedOverflow,
    /// Are whole evaluations kept even if no criterion asks for them?
    pub tables: bool,
}

impl Default for RunOptions {
    fn default() -> Self {
        Self { limits: Limits::default(), signed_overflow: SignedOverflow::Found, tables: false }
    }
}

/// What is written before each step of each test.
pub(crate) fn scripts(
    interface: &Interface,
    suite: &Suite,
) -> Result<Vec<Vec<Vec<Write>>>, SuiteError> {
    let columns = Columns::new(interface, suite)?;
    suite.tests.iter().map(|test| columns.script(interface, test)).collect()
}

fn is_exact(criterion: Criterion) -> bool {
    use Observability::Exact;
    matches!(criterion, Criterion::Omcdc(Exact) | Criterion::Obvc(Exact))
}

/// What a suite has shown.
#[derive(Clone, Debug)]
pub struct Measured {
    /// For the criteria.
    pub evidence: Evidence,
    /// Per test, what it did.
    pub runs: Vec<TestRun>,
}

impl Unit {
    /// Runs a suite and says what each test did.
    pub fn run(
        &self,
        interface: &Interface,
        suite: &Suite,
        options: RunOptions,
    ) -> Result<Vec<TestRun>, RunError> {
        let scripts = scripts(interface, suite)?;
        let executable = self.executable(&Watches::default(), options)?;
        let mut runner = self.runner(&executable, interface, options, ())?;
        Ok(scripts.iter().map(|script| runner.run(script)).collect())
    }

    /// Runs a suite and collects what these criteria want to know.
    pub fn measure(
        &self,
        interface: &Interface,
        suite: &Suite,
        criteria: &[Criterion],
        options: RunOptions,
    ) -> Result<Measured, RunError> {
        let scripts = scripts(interface, suite)?;
        let boundaries = criteria
            .iter()
            .any(|criterion| matches!(criterion, Criterion::Bvc | Criterion::Obvc(_)));
        let watches = Watches::new(&self.points, boundaries);
        let executable = self.executable(&watches, options)?;
        let vectors = if options.tables { Vectors::Keep } else { Vectors::needed_by(criteria) };
        let exact = criteria.iter().copied().any(is_exact);
        let effects = if exact { vec![Observability::Exact] } else { Vec::new() };
        let looked_for = Watched { effects, kills: Vec::new() };
        let conditions = Watches::new(&self.conditions(), boundaries);
        let twins = self.executable(&conditions, options)?;
        let turner = Turner::new(&self.program, &conditions);
        let mut twins = self.runner(&twins, interface, options, turner)?;
        let sink = Evidencer::new(&self.program, &looked_for, vectors);
        let observer = Watcher::new(&self.program, &self.folded, &watches, sink);
        let mut runner = self.runner(&executable, interface, options, observer)?;
        let mut evidence = Evidence::new(&self.program, looked_for, vectors);
        let mut runs = Vec::with_capacity(suite.tests.len());
        for (test, script) in suite.tests.iter().zip(&scripts) {
            runner.observer_mut().begin();
            runner.observer_mut().sink.begin(&test.name);
            let run = runner.run(script);
            let mut shown = runner.observer_mut().sink.finish()?;
            if exact {
                add_effects(&mut twins, script, &run, options.limits, boundaries, &mut shown);
            }
            evidence.add(shown);
            runs.push(run);
        }
        Ok(Measured { evidence, runs })
    }

    /// Runs a suite and keeps all events.
    pub fn record(
        &self,
        interface: &Interface,
        suite: &Suite,
        options: RunOptions,
    ) -> Result<(Recording, Vec<TestRun>), RunError> {
        let scripts = scripts(interface, suite)?;
        let watches = Watches::new(&self.points, true);
        let executable = self.executable(&watches, options)?;
        let sink: Vec<Event> = Vec::new();
        let observer = Watcher::new(&self.program, &self.folded, &watches, sink);
        let mut runner = self.runner(&executable, interface, options, observer)?;
        let mut recording = Recording::default();
        let mut runs = Vec::with_capacity(suite.tests.len());
        for (test, script) in suite.tests.iter().zip(&scripts) {
            runner.observer_mut().begin();
            runs.push(runner.run(script));
            let events = std::mem::take(&mut runner.observer_mut().sink);
            recording.tests.push(RecordedTest { name: test.name.clone(), events });
        }
        Ok((recording, runs))
    }

    /// The points at which conditions are evaluated.
    pub(crate) fn conditions(&self) -> Vec<Point> {
        let is_condition = |point: &&Point| matches!(point.meaning, Meaning::Evaluate(_));
        self.points.iter().filter(is_condition).cloned().collect()
    }

    pub(crate) fn executable(
        &self,
        watches: &Watches,
        options: RunOptions,
    ) -> Result<Executable<'_>, RunError> {
        let options = obligato_execute::Options {
            signed_overflow: options.signed_overflow,
            ..obligato_execute::Options::default()
        };
        Executable::new(&self.loaded.module, &watches.points, options)
            .map_err(|malformed| RunError::Malformed(malformed.to_string()))
    }

    pub(crate) fn runner<'u, O: obligato_execute::Observer>(
        &self,
        executable: &'u Executable<'u>,
        interface: &'u Interface,
        options: RunOptions,
        observer: O,
    ) -> Result<Runner<'u, O>, RunError> {
        let call = self.call_of(&interface.function).ok_or_else(|| {
            RunError::Malformed(format!("nothing calls '{}'", interface.function))
        })?;
        Ok(Runner::new(executable, interface, &self.driver, call, options.limits, observer))
    }
}
