//! The incremental phase: from concrete states, a step or a few at a time.
//!
//! Exploration leaves prefixes to many states, and every test that was kept leads to another. From each of them, bounded model checking over a few steps searches for all
//! open events. An effect that stays in latches for longer is propagated from there, step by step
//! ([`Incremental`]), until it reaches an output. One solver serves all states.

use std::collections::VecDeque;
use std::sync::Arc;

use obligato_campaign::{Ledger, Phase};
use obligato_model::Step;
use obligato_prove::bmc::BmcOutcome;
use obligato_prove::{Bmc, Invariant, Run, Start};
use obligato_solver::Stop;
use obligato_transition_system::{Error, Evaluator, System};
use rustc_hash::FxHashSet;

use crate::campaign::ModelError;
use crate::engine::{Board, Engine, Setting, Slice};
use crate::event::EventId;
use crate::incremental::{Arrival, Incremental, PropagationLimits};
use crate::proofs::BookedProof;
use crate::shared_query::SharedQuery;
use crate::workbench::Workbench;

/// The steps solved together from each.
const LOOK_AHEAD: usize = 2;
/// Conflicts for one query.
const QUERY: u64 = 500;
/// The most states that wait.
const MOST_WAITING: usize = 4096;

/// A concrete state, and the test that leads to it.
#[derive(Clone, Debug)]
pub struct ReachedState {
    /// The steps of the test.
    pub steps: Vec<Step>,
    /// The state, latch by latch of the circuit.
    pub state: Vec<bool>,
}

impl ReachedState {
    /// The state after a test, if its numbers fit the encoding.
    pub fn after(
        steps: &[Step],
        system: &System,
        shared: &SharedQuery,
    ) -> Result<Option<Self>, Error> {
        let mut evaluator = Evaluator::new(system);
        for step in steps {
            let values = step.iter().zip(&system.inputs).map(|(value, input)| {
                value.clone().unwrap_or_else(|| obligato_lustre_replay::default_value(&input.kind))
            });
            evaluator.step(&values.collect::<Vec<_>>())?;
        }
        let state = shared.query.encoding.state_bits(evaluator.state());
        Ok(state.map(|state| Self { steps: steps.to_vec(), state }))
    }

    /// Tries a run that goes on from here.
    fn try_run(
        &self,
        shared: &SharedQuery,
        bench: &mut Workbench<'_, '_>,
        run: &Run,
    ) -> Result<(), Error> {
        let mut test = shared.query.test(run);
        test.steps.splice(0..0, self.steps.iter().cloned());
        bench.try_out(Phase::Incremental, &[test])?;
        Ok(())
    }
}

/// Search from concrete states as an engine.
pub(crate) struct IncrementalEngine<'c> {
    setting: Setting<'c>,
    bench: Workbench<'c, 'c>,
    solvers: Option<Solvers<'c>>,
    /// Steps to states from which nothing was searched yet.
    waiting: VecDeque<Arc<Vec<Step>>>,
    /// How many tests and states of the board it has taken.
    taken: [usize; 2],
    /// The states from which it has searched.
    known: FxHashSet<Vec<bool>>,
    /// The state from which it searches now.
    place: Option<Place>,
}

/// Solvers that serve all states.
struct Solvers<'c> {
    shared: &'c SharedQuery,
    search: Bmc<'c>,
    /// Without prophecies: later observation is unconstrained, so an effect counts once it is in a latch.
    capture: Bmc<'c>,
    incremental: Incremental<'c>,
    queries: u64,
}

/// A state from which the engine searches, and how far it is.
struct Place {
    reached: ReachedState,
    stage: Stage,
}

/// What is asked from a state.
enum Stage {
    /// Events within a few steps.
    Search,
    /// Effects in latches, and of these the targets that were caught by an input and are still to be propagated.
    Propagate(Vec<(usize, Vec<bool>)>),
}

/// Is there more to be asked from a state?
#[derive(PartialEq, Eq)]
enum Progress {
    More,
    Done,
}

impl<'c> Solvers<'c> {
    fn new(shared: &'c SharedQuery, stop: &Stop) -> Self {
        let mut search = shared.query.search(Start::Free, &Invariant::new(), stop);
        let mut capture = Bmc::new(shared.query.unrolling(Start::Free, stop));
        for (lit, looks_ahead) in shared.query.lits.iter().zip(&shared.looks_ahead) {
            search.add_target(*lit);
            let target = capture.add_target(*lit);
            if !looks_ahead {
                capture.close(target);
            }
        }
        let limits = PropagationLimits { look_ahead: 4, backtracks: 4, conflicts: QUERY };
        let incremental = Incremental::new(&shared.query, limits, stop);
        Self { shared, search, capture, incremental, queries: 0 }
    }

    /// Conflicts and queries so far.
    fn work(&mut self) -> u64 {
        let conflicts = self.search.conflicts() + self.capture.conflicts();
        conflicts + self.incremental.conflicts() + self.queries
    }

    fn begin_in(&mut self, reached: &ReachedState) {
        self.search.begin_in(reached.state.clone());
        self.capture.begin_in(reached.state.clone());
    }

