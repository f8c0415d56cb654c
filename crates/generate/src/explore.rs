//! Directed random exploration: covers what is easy before any solver starts.
//!
//! Rounds of as many tests as there are lanes. Each is drawn by a [`walker`] that keeps it legal, with
//! [`habits`] of its own and values from the model's [`dictionary`], from the start or grown from the
//! [`pool`] of tests that got somewhere. A round is measured at once; what it shows of the wanted events is
//! [read off](sighting) the batch, and the tests to keep are [chosen and cut](choice). When rounds bring
//! nothing, tests get longer; when long ones bring nothing, exploring ends.
//!
//! The same seed gives the same tests.

use obligato_model::{Random, Step, TestCase};
use obligato_replay::{LANES, Meter};
use obligato_solver::Stop;
use obligato_system::Error;
use obligato_system::lanes::WORDS;

use crate::event::EventId;
use crate::ledger::Ledger;

mod choice;
mod dictionary;
mod habits;
mod pool;
mod sighting;
mod terrain;
mod walker;

use choice::{Kept, choose_lanes, shorten};
use habits::{Profile, move_some};
use pool::Pool;
pub use pool::Prefix;
pub use terrain::Terrain;
use walker::{Plan, Walk, Walker};

/// How many steps tests go on for, one after the other as the shorter ones dry up.
const LENGTHS: [usize; 4] = [20, 40, 80, 160];

/// So many rounds of a length may bring nothing.
const PATIENCE: usize = 6;

/// Tests are never longer.
const MOST_STEPS: usize = 600;

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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exploration {
    /// Why it ended.
    pub ended: Ended,
    /// How many tests were drawn.
    pub tests: usize,
    /// How many steps they had in all.
    pub steps: usize,
    /// How many tests had to end early, as the model's assertions let them go on nowhere.
    pub cut: usize,
    /// How many tests were kept.
    pub kept: usize,
}

/// Why exploring ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// Nothing is wanted that tests alone can show.
    Complete,
    /// Nothing new came for long.
    Dry,
    /// All steps were taken that were allowed.
    Spent,
    /// It was told to.
    Stopped,
}

impl Exploration {
    /// Do the assertions end nearly every test early? Then random tests say little about the model.
    pub fn is_starved(&self) -> bool {
        self.tests > 0 && self.cut * 10 >= self.tests * 9
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
    /// Every test that shows an event the ledger wants is kept for what it shows first.
    pub fn explore(
        &mut self,
        ledger: &mut Ledger<'_>,
        steps: usize,
        stop: &Stop,
        mut keep: impl FnMut(TestCase, Vec<EventId>),
    ) -> Result<Exploration, Error> {
        let mut done = Exploration { ended: Ended::Complete, tests: 0, steps: 0, cut: 0, kept: 0 };
        let (mut level, mut dry) = (0, 0);
        while !ledger.wanted().is_empty() {
            if stop.is_due() || done.steps >= steps || level == LENGTHS.len() {
                done.ended = match level {
                    _ if stop.is_due() => Ended::Stopped,
                    _ if done.steps >= steps => Ended::Spent,
                    _ => Ended::Dry,
                };
                break;
            }
            let plans = (0..LANES).map(|_| self.plan(LENGTHS[level])).collect();
            let walk = self.walker.walk(plans, &mut self.random)?;
            done.tests += walk.tests.len();
            done.steps += walk.tests.iter().map(|test| test.steps.len()).sum::<usize>();
            done.cut += walk.cut;
            let kept = self.keep_new(&walk, ledger)?;
            dry = if kept.is_empty() { dry + 1 } else { 0 };
            if dry == PATIENCE {
                (level, dry) = (level + 1, 0);
            }
            done.kept += kept.len();
            for Kept { test, events } in kept {
                keep(test, events);
            }
        }
        Ok(done)
    }

    /// How tests start that lead to different states, those first that lead where few have been,
    /// then those that lead far.
    pub fn states(&self) -> Vec<&Prefix> {
        self.pool.rarest()
    }

    /// A test to draw, which goes on for so many steps.
    fn plan(&mut self, length: usize) -> Plan {
        let dictionary = &self.terrain.dictionary;
        let random = &mut self.random;
        let profile = Profile::draw(dictionary, random);
        let kind = random.below(8);
        let start = if kind < 3 { None } else { self.pool.choose(random) };
        let mut given: Vec<Step> = start.map_or_else(Vec::new, |prefix| prefix.steps().to_vec());
        if kind >= 6 && !given.is_empty() {
            for _ in 0..=random.below(3) {
                let at = random.below(given.len());
                move_some(&mut given[at], 1, dictionary, random);
            }
        }
        if kind == 5 && !given.is_empty() {
            given.truncate(random.below(given.len()));
            if let Some(other) = self.pool.choose(random) {
                let from = random.below(other.steps().len());
                given.extend_from_slice(&other.steps()[from..]);
            }
        }
        let more = 1 + random.below(length);
        let steps = (given.len() + more).min(MOST_STEPS);
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
        let (lanes, mut kept): (Vec<usize>, Vec<Kept>) = chosen
            .into_iter()
            .map(|(lane, events)| (lane, Kept { test: walk.tests[lane].clone(), events }))
            .unzip();
        shorten(&mut self.meter, ledger, &mut kept)?;
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
