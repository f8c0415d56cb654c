//! Directed random testing: covers the easy obligations before any solver starts.
//!
//! Each round draws as many tests as there are lanes. A [`test_generator`] draws each so that it satisfies the assertions, with an
//! [`input_profile`] of its own and values from the model's [`dictionary`], from the initial state or from a prefix in the
//! [`prefix_pool`]. A round is measured at once; [`event_lanes`] reads from the tally which tests show which open events,
//! and [`selection`] chooses the tests to keep and shortens them. Rounds without new events move the schedule to other
//! [lengths](length_schedule); after many such steps, exploration ends.
//!
//! The same seed gives the same tests.

use obligato_lustre_replay::{LANES, Meter};
use obligato_model::{Random, Step, TestCase};
use obligato_solver::Stop;
use obligato_transition_system::Error;
use obligato_transition_system::lanes::WORDS;

use crate::event::EventId;
use crate::ledger::Ledger;

mod dictionary;
mod event_lanes;
mod exact;
mod input_profile;
mod length_schedule;
mod prefix_pool;
mod prepared_model;
mod selection;
mod test_generator;

use exact::{keep_measured, promising_lanes};
use input_profile::{Profile, change_some};
use length_schedule::LengthSchedule;
pub use prefix_pool::Prefix;
use prefix_pool::PrefixPool;
pub use prepared_model::PreparedModel;
use selection::{Kept, select_tests, shorten};
use test_generator::{DrawnTests, TestGenerator, TestPlan};

/// A round whose tests end before this fraction of their planned length is charged for that fraction: redrawing
/// steps costs time too.
const STARVED: usize = 4;

/// Random testing of a model.
#[derive(Debug)]
pub struct Explorer<'m> {
    prepared: &'m PreparedModel<'m>,
    meter: Meter<'m>,
    generator: TestGenerator<'m>,
    pool: PrefixPool,
    schedule: LengthSchedule,
    random: Random,
    kept: usize,
}

/// The result of an exploration.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Exploration {
    /// Why it ended.
    pub ended: ExplorationEnd,
    /// How many tests were drawn.
    pub tests: usize,
    /// The number of their planned steps.
    pub planned: usize,
    /// The number of their steps: a test ends early where no drawn step satisfies the assertions.
    pub steps: usize,
    /// The steps charged to the budget, with rejected steps included.
    pub effort: usize,
    /// How many tests were kept.
    pub kept: usize,
}

/// Why an exploration ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ExplorationEnd {
    /// No event is open.
    #[default]
    Complete,
    /// No new events for long.
    NoProgress,
    /// All steps of the budget are spent.
    BudgetSpent,
    /// The stop was requested.
    Stopped,
}

impl Exploration {
    /// Do assertions end tests long before their planned length? Then random tests say little about
    /// the model.
    pub fn is_starved(&self) -> bool {
        self.steps < self.planned / STARVED
    }
}

impl<'m> Explorer<'m> {
    /// An explorer of a model, whose tests the meter measures.
    pub fn new(prepared: &'m PreparedModel<'m>, meter: Meter<'m>, seed: u64) -> Self {
        Self {
            prepared,
            meter,
            generator: TestGenerator::new(prepared),
            pool: PrefixPool::default(),
            schedule: LengthSchedule::default(),
            random: Random::for_purpose(seed, "explore"),
            kept: 0,
        }
    }

