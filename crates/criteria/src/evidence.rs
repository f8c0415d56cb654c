//! Evidence: what a recording shows, digested once for all criteria.
//!
//! Test by test, every fact a criterion may ask for; [`collect`](crate::collect)
//! makes it. A set is only as large as what can be in it: a program without
//! comparisons has no boundaries to keep, and effects are kept only where
//! somebody looked for them.

use std::collections::HashSet;

use obligato_model::{
    BitSet, ConditionId, DecisionId, Evaluation, Limit, Observability, Program, Shortfall,
    Strength, TestId, Unsupported, Verdict, Watched,
};

use crate::bvc;
use crate::tracker::Vectors;

/// What the tests of a suite have shown.
#[derive(Clone, Debug)]
pub struct Evidence {
    /// Were whole evaluations kept?
    pub vectors: Vectors,
    /// What the recording watched for.
    pub watched: Watched,
    tests: Vec<TestEvidence>,
    /// Per decision, the tests that reach it, each with the place of the decision
    /// in its list: a suite has many tests that never get to a given decision.
    reached: Vec<Vec<(TestId, usize)>>,
}

/// What one test has shown.
#[derive(Clone, Debug, PartialEq, Eq)]
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
    /// Comparisons evaluated or observed without their operands being recorded.
    pub blind: BitSet,
    /// Effects that reached an output, per semantics that was watched.
    pub observed: Vec<(Observability, ObservedEvidence)>,
    /// Mutants killed, per way that was watched.
    pub killed: Vec<(Strength, BitSet)>,
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObservedEvidence {
    /// Conditions whose false value did, and whose true value did.
    pub conditions: [BitSet; 2],
    /// Boundaries met by an evaluation that did.
    pub boundaries: BoundarySet,
}

/// A set of boundaries of conditions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoundarySet(BitSet);

impl BoundarySet {
    fn empty(program: &Program) -> Self {
        let any = program.conditions().iter().any(|condition| condition.relation.is_some());
        let conditions = if any { program.conditions().len() } else { 0 };
        Self(BitSet::empty(conditions * bvc::MOST_BOUNDARIES))
    }

    /// Adds the boundary at `ordinal` of the condition's list.
    pub fn insert(&mut self, condition: ConditionId, ordinal: usize) {
        self.0.insert(condition.index() * bvc::MOST_BOUNDARIES + ordinal);
    }

    /// Is the boundary at `ordinal` of the condition's list in the set?
    pub fn contains(&self, condition: ConditionId, ordinal: usize) -> bool {
        self.0.contains(condition.index() * bvc::MOST_BOUNDARIES + ordinal)
    }
}

impl TestEvidence {
    /// Nothing yet of the test `name` of `program`.
    pub fn empty(program: &Program, watched: &Watched, name: &str) -> Self {
        let conditions = program.conditions().len();
        let effects = watched.effects.iter().map(|semantics| {
            let nothing = ObservedEvidence {
                conditions: [BitSet::empty(conditions), BitSet::empty(conditions)],
                boundaries: BoundarySet::empty(program),
            };
            (*semantics, nothing)
        });
        let mutants = program.mutants().len();
        let kills = watched.kills.iter().map(|strength| (*strength, BitSet::empty(mutants)));
        Self {
            name: name.to_owned(),
            entered: BitSet::empty(program.functions().len()),
            left: BitSet::empty(program.exits().len()),
            executed: BitSet::empty(program.statements().len()),
            switched: BitSet::empty(program.arms().len()),
            decisions: Vec::new(),
            boundaries: BoundarySet::empty(program),
            blind: BitSet::empty(conditions),
            observed: effects.collect(),
            killed: kills.collect(),
        }
    }

    /// Of what this test has shown, only how decisions and conditions came out: nothing of statements, operands and effects.
    #[must_use]
    pub fn outcomes_only(&self, program: &Program, watched: &Watched) -> Self {
        let decisions = self.decisions.clone();
        Self { decisions, ..Self::empty(program, watched, &self.name) }
    }

