//! A function as one formula, and the questions that can be asked of it.

use std::collections::VecDeque;
use std::time::Instant;

use obligato_bytecode::CodeId;
use obligato_c_unit::{Interface, Layout, Unit};
use obligato_campaign::Event;
use obligato_criteria::bvc;
use obligato_model::{Method, Observability, Proof, SolverLimit, TestCase, Undecided};
use obligato_solver::{Answer, Stop};
use obligato_symbolic::{InputVariables, assumptions};
use obligato_term::{Assignment, Term, Terms, Values};
use rustc_hash::FxHashMap;

use crate::engine::{Cut, Engine, Fault, Limits, Loss};
use crate::events::{BySteps, Seen};
use crate::steps::run_steps;
use crate::twin::{Ended, View};

/// A function run on all inputs at once.
pub struct Merged<'u> {
    unit: &'u Unit,
    interface: &'u Interface,
    engine: Engine<'u>,
    inputs: InputVariables,
    layout: Layout,
    call: CodeId,
    /// What the steps have left.
    ended: Vec<Ended>,
    seen: Seen,
    /// What was found last: often it answers the next question too.
    models: VecDeque<Assignment>,
    /// One bit: do the inputs lead to a cut?
    incomplete: Term,
    /// Per list of cuts, was it refuted that inputs lead to one, or found to be possible for this reason?
    followed: FxHashMap<Vec<usize>, Result<(), Undecided>>,
}

/// So many models are kept.
const MOST_MODELS: usize = 8;

/// What became of a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// This test makes it happen.
    Test(TestCase),
    /// No test does.
    Never(Proof),
    /// Nobody knows, and why.
    Unknown(Undecided),
}

impl<'u> Merged<'u> {
    /// Runs a function of a unit for so many steps. Nothing if the unit does not have it.
    pub fn build(
        unit: &'u Unit,
        interface: &'u Interface,
        steps: usize,
        limits: &Limits,
    ) -> Option<Self> {
        let call = unit.call_of(&interface.function)?;
        let module = unit.module();
        let layout = Layout::new(module, interface);
        // Most of the time is for questions, and for others.
        let stop = limits.stop.clone();
        let quarter = |deadline: Instant| {
            let now = Instant::now();
            stop.by(now + deadline.saturating_duration_since(now) / 4)
        };
        let until = stop.deadline().map_or_else(|| stop.clone(), quarter);
        let running = Limits { stop: until, ..limits.clone() };
        let mut engine = Engine::new(unit, running, &stop, layout.first_free.0);
        let variables = unit.variables(interface);
        let terms = &mut engine.terms;
        let inputs = InputVariables::new(terms, module, &layout, interface, &variables, steps);
        for constraint in inputs.constraints() {
            engine.blaster.require(&engine.terms, *constraint);
        }
        engine.outside = crate::outside::Answers::all(unit.driver(), interface, &layout);
        let view = view(unit, interface, &layout);
        let ended = run_steps(&mut engine, call, &view, &inputs);
        let incomplete =
            engine.terms.any(engine.cuts.iter().map(|cut| cut.guard).collect::<Vec<_>>());
        tracing::debug!(terms = engine.terms.len(), cuts = engine.cuts.len(), "formula");
        let seen = Seen::new(&engine);
        Some(Self {
            unit,
            interface,
            engine,
            inputs,
            layout,
            call,
            ended,
            seen,
            models: VecDeque::new(),
            incomplete,
            followed: FxHashMap::default(),
        })
    }

    /// How many terms there are.
    pub fn size(&self) -> usize {
        self.engine.terms.len()
    }

    /// The places beyond which nothing is known.
    pub fn cuts(&self) -> &[Cut] {
        &self.engine.cuts
    }

    /// The places where the program may do what it must not.
    pub fn faults(&self) -> &[Fault] {
        &self.engine.faults
    }

    /// All terms.
    pub fn terms(&self) -> &Terms {
        &self.engine.terms
    }

