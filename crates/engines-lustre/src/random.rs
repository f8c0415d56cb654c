//! The random phase: directed exploration in lanes, and then plain tests for what exploration is blind to.

use std::sync::Arc;

use obligato_campaign::{Event, EventId, Ledger, Phase};
use obligato_lustre_replay::{LANES, random_suite};
use obligato_model::{Observability, Random, Step, TestCase};
use rustc_hash::FxHashSet;

use crate::campaign::ModelError;
use crate::engine::{Board, Engine, Setting, Slice};
use crate::explore::{ExplorationEnd, Explorer, PreparedModel};
use crate::proofs::BookedProof;
use crate::workbench::Workbench;

/// A simulated step in units of work: some hundred take as long as a conflict.
const STEP_WORK: u64 = 1;
/// So many tests to rare states are replayed for what an explorer is blind to.
const MOST_PREFIXES: usize = 512;
/// So many new states are left to other engines after a slice.
const MOST_STATES: usize = 64;
/// The steps of a plain random test.
const PLAIN_STEPS: usize = 20;
/// So many rounds of plain random tests may bring nothing.
const PATIENCE: usize = 3;

/// Random testing as an engine.
pub(crate) struct RandomEngine<'c> {
    setting: Setting<'c>,
    explorer: Explorer<'c>,
    bench: Workbench<'c, 'c>,
    /// The states that other engines know already, by their numbers.
    published: FxHashSet<u64>,
    /// Has exploration ended?
    is_explored: bool,
    plain: Random,
    /// Rounds of plain tests since one brought something; nothing before the first.
    fruitless: Option<usize>,
}

impl<'c> RandomEngine<'c> {
    /// Random testing that has drawn no test yet.
    pub fn new(
        setting: Setting<'c>,
        prepared: &'c PreparedModel<'c>,
        ledger: Ledger<'c>,
        seed: u64,
    ) -> Result<Self, ModelError> {
        Ok(Self {
            setting,
            explorer: Explorer::new(prepared, setting.meter(), seed),
            bench: Workbench::new(setting.meter(), setting.lowered, ledger)?,
            published: FxHashSet::default(),
            // Where functions have no body, a test counts only once it was looked at as a whole.
            is_explored: !setting.lowered.functions.is_empty(),
            plain: Random::for_purpose(seed, "plain"),
            fruitless: None,
        })
    }

    fn explore(&mut self, work: u64, slice: &mut Slice) -> Result<(), ModelError> {
        let steps = usize::try_from(work / STEP_WORK).unwrap_or(usize::MAX);
        let found = &mut slice.tests;
        let keep = |_: &Ledger<'_>, test, _| found.push(test);
        let done = self.explorer.explore(&mut self.bench.ledger, steps, self.setting.stop, keep)?;
        slice.work += done.effort as u64 * STEP_WORK;
        self.is_explored = done.ended == ExplorationEnd::NoProgress;
        for prefix in self.explorer.states() {
            if slice.states.len() == MOST_STATES {
                break;
            }
            if prefix.state().is_some_and(|state| self.published.insert(state)) {
                slice.states.push(Arc::new(prefix.steps().to_vec()));
            }
        }
        Ok(())
    }

    /// Is an event open that exploration is blind to?
    fn is_blind(&self) -> bool {
        let has_functions = !self.setting.lowered.functions.is_empty();
        let blind = |event: &EventId| match self.bench.ledger.events().get(*event) {
            Event::Observed(semantics, ..) | Event::ObservedBoundary(semantics, ..) => {
                *semantics == Observability::Exact
            }
            _ => has_functions,
        };
        self.bench.ledger.open_events().iter().any(blind)
    }

    /// Replays a round of plain random tests, and first those that lead to rare states.
    fn replay_plain(&mut self, slice: &mut Slice) -> Result<(), ModelError> {
        let steps = |steps: &[Step]| TestCase { name: String::new(), steps: steps.to_vec() };
        let mut tests: Vec<TestCase> = Vec::new();
        if self.fruitless.is_none() {
            let prefixes = self.explorer.states().into_iter().take(MOST_PREFIXES);
            tests.extend(prefixes.map(|prefix| steps(prefix.steps())));
        }
        tests
            .extend(random_suite(self.setting.lowered, LANES, PLAIN_STEPS, &mut self.plain)?.tests);
        let simulated: usize = tests.iter().map(|test| test.steps.len()).sum();
        slice.work += simulated as u64 * STEP_WORK;
        let new = self.bench.try_out(Phase::Random, &tests)?;
        self.fruitless =
            Some(if new.is_empty() { self.fruitless.unwrap_or_default() + 1 } else { 0 });
        self.bench.hand_over(slice);
        Ok(())
    }
}

impl<'c> Engine<'c> for RandomEngine<'c> {
    fn phase(&self) -> Phase {
        Phase::Random
    }

    fn slice(&mut self, board: Board<'c>, work: u64) -> Result<Slice, ModelError> {
        let mut slice = Slice::default();
        self.bench.ledger = board.ledger;
        let has_patience = |fruitless: Option<usize>| fruitless.is_none_or(|some| some < PATIENCE);
        if !self.is_explored {
            self.explore(work, &mut slice)?;
        } else if has_patience(self.fruitless) && self.is_blind() {
            self.replay_plain(&mut slice)?;
        }
        slice.has_ended = self.is_explored && !(has_patience(self.fruitless) && self.is_blind());
        Ok(slice)
    }

    fn shared_proof(self: Box<Self>) -> Option<BookedProof> {
        None
    }
}
