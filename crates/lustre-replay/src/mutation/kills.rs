//! The kill matrix: which test killed which mutant, and how.

use obligato_model::BitSet;
use obligato_transition_system::lanes::{Mask, WORDS, lanes};

use super::GroupKills;

/// The kill matrix of a suite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kills {
    /// By test.
    pub tests: Vec<TestKills>,
    mutants: usize,
}

/// The status of a mutant. Of the results of several tests, the latest variant here counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MutantStatus {
    /// It survived: no test computed the changed expression.
    NotExecuted,
    /// It survived: no variable that the changed equation defines ever differed.
    Unnoticed,
    /// It survived: such a variable differed, but nothing that is compared did.
    WeaklyKilled,
    /// The first test to kill it made it fail at run time.
    Faulted,
    /// The first test to kill it made something differ that is compared.
    Killed,
}

impl MutantStatus {
    /// Was it killed?
    pub fn is_killed(self) -> bool {
        matches!(self, Self::Faulted | Self::Killed)
    }
}

/// One row of the kill matrix: sets of mutants, by position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestKills {
    /// Their changed expressions were computed.
    pub executed: BitSet,
    /// A variable that the changed equation defines differed.
    pub weak: BitSet,
    /// Something that is compared differed.
    pub strong: BitSet,
    /// They failed at run time, which the original did not, before anything compared differed.
    pub faulted: BitSet,
}

impl Kills {
    pub(super) fn new(tests: usize, mutants: usize) -> Self {
        Self { tests: vec![TestKills::new(mutants); tests], mutants }
    }

    /// Takes over what the tests from `start` on did to these mutants.
    pub(super) fn insert(&mut self, start: usize, mutants: &[usize], other: &Self) {
        for (test, other) in self.tests[start..].iter_mut().zip(&other.tests) {
            for (set, other) in test.sets().into_iter().zip(other.clone().sets()) {
                other.iter().for_each(|mutant| set.insert(mutants[mutant]));
            }
        }
    }

    /// How many mutants there are.
    pub fn mutants(&self) -> usize {
        self.mutants
    }

    /// The union over all tests.
    pub fn together(&self) -> TestKills {
        let mut all = TestKills::new(self.mutants);
        for test in &self.tests {
            all.unite(test);
        }
        all
    }

    /// The status of a mutant.
    pub fn status(&self, mutant: usize) -> MutantStatus {
        let mut status = MutantStatus::NotExecuted;
        for test in &self.tests {
            status = status.max(test.status(mutant));
            if status.is_killed() {
                break;
            }
        }
        status
    }

    /// The tests that killed a mutant.
    pub fn killers(&self, mutant: usize) -> impl Iterator<Item = usize> + '_ {
        let tests = self.tests.iter().enumerate();
        tests.filter(move |(_, test)| test.kills(mutant)).map(|(index, _)| index)
    }
}

impl TestKills {
    fn new(mutants: usize) -> Self {
        let none = || BitSet::empty(mutants);
        Self { executed: none(), weak: none(), strong: none(), faulted: none() }
    }

    /// Was the mutant killed, by a compared value or by a runtime error?
    pub fn kills(&self, mutant: usize) -> bool {
        self.strong.contains(mutant) || self.faulted.contains(mutant)
    }

    fn status(&self, mutant: usize) -> MutantStatus {
        let sets = [&self.strong, &self.faulted, &self.weak, &self.executed];
        let statuses = [
            MutantStatus::Killed,
            MutantStatus::Faulted,
            MutantStatus::WeaklyKilled,
            MutantStatus::Unnoticed,
        ];
        let found = sets.iter().zip(statuses).find(|(set, _)| set.contains(mutant));
        found.map_or(MutantStatus::NotExecuted, |(_, status)| status)
    }

    /// The killed mutants.
    pub fn killed(&self) -> BitSet {
        let mut killed = self.strong.clone();
        killed.unite(&self.faulted);
        killed
    }

    fn sets(&mut self) -> [&mut BitSet; 4] {
        [&mut self.executed, &mut self.weak, &mut self.strong, &mut self.faulted]
    }

    fn unite(&mut self, other: &Self) {
        self.executed.unite(&other.executed);
        self.weak.unite(&other.weak);
        self.strong.unite(&other.strong);
        self.faulted.unite(&other.faulted);
    }

    /// Takes over what was found in lanes; lane 1 has the mutant at `start`.
    pub(super) fn add(&mut self, start: usize, found: &GroupKills) {
        let masks: [Mask<WORDS>; 4] = [found.executed, found.weak, found.strong, found.faulted];
        for (set, mask) in self.sets().into_iter().zip(masks) {
            lanes(mask).for_each(|lane| set.insert(start + lane - 1));
        }
    }
}
