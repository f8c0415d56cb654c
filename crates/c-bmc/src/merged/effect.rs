//! Queries for effects: a run and its twin, in which a condition never has its value.

use obligato_campaign::Event;
use obligato_criteria::bvc;
use obligato_model::{Bound, Observability, SolverLimit, Undecided};
use obligato_solver::Answer;
use obligato_term::Term;

use super::{EventAnswer, Merged};
use crate::cut::Cut;
use crate::engine::SuppressedValue;
use crate::events::BySteps;
use crate::initial::StateStart;
use crate::setup::view;
use crate::steps::run_steps;
use crate::twin::StepEnd;

impl Merged<'_> {
    /// The value that the twin run of an event suppresses, if its effect is to be observed exactly.
    pub(super) fn suppressed_by(&self, event: &Event) -> Option<SuppressedValue> {
        match event {
            Event::Observed(Observability::Exact, condition, value) => {
                Some(SuppressedValue { condition: *condition, value: *value, boundary: None })
            }
            Event::ObservedBoundary(Observability::Exact, condition, ordinal) => {
                let all = bvc::boundaries_of(self.unit.program(), *condition);
                let boundary = *all.get(*ordinal)?;
                Some(SuppressedValue {
                    condition: *condition,
                    value: boundary.value,
                    boundary: Some(boundary),
                })
            }
            _ => None,
        }
    }

    /// A test in which the effect of a condition is observed.
    pub(super) fn find_effect(
        &mut self,
        event: &Event,
        suppressed: SuppressedValue,
    ) -> EventAnswer {
        let cause = match *event {
            Event::ObservedBoundary(_, condition, ordinal) => Event::Boundary(condition, ordinal),
            _ => Event::Taken(suppressed.condition, suppressed.value),
        };
        let Some(causes) = self.by_steps(&cause) else {
            return EventAnswer::Unknown(Undecided::Unobservable);
        };
        if self
            .unit
            .folded()
            .of(self.unit.program().condition(suppressed.condition).decision)
            .is_some()
        {
            return EventAnswer::Unknown(Undecided::PartlyFolded);
        }
        let (twin, cuts) = self.run_twin(suppressed);
        let terms = &mut self.engine.terms;
        let cut_in_twin = terms.any(cuts.iter().map(|cut| cut.guard).collect::<Vec<_>>());
        let cut = terms.or(cut_in_twin, self.incomplete);
        let cuts: Vec<Cut> = self.engine.cuts.iter().chain(&cuts).cloned().collect();
        // How often the twin run goes round a loop is no matter of the test.
        let is_left_out = |cut: &&Cut| {
            matches!(cut.bound(), None | Some(Bound::Unwinding(_) | Bound::CallDepth(_)))
        };
        let not_followed = cuts.iter().filter(is_left_out).map(|cut| cut.guard);
        let not_followed: Vec<Term> = not_followed.collect();
        let terms = &mut self.engine.terms;
        let view = view(self.unit, self.interface, &self.layout);
        let differences = view.differences(terms, &self.inputs, &self.ended, &twin, cut);
        let mut certain = BySteps::new();
        let mut possible = terms.any(not_followed);
        let mut taken = terms.bit(false);
        for (step, (differs, may_differ)) in differences.into_iter().enumerate() {
            if let Some(here) = causes.get(&(step as u32)) {
                taken = terms.or(taken, *here);
            }
            certain.insert(step as u32, terms.and(taken, differs));
            let may = terms.and(taken, may_differ);
            possible = terms.or(possible, may);
        }
        match self.ask(&certain) {
            Ok(Some(test)) => EventAnswer::Test(test),
            Ok(None) => match self.solve(possible) {
                Answer::Unsat => self.refute(possible, &cuts),
                Answer::Sat => EventAnswer::Unknown(Undecided::EffectCutOff),
                Answer::Unknown => EventAnswer::Unknown(SolverLimit::Unknown.into()),
            },
            Err(reason) => EventAnswer::Unknown(reason),
        }
    }

    /// Executes the same steps once more with a value suppressed.
    pub(super) fn run_twin(&mut self, suppressed: SuppressedValue) -> (Vec<StepEnd>, Vec<Cut>) {
        let engine = &mut self.engine;
        let kept = (
            std::mem::take(&mut engine.visits),
            std::mem::take(&mut engine.cuts),
            std::mem::take(&mut engine.runtime_errors),
        );
        engine.suppressed = Some(suppressed);
        let view = view(self.unit, self.interface, &self.layout);
        let start = StateStart::File { steps: self.inputs.steps() as u64 };
        let twin = run_steps(engine, self.call, &view, &self.inputs, start).steps;
        engine.suppressed = None;
        let cuts = std::mem::take(&mut engine.cuts);
        (engine.visits, engine.cuts, engine.runtime_errors) = kept;
        (twin, cuts)
    }
}
