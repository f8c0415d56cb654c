//! Rounds of searching for tests of a C function: what a bound of the tool keeps from being covered is searched for again within a wider
//! one, as long as that closes something and the budget allows.
//!
//! A round starts from the tests of the one before and counts only if it loses nothing. Sizes that a person has set stay.
//!
//! A path that looks at a symbolic element of a large array costs in proportion to the array. So where arrays make many inputs, a round
//! with few of their elements goes ahead: the tests that it finds need no more.

use std::thread;
use std::time::{Duration, Instant};

use obligato_c_unit::{Interface, NativeBuild, NativeError, NativeOptions, Settings};
use obligato_campaign::judging::Conclusion;
use obligato_campaign::language::Searched;
use obligato_campaign::{Budget, MadeTest, Phase, PhaseReports, Request, Standing, Watcher};
use obligato_engines_c::{FunctionFindings, FunctionUnderTest};
use obligato_model::{Step, SuiteInterface, TestCase, Type, Variable};
use obligato_solver::Stop;

use super::GenerateRequest;
use super::unit::{MOST_CONFLICTS, refuse_campaign};
use crate::error::Error;
use crate::subject::SubjectOptions;
use crate::unit::{LoadedUnit, Size};

/// So often bounds are widened.
const MOST_ROUNDS: usize = 2;
/// A wider round may take so many times what the first one took.
const SHARE: u32 = 4;
/// A wider round may take as much as this in any case.
const LEAST_TIME: Duration = Duration::from_secs(2);
const LEAST_WORK: u64 = 2_000;
/// With more inputs than this, a round with few elements of arrays goes ahead.
const MANY_INPUTS: usize = 384;
/// It may take this part of the budget.
const PART_OF_SCOUT: u32 = 4;
/// What it does: it proves nothing, since it knows little.
const PHASES_OF_SCOUT: [Phase; 2] = [Phase::Concolic, Phase::Effects];

/// What tests set and see, for inputs of some sizes.
#[derive(Clone)]
pub(super) struct RoundInputs {
    settings: Settings,
    pub(super) interface: Interface,
    pub(super) variables: SuiteInterface,
}

impl RoundInputs {
    pub(super) fn new(
        loaded: &LoadedUnit,
        asked: &SubjectOptions,
        settings: Settings,
    ) -> Result<Self, Error> {
        let interface = loaded.interface_within(asked, &settings)?;
        let variables = loaded.unit.variables(&interface);
        Ok(Self { settings, interface, variables })
    }

    /// Tests over other inputs as tests over these.
    pub(super) fn take(&self, from: &Self, tests: &[TestCase]) -> Vec<TestCase> {
        let columns = Columns::new(&from.variables, &self.variables);
        tests.iter().map(|test| columns.test(test)).collect()
    }
}

/// What the rounds came to.
pub(super) struct Rounds {
    /// What the tests of the last round set and see.
    pub(super) inputs: RoundInputs,
    pub(super) searched: Searched<FunctionFindings>,
    /// The machine code, made beside the first round.
    pub(super) build: Option<Result<NativeBuild, NativeError>>,
}

/// A round that has ended.
struct Round {
    inputs: RoundInputs,
    searched: Searched<FunctionFindings>,
    /// Per obligation, is it covered or refuted?
    closed: Vec<bool>,
}

/// How a round is run.
#[derive(Clone, Copy)]
struct Terms<'p> {
    budget: Budget,
    phases: &'p [Phase],
    /// Does a wider round follow if this one ends early?
    may_yield: bool,
}

/// What all rounds have in common.
pub(super) struct Search<'a> {
    pub(super) loaded: &'a LoadedUnit,
    pub(super) options: &'a GenerateRequest,
    /// Its given tests are over the inputs of the first round.
    pub(super) request: &'a Request<()>,
    pub(super) first: &'a RoundInputs,
    pub(super) stop: &'a Stop,
}

