//! How much the tests kept so far show of a problem.

use obligato_model::TestId;

use crate::problem::{ChoiceId, FactId, Problem};

/// The facts that the kept tests show, and the choices that are made.
#[derive(Clone, Debug)]
pub struct Progress<'p> {
    problem: &'p Problem,
    /// Per fact, how many kept tests show it.
    count: Vec<u32>,
    /// Per choice, whether a way of it is shown.
    made: Vec<bool>,
}

/// What a test would add.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Addition {
    /// Nothing that is asked for.
    Nothing,
    /// Facts of ways that are still missing others.
    Parts,
    /// A required fact, or the last of a way.
    Whole,
}

impl<'p> Progress<'p> {
    /// Nothing is kept yet.
    pub fn new(problem: &'p Problem) -> Self {
        Self {
            problem,
            count: vec![0; problem.facts()],
            made: vec![false; problem.choices().len()],
        }
    }

    /// Is the fact shown?
    pub fn shows(&self, fact: FactId) -> bool {
        self.count[fact.index()] > 0
    }

    /// Is a way of the choice shown?
    pub fn has_made(&self, choice: ChoiceId) -> bool {
        self.made[choice.index()]
    }

    /// Keeps a test; the facts that are new with it.
    pub fn add(&mut self, test: TestId) -> Vec<FactId> {
        let mut new = Vec::new();
        for &fact in self.problem.shown_by(test) {
            if self.count[fact.index()] == 0 {
                new.push(fact);
            }
            self.count[fact.index()] += 1;
        }
        for choice in self.open_choices_with(&new) {
            self.made[choice.index()] = self.is_shown(choice, &|fact| self.shows(fact));
        }
        new
    }

    /// The choices without a shown way in which these facts occur, in order.
    pub fn open_choices_with(&self, facts: &[FactId]) -> Vec<ChoiceId> {
        let all = facts.iter().flat_map(|fact| self.problem.choices_with(*fact)).copied();
        let mut open: Vec<ChoiceId> = all.filter(|choice| !self.has_made(*choice)).collect();
        open.sort_unstable();
        open.dedup();
        open
    }

    /// What keeping the test would add.
    pub fn addition(&self, test: TestId) -> Addition {
        let facts = self.problem.shown_by(test).iter().copied();
        let new: Vec<FactId> = facts.filter(|fact| !self.shows(*fact)).collect();
        if new.iter().any(|fact| self.problem.is_required(*fact)) {
            return Addition::Whole;
        }
        let open = self.open_choices_with(&new);
        let shows = |fact: FactId| self.shows(fact) || new.binary_search(&fact).is_ok();
        if open.iter().any(|choice| self.is_shown(*choice, &shows)) {
            Addition::Whole
        } else if open.is_empty() {
            Addition::Nothing
        } else {
            Addition::Parts
        }
    }

    fn is_shown(&self, choice: ChoiceId, shows: &dyn Fn(FactId) -> bool) -> bool {
        self.problem.choice(choice).iter().any(|way| way.iter().all(|fact| shows(*fact)))
    }

    /// Drops those of the tests, all of them kept, without which nothing is lost, one after the
    /// other; the rest.
    pub fn drop_superfluous(&mut self, tests: impl Iterator<Item = TestId>) -> Vec<TestId> {
        tests.filter(|test| !self.try_to_drop(*test)).collect()
    }

    fn try_to_drop(&mut self, test: TestId) -> bool {
        let facts = self.problem.shown_by(test);
        for fact in facts {
            self.count[fact.index()] -= 1;
        }
        let lost: Vec<FactId> = facts.iter().copied().filter(|fact| !self.shows(*fact)).collect();
        let holds = |fact: &FactId| {
            let mut choices = self.problem.choices_with(*fact).iter();
            !self.problem.is_required(*fact)
                && choices.all(|choice| {
                    !self.has_made(*choice) || self.is_shown(*choice, &|fact| self.shows(fact))
                })
        };
        let superfluous = lost.iter().all(holds);
        if !superfluous {
            for fact in facts {
                self.count[fact.index()] += 1;
            }
        }
        superfluous
    }
}
