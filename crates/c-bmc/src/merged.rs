//! The formula of a function, and the queries for its events.

use std::collections::VecDeque;

use obligato_bytecode::CodeId;
use obligato_c_unit::{Interface, Layout, Unit};
use obligato_campaign::Event;
use obligato_model::{Bound, Proof, SolverLimit, TestCase, Undecided};
use obligato_solver::{Answer, Stop};
use obligato_symbolic::InputVariables;
use obligato_term::{Assignment, Term, Terms, Values};
use rustc_hash::FxHashMap;

use crate::cut::{Cut, RuntimeErrorSite};
use crate::engine::{Engine, MergeLimits};
use crate::events::{BySteps, EventTerms};
use crate::initial::StateStart;
use crate::setup::{Setup, view};
use crate::steps::run_steps;
use crate::twin::StepEnd;

mod effect;
mod refutation;

/// A function executed symbolically on all inputs at once.
pub struct Merged<'u> {
    unit: &'u Unit,
    interface: &'u Interface,
    engine: Engine<'u>,
    inputs: InputVariables,
    layout: Layout,
    call: CodeId,
    /// The state after each step.
    ended: Vec<StepEnd>,
    events: EventTerms,
    /// The latest models: often one satisfies the next query too.
    models: VecDeque<Assignment>,
    /// One bit: do the inputs reach a cut?
    incomplete: Term,
    /// Memo: a set of cuts → infeasible, or the reason why not.
    infeasible_cuts: FxHashMap<Vec<usize>, Result<(), Undecided>>,
}

/// How many models are kept.
const MOST_MODELS: usize = 8;

/// The answer to the query for an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EventAnswer {
    /// A witness: the event happens in this test.
    Test(TestCase),
    /// The event is infeasible, for every caller and every number of calls.
    Infeasible(Proof),
    /// The event is infeasible within these bounds.
    NotWithinBounds(Vec<Bound>),
    /// Neither, for this reason.
    Unknown(Undecided),
}

impl<'u> Merged<'u> {
    /// Builds the formula of a function for so many steps. `None` if the unit does not have it.
    pub fn build(
        unit: &'u Unit,
        interface: &'u Interface,
        steps: usize,
        limits: &MergeLimits,
    ) -> Option<Self> {
        let Setup { mut engine, inputs, layout, call, .. } =
            Setup::new(unit, interface, steps, limits)?;
        let view = view(unit, interface, &layout);
        let start = StateStart::File { steps: steps as u64 };
        let ended = run_steps(&mut engine, call, &view, &inputs, start).steps;
        let incomplete =
            engine.terms.any(engine.cuts.iter().map(|cut| cut.guard).collect::<Vec<_>>());
        tracing::debug!(terms = engine.terms.len(), cuts = engine.cuts.len(), "formula");
        let events = EventTerms::new(&engine);
        Some(Self {
            unit,
            interface,
            engine,
            inputs,
            layout,
            call,
            ended,
            events,
            models: VecDeque::new(),
            incomplete,
            infeasible_cuts: FxHashMap::default(),
        })
    }

    /// How many terms there are.
    pub fn size(&self) -> usize {
        self.engine.terms.len()
    }

    /// The cuts, beyond which the formula under-approximates.
    pub fn cuts(&self) -> &[Cut] {
        &self.engine.cuts
    }

    /// The operations with possible runtime errors.
    pub fn runtime_errors(&self) -> &[RuntimeErrorSite] {
        &self.engine.runtime_errors
    }

    /// All terms.
    pub fn terms(&self) -> &Terms {
        &self.engine.terms
    }

    /// The variables of the inputs.
    pub fn inputs(&self) -> &InputVariables {
        &self.inputs
    }

    /// One bit: do the inputs reach a cut?
    pub fn incomplete(&self) -> Term {
        self.incomplete
    }

    /// One bit: does the event happen? `None` if the code has no point for it.
    pub fn event(&mut self, event: &Event) -> Option<Term> {
        let by_steps = self.by_steps(event)?;
        Some(self.engine.terms.any(by_steps.into_values()))
    }

    fn by_steps(&mut self, event: &Event) -> Option<BySteps> {
        let (program, folded) = (self.unit.program(), self.unit.folded());
        self.events.event(&mut self.engine, program, folded, event)
    }

