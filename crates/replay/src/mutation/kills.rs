//! Which test killed which mutant, and how.

use obligato_model::BitSet;
use obligato_system::lanes::{Mask, WORDS, lanes};

use super::Found;

/// What the tests of a suite did to mutants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kills {
    /// By test.
    pub tests: Vec<TestKills>,
    mutants: usize,
}

/// What one test did; sets of mutants by their positions.
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

    /// Takes over what the same tests did to the mutants from `start` on.
    pub(super) fn insert(&mut self, start: usize, other: &Self) {
        for (test, other) in self.tests.iter_mut().zip(&other.tests) {
            for (set, other) in test.sets().into_iter().zip(other.clone().sets()) {
                other.iter().for_each(|mutant| set.insert(start + mutant));
            }
        }
    }

    /// How many mutants there are.
    pub fn mutants(&self) -> usize {
        self.mutants
    }

    /// What the tests did together.
    pub fn together(&self) -> TestKills {
        let mut all = TestKills::new(self.mutants);
        for test in &self.tests {
            all.unite(test);
        }
        all
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

    /// Was the mutant told from the original, by what is compared or by a fault at run time?
    pub fn kills(&self, mutant: usize) -> bool {
        self.strong.contains(mutant) || self.faulted.contains(mutant)
    }

    /// The mutants that were told from the original.
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
    pub(super) fn add(&mut self, start: usize, found: &Found) {
        let masks: [Mask<WORDS>; 4] = [found.executed, found.weak, found.strong, found.faulted];
        for (set, mask) in self.sets().into_iter().zip(masks) {
            lanes(mask).for_each(|lane| set.insert(start + lane - 1));
        }
    }
}
