//! Runs tests while they are drawn, so that they stay tests of the model.
//!
//! A step that violates an assertion is drawn again, a few times: anew, then like a step that was legal before.
//! Only where nothing helps does the test end, before the violation.

use obligato_lustre_replay::LANES;
use obligato_model::{Random, Step, TestCase};
use obligato_transition_system::lanes::{WORDS, contains, lanes};
use obligato_transition_system::{Error, Simulator};

use super::habits::{Profile, move_some};
use super::sighting::Lanes;
use super::terrain::Terrain;

/// So often a step that violates an assertion is drawn again.
const MOST_ATTEMPTS: usize = 12;

/// So many legal steps are remembered.
const MOST_LEGAL: usize = 64;

/// A test that is to be drawn.
#[derive(Clone, Debug)]
pub struct Plan {
    /// How it starts.
    pub given: Vec<Step>,
    /// How many steps it will have in all.
    pub steps: usize,
    /// How it goes on.
    pub profile: Profile,
}

/// Tests that were drawn, by lane, and what they met.
#[derive(Clone, Debug)]
pub struct Walk {
    /// The tests. Those that could not go on are shorter than planned.
    pub tests: Vec<TestCase>,
    /// The first step in which the model divided by zero or a value left its range.
    pub faults: Vec<Option<usize>>,
    /// The state before each step.
    pub states: Vec<Vec<u64>>,
}

/// Draws tests for a model.
#[derive(Debug)]
pub struct Walker<'t> {
    terrain: &'t Terrain<'t>,
    simulator: Simulator<'t, WORDS>,
    /// Steps that violated no assertion; kept only where there are assertions.
    legal: Vec<Step>,
}

impl<'t> Walker<'t> {
    /// A walker for a model.
    pub fn new(terrain: &'t Terrain<'t>) -> Self {
        Self { terrain, simulator: Simulator::new(&terrain.program), legal: Vec::new() }
    }

    /// Draws up to [`LANES`] tests.
    pub fn walk(&mut self, mut plans: Vec<Plan>, random: &mut Random) -> Result<Walk, Error> {
        plans.truncate(LANES);
        let count = plans.len();
        let test = |lane| TestCase { name: TestCase::default_name(lane), steps: Vec::new() };
        let mut walk = Walk {
            tests: (0..count).map(test).collect(),
            faults: vec![None; count],
            states: vec![Vec::new(); count],
        };
        let mut ended = [0; WORDS];
        self.simulator.reset();
        for step in 0..plans.iter().map(|plan| plan.steps).max().unwrap_or(0) {
            let going = |lane: usize| step < plans[lane].steps && !contains(&ended, lane);
            let active = mask((0..count).filter(|lane| going(*lane)));
            if active == [0; WORDS] {
                break;
            }
            for lane in lanes(active) {
                let next =
                    self.next_step(step, &mut plans[lane], walk.tests[lane].steps.last(), random);
                walk.tests[lane].steps.push(next);
            }
            let failing = self.take_step(active, &mut walk.tests, random)?;
            for lane in lanes(failing) {
                walk.tests[lane].steps.pop();
            }
            ended = union(ended, failing);
            self.note(step, minus(active, failing), &mut walk)?;
        }
        Ok(walk)
    }

    fn next_step(
        &self,
        step: usize,
        plan: &mut Plan,
        before: Option<&Step>,
        random: &mut Random,
    ) -> Step {
        match plan.given.get_mut(step) {
            Some(given) => std::mem::take(given),
            None => plan.profile.step(before, &self.terrain.dictionary, random),
        }
    }

