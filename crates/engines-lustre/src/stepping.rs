//! The incremental phase: from concrete states, a step or a few at a time.
//!
//! Exploring leaves tests that lead to many states. From each of them a few steps are solved for whatever
//! is still wanted. An effect that stays in latches for longer is taken on from there, step by step
//! ([`Incremental`]), until it reaches an output. One solver serves all states.

use obligato_model::Step;
use obligato_prove::bmc::BmcOutcome;
use obligato_prove::{Bmc, Invariant, Run, Start};
use obligato_transition_system::{Error, Evaluator, System};

use crate::asked::Asked;
use crate::campaign::{Campaign, CampaignError};
use crate::event::EventId;
use crate::incremental::{Arrival, Effort, Incremental};
use crate::request::Phase;

/// So many states are begun in.
const MOST_STATES: usize = 400;
/// So many steps are solved together from each.
const LOOK_AHEAD: usize = 2;
/// Conflicts for one question.
const QUESTION: u64 = 500;
/// Conflicts and questions of the whole phase, to begin with.
const PHASE: u64 = 100_000;

/// A state that a test leads to.
#[derive(Clone, Debug)]
pub struct Place {
    /// The steps of the test.
    pub steps: Vec<Step>,
    /// The state, latch by latch of the circuit.
    pub state: Vec<bool>,
}

impl Place {
    /// Where a test leads, if its numbers fit the encoding.
    pub fn after(steps: &[Step], system: &System, asked: &Asked) -> Result<Option<Self>, Error> {
        let mut evaluator = Evaluator::new(system);
        for step in steps {
            let values = step.iter().zip(&system.inputs).map(|(value, input)| {
                value.clone().unwrap_or_else(|| obligato_lustre_replay::default_value(&input.kind))
            });
            evaluator.step(&values.collect::<Vec<_>>())?;
        }
        let state = asked.question.encoding.state_bits(evaluator.state());
        Ok(state.map(|state| Self { steps: steps.to_vec(), state }))
    }
}

impl Campaign<'_, '_> {
    /// Goes on from the states that these tests lead to.
    pub(crate) fn step_on(
        &mut self,
        asked: &Asked,
        prefixes: &[Vec<Step>],
    ) -> Result<(), CampaignError> {
        let stop = self.purse.stop().clone();
        let mut search = asked.question.search(Start::Free, &Invariant::new(), &stop);
        // Without prophecies: later observation is unconstrained, so an effect counts once it is in a latch.
        let mut capture = Bmc::new(asked.question.unrolling(Start::Free, &stop));
        for (lit, looks_ahead) in asked.question.lits.iter().zip(&asked.looks_ahead) {
            search.add_target(*lit);
            let target = capture.add_target(*lit);
            if !looks_ahead {
                capture.close(target);
            }
        }
        let effort = Effort { look_ahead: 4, backtracks: 4, conflicts: QUESTION };
        let mut incremental = Incremental::new(&asked.question, effort, &stop);
        let mut left = PHASE.min(self.purse.left());
        let mut questions = 0;
        for prefix in prefixes.iter().take(MOST_STATES) {
            if self.bench.ledger.wanted().is_empty() || self.purse.is_empty() || left == 0 {
                break;
            }
            let Some(place) = Place::after(prefix, &self.request.lowered.system, asked)? else {
                continue;
            };
            let before = work(&mut search, &mut capture, &mut incremental);
            questions += self.look_around(asked, &mut search, &place)?;
            questions += self.take_effects_on(asked, &mut capture, &mut incremental, &place)?;
            let spent = work(&mut search, &mut capture, &mut incremental) - before;
            left = left.saturating_sub(spent + 1);
            self.purse.spend(spent);
            self.tell(Phase::Incremental, None);
        }
        self.purse.spend(questions);
        Ok(())
    }

    /// Solves a few steps from a place; the number of questions asked.
    fn look_around(
        &mut self,
        asked: &Asked,
        search: &mut Bmc<'_>,
        place: &Place,
    ) -> Result<u64, CampaignError> {
        search.begin_in(place.state.clone());
        let mut questions = 0;
        loop {
            close_settled(asked, search, self.bench.ledger.wanted());
            questions += 1;
            match search.next(LOOK_AHEAD, QUESTION) {
                BmcOutcome::Found(found) => self.try_run(asked, place, &found.run)?,
                BmcOutcome::Exhausted | BmcOutcome::OutOfBudget => return Ok(questions),
            }
        }
    }

    /// Catches effects in latches and takes them on from there; the number of questions asked.
    fn take_effects_on(
        &mut self,
        asked: &Asked,
        capture: &mut Bmc<'_>,
        incremental: &mut Incremental<'_>,
        place: &Place,
    ) -> Result<u64, CampaignError> {
        capture.begin_in(place.state.clone());
        let mut questions = 0;
        loop {
            close_settled(asked, capture, self.bench.ledger.wanted());
            questions += 1;
            let BmcOutcome::Found(found) = capture.next(0, QUESTION) else { return Ok(questions) };
            for (target, _) in &found.targets {
                let tag = asked.question.lits[*target];
                let caught = incremental.start_after(tag, Run::default(), place.state.clone());
                let caught = incremental.propagate(&caught, found.run.steps[0].clone());
                if caught.locations.is_empty() {
                    continue;
                }
                questions += 1;
                match incremental.generate(caught) {
                    Arrival::Arrived(run) => self.try_run(asked, place, &run)?,
                    Arrival::Stuck => {}
                    Arrival::Ended => return Ok(questions),
                }
            }
        }
    }

    fn try_run(&mut self, asked: &Asked, place: &Place, run: &Run) -> Result<(), CampaignError> {
        let mut test = asked.question.test(run);
        test.steps.splice(0..0, place.steps.iter().cloned());
        self.bench.try_out(Phase::Incremental, &[test])?;
        Ok(())
    }
}

fn work(search: &mut Bmc<'_>, capture: &mut Bmc<'_>, incremental: &mut Incremental<'_>) -> u64 {
    search.conflicts() + capture.conflicts() + incremental.conflicts()
}

/// No longer searches for what nobody waits for.
pub(crate) fn close_settled(asked: &Asked, search: &mut Bmc<'_>, wanted: &[EventId]) {
    for (target, event) in asked.events.iter().enumerate() {
        if search.is_open(target) && wanted.binary_search(event).is_err() {
            search.close(target);
        }
    }
}