    /// What this test has shown of a decision, if it reached it.
    pub fn decision(&self, decision: DecisionId) -> Option<&DecisionEvidence> {
        let at = self.decisions.binary_search_by_key(&decision, |(id, _)| *id);
        at.ok().map(|at| &self.decisions[at].1)
    }

    /// What reached an output under these semantics, if it was watched for.
    pub fn observed(&self, semantics: Observability) -> Option<&ObservedEvidence> {
        let mut all = self.observed.iter();
        all.find(|(watched, _)| *watched == semantics).map(|(_, observed)| observed)
    }

    /// Was the mutant killed? A strong kill is a weak one too: an output can only
    /// differ after the state has.
    pub fn kills(&self, mutant: usize, strength: Strength) -> bool {
        let mut all = self.killed.iter();
        all.any(|(how, killed)| {
            (*how == strength || strength == Strength::Weak) && killed.contains(mutant)
        })
    }
}

impl DecisionEvidence {
    /// Did the condition at `ordinal` take this value?
    pub fn took(&self, ordinal: usize, value: bool) -> bool {
        self.taken[usize::from(value)].contains(ordinal)
    }

    /// Did an evaluation come to an end?
    pub fn finished(&self) -> bool {
        self.outcomes != [false, false]
    }

    /// Was it unmasked with this value in some evaluation?
    pub fn showed_at_all(&self, ordinal: usize, value: bool) -> bool {
        [false, true].into_iter().any(|outcome| self.showed(ordinal, value, outcome))
    }

    /// Was it unmasked with this value in an evaluation with this outcome?
    pub fn showed(&self, ordinal: usize, value: bool, outcome: bool) -> bool {
        self.shown[usize::from(outcome)][usize::from(value)].contains(ordinal)
    }
}

impl Evidence {
    /// No tests yet, of `program`.
    pub fn new(program: &Program, watched: Watched, vectors: Vectors) -> Self {
        let reached = vec![Vec::new(); program.decisions().len()];
        Self { vectors, watched, tests: Vec::new(), reached }
    }

    /// Adds what the next test has shown.
    pub fn add(&mut self, test: TestEvidence) {
        let id = TestId::new(self.tests.len());
        for (place, (decision, _)) in test.decisions.iter().enumerate() {
            self.reached[decision.index()].push((id, place));
        }
        self.tests.push(test);
    }

    /// Adds the mutants that each test has killed in this way, which was watched for.
    pub fn add_kills(&mut self, strength: Strength, killed: impl Iterator<Item = BitSet>) {
        self.watched.kills.push(strength);
        for (test, killed) in self.tests.iter_mut().zip(killed) {
            test.killed.push((strength, killed));
        }
    }

    /// Forgets what these tests of `program` have shown; they stay in the list of tests.
    pub fn discount(&mut self, program: &Program, tests: &HashSet<TestId>) {
        for test in tests {
            let test = &mut self.tests[test.index()];
            *test = TestEvidence::empty(program, &self.watched, &test.name);
        }
        for reached in &mut self.reached {
            reached.retain(|(test, _)| !tests.contains(test));
        }
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
pub(crate) fn covered_by(tests: Vec<TestId>, shortfall: impl FnOnce() -> Shortfall) -> Verdict {
    if tests.is_empty() {
        Verdict::Unresolved(Limit::Suite(shortfall()))
    } else {
        Verdict::Covered { tests, pair: None }
    }
}

/// Nothing can be said of effects under a semantics that nobody watched for; `None` if somebody did.
pub(crate) fn unwatched_effects(evidence: &Evidence, semantics: Observability) -> Option<Verdict> {
    let is_watched = evidence.watched.effects.contains(&semantics);
    (!is_watched).then(|| unwatched(&format!("effects under {} semantics", semantics.name())))
}

/// Nothing can be said of what nobody watched for.
pub(crate) fn unwatched(what: &str) -> Verdict {
    Verdict::Unresolved(Limit::Unsupported(Unsupported::NotWatched(what.to_owned())))
}
