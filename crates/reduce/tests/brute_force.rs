//! The three reductions against a search over all subsets, on small random problems with and
//! without pairs.

use std::time::Duration;

use obligato_criteria::Grounds;
use obligato_model::TestId;
use obligato_reduce::{Bounds, ExactBudget, Problem, exact, greedy, randomised};
use obligato_solver::Stop;
use proptest::prelude::*;

const TESTS: usize = 12;
const PLENTY: ExactBudget = ExactBudget::Conflicts(1_000_000);

/// The tests of a bit mask.
fn members(mask: u32) -> Vec<TestId> {
    (0..TESTS).filter(|test| mask >> test & 1 == 1).map(TestId::new).collect()
}

/// What a problem asks for, as masks: ways of sets of tests.
type Asked = Vec<Vec<Vec<u32>>>;

fn grounds(asked: &Asked) -> Vec<Grounds> {
    let way = |way: &Vec<u32>| way.iter().map(|set| members(*set)).collect();
    asked.iter().map(|ways| Grounds { ways: ways.iter().map(way).collect() }).collect()
}

/// By the definition: does the subset have a test in each set of some way, for all obligations?
fn keeps(asked: &Asked, subset: u32) -> bool {
    asked.iter().all(|ways| ways.iter().any(|way| way.iter().all(|set| set & subset != 0)))
}

fn minimum(asked: &Asked) -> usize {
    let subsets = (0..1_u32 << TESTS).filter(|subset| keeps(asked, *subset));
    subsets.map(|subset| subset.count_ones() as usize).min().expect("all tests do")
}

fn mask(tests: &[TestId]) -> u32 {
    tests.iter().fold(0, |mask, test| mask | 1 << test.index())
}

fn any_set() -> impl Strategy<Value = u32> + Clone {
    // Two masks together make sparser sets, which take more tests to hit.
    (1..1_u32 << TESTS, any::<u32>(), 0..TESTS).prop_map(|(a, b, one)| a & b | 1 << one)
}

fn any_problem() -> impl Strategy<Value = Asked> {
    let plain = any_set().prop_map(|set| vec![vec![set]]);
    let pair = || proptest::collection::vec(any_set(), 1..=3);
    let choice = proptest::collection::vec(pair(), 1..=4);
    prop_oneof![
        proptest::collection::vec(plain.clone(), 0..30),
        proptest::collection::vec(choice.clone(), 0..20),
        proptest::collection::vec(prop_oneof![2 => plain, 1 => choice], 0..30),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn exact_is_the_minimum_and_the_others_keep_everything(asked in any_problem(), seed: u64) {
        let problem = Problem::new(TESTS, &grounds(&asked));
        let least = minimum(&asked);
        let Bounds { kept, at_least } = exact::reduce(&problem, &[], PLENTY, &Stop::never());
        prop_assert_eq!((kept.len(), at_least), (least, least));
        let greedy = greedy::reduce(&problem);
        let random = randomised::reduce(&problem, seed);
        for kept in [kept, greedy, random] {
            prop_assert!(keeps(&asked, mask(&kept)), "{kept:?}");
            prop_assert!(problem.is_kept_by(&kept));
            prop_assert!(kept.is_sorted_by(|a, b| a < b));
            prop_assert!(kept.len() >= least);
        }
    }

    #[test]
    fn bounds_are_true_whatever_is_known_and_the_budget(
        asked in any_problem(),
        known in any::<u32>(),
        conflicts in 0..20_u64,
    ) {
        let problem = Problem::new(TESTS, &grounds(&asked));
        let least = minimum(&asked);
        let known = members(known);
        let Bounds { kept, at_least } =
            exact::reduce(&problem, &known, ExactBudget::Conflicts(conflicts), &Stop::never());
        prop_assert!(keeps(&asked, mask(&kept)));
        prop_assert!(kept.len() <= known.len() || !problem.is_kept_by(&known));
        prop_assert!(at_least <= least && least <= kept.len());
    }

    #[test]
    fn greedy_keeps_no_test_that_could_go(asked in any_problem()) {
        let problem = Problem::new(TESTS, &grounds(&asked));
        let kept = mask(&greedy::reduce(&problem));
        for test in members(kept) {
            prop_assert!(!keeps(&asked, kept & !(1 << test.index())), "{test:?} could go");
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_reductions(asked in any_problem(), seed: u64) {
        let problem = Problem::new(TESTS, &grounds(&asked));
        let all = || randomised::reductions(&problem, seed, 5).collect::<Vec<_>>();
        prop_assert_eq!(all(), all());
        prop_assert_eq!(&all()[0], &randomised::reduce(&problem, seed));
    }
}

/// Without pairs, the procedure of the paper: what is kept adds to what was kept before it, so
/// in some order each test has something of its own.
#[test]
fn a_plain_problem_is_reduced_as_in_the_paper() {
    // Test 0 covers all; 1, 2 and 3 cover a third each.
    let asked: Asked = vec![vec![vec![0b0011]], vec![vec![0b0101]], vec![vec![0b1001]]];
    let problem = Problem::new(4, &grounds(&asked));
    let sizes: Vec<usize> =
        randomised::reductions(&problem, 1, 60).map(|kept| kept.len()).collect();
    // Test 0 first, second, third, or last, when it adds nothing any more.
    assert!([1, 2, 3].iter().all(|size| sizes.contains(size)), "{sizes:?}");
    assert!(sizes.iter().all(|size| (1..=3).contains(size)), "{sizes:?}");
}

/// Steiner triples: 35 sets of 3 over 15 points, a set cover known to be hard for its size.
fn steiner() -> Problem {
    let lines = (1..16_usize).flat_map(|a| (a + 1..16).map(move |b| [a, b, a ^ b]));
    let lines = lines.filter(|[_, b, c]| b < c);
    let set = |line: [usize; 3]| line.map(|point| TestId::new(point - 1)).to_vec();
    let grounds: Vec<Grounds> = lines.map(|line| Grounds { ways: vec![vec![set(line)]] }).collect();
    assert_eq!(grounds.len(), 35);
    Problem::new(15, &grounds)
}

#[test]
fn the_lines_of_a_projective_space_need_seven_points_to_hit_them_all() {
    // The complement of a set that hits all lines has none in it: the largest such are the
    // eight points off a hyperplane.
    let Bounds { kept, at_least } = exact::reduce(&steiner(), &[], PLENTY, &Stop::never());
    assert_eq!((kept.len(), at_least), (7, 7));
}

#[test]
fn a_spent_budget_or_a_stop_leaves_bounds_and_says_so() {
    let problem = steiner();
    let cut_short = exact::reduce(&problem, &[], ExactBudget::Conflicts(0), &Stop::never());
    assert!(!cut_short.is_minimum());
    assert!(cut_short.at_least <= 7 && cut_short.kept.len() >= 7);
    assert!(problem.is_kept_by(&cut_short.kept));
    let no_time = exact::reduce(&problem, &[], ExactBudget::Time(Duration::ZERO), &Stop::never());
    assert_eq!(no_time, cut_short);
    let stop = Stop::never();
    stop.request();
    assert_eq!(exact::reduce(&problem, &[], PLENTY, &stop), cut_short);
}