    /// The variables of the inputs.
    pub fn inputs(&self) -> &InputVariables {
        &self.inputs
    }

    /// One bit: do the inputs lead to something that was not followed?
    pub fn incomplete(&self) -> Term {
        self.incomplete
    }

    /// One bit: does the event happen? `None` if the code does not show it.
    pub fn event(&mut self, event: &Event) -> Option<Term> {
        let by_steps = self.by_steps(event)?;
        Some(self.engine.terms.any(by_steps.into_values()))
    }

    fn by_steps(&mut self, event: &Event) -> Option<BySteps> {
        let (program, folded) = (self.unit.program(), self.unit.folded());
        self.seen.event(&mut self.engine, program, folded, event)
    }

    /// Ends questions from now on when this says so. What was given up may be asked again.
    pub fn end_with(&mut self, stop: &Stop) {
        self.engine.blaster.end_with(stop);
        self.followed
            .retain(|_, found| found.as_ref().err() != Some(&SolverLimit::UnknownCut.into()));
    }

    /// A test in which the event happens, or a proof that there is none.
    pub fn find(&mut self, event: &Event) -> Found {
        self.find_if_followed(event, &|_| true)
    }

    /// The same, where only some cuts stand in the way of a proof: those beyond which the event may happen. An effect may be seen
    /// anywhere, so for these all of them do.
    pub fn find_if_followed(&mut self, event: &Event, matters: &dyn Fn(&Cut) -> bool) -> Found {
        if let Some(loss) = self.loss_of(event) {
            return self.find_effect(event, loss);
        }
        let Some(by_steps) = self.by_steps(event) else {
            return Found::Unknown(Undecided::Unobservable);
        };
        match self.ask(&by_steps) {
            Ok(Some(test)) => Found::Test(test),
            Ok(None) => match self.is_followed(matters) {
                Ok(()) => Found::Never(self.proof()),
                Err(reason) => Found::Unknown(reason),
            },
            Err(reason) => Found::Unknown(reason),
        }
    }

    /// A test in which a bit holds in some step; none if it cannot, or why nobody knows.
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

    /// What the twin of an event loses, if it is one that is observed exactly.
    fn loss_of(&self, event: &Event) -> Option<Loss> {
        match event {
            Event::Observed(Observability::Exact, condition, value) => {
                Some(Loss { condition: *condition, value: *value, boundary: None })
            }
            Event::ObservedBoundary(Observability::Exact, condition, ordinal) => {
                let all = bvc::boundaries_of(self.unit.program(), *condition);
                let boundary = *all.get(*ordinal)?;
                Some(Loss {
                    condition: *condition,
                    value: boundary.value,
                    boundary: Some(boundary),
                })
            }
            _ => None,
        }
    }