    /// Explores until the stop is due, the budget of `steps` is spent, or new events stay out.
    /// Keeps every test that is the first to show an open event, and marks the event in the ledger. Another call goes on where this
    /// one has ended.
    pub fn explore(
        &mut self,
        ledger: &mut Ledger<'_>,
        steps: usize,
        stop: &Stop,
        mut keep: impl FnMut(&Ledger<'_>, TestCase, Vec<EventId>),
    ) -> Result<Exploration, Error> {
        let mut done = Exploration::default();
        done.ended = loop {
            match () {
                () if ledger.open_events().is_empty() => break ExplorationEnd::Complete,
                () if stop.is_due() => break ExplorationEnd::Stopped,
                () if done.effort >= steps => break ExplorationEnd::BudgetSpent,
                () if self.schedule.is_exhausted() => break ExplorationEnd::NoProgress,
                () => {}
            }
            let length = self.schedule.length();
            let plans = (0..LANES).map(|_| self.plan(length)).collect();
            let drawn = self.generator.draw(plans, &mut self.random, stop)?;
            let taken: usize = drawn.tests.iter().map(|test| test.steps.len()).sum();
            let kept = self.keep_new(&drawn, ledger, stop)?;
            let effort = taken.max(LANES * length / STARVED);
            tracing::trace!(length, steps = taken, kept = kept.len(), "batch");
            self.schedule.note(length, effort, kept.len());
            done.effort += effort;
            done.tests += LANES;
            done.planned += LANES * length;
            done.steps += taken;
            done.kept += kept.len();
            for Kept { test, events } in kept {
                keep(ledger, test, events);
            }
        };
        Ok(done)
    }

    /// Prefixes that lead to different states, rarely visited states first, then longer prefixes.
    pub fn states(&self) -> Vec<&Prefix> {
        self.pool.rarest()
    }

    /// Plans a test of so many steps.
    fn plan(&mut self, steps: usize) -> TestPlan {
        let dictionary = &self.prepared.dictionary;
        let random = &mut self.random;
        let profile = Profile::draw(dictionary, random);
        let kind = random.below(8);
        let start = if kind < 1 { None } else { self.pool.choose(steps, random) };
        let mut given: Vec<Step> = start.map_or_else(Vec::new, |prefix| prefix.steps().to_vec());
        if kind >= 6 && !given.is_empty() {
            for _ in 0..=random.below(3) {
                let at = random.below(given.len());
                change_some(&mut given[at], 1, dictionary, random);
            }
        }
        if kind == 5 && !given.is_empty() {
            given.truncate(random.below(given.len()));
            if let Some(other) = self.pool.choose(steps - given.len(), random) {
                let from = random.below(other.steps().len());
                given.extend_from_slice(&other.steps()[from..]);
            }
        }
        TestPlan { given, steps, profile }
    }

    /// The drawn tests that show new events, shortened.
    fn keep_new(
        &mut self,
        drawn: &DrawnTests,
        ledger: &mut Ledger<'_>,
        stop: &Stop,
    ) -> Result<Vec<Kept>, Error> {
        let program = &self.meter.measurement().lowered().program;
        let tally = self.meter.tally(&drawn.tests)?;
        let mut faulty = [0; WORDS];
        for (lane, fault) in drawn.faults.iter().enumerate() {
            faulty[lane / 64] |= u64::from(fault.is_some()) << (lane % 64);
        }
        let chosen = select_tests(program, ledger, &tally, faulty);
        let (mut lanes, mut kept): (Vec<usize>, Vec<Kept>) = chosen
            .into_iter()
            .map(|(lane, events)| (lane, Kept { test: drawn.tests[lane].clone(), events }))
            .unzip();
        shorten(&mut self.meter, ledger, &mut kept, stop)?;
        for lane in promising_lanes(ledger, &tally) {
            if let Some(more) = keep_measured(&mut self.meter, ledger, &drawn.tests[lane])? {
                lanes.push(lane);
                kept.push(more);
            }
        }
        for (lane, kept) in lanes.into_iter().zip(&mut kept) {
            let state = drawn.states[lane].get(kept.test.steps.len()).copied();
            self.pool.add_test(&kept.test.steps, state);
            kept.test.name = TestCase::default_name(self.kept);
            self.kept += 1;
        }
        for (test, states) in drawn.tests.iter().zip(&drawn.states) {
            self.pool.add_states(&test.steps, states);
        }
        Ok(kept)
    }
}
