//! Ways to remarkable states: how tests start that go further than others.
//!
//! A prefix is remarkable if it showed something new, or if it led to a state that nobody had been to. From the
//! pool new tests are grown, from those that lead far or where few have been first; and engines that search from a
//! state take theirs from here.

use std::collections::VecDeque;
use std::sync::Arc;

use obligato_model::{Random, Step};
use rustc_hash::{FxHashMap, FxHashSet};

/// So many ways to new states are kept.
const MOST_WAYS: usize = 4096;

/// So many values of inputs are kept for them.
const MOST_VALUES: usize = 1 << 20;

/// So many states are told apart.
const MOST_STATES: usize = 1 << 18;

/// A way to a state: the first steps of a test.
#[derive(Clone, Debug)]
pub struct Prefix {
    test: Arc<Vec<Step>>,
    length: usize,
    /// Where it leads, as far as that is known.
    state: Option<u64>,
    /// So many tests were grown from it.
    grown: u32,
}

impl Prefix {
    /// Its steps.
    pub fn steps(&self) -> &[Step] {
        &self.test[..self.length]
    }
}

/// All prefixes, and how often states were met.
#[derive(Clone, Debug, Default)]
pub struct Pool {
    /// Tests that showed something new.
    tests: Vec<Prefix>,
    /// Ways to states that were new, the latest last.
    ways: VecDeque<Prefix>,
    /// How many values of inputs the ways hold.
    values: usize,
    visits: FxHashMap<u64, u32>,
}

impl Pool {
    /// Adds a test that showed something new, and the state it led to.
    pub fn add_test(&mut self, steps: &[Step], state: Option<u64>) {
        let test = Arc::new(steps.to_vec());
        self.tests.push(Prefix { test, length: steps.len(), state, grown: 0 });
    }

    /// Takes note of the states that a test was in before each of its steps, and adds the ways to
    /// those that are new. Says how many are.
    pub fn add_states(&mut self, steps: &[Step], states: &[u64]) -> usize {
        let mut new = Vec::new();
        for (length, state) in states.iter().enumerate() {
            if let Some(visits) = self.visits.get_mut(state) {
                *visits = visits.saturating_add(1);
            } else if self.visits.len() < MOST_STATES {
                self.visits.insert(*state, 1);
                new.push((length, *state));
            }
        }
        if let Some((longest, _)) = new.last() {
            let test = Arc::new(steps[..*longest].to_vec());
            self.values += values_of(&test);
            self.ways.extend(new.iter().map(|(length, state)| Prefix {
                test: Arc::clone(&test),
                length: *length,
                state: Some(*state),
                grown: 0,
            }));
        }
        while self.ways.len() > MOST_WAYS || self.values > MOST_VALUES {
            let Some(oldest) = self.ways.pop_front() else { break };
            // The last of those that share a test takes it along.
            if let Ok(test) = Arc::try_unwrap(oldest.test) {
                self.values -= values_of(&test);
            }
        }
        new.len()
    }

    /// A prefix to grow a test from, shorter than so many steps: of a few, the one that leads where
    /// fewest have been, or the longest.
    pub fn choose(&mut self, steps: usize, random: &mut Random) -> Option<&Prefix> {
        let among_tests = self.ways.is_empty() || !self.tests.is_empty() && random.below(2) == 0;
        let count = if among_tests { self.tests.len() } else { self.ways.len() };
        let at = |at: usize| if among_tests { &self.tests[at] } else { &self.ways[at] };
        let some: [usize; 6] = std::array::from_fn(|_| random.below(count));
        let fitting = some.into_iter().filter(|one| *one < count && at(*one).length < steps);
        let far = random.below(2) == 0;
        let best = fitting.min_by_key(|one| {
            let prefix = at(*one);
            let crowd = self.visits_of(prefix).saturating_add(prefix.grown);
            if far { (usize::MAX - prefix.length, crowd) } else { (0, crowd) }
        })?;
        let best = if among_tests { &mut self.tests[best] } else { &mut self.ways[best] };
        best.grown += 1;
        Some(best)
    }

    fn visits_of(&self, prefix: &Prefix) -> u32 {
        prefix.state.and_then(|state| self.visits.get(&state)).copied().unwrap_or(0)
    }

    /// A prefix to each state that has one: those where few have been first, then the longer ones.
    pub fn rarest(&self) -> Vec<&Prefix> {
        let mut prefixes: Vec<&Prefix> = self.tests.iter().chain(&self.ways).collect();
        prefixes.sort_by_key(|prefix| (self.visits_of(prefix), usize::MAX - prefix.length));
        let mut known = FxHashSet::default();
        prefixes.retain(|prefix| prefix.state.is_some_and(|state| known.insert(state)));
        prefixes
    }
}

fn values_of(steps: &[Step]) -> usize {
    steps.iter().map(Vec::len).sum()
}
