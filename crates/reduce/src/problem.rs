//! What the tests of a suite show, and what has to stay shown.
//!
//! A *fact* is known by the tests that show it: keeping any of them keeps the fact. Most
//! obligations ask for one fact. Those that compare two evaluations offer *ways*, each of some
//! facts that have to be shown together, and any one way is enough. An obligation with a single
//! way asks for all its facts, so what remains is a list of required facts and a list of choices
//! between ways: a set cover where there are no choices, and a little more where there are.
//!
//! Facts that the same tests show are one, and so are choices between the same ways.

use obligato_criteria::Grounds;
use obligato_model::TestId;
use obligato_model::typed_ids;
use rustc_hash::{FxHashMap, FxHashSet};

typed_ids! {
    /// A fact of a problem.
    FactId,
    /// A choice of a problem.
    ChoiceId,
}

/// Ways of which one has to stay; each is a set of facts that go together, in order.
pub type Choice = Vec<Vec<FactId>>;

/// What a smaller suite has to keep.
#[derive(Clone, Debug, Default)]
pub struct Problem {
    facts: Vec<Fact>,
    required: Vec<FactId>,
    choices: Vec<Choice>,
    /// Per test, the facts it shows, in order.
    shown: Vec<Vec<FactId>>,
}

/// Something that tests show.
#[derive(Clone, Debug)]
struct Fact {
    /// Those that do, in order.
    tests: Vec<TestId>,
    required: bool,
    /// The choices it occurs in, in order.
    choices: Vec<ChoiceId>,
}

impl Problem {
    /// The problem of keeping all that rests on these grounds, in a suite of so many tests.
    /// Grounds without a way cannot be kept and are not asked for.
    pub fn new(tests: usize, grounds: &[Grounds]) -> Self {
        let mut facts = Facts::default();
        let mut choices = FxHashSet::default();
        let mut problem = Self { shown: vec![Vec::new(); tests], ..Self::default() };
        for Grounds { ways } in grounds {
            let possible = ways.iter().filter(|way| way.iter().all(|tests| !tests.is_empty()));
            let mut ways: Choice = possible.map(|way| facts.add_all(way)).collect();
            ways.sort_unstable();
            ways.dedup();
            match ways.as_slice() {
                [] => {}
                [only] => facts.require(only),
                _ if choices.contains(&ways) => {}
                _ => {
                    facts.offer(&ways, ChoiceId::new(problem.choices.len()));
                    choices.insert(ways.clone());
                    problem.choices.push(ways);
                }
            }
        }
        problem.facts = facts.list;
        for (index, fact) in problem.facts.iter().enumerate() {
            let id = FactId::new(index);
            if fact.required {
                problem.required.push(id);
            }
            for test in &fact.tests {
                problem.shown[test.index()].push(id);
            }
        }
        problem
    }

    /// How many tests the suite has.
    pub fn tests(&self) -> usize {
        self.shown.len()
    }

    /// Is there nothing to keep?
    pub fn is_empty(&self) -> bool {
        self.required.is_empty() && self.choices.is_empty()
    }

    /// How many facts there are.
    pub(crate) fn facts(&self) -> usize {
        self.facts.len()
    }

    /// The facts that have to be shown.
    pub(crate) fn required(&self) -> &[FactId] {
        &self.required
    }

    pub(crate) fn is_required(&self, fact: FactId) -> bool {
        self.facts[fact.index()].required
    }

    pub(crate) fn choices(&self) -> &[Choice] {
        &self.choices
    }

    pub(crate) fn choice(&self, choice: ChoiceId) -> &Choice {
        &self.choices[choice.index()]
    }

    /// The tests that show a fact.
    pub(crate) fn tests_of(&self, fact: FactId) -> &[TestId] {
        &self.facts[fact.index()].tests
    }

    /// The choices in which a fact occurs.
    pub(crate) fn choices_with(&self, fact: FactId) -> &[ChoiceId] {
        &self.facts[fact.index()].choices
    }

    /// The facts that a test shows.
    pub(crate) fn shown_by(&self, test: TestId) -> &[FactId] {
        &self.shown[test.index()]
    }

    /// Do these tests show all that is asked for?
    pub fn is_kept_by(&self, tests: &[TestId]) -> bool {
        let mut shown = vec![false; self.facts.len()];
        for test in tests {
            for fact in self.shown_by(*test) {
                shown[fact.index()] = true;
            }
        }
        let is_shown = |fact: &FactId| shown[fact.index()];
        self.required.iter().all(is_shown)
            && self.choices.iter().all(|ways| ways.iter().any(|way| way.iter().all(is_shown)))
    }
}

/// Facts, each once.
#[derive(Default)]
struct Facts {
    list: Vec<Fact>,
    by_tests: FxHashMap<Vec<TestId>, FactId>,
}

impl Facts {
    /// The facts of a way.
    fn add_all(&mut self, way: &[Vec<TestId>]) -> Vec<FactId> {
        let mut facts: Vec<FactId> = way.iter().map(|tests| self.add(tests)).collect();
        facts.sort_unstable();
        facts.dedup();
        facts
    }

    fn add(&mut self, tests: &[TestId]) -> FactId {
        let mut tests = tests.to_vec();
        tests.sort_unstable();
        tests.dedup();
        let next = FactId::new(self.list.len());
        let id = *self.by_tests.entry(tests.clone()).or_insert(next);
        if id == next {
            self.list.push(Fact { tests, required: false, choices: Vec::new() });
        }
        id
    }

    fn require(&mut self, facts: &[FactId]) {
        for fact in facts {
            self.list[fact.index()].required = true;
        }
    }

    fn offer(&mut self, ways: &Choice, choice: ChoiceId) {
        for fact in ways.iter().flatten() {
            let choices = &mut self.list[fact.index()].choices;
            if choices.last() != Some(&choice) {
                choices.push(choice);
            }
        }
    }
}

#[cfg(test)]
mod tests;
