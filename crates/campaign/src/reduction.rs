//! New tests that the others make superfluous are left out; given tests all stay.

use obligato_criteria::{Evidence, Grounds, grounds};
use obligato_model::{Assessment, Program, TestId};
use obligato_reduce::{ExactBudget, Problem, exact, greedy};
use obligato_solver::Stop;

/// What the search for the fewest tests may take, counted so that it is the same everywhere.
const CONFLICTS: u64 = 20_000;

/// The tests that are needed for what an assessment says is covered, of which the first `given` stay anyhow.
pub fn needed(
    program: &Program,
    assessment: &Assessment,
    evidence: &Evidence,
    given: usize,
) -> Vec<TestId> {
    let mut grounds = grounds(program, assessment, evidence);
    for grounds in &mut grounds {
        rest_on_given(grounds, given);
    }
    // What the given tests show by themselves asks for nothing.
    grounds.retain(|grounds| grounds.ways.iter().all(|way| !way.is_empty()));
    let problem = Problem::new(evidence.tests().len(), &grounds);
    let known = greedy::reduce(&problem);
    exact::reduce(&problem, &known, ExactBudget::Conflicts(CONFLICTS), &Stop::never()).kept
}

/// Takes out what a given test shows, as that stays.
fn rest_on_given(grounds: &mut Grounds, given: usize) {
    for way in &mut grounds.ways {
        way.retain(|tests| tests.iter().all(|test| test.index() >= given));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tests(indices: &[usize]) -> Vec<TestId> {
        indices.iter().map(|index| TestId::new(*index)).collect()
    }

    #[test]
    fn only_what_no_given_test_shows_is_asked_of_new_ones() {
        let pair = vec![tests(&[0, 3]), tests(&[2, 4])];
        let new = vec![tests(&[2]), tests(&[3])];
        let mut grounds = Grounds { ways: vec![pair, new.clone(), vec![tests(&[1])]] };
        rest_on_given(&mut grounds, 2);
        assert_eq!(grounds.ways, [vec![tests(&[2, 4])], new, vec![]]);
    }
}
