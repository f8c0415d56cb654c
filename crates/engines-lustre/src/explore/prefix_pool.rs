//! The pool of test prefixes that showed new events or reached new states.
//!
//! New tests extend prefixes of the pool, preferably long ones or those to rarely visited states; engines that search from
//! concrete states take theirs from here.

use std::collections::VecDeque;
use std::sync::Arc;

use obligato_model::{Random, Step};
use rustc_hash::{FxHashMap, FxHashSet};

/// The most prefixes to new states.
const MOST_PREFIXES: usize = 4096;

/// The most input values of all prefixes.
const MOST_VALUES: usize = 1 << 20;

/// The most states.
const MOST_STATES: usize = 1 << 18;

/// A prefix of a test, which leads to a state.
#[derive(Clone, Debug)]
pub struct Prefix {
    test: Arc<Vec<Step>>,
    length: usize,
    /// The state it leads to, if known.
    state: Option<u64>,
    /// The number of tests that extend it.
    grown: u32,
}

impl Prefix {
    /// Its steps.
    pub fn steps(&self) -> &[Step] {
        &self.test[..self.length]
    }

    /// The number of the state it leads to, if known.
    pub fn state(&self) -> Option<u64> {
        self.state
    }
}

/// All prefixes, and the visits of states.
#[derive(Clone, Debug, Default)]
pub struct PrefixPool {
    /// Tests that showed new events.
    tests: Vec<Prefix>,
    /// Prefixes to states that were new, the latest last.
    by_state: VecDeque<Prefix>,
    /// The number of input values of these prefixes.
    values: usize,
    visits: FxHashMap<u64, u32>,
}

impl PrefixPool {
    /// Adds a test that showed new events, and the state it led to.
    pub fn add_test(&mut self, steps: &[Step], state: Option<u64>) {
        let test = Arc::new(steps.to_vec());
        self.tests.push(Prefix { test, length: steps.len(), state, grown: 0 });
    }

    /// Counts the states before each step of a test, and adds the prefixes to
    /// those that are new. Returns their number.
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
            self.by_state.extend(new.iter().map(|(length, state)| Prefix {
                test: Arc::clone(&test),
                length: *length,
                state: Some(*state),
                grown: 0,
            }));
        }
        while self.by_state.len() > MOST_PREFIXES || self.values > MOST_VALUES {
            let Some(oldest) = self.by_state.pop_front() else { break };
            // Prefixes share a test; the last one drops it.
            if let Ok(test) = Arc::try_unwrap(oldest.test) {
                self.values -= values_of(&test);
            }
        }
        new.len()
    }

    /// A prefix to extend, shorter than so many steps: of a few, the one whose state has the
    /// fewest visits, or the longest.
    pub fn choose(&mut self, steps: usize, random: &mut Random) -> Option<&Prefix> {
        let among_tests =
            self.by_state.is_empty() || !self.tests.is_empty() && random.below(2) == 0;
        let count = if among_tests { self.tests.len() } else { self.by_state.len() };
        let at = |at: usize| if among_tests { &self.tests[at] } else { &self.by_state[at] };
        let some: [usize; 6] = std::array::from_fn(|_| random.below(count));
        let fitting = some.into_iter().filter(|one| *one < count && at(*one).length < steps);
        let far = random.below(2) == 0;
        let best = fitting.min_by_key(|one| {
            let prefix = at(*one);
            let crowd = self.visits_of(prefix).saturating_add(prefix.grown);
            if far { (usize::MAX - prefix.length, crowd) } else { (0, crowd) }
        })?;
        let best = if among_tests { &mut self.tests[best] } else { &mut self.by_state[best] };
        best.grown += 1;
        Some(best)
    }

    fn visits_of(&self, prefix: &Prefix) -> u32 {
        prefix.state.and_then(|state| self.visits.get(&state)).copied().unwrap_or(0)
    }

    /// A prefix to each state that has one: fewest visits first, then the longer ones.
    pub fn rarest(&self) -> Vec<&Prefix> {
        let mut prefixes: Vec<&Prefix> = self.tests.iter().chain(&self.by_state).collect();
        prefixes.sort_by_key(|prefix| (self.visits_of(prefix), usize::MAX - prefix.length));
        let mut known = FxHashSet::default();
        prefixes.retain(|prefix| prefix.state.is_some_and(|state| known.insert(state)));
        prefixes
    }
}

fn values_of(steps: &[Step]) -> usize {
    steps.iter().map(Vec::len).sum()
}
