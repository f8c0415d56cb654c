//! Evidence: what a recording shows, digested once for all criteria.
//!
//! [`collect`] runs a [`Recording`] through one [`Tracker`] per decision and
//! keeps, test by test, every fact a criterion may ask for. It also refuses
//! recordings that contradict the program: a judgement is only worth what its
//! evidence is.

use obligato_model::{
    BitSet, ConditionId, DecisionId, Evaluation, Event, FunctionId, Limit, Observability, Program,
    Recording, Shortfall, Strength, TestId, Verdict, recording::ConditionEvaluation,
};

use crate::bvc;
use crate::marking::Marker;
use crate::tracker::{Frames, OutOfOrder, Tracker, Vectors};

/// What the tests of a suite have shown.
#[derive(Clone, Debug)]
pub struct Evidence {
    tests: Vec<TestEvidence>,
    /// Per decision, the tests that reach it, each with the place of the decision
    /// in its list: a suite has many tests that never get to a given decision.
    reached: Vec<Vec<(TestId, usize)>>,
}

/// What one test has shown.
#[derive(Clone, Debug)]
pub struct TestEvidence {
    /// The test's name.
    pub name: String,
    /// Functions entered.
    pub entered: BitSet,
    /// Returns taken.
    pub left: BitSet,
    /// Statements executed.
    pub executed: BitSet,
    /// `switch` arms taken.
    pub switched: BitSet,
    /// Decisions reached, in order.
    pub decisions: Vec<(DecisionId, DecisionEvidence)>,
    /// Boundaries met.
    pub boundaries: BoundarySet,
    /// Comparisons evaluated without their operands being recorded.
    pub blind: BitSet,
    /// Effects that reached an output, per semantics.
    pub observed: [ObservedEvidence; 3],
    /// Mutants killed strongly, and weakly.
    pub killed: [BitSet; 2],
}

/// What one test has shown of one decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecisionEvidence {
    /// Did it come out false, and true?
    pub outcomes: [bool; 2],
    /// Conditions that were false, and that were true.
    pub taken: [BitSet; 2],
    /// Conditions that were unmasked, by outcome, then by value.
    pub shown: [[BitSet; 2]; 2],
    /// The distinct evaluations, in order, if they were asked for.
    pub vectors: Vec<Evaluation>,
}

/// Conditions' effects that reached an output under one semantics.
#[derive(Clone, Debug)]
pub struct ObservedEvidence {
    /// Conditions whose false value did, and whose true value did.
    pub conditions: [BitSet; 2],
    /// Boundaries met by an evaluation that did.
    pub boundaries: BoundarySet,
}

/// A set of boundaries of conditions.
#[derive(Clone, Debug)]
pub struct BoundarySet(BitSet);

impl BoundarySet {
    fn empty(program: &Program) -> Self {
        Self(BitSet::empty(program.conditions().len() * bvc::MOST_BOUNDARIES))
    }

    fn insert(&mut self, condition: ConditionId, ordinal: usize) {
        self.0.insert(condition.index() * bvc::MOST_BOUNDARIES + ordinal);
    }

    /// Is the boundary at `ordinal` of the condition's list in the set?
    pub fn contains(&self, condition: ConditionId, ordinal: usize) -> bool {
        self.0.contains(condition.index() * bvc::MOST_BOUNDARIES + ordinal)
    }
}

impl TestEvidence {
    fn empty(program: &Program, name: &str) -> Self {
        let conditions = program.conditions().len();
        let pair = |size: usize| [BitSet::empty(size), BitSet::empty(size)];
        Self {
            name: name.to_owned(),
            entered: BitSet::empty(program.functions().len()),
            left: BitSet::empty(program.exits().len()),
            executed: BitSet::empty(program.statements().len()),
            switched: BitSet::empty(program.arms().len()),
            decisions: Vec::new(),
            boundaries: BoundarySet::empty(program),
            blind: BitSet::empty(conditions),
            observed: std::array::from_fn(|_| ObservedEvidence {
                conditions: pair(conditions),
                boundaries: BoundarySet::empty(program),
            }),
            killed: pair(program.mutants().len()),
        }
    }

    /// Did the condition take this value?
    fn took(&self, program: &Program, condition: ConditionId, value: bool) -> bool {
        let home = program.condition(condition);
        let at = self.decisions.binary_search_by_key(&home.decision, |(id, _)| *id);
        at.is_ok_and(|at| self.decisions[at].1.took(home.ordinal, value))
    }

    /// What reached an output under these semantics.
    pub fn observed(&self, semantics: Observability) -> &ObservedEvidence {
        &self.observed[semantics_index(semantics)]
    }