    /// Later queries end when `stop` says so. Those that were given up may be asked again.
    pub fn end_with(&mut self, stop: &Stop) {
        self.engine.blaster.end_with(stop);
        self.infeasible_cuts
            .retain(|_, found| found.as_ref().err() != Some(&SolverLimit::UnknownCut.into()));
    }

    /// A test in which the event happens, or a proof that it is infeasible.
    pub fn find(&mut self, event: &Event) -> EventAnswer {
        self.find_despite_cuts(event, &|_| true)
    }

    /// The same, where only the cuts that matter prevent a proof: those beyond which the event may happen. An effect may be
    /// observed anywhere, so for effects all cuts matter.
    pub fn find_despite_cuts(
        &mut self,
        event: &Event,
        matters: &dyn Fn(&Cut) -> bool,
    ) -> EventAnswer {
        if let Some(suppressed) = self.suppressed_by(event) {
            return self.find_effect(event, suppressed);
        }
        let Some(by_steps) = self.by_steps(event) else {
            return EventAnswer::Unknown(Undecided::Unobservable);
        };
        match self.ask(&by_steps) {
            Ok(Some(test)) => EventAnswer::Test(test),
            Ok(None) => match self.cuts_are_infeasible(matters) {
                Ok(()) => {
                    let event = self.engine.terms.any(by_steps.values().copied());
                    let cuts: Vec<Cut> =
                        self.engine.cuts.iter().filter(|cut| matters(cut)).cloned().collect();
                    self.refute(event, &cuts)
                }
                Err(reason) => EventAnswer::Unknown(reason),
            },
            Err(reason) => EventAnswer::Unknown(reason),
        }
    }

    /// A test in which a bit holds in some step; `None` if that is unsatisfiable; an error if it is unknown.
    fn ask(&mut self, by_steps: &BySteps) -> Result<Option<TestCase>, Undecided> {
        let known = self.models.iter().rev().find_map(|model| self.test_of(model, by_steps));
        if known.is_some() {
            return Ok(known);
        }
        let any = self.engine.terms.any(by_steps.values().copied().collect::<Vec<_>>());
        match self.solve(any) {
            Answer::Sat => {
                let model = self.engine.blaster.assignment(&self.engine.terms);
                let test = self.test_of(&model, by_steps);
                if self.models.len() == MOST_MODELS {
                    self.models.pop_front();
                }
                self.models.push_back(model);
                test.map(Some).ok_or(SolverLimit::WrongModel.into())
            }
            Answer::Unsat => Ok(None),
            Answer::Unknown => Err(match self.engine.blaster.left_out() {
                Some(what) => SolverLimit::LeftOut(what.to_owned()).into(),
                None => SolverLimit::Unknown.into(),
            }),
        }
    }

    /// The test of an assignment, up to the first step in which its bit holds.
    fn test_of(&self, assignment: &Assignment, by_steps: &BySteps) -> Option<TestCase> {
        let terms = &self.engine.terms;
        let assignment = self.engine.within_bounds(assignment);
        let mut values = Values::new(&assignment);
        let holds = |(step, bit): (&u32, &Term)| values.holds(terms, *bit).then_some(*step);
        let step = by_steps.iter().find_map(holds)?;
        let mut test = self.inputs.test(self.interface, &assignment, "found");
        test.steps.truncate(step as usize + 1);
        Some(test)
    }

    /// Is there a model within all bounds?
    fn solve(&mut self, bit: Term) -> Answer {
        let literals: Vec<Term> = self.engine.bounds.all().map(|(_, literal)| literal).collect();
        self.solve_under(bit, &literals)
    }

    /// Is there a model within the bounds of these literals?
    fn solve_under(&mut self, bit: Term, literals: &[Term]) -> Answer {
        let Engine { terms, blaster, limits, .. } = &mut self.engine;
        let assumptions: Vec<Term> = literals.iter().copied().chain([bit]).collect();
        let answer = match terms.as_constant(bit) {
            Some(0) => Answer::Unsat,
            _ => blaster.solve(terms, &assumptions, Some(limits.conflicts)),
        };
        tracing::debug!(?answer, "question");
        answer
    }
}
