//! Suites of a function: run, measured.

use obligato_criteria::{Contradiction, Evidence, Vectors};
use obligato_execute::{
    Executable, ExecutionLimits, Observer, Shadow, SignedOverflow, Variables, WatchPoint,
};
use obligato_model::{
    Criterion, ElementKind, Observability, RecordedEvent, RecordedTest, Recording, Suite, Watched,
};

use crate::counter::Counter;
use crate::effects::add_tagged_effects;
use crate::effects::exact::{ValueSuppressor, add_effects};
use crate::effects::flow::Flow;
use crate::interface::Interface;
use crate::measure::{Evidencer, Gauge, RunWatcher, Watches};
use crate::run::{DrivenCall, Runner, TestRun};
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
    /// Somebody asked to stop before the end.
    #[error("stopped before the end")]
    Stopped,
}

/// How tests run.
#[derive(Clone, Copy, Debug)]
pub struct RunOptions {
    /// How much a test may take.
    pub limits: ExecutionLimits,
    /// Is it a fault if signed arithmetic overflows?
    pub signed_overflow: SignedOverflow,
    /// Are whole evaluations kept even if no criterion asks for them?
    pub tables: bool,
}

impl Default for RunOptions {
    fn default() -> Self {
        Self {
            limits: ExecutionLimits::default(),
            signed_overflow: SignedOverflow::Found,
            tables: false,
        }
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

/// The semantics under which effects are asked for.
fn effects_of(criteria: &[Criterion]) -> Vec<Observability> {
    let effects = criteria.iter().filter_map(|criterion| criterion.observability());
    let mut effects: Vec<Observability> = effects.collect();
    effects.sort_unstable();
    effects.dedup();
    effects
}

/// Runs a test again to see effects.
enum Meter<'u> {
    Twins(Box<Runner<'u, (), ValueSuppressor<'u>>>),
    Tags(Box<Runner<'u, Flow<'u>, ()>>, Observability),
}

/// A suite, and what is to be measured of it.
#[derive(Clone, Copy)]
struct Measurement<'c> {
    interface: &'c Interface,
    suite: &'c Suite,
    options: RunOptions,
    looked_for: &'c Watched,
    vectors: Vectors,
    boundaries: bool,
    /// Does somebody ask to stop?
    is_stopped: &'c dyn Fn() -> bool,
}

