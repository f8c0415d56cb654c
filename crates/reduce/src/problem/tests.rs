//! What becomes of obligations in a problem.

use super::*;

fn tests(places: &[usize]) -> Vec<TestId> {
    places.iter().copied().map(TestId::new).collect()
}

fn any_of(places: &[usize]) -> Grounds {
    Grounds { ways: vec![vec![tests(places)]] }
}

fn pairs(ways: &[(&[usize], &[usize])]) -> Grounds {
    Grounds { ways: ways.iter().map(|(a, b)| vec![tests(a), tests(b)]).collect() }
}

#[test]
fn obligations_that_the_same_tests_cover_are_one_fact() {
    let problem = Problem::new(3, &[any_of(&[0, 2]), any_of(&[2, 0, 0]), any_of(&[1])]);
    assert_eq!((problem.facts(), problem.required().len()), (2, 2));
    assert!(problem.is_kept_by(&tests(&[1, 2])));
    assert!(!problem.is_kept_by(&tests(&[0, 2])));
}

#[test]
fn a_single_way_asks_for_all_its_facts() {
    let problem = Problem::new(4, &[pairs(&[(&[0, 1], &[2, 3])])]);
    assert_eq!((problem.required().len(), problem.choices().len()), (2, 0));
    assert!(!problem.is_kept_by(&tests(&[0, 1])));
    assert!(problem.is_kept_by(&tests(&[1, 2])));
}

#[test]
fn a_choice_is_kept_by_a_pair_of_one_way_but_not_across_two() {
    let ways: &[(&[usize], &[usize])] = &[(&[0], &[1]), (&[2], &[3])];
    let problem = Problem::new(4, &[pairs(ways), pairs(&[(&[3], &[2]), (&[1], &[0])])]);
    assert_eq!(problem.choices().len(), 1, "both say the same");
    assert!(problem.is_kept_by(&tests(&[0, 1])));
    assert!(problem.is_kept_by(&tests(&[2, 3])));
    assert!(!problem.is_kept_by(&tests(&[0, 3])));
}

#[test]
fn a_test_may_be_its_own_partner() {
    let problem = Problem::new(3, &[pairs(&[(&[0, 1], &[1, 2])])]);
    assert!(problem.is_kept_by(&tests(&[1])));
}

#[test]
fn what_cannot_be_kept_is_not_asked_for() {
    let impossible = Grounds { ways: vec![vec![tests(&[0]), Vec::new()]] };
    let problem = Problem::new(1, &[impossible, Grounds::default()]);
    assert!(problem.is_empty() && problem.is_kept_by(&[]));
}
