//! Suites made for a criterion, and for each of their tests a random one of the same length.
//!
//! Every suite is made by a campaign of its own, with a seed of its own: those of one campaign reduced
//! again and again would hardly differ.

use obligato_engines_lustre::{Budget, ModelUnderTest, Phase, Request, Status};
use obligato_lustre::lowering::Lowered;
use obligato_lustre_replay::Runner;
use obligato_lustre_replay::random::random_test;
use obligato_model::{Criterion, Random, Step, TestCase, TestId};
use obligato_solver::Stop;
use obligato_transition_system::{CheckKind, Error, LaneProgram, lanes};

use crate::findings::Settings;
use crate::run::{ExperimentError, Stage};

/// So many random tests, or steps, are drawn to find one that violates no assertion.
const DRAWN: usize = 32;

/// Suites made for each criterion.
#[derive(Clone, Debug, Default)]
pub struct Made {
    /// The tests of all suites, and the random ones.
    pub tests: Vec<TestCase>,
    /// By criterion, the suites.
    pub suites: Vec<Vec<MadeSuite>>,
    /// So many tests have no random one beside them: all that were drawn violate an assertion.
    pub dropped: usize,
}

/// A suite made for a criterion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MadeSuite {
    /// Its tests.
    pub tests: Vec<TestId>,
    /// For each of them a random test of the same length, if there is one.
    pub twins: Vec<Option<TestId>>,
}

/// Makes as many suites for each criterion as there are reductions, each with this budget.
pub fn make_suites(
    name: &str,
    lowered: &Lowered,
    settings: &Settings,
    budget: Budget,
    stop: &Stop,
    progress: &mut dyn FnMut(Stage),
) -> Result<Made, ExperimentError> {
    let mut made = Made::default();
    for &criterion in &settings.criteria {
        let mut suites = Vec::new();
        for number in 1..=settings.reductions {
            progress(Stage::Making(criterion, number));
            let purpose = format!("suites/{name}/{criterion}/{number}");
            let mut random = Random::for_purpose(settings.seed, &purpose);
            let seed = random.next();
            let tests = run_campaign(lowered, criterion, settings, budget, seed, stop)?;
            suites.push(made.add(lowered, &format!("{criterion} {number}"), tests, &mut random)?);
        }
        made.suites.push(suites);
    }
    Ok(made)
}

fn run_campaign(
    lowered: &Lowered,
    criterion: Criterion,
    settings: &Settings,
    budget: Budget,
    seed: u64,
    stop: &Stop,
) -> Result<Vec<TestCase>, ExperimentError> {
    let request = Request {
        subject: ModelUnderTest {
            lowered,
            observed: lowered.system.outputs.iter().map(|output| output.node).collect(),
        },
        criteria: vec![criterion],
        given: Vec::new(),
        phases: Phase::OF_MODELS.to_vec(),
        budget,
        seed,
        threads: settings.threads,
        shard: None,
    };
    let outcome = obligato_engines_lustre::run(&request, stop, &mut |_: &Status| {})?;
    Ok(outcome.tests.into_iter().map(|made| made.test).collect())
}

impl Made {
    /// Adds the tests of a suite, and draws the random ones.
    fn add(
        &mut self,
        lowered: &Lowered,
        suite: &str,
        tests: Vec<TestCase>,
        random: &mut Random,
    ) -> Result<MadeSuite, ExperimentError> {
        let mut made = MadeSuite { tests: Vec::new(), twins: Vec::new() };
        let program = LaneProgram::new(&lowered.system, &lanes::LaneOptions::default())?;
        let mut drawing = Drawing { lowered, runner: Runner::new(&program, &[]), random };
        for TestCase { name, steps } in tests {
            let name = format!("{suite} {name}");
            let twin = drawing.draw(steps.len())?;
            let twin = twin.map(|steps| TestCase { name: format!("{name} at random"), steps });
            made.tests.push(self.push(TestCase { name, steps }));
            self.dropped += usize::from(twin.is_none());
            made.twins.push(twin.map(|twin| self.push(twin)));
        }
        Ok(made)
    }

    fn push(&mut self, test: TestCase) -> TestId {
        self.tests.push(test);
        TestId::new(self.tests.len() - 1)
    }
}

/// Draws random tests of a model.
struct Drawing<'d, 'p> {
    lowered: &'d Lowered,
    runner: Runner<'p>,
    random: &'d mut Random,
}

impl Drawing<'_, '_> {
    /// A random test of so many steps that violates no assertion: whole, or if hardly any is one, step by
    /// step.
    fn draw(&mut self, steps: usize) -> Result<Option<Vec<Step>>, Error> {
        if let Some(whole) = self.extend(&[], steps)? {
            return Ok(Some(whole));
        }
        let mut grown = Vec::new();
        for _ in 0..steps {
            let Some(longer) = self.extend(&grown, 1)? else { return Ok(None) };
            grown = longer;
        }
        Ok(Some(grown))
    }

    /// A test with so many random steps behind it, the first of those drawn that violates no assertion.
    fn extend(&mut self, start: &[Step], steps: usize) -> Result<Option<Vec<Step>>, Error> {
        let inputs = &self.lowered.interface.inputs;
        let mut drawn = Vec::with_capacity(DRAWN);
        for _ in 0..DRAWN {
            let more = random_test(String::new(), inputs, steps, self.random).steps;
            let steps = start.iter().cloned().chain(more).collect();
            drawn.push(TestCase { name: String::new(), steps });
        }
        let checks = &self.lowered.system.checks;
        let traces = self.runner.run(&drawn)?;
        let is_inside = |at: &usize| {
            let mut failures = traces[*at].failures.iter();
            !failures.any(|failure| checks[failure.check].kind == CheckKind::Assertion)
        };
        let inside = (0..drawn.len()).find(is_inside);
        Ok(inside.map(|at| drawn.swap_remove(at).steps))
    }
}