/// The code decoded for runs that show effects.
struct EffectCode<'u> {
    conditions: Watches,
    /// Watches conditions, so that their values can be suppressed.
    forcing: Executable<'u>,
    /// Keeps variables in memory, where tags follow them.
    tagged: Executable<'u>,
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
        let executable = self.executable(&Watches::default(), options, Variables::InRegisters)?;
        let mut runner = self.runner(&executable, interface, options, (), ())?;
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
        self.measure_unless(&|| false, interface, suite, criteria, options)
    }

    /// The same, unless `is_stopped` says before one of the tests that nobody wants to know any more.
    pub fn measure_unless(
        &self,
        is_stopped: &dyn Fn() -> bool,
        interface: &Interface,
        suite: &Suite,
        criteria: &[Criterion],
        options: RunOptions,
    ) -> Result<Measured, RunError> {
        let boundaries = criteria.iter().any(|criterion| criterion.needs_operands());
        let vectors = if options.tables { Vectors::Keep } else { Vectors::needed_by(criteria) };
        let looked_for = Watched { effects: effects_of(criteria), kills: Vec::new() };
        let points = self.points_for(criteria, boundaries);
        let looked_for = &looked_for;
        let measurement =
            Measurement { interface, suite, options, looked_for, vectors, boundaries, is_stopped };
        if !boundaries {
            let (program, folded) = (&self.program, &self.folded);
            let (counter, watches) = Counter::new(program, folded, &points, looked_for, vectors);
            return self.measure_by(measurement, counter, &watches);
        }
        let watches = Watches::new(&points, boundaries);
        let sink = Evidencer::new(&self.program, looked_for, vectors);
        let gauge = RunWatcher::new(&self.program, &self.folded, &watches, sink);
        self.measure_by(measurement, gauge, &watches.points)
    }

    /// Runs a suite with one that gauges it, then again for effects.
    fn measure_by<G: Gauge>(
        &self,
        measurement: Measurement<'_>,
        gauge: G,
        watches: &[WatchPoint],
    ) -> Result<Measured, RunError> {
        let Measurement { interface, suite, options, looked_for, vectors, boundaries, is_stopped } =
            measurement;
        let scripts = scripts(interface, suite)?;
        let executable = self.decode(watches, options, Variables::InRegisters)?;
        let conditions = Watches::new(&self.conditions(), boundaries);
        let forcing = self.executable(&conditions, options, Variables::InRegisters)?;
        let tagged = self.executable(&Watches::default(), options, Variables::InMemory)?;
        let code = EffectCode { conditions, forcing, tagged };
        let mut meters = Vec::new();
        for semantics in &looked_for.effects {
            meters.push(self.meter(interface, options, *semantics, &code)?);
        }
        let mut runner = self.runner(&executable, interface, options, (), gauge)?;
        let mut evidence = Evidence::new(&self.program, looked_for.clone(), vectors);
        let mut runs = Vec::with_capacity(suite.tests.len());
        for (test, script) in suite.tests.iter().zip(&scripts) {
            if is_stopped() {
                return Err(RunError::Stopped);
            }
            runner.observer_mut().begin(&test.name);
            let run = runner.run(script);
            let mut shown = runner.observer_mut().finish()?;
            for meter in &mut meters {
                match meter {
                    Meter::Twins(twins) => {
                        add_effects(twins, script, &run, options.limits, boundaries, &mut shown);
                    }
                    Meter::Tags(runner, semantics) => {
                        add_tagged_effects(runner, interface, script, *semantics, &mut shown);
                    }
                }
            }
            evidence.add(shown);
            runs.push(run);
        }
        Ok(Measured { evidence, runs })
    }

    /// Prepares runs that show effects under one of the semantics.
    fn meter<'u>(
        &'u self,
        interface: &'u Interface,
        options: RunOptions,
        semantics: Observability,
        code: &'u EffectCode<'u>,
    ) -> Result<Meter<'u>, RunError> {
        if semantics == Observability::Exact {
            let suppressor = ValueSuppressor::new(&self.program, &code.conditions);
            let runner = self.runner(&code.forcing, interface, options, (), suppressor)?;
            return Ok(Meter::Twins(Box::new(runner)));
        }
        let runner = self.runner(&code.tagged, interface, options, self.flow(semantics), ())?;
        Ok(Meter::Tags(Box::new(runner), semantics))
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
        let executable = self.executable(&watches, options, Variables::InRegisters)?;
        let sink: Vec<RecordedEvent> = Vec::new();
        let observer = RunWatcher::new(&self.program, &self.folded, &watches, sink);
        let mut runner = self.runner(&executable, interface, options, (), observer)?;
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

    /// The points that these criteria ask for. Where there are events to be checked against the source, calls are followed always.
    fn points_for(&self, criteria: &[Criterion], events: bool) -> Vec<Point> {
        let asks = |kind: ElementKind| criteria.iter().any(|one| one.asks().contains(&kind));
        let asked = |point: &&Point| match point.meaning {
            Meaning::Execute(_) => asks(ElementKind::Statement),
            Meaning::Choose(_) => asks(ElementKind::Arm),
            Meaning::Enter(_) | Meaning::Leave(_) => {
                events || asks(ElementKind::Function) || asks(ElementKind::Exit)
            }
            Meaning::Evaluate(_) | Meaning::Pass(_) => true,
        };
        self.points.iter().filter(asked).cloned().collect()
    }

    /// The points at which conditions are evaluated.
    pub fn conditions(&self) -> Vec<Point> {
        let is_condition = |point: &&Point| matches!(point.meaning, Meaning::Evaluate(_));
        self.points.iter().filter(is_condition).cloned().collect()
    }

    /// The code of the unit, decoded with these watches.
    pub fn executable(
        &self,
        watches: &Watches,
        options: RunOptions,
        variables: Variables,
    ) -> Result<Executable<'_>, RunError> {
        self.decode(&watches.points, options, variables)
    }

    fn decode(
        &self,
        watches: &[WatchPoint],
        options: RunOptions,
        variables: Variables,
    ) -> Result<Executable<'_>, RunError> {
        let signed_overflow = options.signed_overflow;
        let options = obligato_execute::ExecutableOptions { signed_overflow, variables };
        Executable::new(&self.loaded.module, watches, options)
            .map_err(|malformed| RunError::Malformed(malformed.to_string()))
    }

    /// Runs tests of a function, with whoever watches.
    pub fn runner<'u, S: Shadow, O: Observer>(
        &'u self,
        executable: &'u Executable<'u>,
        interface: &'u Interface,
        options: RunOptions,
        shadow: S,
        observer: O,
    ) -> Result<Runner<'u, S, O>, RunError> {
        let call = self.call_of(&interface.function).ok_or_else(|| {
            RunError::Malformed(format!("nothing calls '{}'", interface.function))
        })?;
        let (driver, limits) = (&self.driver, options.limits);
        let call = DrivenCall { program: executable, interface, driver, call, limits };
        Ok(Runner::new(call, shadow, observer))
    }
}