    /// Was the mutant killed? A strong kill is a weak one too: an output can only
    /// differ after the state has.
    pub fn kills(&self, mutant: usize, strength: Strength) -> bool {
        let [strong, weak] = &self.killed;
        strong.contains(mutant) || strength == Strength::Weak && weak.contains(mutant)
    }
}

fn semantics_index(semantics: Observability) -> usize {
    match semantics {
        Observability::Strict => 0,
        Observability::Tags => 1,
        Observability::Exact => 2,
    }
}

impl DecisionEvidence {
    /// Did the condition at `ordinal` take this value?
    pub fn took(&self, ordinal: usize, value: bool) -> bool {
        self.taken[usize::from(value)].contains(ordinal)
    }

    /// Was it unmasked with this value in an evaluation with this outcome?
    pub fn showed(&self, ordinal: usize, value: bool, outcome: bool) -> bool {
        self.shown[usize::from(outcome)][usize::from(value)].contains(ordinal)
    }
}

impl Evidence {
    /// No tests yet, of `program`.
    pub fn new(program: &Program) -> Self {
        Self { tests: Vec::new(), reached: vec![Vec::new(); program.decisions().len()] }
    }

    /// Adds what the next test has shown.
    pub fn add(&mut self, test: TestEvidence) {
        let id = TestId::new(self.tests.len());
        for (place, (decision, _)) in test.decisions.iter().enumerate() {
            self.reached[decision.index()].push((id, place));
        }
        self.tests.push(test);
    }

    /// Per test, in the order they ran.
    pub fn tests(&self) -> &[TestEvidence] {
        &self.tests
    }

    /// What each test that reaches a decision has shown of it.
    pub fn of_decision(
        &self,
        decision: DecisionId,
    ) -> impl Iterator<Item = (TestId, &DecisionEvidence)> {
        let reached = self.reached[decision.index()].iter();
        reached.map(|&(test, place)| (test, &self.tests[test.index()].decisions[place].1))
    }

    /// The tests of which `shows` holds.
    pub fn tests_where(&self, shows: impl Fn(&TestEvidence) -> bool) -> Vec<TestId> {
        let tests = self.tests.iter().enumerate();
        tests.filter(|(_, test)| shows(test)).map(|(index, _)| TestId::new(index)).collect()
    }

    /// The tests of whose evaluations of a decision `shows` holds.
    pub fn tests_at(
        &self,
        decision: DecisionId,
        shows: impl Fn(&DecisionEvidence) -> bool,
    ) -> Vec<TestId> {
        self.of_decision(decision).filter(|(_, seen)| shows(seen)).map(|(test, _)| test).collect()
    }

    /// Does `shows` hold of any test?
    pub fn any(&self, shows: impl FnMut(&TestEvidence) -> bool) -> bool {
        self.tests.iter().any(shows)
    }

    /// Does any test reach the decision?
    pub fn reaches(&self, decision: DecisionId) -> bool {
        !self.reached[decision.index()].is_empty()
    }
}

/// Covered by these tests, or short of it.
pub fn covered_by(tests: Vec<TestId>, shortfall: impl FnOnce() -> Shortfall) -> Verdict {
    if tests.is_empty() {
        Verdict::Unresolved(Limit::Suite(shortfall()))
    } else {
        Verdict::Covered { tests, pair: None }
    }
}

/// A recording that contradicts the program it is said to be of.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("test '{test}', event {event}: {reason}")]
pub struct Contradiction {
    /// The test.
    pub test: String,
    /// The event, counted from 1.
    pub event: usize,
    /// What is wrong with it.
    pub reason: ContradictionReason,
}

/// What is wrong with an event.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ContradictionReason {
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
    /// An effect was observed of a value that the condition never had.
    #[error("an effect of `{0}` being {1} is observed, but it never was")]
    NeverEvaluated(String, bool),
}