/// Searches in rounds.
pub(super) fn search(search: &Search<'_>, watcher: &mut dyn Watcher) -> Result<Rounds, Error> {
    let Search { loaded, options, request, first, stop } = *search;
    let asked = &options.subject;
    let native = !asked.unit.no_native;
    let start = Instant::now();
    let all = Terms { budget: request.budget, phases: &request.phases, may_yield: true };
    let (round, build) = thread::scope(|scope| {
        let building =
            native.then(|| scope.spawn(|| loaded.unit.build_natively(NativeOptions::default())));
        let round = search.first_round(all, start, watcher);
        let build = building
            .map(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        Ok::<_, Error>((round?, build))
    })?;
    let mut round = round;
    let mut cost = round.cost(start);
    for left in (0..MOST_ROUNDS).rev() {
        let named = round.searched.conclusions.bounds();
        let outgrown = round.searched.found.outgrown.iter();
        let sizes: Vec<Size> = named.into_iter().chain(outgrown).filter_map(Size::of).collect();
        let is_open = round.closed.contains(&false);
        let wider = loaded.widened(asked, &round.inputs.settings, &sizes).filter(|_| is_open);
        let Some(wider) = wider else { break };
        let spent = round.cost(start);
        let whole = round.searched.found.yielded.then(|| rest(request.budget, spent));
        let budget = whole.unwrap_or_else(|| share(request.budget, cost, spent));
        let Some(budget) = budget.filter(|_| !stop.is_due()) else { break };
        let inputs = RoundInputs::new(loaded, asked, wider)?;
        let given = Columns::new(&first.variables, &inputs.variables);
        let all_fit = round.fits(&inputs) && request.given.iter().all(|test| given.fits(test));
        if inputs.interface == round.inputs.interface || !all_fit {
            break;
        }
        let terms = Terms { budget, may_yield: left > 0, ..all };
        let next = search.round(inputs, Some(&round), terms, watcher)?;
        let loses = round.closed.iter().zip(&next.closed).any(|(before, now)| *before && !now);
        if loses || (next.count() <= round.count() && !next.searched.found.yielded) {
            break;
        }
        if round.searched.found.yielded {
            cost = next.cost(start);
        }
        round = next;
    }
    if round.searched.found.yielded
        && let Some(budget) = rest(request.budget, round.cost(start))
    {
        // Wider inputs have not helped after all.
        let terms = Terms { budget, may_yield: false, ..all };
        round = search.round(round.inputs.clone(), Some(&round), terms, watcher)?;
    }
    let Round { inputs, searched, .. } = round;
    Ok(Rounds { inputs, searched, build })
}

/// What was spent.
#[derive(Clone, Copy)]
struct Cost {
    time: Duration,
    work: u64,
}

/// What is left of a budget; `None` if nothing is.
fn rest(budget: Budget, spent: Cost) -> Option<Budget> {
    match budget {
        Budget::Time(all) => {
            let left = all.checked_sub(spent.time)?;
            (!left.is_zero()).then_some(Budget::Time(left))
        }
        Budget::Work(all) => {
            let left = all.checked_sub(spent.work).filter(|left| *left > 0)?;
            Some(Budget::Work(left))
        }
    }
}

/// What a wider round may spend; `None` if nothing is left.
fn share(budget: Budget, first: Cost, spent: Cost) -> Option<Budget> {
    Some(match rest(budget, spent)? {
        Budget::Time(left) => {
            Budget::Time(left.min(first.time.saturating_mul(SHARE).max(LEAST_TIME)))
        }
        Budget::Work(left) => {
            Budget::Work(left.min(first.work.saturating_mul(SHARE.into()).max(LEAST_WORK)))
        }
    })
}

impl Round {
    /// How many obligations are covered or refuted.
    fn count(&self) -> usize {
        self.closed.iter().filter(|closed| **closed).count()
    }

    /// What it and the rounds before it took.
    fn cost(&self, start: Instant) -> Cost {
        Cost { time: start.elapsed(), work: self.searched.found.statistics.work }
    }

    /// Can its tests be run with other inputs? A place in the object of another pointer may not be offered any more where objects are larger.
    fn fits(&self, inputs: &RoundInputs) -> bool {
        let columns = Columns::new(&self.inputs.variables, &inputs.variables);
        self.searched.tests.iter().all(|made| columns.fits(&made.test))
    }
}

impl Search<'_> {
    /// The round with the usual inputs, behind one with few of them where they are many.
    fn first_round(
        &self,
        all: Terms<'_>,
        start: Instant,
        watcher: &mut dyn Watcher,
    ) -> Result<Round, Error> {
        let ahead = self.scout(all, watcher)?;
        let spent = ahead.as_ref().map(|ahead| ahead.cost(start));
        let budget = spent.map_or(Some(all.budget), |spent| rest(all.budget, spent));
        // Even without any budget the tests are measured.
        let nothing = || Budget::Work(0);
        let terms = Terms { budget: budget.unwrap_or_else(nothing), ..all };
        self.round(self.first.clone(), ahead.as_ref(), terms, watcher)
    }

    /// The round with few elements of arrays; `None` if there are few inputs anyway, or the given tests need all of them.
    fn scout(&self, all: Terms<'_>, watcher: &mut dyn Watcher) -> Result<Option<Round>, Error> {
        let Self { loaded, options, request, first, .. } = *self;
        let asked = &options.subject;
        let many = first.interface.inputs.len();
        let narrow = loaded.narrowed(asked, &first.settings);
        let Some(narrow) = narrow.filter(|_| many > MANY_INPUTS && request.given.is_empty()) else {
            return Ok(None);
        };
        let inputs = RoundInputs::new(loaded, asked, narrow)?;
        if inputs.interface.inputs.len() > many / 2 {
            return Ok(None);
        }
        let budget = match all.budget {
            Budget::Time(all) => Budget::Time(all / PART_OF_SCOUT),
            Budget::Work(all) => Budget::Work(all / u64::from(PART_OF_SCOUT)),
        };
        let phases: Vec<Phase> =
            PHASES_OF_SCOUT.into_iter().filter(|phase| all.phases.contains(phase)).collect();
        let terms = Terms { budget, phases: &phases, may_yield: false };
        let round = self.round(inputs, None, terms, watcher)?;
        Ok(Some(round).filter(|round| round.fits(first)))
    }

    /// One round, from the tests of an earlier one on.
    fn round(
        &self,
        inputs: RoundInputs,
        earlier: Option<&Round>,
        terms: Terms<'_>,
        watcher: &mut dyn Watcher,
    ) -> Result<Round, Error> {
        let Self { loaded, options, request, first, stop } = *self;
        let made: Vec<MadeTest> = earlier.map_or_else(Vec::new, |earlier| {
            let columns = Columns::new(&earlier.inputs.variables, &inputs.variables);
            let made = earlier.searched.tests.iter();
            made.map(|one| MadeTest { test: columns.test(&one.test), phase: one.phase }).collect()
        });
        let mut campaign = request.about(FunctionUnderTest {
            unit: &loaded.unit,
            interface: &inputs.interface,
            steps: options.search.steps.of_paths(),
            most_steps: options.search.steps.most(),
            options: loaded.options(options.judging.tables),
            strategy: options.search.strategy,
            filtering: options.search.filtering,
            levels: options.search.levels,
            most_conflicts: MOST_CONFLICTS,
            may_yield: terms.may_yield,
        });
        campaign.given = inputs.take(first, &request.given);
        campaign.given.extend(made.iter().map(|one| one.test.clone()));
        campaign.budget = terms.budget;
        campaign.phases = terms.phases.to_vec();
        let outcome = obligato_engines_c::run(&campaign, stop, watcher).map_err(refuse_campaign)?;
        let is_closed = |index: usize| {
            matches!(outcome.ledger.standing(index), Standing::Covered | Standing::Refuted(_))
        };
        let mut closed: Vec<bool> = (0..outcome.ledger.len()).map(is_closed).collect();
        let mut searched: Searched<FunctionFindings> = outcome.into();
        if let Some(earlier) = earlier {
            follow(&mut searched, &earlier.searched, made);
            for (index, closed) in closed.iter_mut().enumerate() {
                *closed |= matches!(searched.conclusions.get(index), Some(Conclusion::Refuted(_)));
            }
        }
        Ok(Round { inputs, searched, closed })
    }
}

