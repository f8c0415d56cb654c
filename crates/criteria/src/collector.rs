//! From events to evidence.
//!
//! A [`Collector`] runs events through one [`Tracker`] per decision. It refuses
//! recordings that contradict the program or themselves: a judgement is only worth
//! what its evidence is.

use obligato_model::{
    BitSet, Condition, ConditionEvaluation, ConditionId, DecisionId, FunctionId, Observability,
    Program, RecordedEvent, Recording, Strength, Watched,
};

use crate::bvc;
use crate::evidence::{Evidence, TestEvidence};
use crate::marking::Marker;
use crate::tracker::{Frames, OutOfOrder, Tracker, Vectors};

/// A recording that contradicts the program it is said to be of, or itself.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("test '{test}', event {event}: {reason}")]
pub struct Contradiction {
    /// The test.
    pub test: String,
    /// The event, counted from 1; the number of events if all of them together
    /// cannot be.
    pub event: usize,
    /// What is wrong with it.
    pub reason: ContradictionReason,
}

/// What is wrong with an event.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ContradictionReason {
    /// An id of something that the program does not have.
    #[error("the program has no such {0}")]
    Unknown(&'static str),
    /// Conditions are evaluated from left to right, skipping as operators say.
    #[error("condition {condition} of `{decision}` cannot come here; {expected}")]
    OutOfOrder {
        /// The condition, from 1.
        condition: usize,
        /// The decision's text.
        decision: String,
        /// Which condition was due.
        expected: String,
    },
    /// A constant condition had its other value.
    #[error("`{0}` can only be {1}")]
    NotConstant(String, bool),
    /// An operand is not what the program says it always is.
    #[error("an operand of `{0}` is not the constant that it is")]
    OtherOperand(String),
    /// The value is not what the relation gives on the operands.
    #[error("`{condition}` is recorded as {value}, but its operands make it {actual}")]
    Operands {
        /// The condition's text.
        condition: String,
        /// The recorded value.
        value: bool,
        /// What the operands give.
        actual: bool,
    },
    /// A function was left that was not entered.
    #[error("function '{0}' is left, but it was not entered")]
    NotEntered(String),
    /// An effect was observed, or a mutant killed, that nobody watched for.
    #[error("the recording says that it does not watch for {0}")]
    Unwatched(&'static str),
    /// An effect was observed of what never happened.
    #[error("an effect of `{0}` being {1} is observed, but {2}")]
    NoSuchEffect(String, bool, &'static str),
}

impl ContradictionReason {
    /// Of a condition, by its ordinal, that came when it was not due.
    pub(crate) fn out_of_order(decision: &str, ordinal: usize, error: OutOfOrder) -> Self {
        let expected = match error.expected {
            Some(expected) => format!("condition {} is due", expected + 1),
            None => "an evaluation begins with condition 1".to_owned(),
        };
        Self::OutOfOrder { condition: ordinal + 1, decision: decision.to_owned(), expected }
    }
}

/// Digests a recording of `program`.
pub fn collect(
    program: &Program,
    recording: &Recording,
    vectors: Vectors,
) -> Result<Evidence, Contradiction> {
    let mut collector = Collector::new(program, &recording.watched, vectors);
    let mut evidence = Evidence::new(program, recording.watched.clone(), vectors);
    for test in &recording.tests {
        collector.begin(&test.name);
        for event in &test.events {
            collector.take(event)?;
        }
        evidence.add(collector.finish()?);
    }
    Ok(evidence)
}

/// Where the tracker of a decision is kept.
#[derive(Clone, Copy, Debug)]
enum Slot {
    Narrow(usize),
    Wide(usize),
}

/// Digests events as they come, test after test. After a contradiction it is
/// of no further use.
#[derive(Clone, Debug)]
pub struct Collector<'p> {
    program: &'p Program,
    watched: Watched,
    slots: Vec<Slot>,
    narrow: Vec<Tracker<u64>>,
    wide: Vec<Tracker<BitSet>>,
    frames: Frames,
    /// The functions of the open frames.
    calls: Vec<FunctionId>,
    reached: Vec<DecisionId>,
    test: TestEvidence,
    event: usize,
}

impl<'p> Collector<'p> {
    /// A collector for runs of `program`.
    pub fn new(program: &'p Program, watched: &Watched, vectors: Vectors) -> Self {
        let (mut slots, mut narrow, mut wide) = (Vec::new(), Vec::new(), Vec::new());
        for (index, decision) in program.decisions().iter().enumerate() {
            let constants = program.constants_of(DecisionId::new(index));
            if decision.tree.conditions() <= 64 {
                slots.push(Slot::Narrow(narrow.len()));
                narrow.push(Tracker::new(Marker::new(&decision.tree, &constants), vectors));
            } else {
                slots.push(Slot::Wide(wide.len()));
                wide.push(Tracker::new(Marker::new(&decision.tree, &constants), vectors));
            }
        }
        Self {
            program,
            watched: watched.clone(),
            slots,
            narrow,
            wide,
            frames: Frames::default(),
            calls: Vec::new(),
            reached: Vec::new(),
            test: TestEvidence::empty(program, watched, ""),
            event: 0,
        }
    }

    /// Begins a test.
    pub fn begin(&mut self, name: &str) {
        self.test = TestEvidence::empty(self.program, &self.watched, name);
        self.frames = Frames::default();
        self.calls.clear();
        self.event = 0;
    }

    /// Takes the next event of the test.
    pub fn take(&mut self, event: &RecordedEvent) -> Result<(), Contradiction> {
        self.event += 1;
        let program = self.program;
        match event {
            RecordedEvent::Entered(function) => {
                self.known(function.index(), program.functions().len(), "function")?;
                self.test.entered.insert(function.index());
                self.calls.push(*function);
                self.frames.enter();
            }
            RecordedEvent::Left(exit) => {
                self.known(exit.index(), program.exits().len(), "exit")?;
                self.leave(program.exits()[exit.index()].function)?;
                self.test.left.insert(exit.index());
            }
            RecordedEvent::Executed(statement) => {
                self.known(statement.index(), program.statements().len(), "statement")?;
                self.test.executed.insert(statement.index());
            }
            RecordedEvent::Switched(arm) => {
                self.known(arm.index(), program.arms().len(), "switch arm")?;
                self.test.switched.insert(arm.index());
            }
            RecordedEvent::Evaluated(evaluation) => self.evaluate(evaluation)?,
            RecordedEvent::Observed(evaluation, semantics) => {
                self.observe(evaluation, *semantics)?;
            }
            RecordedEvent::Killed(mutant, strength) => {
                self.known(mutant.index(), program.mutants().len(), "mutant")?;
                let mut watched = self.test.killed.iter_mut();
                match watched.find(|(how, _)| how == strength) {
                    Some((_, killed)) => killed.insert(mutant.index()),
                    None => return Err(self.unwatched_kill(*strength)),
                }
            }
        }
        Ok(())
    }

    fn known(&self, index: usize, count: usize, what: &'static str) -> Result<(), Contradiction> {
        if index < count { Ok(()) } else { Err(self.wrong(ContradictionReason::Unknown(what))) }
    }

    fn unwatched_kill(&self, strength: Strength) -> Contradiction {
        self.wrong(ContradictionReason::Unwatched(match strength {
            Strength::Strong => "strong kills",
            Strength::Weak => "weak kills",
        }))
    }

    /// Leaves the innermost call of `function`. One that has no entry to be
    /// recorded may be left all the same.
    fn leave(&mut self, function: FunctionId) -> Result<(), Contradiction> {
        if self.unwind_to(function) {
            self.calls.pop();
            self.frames.leave();
        } else if self.program.function(function).entered {
            let name = self.program.function(function).name.clone();
            return Err(self.wrong(ContradictionReason::NotEntered(name)));
        }
        Ok(())
    }

    /// Something happened in `function`, so the calls that are open inside its
    /// innermost one are over: they were jumped out of, or have no exits listed.
    fn unwind_to(&mut self, function: FunctionId) -> bool {
        let Some(depth) = self.calls.iter().rposition(|call| *call == function) else {
            return false;
        };
        while self.calls.len() > depth + 1 {
            self.calls.pop();
            self.frames.leave();
        }
        true
    }

    fn evaluate(&mut self, evaluation: &ConditionEvaluation) -> Result<(), Contradiction> {
        let home = self.check_evaluation(evaluation)?;
        let ConditionEvaluation { condition, value, .. } = *evaluation;
        let function = self.program.decision(home.decision).function;
        if self.calls.last().is_some_and(|innermost| *innermost != function) {
            self.unwind_to(function);
        }
        let marked = match self.slots[home.decision.index()] {
            Slot::Narrow(at) => self.narrow[at].evaluate(&self.frames, home.ordinal, value),
            Slot::Wide(at) => self.wide[at].evaluate(&self.frames, home.ordinal, value),
        };
        match marked {
            Ok(true) => self.reached.push(home.decision),
            Ok(false) => {}
            Err(error) => return Err(self.out_of_order(home, error)),
        }
        if home.relation.is_some() {
            match self.boundaries_met(evaluation)? {
                None => self.test.blind.insert(condition.index()),
                Some(met) => {
                    for ordinal in met {
                        self.test.boundaries.insert(condition, ordinal);
                    }
                }
            }
        }
        Ok(())
    }

    /// Can the condition have that value at all?
    fn check_evaluation(
        &self,
        evaluation: &ConditionEvaluation,
    ) -> Result<&'p Condition, Contradiction> {
        let count = self.program.conditions().len();
        self.known(evaluation.condition.index(), count, "condition")?;
        let home = self.program.condition(evaluation.condition);
        match home.constant {
            Some(constant) if constant != evaluation.value => {
                Err(self.wrong(ContradictionReason::NotConstant(home.text.clone(), constant)))
            }
            _ => Ok(home),
        }
    }

    fn observe(
        &mut self,
        evaluation: &ConditionEvaluation,
        semantics: Observability,
    ) -> Result<(), Contradiction> {
        let home = self.check_evaluation(evaluation)?;
        let ConditionEvaluation { condition, value, .. } = *evaluation;
        let met = self.boundaries_met(evaluation)?;
        if home.relation.is_some() && met.is_none() {
            self.test.blind.insert(condition.index());
        }
        let met = met.unwrap_or_default();
        if met.iter().any(|ordinal| !self.test.boundaries.contains(condition, *ordinal)) {
            return Err(self.no_such_effect(condition, value, "never with these operands"));
        }
        let mut watched = self.test.observed.iter_mut();
        let Some((_, observed)) = watched.find(|(watched, _)| *watched == semantics) else {
            return Err(self.wrong(ContradictionReason::Unwatched(match semantics {
                Observability::Strict => "effects under strict semantics",
                Observability::Tags => "effects under tags semantics",
                Observability::Exact => "effects under exact semantics",
            })));
        };
        observed.conditions[usize::from(value)].insert(condition.index());
        for ordinal in met {
            observed.boundaries.insert(condition, ordinal);
        }
        Ok(())
    }

    /// The boundaries that the operands meet, as ordinals in the condition's
    /// list; `None` if the operands are not known.
    fn boundaries_met(
        &self,
        evaluation: &ConditionEvaluation,
    ) -> Result<Option<Vec<usize>>, Contradiction> {
        let condition = self.program.condition(evaluation.condition);
        let (Some(relation), Some(operands)) = (&condition.relation, &evaluation.operands) else {
            return Ok(None);
        };
        let (left, right) = &**operands;
        let differs = [(&relation.left, left), (&relation.right, right)]
            .into_iter()
            .any(|(constant, operand)| constant.as_ref().is_some_and(|known| known != operand));
        if differs {
            return Err(self.wrong(ContradictionReason::OtherOperand(condition.text.clone())));
        }
        let actual = relation.operator.holds(left.compare(right));
        if actual != evaluation.value {
            return Err(self.wrong(ContradictionReason::Operands {
                condition: condition.text.clone(),
                value: evaluation.value,
                actual,
            }));
        }
        Ok(Some(bvc::met(relation, left, right, &self.program.real_step)))
    }

    /// Ends the test.
    pub fn finish(&mut self) -> Result<TestEvidence, Contradiction> {
        self.reached.sort_unstable();
        for decision in self.reached.drain(..) {
            let seen = match self.slots[decision.index()] {
                Slot::Narrow(at) => self.narrow[at].finish(),
                Slot::Wide(at) => self.wide[at].finish(),
            };
            self.test.decisions.push((decision, seen));
        }
        self.check_effects()?;
        let empty = TestEvidence::empty(self.program, &self.watched, "");
        Ok(std::mem::replace(&mut self.test, empty))
    }

    /// An effect that was observed has a cause: the condition had the value, and
    /// under `strict`, whose rules inside a decision are those of masking, was
    /// unmasked. (`tags` lets a test of equal arms through; under `exact`, forcing a
    /// condition may also skip the side effect of another.)
    fn check_effects(&self) -> Result<(), Contradiction> {
        for (semantics, observed) in &self.test.observed {
            for value in [false, true] {
                for index in observed.conditions[usize::from(value)].iter() {
                    let condition = ConditionId::new(index);
                    let home = self.program.condition(condition);
                    let seen = self.test.decision(home.decision);
                    if !seen.is_some_and(|seen| seen.took(home.ordinal, value)) {
                        return Err(self.no_such_effect(condition, value, "it never was"));
                    }
                    let unmasked = seen.is_some_and(|seen| seen.showed_at_all(home.ordinal, value));
                    if *semantics == Observability::Strict && !unmasked {
                        let reason = "it is masked in every evaluation";
                        return Err(self.no_such_effect(condition, value, reason));
                    }
                }
            }
        }
        Ok(())
    }

    fn no_such_effect(
        &self,
        condition: ConditionId,
        value: bool,
        why: &'static str,
    ) -> Contradiction {
        let text = self.program.condition(condition).text.clone();
        self.wrong(ContradictionReason::NoSuchEffect(text, value, why))
    }

    fn out_of_order(&self, home: &Condition, error: OutOfOrder) -> Contradiction {
        let decision = &self.program.decision(home.decision).text;
        self.wrong(ContradictionReason::out_of_order(decision, home.ordinal, error))
    }

    fn wrong(&self, reason: ContradictionReason) -> Contradiction {
        Contradiction { test: self.test.name.clone(), event: self.event, reason }
    }
}
