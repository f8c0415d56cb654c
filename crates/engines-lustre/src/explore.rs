//! Directed random exploration: covers what is easy before any solver starts.
//!
//! Rounds of as many tests as there are lanes. Each is drawn by a [`walker`] that keeps it legal, with
//! [`habits`] of its own and values from the model's [`dictionary`], from the start or grown from the
//! [`pool`] of tests that got somewhere. A round is measured at once; what it shows of the wanted events is
//! [read off](sighting) the batch, and the tests to keep are [chosen and cut](choice). When rounds bring
//! nothing, tests get longer; when long ones bring nothing, exploring ends.
//!
//! The same seed gives the same tests.

use obligato_lustre_replay::{LANES, Meter};
use obligato_model::{Random, Step, TestCase};
use obligato_solver::Stop;
use obligato_transition_system::Error;
use obligato_transition_system::lanes::WORDS;

use crate::event::EventId;
use crate::ledger::Ledger;

mod choice;
mod dictionary;
mod exact;
mod habits;
mod pace;
mod pool;
mod sighting;
mod terrain;
mod walker;

use choice::{Kept, choose_lanes, shorten};
use exact::{keep_measured, promising_lanes};
use habits::{Profile, move_some};
use pace::Pace;
use pool::Pool;
pub use pool::Prefix;
pub use terrain::Terrain;
use walker::{Plan, Walk, Walker};

/// A round of tests that end before this part of their time costs as much as one in which they end then: steps were
/// drawn again and again.
const STARVED: usize = 4;

/// Explores a model.
#[derive(Debug)]
pub struct Explorer<'m> {
    terrain: &'m Terrain<'m>,
    meter: Meter<'m>,
    walker: Walker<'m>,
    pool: Pool,
    random: Random,
    kept: usize,
}

/// What exploring came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Exploration {
    /// Why it ended.
    pub ended: Ended,
    /// How many tests were drawn.
    pub tests: usize,
    /// How many steps they were to have in all.
    pub planned: usize,
    /// How many they had: a test ends where the model's assertions let it go on nowhere.
    pub steps: usize,
    /// The steps, and what drawing was spent on steps that the assertions did not allow, in steps.
    pub effort: usize,
    /// How many tests were kept.
    pub kept: usize,
}

/// Why exploring ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ended {
    /// Nothing is wanted.
    #[default]
    Complete,
    /// Nothing new came for long.
    Dry,
    /// All steps were taken that were allowed.
    Spent,
    /// It was told to.
    Stopped,
}

impl Exploration {
    /// Do the assertions end tests long before their time? Then random tests say little about
    /// the model.
    pub fn is_starved(&self) -> bool {
        self.steps < self.planned / STARVED
    }
}

impl<'m> Explorer<'m> {
    /// An explorer of a model, whose tests the meter measures.
    pub fn new(terrain: &'m Terrain<'m>, meter: Meter<'m>, seed: u64) -> Self {
        Self {
            terrain,
            meter,
            walker: Walker::new(terrain),
            pool: Pool::default(),
            random: Random::for_purpose(seed, "explore"),
            kept: 0,
        }
    }

    /// Explores until it is due to stop, so many steps of tests were taken, or nothing new comes.
    /// Every test that shows an event the ledger wants is kept for what it shows first; the ledger has it then.
    pub fn explore(
        &mut self,
        ledger: &mut Ledger<'_>,
        steps: usize,
        stop: &Stop,
        mut keep: impl FnMut(&Ledger<'_>, TestCase, Vec<EventId>),
    ) -> Result<Exploration, Error> {
        let mut done = Exploration::default();
        let mut pace = Pace::default();
        done.ended = loop {
            match () {
                () if ledger.wanted().is_empty() => break Ended::Complete,
                () if stop.is_due() => break Ended::Stopped,
                () if done.effort >= steps => break Ended::Spent,
                () if pace.is_dry() => break Ended::Dry,
                () => {}
            }
            let length = pace.length();
            let plans = (0..LANES).map(|_| self.plan(length)).collect();
            let walk = self.walker.walk(plans, &mut self.random)?;
            let taken: usize = walk.tests.iter().map(|test| test.steps.len()).sum();
            let kept = self.keep_new(&walk, ledger)?;
            let effort = taken.max(LANES * length / STARVED);
            tracing::trace!(length, steps = taken, kept = kept.len(), "batch");
            pace.note(length, effort, kept.len());
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

    /// How tests start that lead to different states, those first that lead where few have been,
    /// then those that lead far.
    pub fn states(&self) -> Vec<&Prefix> {
        self.pool.rarest()
    }

    /// A test to draw, of so many steps.
    fn plan(&mut self, steps: usize) -> Plan {
        let dictionary = &self.terrain.dictionary;
        let random = &mut self.random;
        let profile = Profile::draw(dictionary, random);
        let kind = random.below(8);
        let start = if kind < 1 { None } else { self.pool.choose(steps, random) };
        let mut given: Vec<Step> = start.map_or_else(Vec::new, |prefix| prefix.steps().to_vec());
        if kind >= 6 && !given.is_empty() {
            for _ in 0..=random.below(3) {
                let at = random.below(given.len());
                move_some(&mut given[at], 1, dictionary, random);
            }
        }
        if kind == 5 && !given.is_empty() {
            given.truncate(random.below(given.len()));
            if let Some(other) = self.pool.choose(steps - given.len(), random) {
                let from = random.below(other.steps().len());
                given.extend_from_slice(&other.steps()[from..]);
            }
        }
        Plan { given, steps, profile }
    }

    /// The tests of a walk that show something new, cut to what shows it.
    fn keep_new(&mut self, walk: &Walk, ledger: &mut Ledger<'_>) -> Result<Vec<Kept>, Error> {
        let program = &self.meter.measurement().lowered().program;
        let tally = self.meter.tally(&walk.tests)?;
        let mut faulty = [0; WORDS];
        for (lane, fault) in walk.faults.iter().enumerate() {
            faulty[lane / 64] |= u64::from(fault.is_some()) << (lane % 64);
        }
        let chosen = choose_lanes(program, ledger, &tally, faulty);
        let (mut lanes, mut kept): (Vec<usize>, Vec<Kept>) = chosen
            .into_iter()
            .map(|(lane, events)| (lane, Kept { test: walk.tests[lane].clone(), events }))
            .unzip();
        shorten(&mut self.meter, ledger, &mut kept)?;
        for lane in promising_lanes(ledger, &tally) {
            if let Some(more) = keep_measured(&mut self.meter, ledger, &walk.tests[lane])? {
                lanes.push(lane);
                kept.push(more);
            }
        }
        for (lane, kept) in lanes.into_iter().zip(&mut kept) {
            let state = walk.states[lane].get(kept.test.steps.len()).copied();
            self.pool.add_test(&kept.test.steps, state);
            kept.test.name = TestCase::default_name(self.kept);
            self.kept += 1;
        }
        for (test, states) in walk.tests.iter().zip(&walk.states) {
            self.pool.add_states(&test.steps, states);
        }
        Ok(kept)
    }
}
