//! Which test killed which mutant, and how.

use obligato_model::BitSet;
use obligato_transition_system::lanes::{Mask, WORDS, lanes};

use super::Found;

/// What the tests of a suite did to mutants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kills {
    /// By test.
    pub tests: Vec<TestKills>,
    mutants: usize,
}

/// What became of a mutant. Of what happens to it in several tests, the latest here counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fate {
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

impl Fate {
    /// Was it told from the original?
    pub fn is_killed(self) -> bool {
        matches!(self, Self::Faulted | Self::Killed)
    }
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

    /// What the tests did together.
    pub fn together(&self) -> TestKills {
        let mut all = TestKills::new(self.mutants);
        for test in &self.tests {
            all.unite(test);
        }
        all
    }

    /// What became of a mutant.
    pub fn fate(&self, mutant: usize) -> Fate {
        let mut fate = Fate::NotExecuted;
        for test in &self.tests {
            fate = fate.max(test.fate(mutant));
            if fate.is_killed() {
                break;
            }
        }
        fate
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

    fn fate(&self, mutant: usize) -> Fate {
        let sets = [&self.strong, &self.faulted, &self.weak, &self.executed];
        let fates = [Fate::Killed, Fate::Faulted, Fate::WeaklyKilled, Fate::Unnoticed];
        let found = sets.iter().zip(fates).find(|(set, _)| set.contains(mutant));
        found.map_or(Fate::NotExecuted, |(_, fate)| fate)
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