/// Puts what an earlier round has done before what this one has.
fn follow(
    searched: &mut Searched<FunctionFindings>,
    earlier: &Searched<FunctionFindings>,
    made: Vec<MadeTest>,
) {
    let before = made.len();
    let new = std::mem::take(&mut searched.tests).into_iter().enumerate();
    let renamed = new.map(|(index, mut one)| {
        one.test.name = format!("g{}", before + index + 1);
        one
    });
    searched.tests = made.into_iter().chain(renamed).collect();
    searched.conclusions.keep_refutations(&earlier.conclusions);
    let reports = earlier.phases.iter().chain(&searched.phases).copied();
    searched.phases = reports.collect::<PhaseReports>().into_inner();
    let (own, before) = (&mut searched.found.statistics, &earlier.found.statistics);
    own.runs += before.runs;
    own.work += before.work;
    own.solved += before.solved;
    own.unsolvable += before.unsolvable;
    own.given_up += before.given_up;
    own.filtered += before.filtered;
    own.merged += before.merged;
    own.divergent += before.divergent;
    if !earlier.found.proofs.is_empty() {
        searched.found.proofs.clone_from(&earlier.found.proofs);
    }
}

/// Where the inputs of a test are among others, and of what type these are.
struct Columns(Vec<(Option<usize>, Type)>);

impl Columns {
    fn new(from: &SuiteInterface, to: &SuiteInterface) -> Self {
        let places: std::collections::HashMap<&str, usize> =
            from.inputs.iter().enumerate().map(|(at, one)| (one.name.as_str(), at)).collect();
        let place =
            |input: &Variable| (places.get(input.name.as_str()).copied(), input.kind.clone());
        Self(to.inputs.iter().map(place).collect())
    }

    /// Are the values of a test values of the other inputs?
    fn fits(&self, test: &TestCase) -> bool {
        let fits = |step: &Step| {
            self.0.iter().all(|(place, kind)| {
                let value = place.and_then(|at| step[at].as_ref());
                value.is_none_or(|value| value.has_type(kind))
            })
        };
        test.steps.iter().all(fits)
    }

    fn test(&self, test: &TestCase) -> TestCase {
        let step = |step: &Step| {
            self.0.iter().map(|(place, _)| place.and_then(|at| step[at].clone())).collect()
        };
        TestCase { name: test.name.clone(), steps: test.steps.iter().map(step).collect() }
    }
}
