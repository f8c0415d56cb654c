//! The incremental phase: from concrete states, a step or a few at a time.
//!
//! Exploration leaves prefixes to many states. From each of them, bounded model checking over a few steps searches for all
//! open events. An effect that stays in latches for longer is propagated from there, step by step
//! ([`Incremental`]), until it reaches an output. One solver serves all states.

use obligato_model::Step;
use obligato_prove::bmc::BmcOutcome;
use obligato_prove::{Bmc, Invariant, Run, Start};
use obligato_transition_system::{Error, Evaluator, System};

use crate::campaign::{ModelCampaign, ModelError};
use crate::event::EventId;
use crate::incremental::{Arrival, Incremental, PropagationLimits};
use crate::shared_query::SharedQuery;
use obligato_campaign::Phase;

/// The most start states.
const MOST_STATES: usize = 400;
/// The steps solved together from each.
const LOOK_AHEAD: usize = 2;
/// Conflicts for one query.
const QUERY: u64 = 500;
/// Conflicts and questions of the whole phase, to begin with.
const PHASE: u64 = 100_000;

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
}

impl ModelCampaign<'_, '_> {
    /// Searches from the states that these tests lead to.
    pub(crate) fn step_on(
        &mut self,
        shared: &SharedQuery,
        prefixes: &[Vec<Step>],
    ) -> Result<(), ModelError> {
        let stop = self.budget.stop().clone();
        let mut search = shared.query.search(Start::Free, &Invariant::new(), &stop);
        // Without prophecies: later observation is unconstrained, so an effect counts once it is in a latch.
        let mut capture = Bmc::new(shared.query.unrolling(Start::Free, &stop));
        for (lit, looks_ahead) in shared.query.lits.iter().zip(&shared.looks_ahead) {
            search.add_target(*lit);
            let target = capture.add_target(*lit);
            if !looks_ahead {
                capture.close(target);
            }
        }
        let effort = PropagationLimits { look_ahead: 4, backtracks: 4, conflicts: QUERY };
        let mut incremental = Incremental::new(&shared.query, effort, &stop);
        let mut left = PHASE.min(self.budget.left());
        let mut questions = 0;
        for prefix in prefixes.iter().take(MOST_STATES) {
            if self.bench.ledger.open_events().is_empty() || self.budget.is_empty() || left == 0 {
                break;
            }
            let Some(place) =
                ReachedState::after(prefix, &self.request.subject.lowered.system, shared)?
            else {
                continue;
            };
            let before = work(&mut search, &mut capture, &mut incremental);
            questions += self.search_from(shared, &mut search, &place)?;
            questions += self.propagate_effects(shared, &mut capture, &mut incremental, &place)?;
            let spent = work(&mut search, &mut capture, &mut incremental) - before;
            left = left.saturating_sub(spent + 1);
            self.budget.spend(spent);
            self.tell(Phase::Incremental, None);
        }
        self.budget.spend(questions);
        Ok(())
    }

    /// Searches a few steps from a state; returns the number of queries.
    fn search_from(
        &mut self,
        shared: &SharedQuery,
        search: &mut Bmc<'_>,
        place: &ReachedState,
    ) -> Result<u64, ModelError> {
        search.begin_in(place.state.clone());
        let mut questions = 0;
        loop {
            close_settled(shared, search, self.bench.ledger.open_events());
            questions += 1;
            match search.next(LOOK_AHEAD, QUERY) {
                BmcOutcome::Found(found) => self.try_run(shared, place, &found.run)?,
                BmcOutcome::Exhausted | BmcOutcome::OutOfBudget => return Ok(questions),
            }
        }
    }

    /// Captures effects in latches and propagates them from there; returns the number of queries.
    fn propagate_effects(
        &mut self,
        shared: &SharedQuery,
        capture: &mut Bmc<'_>,
        incremental: &mut Incremental<'_>,
        place: &ReachedState,
    ) -> Result<u64, ModelError> {
        capture.begin_in(place.state.clone());
        let mut questions = 0;
        loop {
            close_settled(shared, capture, self.bench.ledger.open_events());
            questions += 1;
            let BmcOutcome::Found(found) = capture.next(0, QUERY) else { return Ok(questions) };
            for (target, _) in &found.targets {
                let tag = shared.query.lits[*target];
                let caught = incremental.start_after(tag, Run::default(), place.state.clone());
                let caught = incremental.propagate(&caught, found.run.steps[0].clone());
                if caught.locations.is_empty() {
                    continue;
                }
                questions += 1;
                match incremental.generate(caught) {
                    Arrival::Arrived(run) => self.try_run(shared, place, &run)?,
                    Arrival::Stuck => {}
                    Arrival::Ended => return Ok(questions),
                }
            }
        }
    }

    fn try_run(
        &mut self,
        shared: &SharedQuery,
        place: &ReachedState,
        run: &Run,
    ) -> Result<(), ModelError> {
        let mut test = shared.query.test(run);
        test.steps.splice(0..0, place.steps.iter().cloned());
        self.bench.try_out(Phase::Incremental, &[test])?;
        Ok(())
    }
}

fn work(search: &mut Bmc<'_>, capture: &mut Bmc<'_>, incremental: &mut Incremental<'_>) -> u64 {
    search.conflicts() + capture.conflicts() + incremental.conflicts()
}

/// Closes the targets of events that are no longer open.
pub(crate) fn close_settled(shared: &SharedQuery, search: &mut Bmc<'_>, wanted: &[EventId]) {
    for (target, event) in shared.events.iter().enumerate() {
        if search.is_open(target) && wanted.binary_search(event).is_err() {
            search.close(target);
        }
    }
}