/// Digests a recording of `program`.
pub fn collect(
    program: &Program,
    recording: &Recording,
    vectors: Vectors,
) -> Result<Evidence, Contradiction> {
    let mut collector = Collector::new(program, vectors);
    let mut evidence = Evidence::new(program);
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
    pub fn new(program: &'p Program, vectors: Vectors) -> Self {
        let (mut slots, mut narrow, mut wide) = (Vec::new(), Vec::new(), Vec::new());
        for decision in program.decisions() {
            if decision.tree.conditions() <= 64 {
                slots.push(Slot::Narrow(narrow.len()));
                narrow.push(Tracker::new(Marker::new(&decision.tree), vectors));
            } else {
                slots.push(Slot::Wide(wide.len()));
                wide.push(Tracker::new(Marker::new(&decision.tree), vectors));
            }
        }
        Self {
            program,
            slots,
            narrow,
            wide,
            frames: Frames::default(),
            calls: Vec::new(),
            reached: Vec::new(),
            test: TestEvidence::empty(program, ""),
            event: 0,
        }
    }

    /// Begins a test.
    pub fn begin(&mut self, name: &str) {
        self.test = TestEvidence::empty(self.program, name);
        self.frames = Frames::default();
        self.calls.clear();
        self.event = 0;
    }

    /// Takes the next event of the test.
    pub fn take(&mut self, event: &Event) -> Result<(), Contradiction> {
        self.event += 1;
        match event {
            Event::Entered(function) => {
                self.test.entered.insert(function.index());
                self.calls.push(*function);
                self.frames.enter();
            }
            Event::Left(exit) => {
                self.leave(self.program.exits()[exit.index()].function)?;
                self.test.left.insert(exit.index());
            }
            Event::Executed(statement) => self.test.executed.insert(statement.index()),
            Event::Switched(arm) => self.test.switched.insert(arm.index()),
            Event::Evaluated(evaluation) => self.evaluate(evaluation)?,
            Event::Observed(evaluation, semantics) => self.observe(evaluation, *semantics)?,
            Event::Killed(mutant, strength) => {
                let index = usize::from(*strength == Strength::Weak);
                self.test.killed[index].insert(mutant.index());
            }
        }
        Ok(())
    }

    /// Leaves the innermost call of `function`; calls inside it that were
    /// jumped out of end with it.
    fn leave(&mut self, function: FunctionId) -> Result<(), Contradiction> {
        let Some(depth) = self.calls.iter().rposition(|call| *call == function) else {
            let name = self.program.function(function).name.clone();
            return Err(self.contradiction(ContradictionReason::NotEntered(name)));
        };
        while self.calls.len() > depth {
            self.calls.pop();
            self.frames.leave();
        }
        Ok(())
    }

    fn evaluate(&mut self, evaluation: &ConditionEvaluation) -> Result<(), Contradiction> {
        let ConditionEvaluation { condition, value, .. } = *evaluation;
        let home = self.program.condition(condition);
        let marked = match self.slots[home.decision.index()] {
            Slot::Narrow(at) => self.narrow[at].evaluate(&self.frames, home.ordinal, value),
            Slot::Wide(at) => self.wide[at].evaluate(&self.frames, home.ordinal, value),
        };
        match marked {
            Ok(true) => self.reached.push(home.decision),
            Ok(false) => {}
            Err(error) => return Err(self.out_of_order(condition, error)),
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

    fn observe(
        &mut self,
        evaluation: &ConditionEvaluation,
        semantics: Observability,
    ) -> Result<(), Contradiction> {
        let ConditionEvaluation { condition, value, .. } = *evaluation;
        let met = self.boundaries_met(evaluation)?;
        let observed = &mut self.test.observed[semantics_index(semantics)];
        observed.conditions[usize::from(value)].insert(condition.index());
        for ordinal in met.into_iter().flatten() {
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
        let actual = relation.operator.holds(left.compare(right));
        if actual != evaluation.value {
            return Err(self.contradiction(ContradictionReason::Operands {
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
        if let Some((condition, value)) = self.observed_but_never_taken() {
            let text = self.program.condition(condition).text.clone();
            return Err(self.contradiction(ContradictionReason::NeverEvaluated(text, value)));
        }
        let empty = TestEvidence::empty(self.program, "");
        Ok(std::mem::replace(&mut self.test, empty))
    }

    fn observed_but_never_taken(&self) -> Option<(ConditionId, bool)> {
        let observed = self.test.observed.iter().flat_map(|seen| {
            [false, true].into_iter().flat_map(|value| {
                let conditions = seen.conditions[usize::from(value)].iter();
                conditions.map(move |index| (ConditionId::new(index), value))
            })
        });
        observed
            .into_iter()
            .find(|(condition, value)| !self.test.took(self.program, *condition, *value))
    }

    fn out_of_order(&self, condition: ConditionId, error: OutOfOrder) -> Contradiction {
        let home = self.program.condition(condition);
        let expected = match error.expected {
            Some(expected) => format!("condition {} is due", expected + 1),
            None => "an evaluation begins with condition 1".to_owned(),
        };
        self.contradiction(ContradictionReason::OutOfOrder {
            condition: home.ordinal + 1,
            decision: self.program.decision(home.decision).text.clone(),
            expected,
        })
    }

    fn contradiction(&self, reason: ContradictionReason) -> Contradiction {
        Contradiction { test: self.test.name.clone(), event: self.event, reason }
    }
}
