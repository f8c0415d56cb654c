//! Measuring: tests run on the executor, and what each shows becomes evidence for the criteria.

use obligato_bytecode::Register;
use obligato_criteria::evidence::TestEvidence;
use obligato_criteria::{Collector, Contradiction, Vectors};
use obligato_execute::{Observer, WatchId, WatchPoint};
use obligato_model::{Program, RecordedEvent, Watched};

use crate::record::{Folded, Recorder};
use crate::watch::{Meaning, Point};

/// The points of a unit as the executor wants them.
#[derive(Clone, Debug, Default)]
pub struct Watches {
    /// One for each register that is read; of a point with several, its first is the last.
    pub points: Vec<WatchPoint>,
    roles: Vec<Role>,
    meanings: Vec<Meaning>,
}

#[derive(Clone, Copy, Debug)]
enum Role {
    /// An operand of the comparison that is reported next.
    Operand,
    /// The last, or only, value of this point.
    Last(u32),
}

impl Watches {
    /// Watches for these points. Operands of comparisons are read only if boundaries are of interest.
    pub fn new(points: &[Point], boundaries: bool) -> Self {
        let mut watches = Self::default();
        for point in points {
            let number = watches.meanings.len() as u32;
            watches.meanings.push(point.meaning.clone());
            let mut registers = point.registers.iter();
            let first = registers.next().copied();
            if boundaries {
                for operand in registers {
                    watches.add(point, Some(*operand), Role::Operand);
                }
            }
            watches.add(point, first, Role::Last(number));
        }
        watches
    }

    /// What it means that a point is passed, once its last value is there.
    pub fn meaning(&self, watch: WatchId) -> Option<&Meaning> {
        match self.roles[watch.0 as usize] {
            Role::Operand => None,
            Role::Last(point) => Some(&self.meanings[point as usize]),
        }
    }

    fn add(&mut self, point: &Point, register: Option<Register>, role: Role) {
        self.points.push(watch_point(point, register));
        self.roles.push(role);
    }
}

/// A point as the executor wants it, with one of its registers.
pub(crate) fn watch_point(point: &Point, register: Option<Register>) -> WatchPoint {
    let (function, operation, moment) = (point.function, point.operation, point.moment);
    WatchPoint { function, operation, moment, register }
}

/// Takes events as they happen.
pub trait Sink {
    /// The next event.
    fn take(&mut self, event: RecordedEvent);
}

/// Turns what the executor reports into events.
#[derive(Debug)]
pub struct RunWatcher<'u, S> {
    watches: &'u Watches,
    recorder: Recorder<'u>,
    /// The operands of the comparison that is reported next.
    operands: Vec<u64>,
    /// Who takes the events.
    pub sink: S,
}

impl<'u, S: Sink> RunWatcher<'u, S> {
    /// A watcher of runs of a unit.
    pub fn new(program: &'u Program, folded: &'u Folded, watches: &'u Watches, sink: S) -> Self {
        Self { watches, recorder: Recorder::new(program, folded), operands: Vec::new(), sink }
    }

    /// Begins a test.
    pub fn begin(&mut self) {
        self.recorder.begin();
        self.operands.clear();
    }
}

impl<S: Sink> Observer for RunWatcher<'_, S> {
    fn saw(&mut self, watch: WatchId, _: u32, value: &mut u64) {
        let Some(meaning) = self.watches.meaning(watch) else { return self.operands.push(*value) };
        let sink = &mut self.sink;
        self.recorder.pass(meaning, *value, &self.operands, |event| sink.take(event));
        self.operands.clear();
    }
}

/// Collects evidence.
#[derive(Debug)]
pub struct Evidencer<'u> {
    collector: Collector<'u>,
    wrong: Option<Contradiction>,
}

impl<'u> Evidencer<'u> {
    /// Of runs of a unit.
    pub fn new(program: &'u Program, watched: &Watched, vectors: Vectors) -> Self {
        Self { collector: Collector::new(program, watched, vectors), wrong: None }
    }

    /// Begins a test.
    pub fn begin(&mut self, name: &str) {
        self.collector.begin(name);
    }

    /// Ends a test. A contradiction means that the map from source to code is wrong.
    pub fn finish(&mut self) -> Result<TestEvidence, Contradiction> {
        match self.wrong.take() {
            Some(wrong) => Err(wrong),
            None => self.collector.finish(),
        }
    }
}

impl Sink for Evidencer<'_> {
    fn take(&mut self, event: RecordedEvent) {
        if self.wrong.is_none() {
            self.wrong = self.collector.take(&event).err();
        }
    }
}

/// Watches tests, and says of each what it has shown.
pub trait Gauge: Observer {
    /// Begins a test.
    fn begin(&mut self, name: &str);

    /// Ends a test. A contradiction means that the map from source to code is wrong.
    fn finish(&mut self) -> Result<TestEvidence, Contradiction>;
}

impl Gauge for RunWatcher<'_, Evidencer<'_>> {
    fn begin(&mut self, name: &str) {
        RunWatcher::begin(self);
        self.sink.begin(name);
    }

    fn finish(&mut self) -> Result<TestEvidence, Contradiction> {
        self.sink.finish()
    }
}

/// Keeps the events.
impl Sink for Vec<RecordedEvent> {
    fn take(&mut self, event: RecordedEvent) {
        self.push(event);
    }
}