    /// Asks one query from a state; what was found goes to the bench.
    fn advance(
        &mut self,
        place: &mut Place,
        bench: &mut Workbench<'_, '_>,
    ) -> Result<Progress, Error> {
        self.queries += 1;
        let shared = self.shared;
        match &mut place.stage {
            Stage::Search => {
                close_settled(shared, &mut self.search, bench.ledger.open_events());
                match self.search.next(LOOK_AHEAD, QUERY) {
                    BmcOutcome::Found(found) => place.reached.try_run(shared, bench, &found.run)?,
                    BmcOutcome::Exhausted | BmcOutcome::OutOfBudget => {
                        place.stage = Stage::Propagate(Vec::new());
                    }
                }
            }
            Stage::Propagate(caught) => {
                let Some((target, inputs)) = caught.pop() else {
                    close_settled(shared, &mut self.capture, bench.ledger.open_events());
                    let BmcOutcome::Found(found) = self.capture.next(0, QUERY) else {
                        return Ok(Progress::Done);
                    };
                    let inputs = &found.run.steps[0];
                    let targets = found.targets.iter().rev();
                    caught.extend(targets.map(|(target, _)| (*target, inputs.clone())));
                    return Ok(Progress::More);
                };
                // An effect that was seen in the meantime needs no other test.
                let open = bench.ledger.open_events();
                if open.binary_search(&shared.events[target]).is_ok()
                    && let Some(run) = self.propagate(&place.reached, target, inputs)
                {
                    place.reached.try_run(shared, bench, &run)?;
                }
            }
        }
        Ok(Progress::More)
    }

    /// Takes an effect that an input causes in a state to an output.
    fn propagate(
        &mut self,
        reached: &ReachedState,
        target: usize,
        inputs: Vec<bool>,
    ) -> Option<Run> {
        let tag = self.shared.query.lits[target];
        let caught = self.incremental.start_after(tag, Run::default(), reached.state.clone());
        let caught = self.incremental.propagate(&caught, inputs);
        if caught.locations.is_empty() {
            return None;
        }
        match self.incremental.generate(caught) {
            Arrival::Arrived(run) => Some(run),
            Arrival::Stuck | Arrival::Ended => None,
        }
    }
}

impl<'c> IncrementalEngine<'c> {
    /// A search that has not begun.
    pub fn new(setting: Setting<'c>, ledger: Ledger<'c>) -> Result<Self, ModelError> {
        let bench = Workbench::new(setting.meter(), setting.lowered, ledger)?;
        let (waiting, known) = (VecDeque::from([Arc::default()]), FxHashSet::default());
        Ok(Self { setting, bench, solvers: None, waiting, taken: [0; 2], known, place: None })
    }

    /// Takes the new states from the board: those of tests that show events, and those of random tests, in turns.
    fn take_states(&mut self, board: &Board<'_>) {
        let [tests, states] = self.taken;
        let (mut tests, mut states) =
            (board.tests.iter().skip(tests), board.states.iter().skip(states));
        loop {
            let some = [tests.next(), states.next()];
            if some == [None, None] {
                break;
            }
            self.waiting.extend(some.into_iter().flatten().cloned());
        }
        self.waiting.truncate(MOST_WAITING);
        self.taken = [board.tests.len(), board.states.len()];
    }

    /// The next state from which nothing was searched yet.
    fn next_place(&mut self, shared: &SharedQuery) -> Result<Option<Place>, Error> {
        let system = &self.setting.lowered.system;
        while let Some(steps) = self.waiting.pop_front() {
            let Some(reached) = ReachedState::after(&steps, system, shared)? else { continue };
            if self.known.insert(reached.state.clone()) {
                return Ok(Some(Place { reached, stage: Stage::Search }));
            }
            if self.setting.stop.is_due() {
                break;
            }
        }
        Ok(None)
    }
}

impl<'c> Engine<'c> for IncrementalEngine<'c> {
    fn phase(&self) -> Phase {
        Phase::Incremental
    }

    fn slice(&mut self, board: Board<'c>, work: u64) -> Result<Slice, ModelError> {
        let mut slice = Slice::default();
        let shared = self.setting.shared()?;
        let new = || Solvers::new(shared, self.setting.stop);
        let mut solvers = self.solvers.take().unwrap_or_else(new);
        self.take_states(&board);
        self.bench.ledger = board.ledger;
        let before = solvers.work();
        while solvers.work() - before < work && !self.setting.stop.is_due() {
            if self.place.is_none() {
                self.place = self.next_place(shared)?;
                if let Some(place) = &self.place {
                    solvers.begin_in(&place.reached);
                }
            }
            let Some(mut place) = self.place.take() else {
                slice.has_ended = true;
                break;
            };
            if solvers.advance(&mut place, &mut self.bench)? == Progress::More {
                self.place = Some(place);
            }
        }
        slice.work = solvers.work() - before;
        self.solvers = Some(solvers);
        self.bench.hand_over(&mut slice);
        Ok(slice)
    }

    fn shared_proof(self: Box<Self>) -> Option<BookedProof> {
        None
    }
}

/// Closes the targets of events that are no longer open.
pub(crate) fn close_settled(shared: &SharedQuery, search: &mut Bmc<'_>, wanted: &[EventId]) {
    for (target, event) in shared.events.iter().enumerate() {
        if search.is_open(target) && wanted.binary_search(event).is_err() {
            search.close(target);
        }
    }
}