    /// Takes the last step of the active tests, which may change in the course; gives the lanes that
    /// cannot take one.
    fn take_step(
        &mut self,
        active: Lanes,
        tests: &mut [TestCase],
        random: &mut Random,
    ) -> Result<Lanes, Error> {
        let may_fail = !self.terrain.assertions.is_empty();
        let saved = may_fail.then(|| self.simulator.save());
        self.simulator.set_active(active);
        for lane in lanes(active) {
            if let [earlier @ .., last] = &*tests[lane].steps {
                self.apply(lane, last, earlier.last())?;
            }
        }
        self.simulator.step();
        let mut failing = self.failing(active)?;
        let Some(saved) = saved else { return Ok(failing) };
        for attempt in 0..MOST_ATTEMPTS {
            if failing == [0; WORDS] {
                break;
            }
            self.simulator.restore(&saved)?;
            self.simulator.set_active(active);
            for lane in lanes(failing) {
                self.redraw(attempt, &mut tests[lane].steps, random);
                if let Some(last) = tests[lane].steps.last() {
                    self.apply(lane, last, None)?;
                }
            }
            self.simulator.step();
            failing = self.failing(active)?;
        }
        if let Some(lane) = lanes(minus(active, failing)).next() {
            self.remember(tests[lane].steps.last(), random);
        }
        Ok(failing)
    }

    /// Draws the last step again.
    fn redraw(&self, attempt: usize, steps: &mut [Step], random: &mut Random) {
        let dictionary = &self.terrain.dictionary;
        let Some((last, earlier)) = steps.split_last_mut() else { return };
        let legal = || earlier.last().or_else(|| self.legal.first());
        match attempt % 4 {
            0 => move_some(last, 1, dictionary, random),
            1 => {
                for input in 0..last.len() {
                    last[input] = Some(dictionary.draw(input, Some(last), random));
                }
            }
            2 if !self.legal.is_empty() => {
                last.clone_from(&self.legal[random.below(self.legal.len())]);
            }
            _ => {
                if let Some(legal) = legal() {
                    last.clone_from(legal);
                }
                move_some(last, usize::from(attempt + 1 < MOST_ATTEMPTS), dictionary, random);
            }
        }
    }

    fn remember(&mut self, step: Option<&Step>, random: &mut Random) {
        let Some(step) = step else { return };
        if self.legal.len() < MOST_LEGAL {
            self.legal.push(step.clone());
        } else if random.below(8) == 0 {
            self.legal[random.below(MOST_LEGAL)].clone_from(step);
        }
    }

    /// The lanes that violate an assertion, or whose numbers got out of all proportion.
    fn failing(&self, active: Lanes) -> Result<Lanes, Error> {
        let mut failing = self.simulator.exhausted();
        for check in &self.terrain.assertions {
            failing = union(failing, self.simulator.failed(*check)?);
        }
        Ok(intersection(failing, active))
    }

    /// Gives the inputs of a lane the values of a step, but for those that it has already from the step
    /// before: an input keeps its value until it gets another.
    fn apply(&mut self, lane: usize, step: &Step, before: Option<&Step>) -> Result<(), Error> {
        for (input, value) in step.iter().enumerate() {
            if before.is_none_or(|before| before[input] != *value)
                && let Some(value) = value
            {
                self.simulator.set_input(input, lane, value)?;
            }
        }
        Ok(())
    }

    /// Takes note of what the step showed in these lanes.
    fn note(&self, step: usize, some: Lanes, walk: &mut Walk) -> Result<(), Error> {
        for check in &self.terrain.faults {
            let failed = self.simulator.failed(*check)?;
            for lane in lanes(intersection(failed, some)) {
                walk.faults[lane].get_or_insert(step);
            }
        }
        let mut states = [0_u64; LANES];
        for (reader, number) in &self.terrain.predicates {
            let holds = self.simulator.read(*reader);
            for (lane, state) in states.iter_mut().enumerate() {
                *state ^= number & (holds[lane / 64] >> (lane % 64) & 1).wrapping_neg();
            }
        }
        for lane in lanes(some) {
            walk.states[lane].push(states[lane]);
        }
        Ok(())
    }
}

fn mask(some: impl Iterator<Item = usize>) -> Lanes {
    some.fold([0; WORDS], |mut all, lane| {
        all[lane / 64] |= 1 << (lane % 64);
        all
    })
}

fn union(a: Lanes, b: Lanes) -> Lanes {
    std::array::from_fn(|word| a[word] | b[word])
}

fn intersection(a: Lanes, b: Lanes) -> Lanes {
    std::array::from_fn(|word| a[word] & b[word])
}

fn minus(a: Lanes, b: Lanes) -> Lanes {
    std::array::from_fn(|word| a[word] & !b[word])
}
