//! The formula of a function, and the queries for its events.

use std::collections::VecDeque;

use obligato_bytecode::CodeId;
use obligato_c_unit::{Interface, Layout, Unit};
use obligato_campaign::Event;
use obligato_criteria::bvc;
use obligato_model::{
    Bound, Method, NotFollowed, Observability, Proof, SolverLimit, TestCase, Undecided,
};
use obligato_solver::{Answer, Stop};
use obligato_symbolic::{InputVariables, assumptions};
use obligato_term::{Assignment, Term, Terms, Values};
use rustc_hash::FxHashMap;

use crate::engine::{Cut, Engine, Limits, RuntimeErrorSite, SuppressedValue};
use crate::events::{BySteps, EventTerms};
use crate::initial::StateStart;
use crate::setup::{Setup, view};
use crate::steps::run_steps;
use crate::twin::StepEnd;

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
        limits: &Limits,
    ) -> Option<Self> {
        let Setup { mut engine, inputs, layout, call } =
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

    /// The value that the twin run of an event suppresses, if its effect is to be observed exactly.
    fn suppressed_by(&self, event: &Event) -> Option<SuppressedValue> {
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
    fn find_effect(&mut self, event: &Event, suppressed: SuppressedValue) -> EventAnswer {
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
    fn run_twin(&mut self, suppressed: SuppressedValue) -> (Vec<StepEnd>, Vec<Cut>) {
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

    /// What the refutation of a bit within all bounds claims: which of them it uses. Beyond a bound, its cuts count as well.
    fn refute(&mut self, bit: Term, cuts: &[Cut]) -> EventAnswer {
        let terms = &mut self.engine.terms;
        let mut open = bit;
        for cut in cuts {
            let Some(bound) = cut.bound() else {
                open = terms.or(open, cut.guard);
                continue;
            };
            let literal = self.engine.bounds.literal(terms, bound);
            let outside = terms.not(literal);
            let beyond = terms.and(outside, cut.guard);
            open = terms.or(open, beyond);
        }
        let all: Vec<(Bound, Term)> =
            self.engine.bounds.all().map(|(bound, literal)| (bound.clone(), literal)).collect();
        let used = self.minimal_core(open, all.iter().map(|(_, literal)| *literal).collect());
        if used.is_empty() {
            return EventAnswer::Infeasible(self.proof());
        }
        let bounds = all.into_iter().filter(|(_, literal)| used.contains(literal));
        EventAnswer::NotWithinBounds(bounds.map(|(bound, _)| bound).collect())
    }

    /// A subset of the literals under which a bit stays unsatisfiable, as it is under all of them; none of it can be left out,
    /// as far as the solver tells within its limits. What it cannot tell stays.
    fn minimal_core(&mut self, bit: Term, all: Vec<Term>) -> Vec<Term> {
        if all.is_empty() || self.solve_under(bit, &[]) == Answer::Unsat {
            return Vec::new();
        }
        let mut core = all;
        if self.solve_under(bit, &core) == Answer::Unsat {
            let failed = self.engine.blaster.core();
            core.retain(|literal| failed.contains(literal));
        }
        let mut at = 0;
        while at < core.len() {
            let without: Vec<Term> = core
                .iter()
                .enumerate()
                .filter(|(index, _)| *index != at)
                .map(|(_, one)| *one)
                .collect();
            if self.solve_under(bit, &without) == Answer::Unsat {
                core = without;
            } else {
                at += 1;
            }
        }
        core
    }

    /// Are all cuts infeasible? If not, the reason of one.
    pub fn is_complete(&mut self) -> Result<(), Undecided> {
        self.cuts_are_infeasible(&|_| true)
    }

    /// Are all cuts that matter infeasible within the bounds? If not, the reason of one. Cuts at bounds do not count.
    fn cuts_are_infeasible(&mut self, matters: &dyn Fn(&Cut) -> bool) -> Result<(), Undecided> {
        let cuts = self.engine.cuts.iter().enumerate();
        let some: Vec<usize> = cuts
            .filter(|(_, cut)| cut.bound().is_none() && matters(cut))
            .map(|(at, _)| at)
            .collect();
        if let Some(known) = self.infeasible_cuts.get(&some) {
            return known.clone();
        }
        let guards: Vec<Term> = some.iter().map(|at| self.engine.cuts[*at].guard).collect();
        let any = self.engine.terms.any(guards);
        let found = match self.solve(any) {
            Answer::Unsat => Ok(()),
            Answer::Unknown => Err(SolverLimit::UnknownCut.into()),
            Answer::Sat => {
                let assignment = self.engine.blaster.assignment(&self.engine.terms);
                let assignment = self.engine.within_bounds(&assignment);
                let mut values = Values::new(&assignment);
                let terms = &self.engine.terms;
                let mut cuts = some.iter().map(|at| &self.engine.cuts[*at]);
                let cut = cuts.find(|cut| values.holds(terms, cut.guard));
                let reason = cut.and_then(Cut::not_followed).cloned();
                Err(Undecided::CutOff(reason.unwrap_or(NotFollowed::UnknownCut)))
            }
        };
        self.infeasible_cuts.insert(some, found.clone());
        found
    }

    /// A proof by exhaustive exploration, with its assumptions.
    fn proof(&self) -> Proof {
        let assumptions = assumptions(self.unit, self.interface);
        Proof { method: Method::Exploration, assumptions }
    }
}