    /// A test in which the effect of a condition is seen.
    fn find_effect(&mut self, event: &Event, loss: Loss) -> Found {
        let cause = match *event {
            Event::ObservedBoundary(_, condition, ordinal) => Event::Boundary(condition, ordinal),
            _ => Event::Taken(loss.condition, loss.value),
        };
        let Some(causes) = self.by_steps(&cause) else {
            return Found::Unknown(Undecided::Unobservable);
        };
        if self.unit.folded().of(self.unit.program().condition(loss.condition).decision).is_some() {
            return Found::Unknown(Undecided::PartlyFolded);
        }
        let (twin, cuts) = self.run_twin(loss);
        let terms = &mut self.engine.terms;
        let cut_in_twin = terms.any(cuts.iter().map(|cut| cut.guard).collect::<Vec<_>>());
        let cut = terms.or(cut_in_twin, self.incomplete);
        let view = view(self.unit, self.interface, &self.layout);
        let both = (self.ended.as_slice(), twin.as_slice());
        let differences = view.differences(terms, &self.inputs, both, cut);
        let (mut certain, mut possible) = (BySteps::new(), cut);
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
            Ok(Some(test)) => Found::Test(test),
            Ok(None) => match self.solve(possible) {
                Answer::Unsat => Found::Never(self.proof()),
                Answer::Sat => Found::Unknown(Undecided::EffectCutOff),
                Answer::Unknown => Found::Unknown(SolverLimit::Unknown.into()),
            },
            Err(reason) => Found::Unknown(reason),
        }
    }

    /// The same steps once more, without a value of a condition.
    fn run_twin(&mut self, loss: Loss) -> (Vec<Ended>, Vec<Cut>) {
        let engine = &mut self.engine;
        let kept = (
            std::mem::take(&mut engine.sightings),
            std::mem::take(&mut engine.cuts),
            std::mem::take(&mut engine.faults),
        );
        engine.lost = Some(loss);
        let view = view(self.unit, self.interface, &self.layout);
        let twin = run_steps(engine, self.call, &view, &self.inputs);
        engine.lost = None;
        let cuts = std::mem::take(&mut engine.cuts);
        (engine.sightings, engine.cuts, engine.faults) = kept;
        (twin, cuts)
    }

    /// The test of an assignment, up to the first step in which something holds.
    fn test_of(&self, assignment: &Assignment, by_steps: &BySteps) -> Option<TestCase> {
        let terms = &self.engine.terms;
        let mut values = Values::new(assignment);
        let holds = |(step, bit): (&u32, &Term)| values.holds(terms, *bit).then_some(*step);
        let step = by_steps.iter().find_map(holds)?;
        let mut test = self.inputs.test(self.interface, assignment, "found");
        test.steps.truncate(step as usize + 1);
        Some(test)
    }

    fn solve(&mut self, bit: Term) -> Answer {
        let Engine { terms, blaster, limits, .. } = &mut self.engine;
        let answer = match terms.as_constant(bit) {
            Some(0) => Answer::Unsat,
            _ => blaster.solve(terms, &[bit], Some(limits.conflicts)),
        };
        tracing::debug!(?answer, "question");
        answer
    }

    /// Is every input followed to its end? If not, what stood in the way of one.
    pub fn is_complete(&mut self) -> Result<(), Undecided> {
        self.is_followed(&|_| true)
    }

    /// Does no input lead to a cut that matters? If one does, what was cut off there.
    fn is_followed(&mut self, matters: &dyn Fn(&Cut) -> bool) -> Result<(), Undecided> {
        let cuts = self.engine.cuts.iter().enumerate();
        let some: Vec<usize> = cuts.filter(|(_, cut)| matters(cut)).map(|(at, _)| at).collect();
        if let Some(known) = self.followed.get(&some) {
            return known.clone();
        }
        let guards: Vec<Term> = some.iter().map(|at| self.engine.cuts[*at].guard).collect();
        let any = self.engine.terms.any(guards);
        let found = match self.solve(any) {
            Answer::Unsat => Ok(()),
            Answer::Unknown => Err(SolverLimit::UnknownCut.into()),
            Answer::Sat => {
                let assignment = self.engine.blaster.assignment(&self.engine.terms);
                let mut values = Values::new(&assignment);
                let terms = &self.engine.terms;
                let mut cuts = some.iter().map(|at| &self.engine.cuts[*at]);
                let cut = cuts.find(|cut| values.holds(terms, cut.guard));
                let reason = cut.map_or("something was cut off", |cut| &cut.reason);
                Err(Undecided::CutOff(reason.to_owned()))
            }
        };
        self.followed.insert(some, found.clone());
        found
    }

    /// That something never happens, and what this takes for granted.
    fn proof(&self) -> Proof {
        let assumptions = assumptions(self.unit, self.interface, &self.inputs);
        Proof { method: Method::Exploration, assumptions }
    }
}

fn view<'u>(unit: &'u Unit, interface: &'u Interface, layout: &'u Layout) -> View<'u> {
    let outside = unit.driver().outside.iter().map(|one| one.name.clone()).collect();
    View { module: unit.module(), interface, layout, outside }
}
