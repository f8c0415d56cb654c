//! Rounds of searching for tests of a C function: what a bound of the tool keeps from being covered is searched for again within a wider
//! one, as long as that closes something and the budget allows.
//!
//! A round starts from the tests of the one before and counts only if it loses nothing. Sizes that a person has set stay.

use std::thread;
use std::time::{Duration, Instant};

use obligato_c_unit::{Interface, NativeBuild, NativeError, NativeOptions, Settings};
use obligato_campaign::judging::Conclusion;
use obligato_campaign::language::Searched;
use obligato_campaign::{Budget, MadeTest, PhaseReports, Request, Standing, Watcher};
use obligato_engines_c::{FunctionFindings, FunctionUnderTest};
use obligato_model::{self as vocabulary, TestCase, Type, Variable};
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

/// What tests set and see, for inputs of some sizes.
#[derive(Clone)]
pub(super) struct RoundInputs {
    settings: Settings,
    pub(super) interface: Interface,
    pub(super) variables: vocabulary::Interface,
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
    let (round, build) = thread::scope(|scope| {
        let building =
            native.then(|| scope.spawn(|| loaded.unit.build_natively(NativeOptions::default())));
        let round = search.round(first.clone(), None, request.budget, watcher);
        let build = building
            .map(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        Ok::<_, Error>((round?, build))
    })?;
    let mut round = round;
    let cost = Cost { time: start.elapsed(), work: round.searched.found.statistics.work };
    for _ in 0..MOST_ROUNDS {
        let sizes: Vec<Size> =
            round.searched.conclusions.bounds().into_iter().filter_map(Size::of).collect();
        let Some(wider) = loaded.widened(asked, &round.inputs.settings, &sizes) else { break };
        let spent = Cost { time: start.elapsed(), work: round.searched.found.statistics.work };
        let Some(budget) = left(request.budget, cost, spent) else { break };
        if stop.is_due() {
            break;
        }
        let inputs = RoundInputs::new(loaded, asked, wider)?;
        // A place in the object of another pointer may not be offered any more where objects are larger.
        let fits = Columns::new(&round.inputs.variables, &inputs.variables);
        let given = Columns::new(&first.variables, &inputs.variables);
        let all_fit = round.searched.tests.iter().all(|made| fits.fits(&made.test))
            && request.given.iter().all(|test| given.fits(test));
        if inputs.interface == round.inputs.interface || !all_fit {
            break;
        }
        let next = search.round(inputs, Some(&round), budget, watcher)?;
        let loses = round.closed.iter().zip(&next.closed).any(|(before, now)| *before && !now);
        let count = |closed: &[bool]| closed.iter().filter(|closed| **closed).count();
        if loses || count(&next.closed) <= count(&round.closed) {
            break;
        }
        round = next;
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

/// What a wider round may spend; `None` if nothing is left.
fn left(budget: Budget, first: Cost, spent: Cost) -> Option<Budget> {
    match budget {
        Budget::Time(all) => {
            let left = all.checked_sub(spent.time)?;
            let share = first.time.saturating_mul(SHARE).max(LEAST_TIME);
            (!left.is_zero()).then(|| Budget::Time(left.min(share)))
        }
        Budget::Work(all) => {
            let left = all.checked_sub(spent.work).filter(|left| *left > 0)?;
            let share = first.work.saturating_mul(SHARE.into()).max(LEAST_WORK);
            Some(Budget::Work(left.min(share)))
        }
    }
}

impl Search<'_> {
    /// One round, from the tests of an earlier one on.
    fn round(
        &self,
        inputs: RoundInputs,
        earlier: Option<&Round>,
        budget: Budget,
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
        });
        campaign.given = inputs.take(first, &request.given);
        campaign.given.extend(made.iter().map(|one| one.test.clone()));
        campaign.budget = budget;
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
    fn new(from: &vocabulary::Interface, to: &vocabulary::Interface) -> Self {
        let places: std::collections::HashMap<&str, usize> =
            from.inputs.iter().enumerate().map(|(at, one)| (one.name.as_str(), at)).collect();
        let place =
            |input: &Variable| (places.get(input.name.as_str()).copied(), input.kind.clone());
        Self(to.inputs.iter().map(place).collect())
    }

    /// Are the values of a test values of the other inputs?
    fn fits(&self, test: &TestCase) -> bool {
        let fits = |step: &vocabulary::Step| {
            self.0.iter().all(|(place, kind)| {
                let value = place.and_then(|at| step[at].as_ref());
                value.is_none_or(|value| value.has_type(kind))
            })
        };
        test.steps.iter().all(fits)
    }

    fn test(&self, test: &TestCase) -> TestCase {
        let step = |step: &vocabulary::Step| {
            self.0.iter().map(|(place, _)| place.and_then(|at| step[at].clone())).collect()
        };
        TestCase { name: test.name.clone(), steps: test.steps.iter().map(step).collect() }
    }
}
