//! Draws tests step by step while simulating them, so that they satisfy the assertions.
//!
//! A step that violates an assertion is redrawn a few times: at random, then like an earlier legal step.
//! If all attempts fail, the test ends before the violation.

use obligato_lustre_replay::LANES;
use obligato_model::{Random, Step, TestCase};
use obligato_solver::Stop;
use obligato_transition_system::lanes::{WORDS, contains, lanes};
use obligato_transition_system::{Error, Simulator};

use super::event_lanes::Lanes;
use super::input_profile::{Profile, change_some};
use super::prepared_model::PreparedModel;

/// How often a step that violates an assertion is redrawn.
const MOST_ATTEMPTS: usize = 12;

/// The most legal steps kept.
const MOST_LEGAL: usize = 64;

/// A plan for one test.
#[derive(Clone, Debug)]
pub struct TestPlan {
    /// Its prefix.
    pub given: Vec<Step>,
    /// Its planned length.
    pub steps: usize,
    /// The profile of its further steps.
    pub profile: Profile,
}

/// Drawn tests, by lane, with their states and runtime errors.
#[derive(Clone, Debug)]
pub struct DrawnTests {
    /// The tests. Those without a legal next step are shorter than planned.
    pub tests: Vec<TestCase>,
    /// The first step in which the model divided by zero or a value left its range.
    pub faults: Vec<Option<usize>>,
    /// The state before each step.
    pub states: Vec<Vec<u64>>,
}

/// Draws tests for a model.
#[derive(Debug)]
pub struct TestGenerator<'t> {
    prepared: &'t PreparedModel<'t>,
    simulator: Simulator<'t, WORDS>,
    /// Steps that violated no assertion; kept only where there are assertions.
    legal: Vec<Step>,
}

impl<'t> TestGenerator<'t> {
    /// A generator for a model.
    pub fn new(prepared: &'t PreparedModel<'t>) -> Self {
        Self { prepared, simulator: Simulator::new(&prepared.program), legal: Vec::new() }
    }

    /// Draws up to [`LANES`] tests; they end early when the stop is due.
    pub fn draw(
        &mut self,
        mut plans: Vec<TestPlan>,
        random: &mut Random,
        stop: &Stop,
    ) -> Result<DrawnTests, Error> {
        plans.truncate(LANES);
        let count = plans.len();
        let test = |lane| TestCase { name: TestCase::default_name(lane), steps: Vec::new() };
        let mut drawn = DrawnTests {
            tests: (0..count).map(test).collect(),
            faults: vec![None; count],
            states: vec![Vec::new(); count],
        };
        let mut ended = [0; WORDS];
        self.simulator.reset();
        for step in 0..plans.iter().map(|plan| plan.steps).max().unwrap_or(0) {
            let going = |lane: usize| step < plans[lane].steps && !contains(&ended, lane);
            let active = mask((0..count).filter(|lane| going(*lane)));
            if active == [0; WORDS] || stop.is_due() {
                break;
            }
            for lane in lanes(active) {
                let next =
                    self.next_step(step, &mut plans[lane], drawn.tests[lane].steps.last(), random);
                drawn.tests[lane].steps.push(next);
            }
            let failing = self.take_step(active, &mut drawn.tests, random)?;
            for lane in lanes(failing) {
                drawn.tests[lane].steps.pop();
            }
            ended = union(ended, failing);
            self.note(step, minus(active, failing), &mut drawn)?;
        }
        Ok(drawn)
    }

    fn next_step(
        &self,
        step: usize,
        plan: &mut TestPlan,
        before: Option<&Step>,
        random: &mut Random,
    ) -> Step {
        match plan.given.get_mut(step) {
            Some(given) => std::mem::take(given),
            None => plan.profile.step(before, &self.prepared.dictionary, random),
        }
    }

    /// Simulates the last step of the active tests, redrawing it where needed; returns the lanes without
    /// a legal step.
    fn take_step(
        &mut self,
        active: Lanes,
        tests: &mut [TestCase],
        random: &mut Random,
    ) -> Result<Lanes, Error> {
        let may_fail = !self.prepared.assertions.is_empty();
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
        let dictionary = &self.prepared.dictionary;
        let Some((last, earlier)) = steps.split_last_mut() else { return };
        let legal = || earlier.last().or_else(|| self.legal.first());
        match attempt % 4 {
            0 => change_some(last, 1, dictionary, random),
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
                change_some(last, usize::from(attempt + 1 < MOST_ATTEMPTS), dictionary, random);
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

    /// The lanes that violate an assertion, or whose numbers exceed the size limit.
    fn failing(&self, active: Lanes) -> Result<Lanes, Error> {
        let mut failing = self.simulator.exhausted();
        for check in &self.prepared.assertions {
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

    /// Records states and runtime errors of the step in these lanes.
    fn note(&self, step: usize, some: Lanes, drawn: &mut DrawnTests) -> Result<(), Error> {
        for check in &self.prepared.runtime_checks {
            let failed = self.simulator.failed(*check)?;
            for lane in lanes(intersection(failed, some)) {
                drawn.faults[lane].get_or_insert(step);
            }
        }
        let mut states = [0_u64; LANES];
        for (reader, number) in &self.prepared.predicates {
            let holds = self.simulator.read(*reader);
            for (lane, state) in states.iter_mut().enumerate() {
                *state ^= number & (holds[lane / 64] >> (lane % 64) & 1).wrapping_neg();
            }
        }
        for lane in lanes(some) {
            drawn.states[lane].push(states[lane]);
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
