//! Makes a problem smaller without losing the fewest tests that solve it.
//!
//! 1. A required fact that a single test shows makes that test *essential*: it is taken, and
//!    what it shows is shown.
//! 2. A fact that all tests of a required fact show, and others too, is shown for free.
//! 3. A test that shows nothing but what one other test shows is not needed.
//!
//! Each step may enable the others, so they go round until nothing changes. They are valid with
//! choices too, because keeping more facts never loses a way.

use obligato_criteria::Grounds;
use obligato_model::TestId;
use rustc_hash::FxHashSet;

use super::budget::RunningBudget;
use crate::problem::{FactId, Problem};

/// Later rounds find less and less; nothing depends on finding everything.
const MOST_ROUNDS: usize = 50;

/// The essential tests, and the problem that is left without what they show.
pub fn simplify(problem: &Problem, budget: &RunningBudget) -> (Vec<TestId>, Problem) {
    let mut essential = Vec::new();
    let mut problem = problem.clone();
    for _ in 0..MOST_ROUNDS {
        let before = (essential.len(), size(&problem));
        let taken = essential_tests(&problem);
        problem = without_free_facts(&problem, &taken);
        essential.extend(taken);
        problem = without_dominated_tests(&problem);
        if (essential.len(), size(&problem)) == before || budget.share().is_none() {
            break;
        }
    }
    (essential, problem)
}

/// How much there is to keep, and how many ways to.
fn size(problem: &Problem) -> usize {
    let facts = (0..problem.facts()).map(|fact| problem.tests_of(FactId::new(fact)).len());
    let ways = problem.choices().iter().flatten().map(Vec::len);
    facts.chain(ways).sum()
}

fn essential_tests(problem: &Problem) -> Vec<TestId> {
    let tests = problem.required().iter().filter_map(|fact| match problem.tests_of(*fact) {
        [only] => Some(*only),
        _ => None,
    });
    let mut tests: Vec<TestId> = tests.collect();
    tests.sort_unstable();
    tests.dedup();
    tests
}

fn without_free_facts(problem: &Problem, taken: &[TestId]) -> Problem {
    let mut free = vec![false; problem.facts()];
    for fact in taken.iter().flat_map(|test| problem.shown_by(*test)) {
        free[fact.index()] = true;
    }
    let facts = (0..problem.facts()).map(FactId::new);
    let sets = Sets::new(facts.map(|fact| problem.tests_of(fact)), TestId::index);
    for fact in problem.required() {
        let tests = problem.tests_of(*fact);
        // Whatever shows more than this fact's tests has the rarest of them, too.
        let rarest = tests.iter().min_by_key(|test| problem.shown_by(**test).len());
        for other in rarest.map_or(&[][..], |test| problem.shown_by(*test)) {
            let larger = problem.tests_of(*other).len() > tests.len();
            if larger && sets.includes(other.index(), fact.index()) {
                free[other.index()] = true;
            }
        }
    }
    remainder(problem, |fact| free[fact.index()], |_| true)
}

fn without_dominated_tests(problem: &Problem) -> Problem {
    let tests = || (0..problem.tests()).map(TestId::new);
    let sets = Sets::new(tests().map(|test| problem.shown_by(test)), FactId::index);
    let mut stays = vec![true; problem.tests()];
    for test in tests() {
        let shown = problem.shown_by(test);
        let rarest = shown.iter().min_by_key(|fact| problem.tests_of(**fact).len());
        let others = rarest.map_or(&[][..], |fact| problem.tests_of(*fact));
        let dominated = others.iter().any(|other| {
            let more = problem.shown_by(*other).len() > shown.len();
            // Of tests that show the same, the first stays.
            let first = problem.shown_by(*other).len() == shown.len() && *other < test;
            (more || first) && sets.includes(other.index(), test.index())
        });
        stays[test.index()] = !dominated;
    }
    remainder(problem, |_| false, |test| stays[test.index()])
}

/// Sets to be compared, each with a word in which its members leave a bit each: most sets
/// that are not included in another differ there.
struct Sets<'p, T> {
    members: Vec<&'p [T]>,
    words: Vec<u64>,
}

impl<'p, T: Copy + Ord> Sets<'p, T> {
    /// Sets whose members are in order and have places.
    fn new(members: impl Iterator<Item = &'p [T]>, place: fn(T) -> usize) -> Self {
        let members: Vec<&[T]> = members.collect();
        let bit = |member: &T| 1_u64 << (place(*member) % 64);
        let words = members.iter().map(|set| set.iter().map(bit).fold(0, |all, bit| all | bit));
        let words = words.collect();
        Self { members, words }
    }

    /// Is the small set part of the large one?
    fn includes(&self, large: usize, small: usize) -> bool {
        if self.words[small] & !self.words[large] != 0 {
            return false;
        }
        let mut larger = self.members[large].iter();
        self.members[small]
            .iter()
            .all(|member| larger.find(|other| *other >= member) == Some(member))
    }
}

/// What is left of `problem`: facts that `is_free` holds of need not be asked for, and tests that
/// `stays` does not hold of show nothing.
fn remainder(
    problem: &Problem,
    is_free: impl Fn(FactId) -> bool,
    stays: impl Fn(TestId) -> bool,
) -> Problem {
    let tests_of = |fact: &FactId| -> Vec<TestId> {
        problem.tests_of(*fact).iter().copied().filter(|test| stays(*test)).collect()
    };
    let required = problem.required().iter().filter(|fact| !is_free(**fact));
    let required = required.map(|fact| Grounds { ways: vec![vec![tests_of(fact)]] });
    let choices = problem.choices().iter().filter_map(|choice| {
        let ask = |way: &Vec<FactId>| way.iter().copied().filter(|fact| !is_free(*fact)).collect();
        let ways = easiest(choice.iter().map(ask).collect());
        // A way that asks for nothing is shown already.
        let open = ways.iter().all(|way| !way.is_empty());
        let ways = ways.iter().map(|way| way.iter().map(tests_of).collect());
        open.then(|| Grounds { ways: ways.collect() })
    });
    let grounds: Vec<Grounds> = required.chain(choices).collect();
    Problem::new(problem.tests(), &grounds)
}

/// The ways without those that ask for what another asks for alone, and more.
fn easiest(mut ways: Vec<Vec<FactId>>) -> Vec<Vec<FactId>> {
    let single = |way: &Vec<FactId>| if let [only] = way[..] { Some(only) } else { None };
    let alone: FxHashSet<FactId> = ways.iter().filter_map(single).collect();
    ways.retain(|way| way.len() < 2 || !way.iter().any(|fact| alone.contains(fact)));
    ways
}
