//! The walk, for a made-up language: decisions as text, whose engine has a table of tests.

use obligato_criteria::{Vectors, collect};
use obligato_decisions_file::{BoundFormulas, Formulas, ReplayError};
use obligato_model::{
    Bound, Criterion, Independence, Method, Proof, Spent, Suite, TestId, Type, Undecided, Value,
    Variable,
};

use super::*;
use crate::budget::Budget;
use crate::judging::{Conclusion, Gaps};
use crate::phase::Phase;
use crate::status::Status;

const MCDC: Criterion = Criterion::Mcdc(Independence::Masking);

/// Decisions over `a` and `b`, the tests that its engine makes, and what it concludes of everything else.
#[derive(Debug)]
struct Table {
    bound: BoundFormulas,
    made: Vec<[bool; 2]>,
    /// Obligations that the engine says it covers, by their positions in the plan.
    claimed: Vec<usize>,
    refused: Vec<usize>,
    shown: Option<Evidence>,
    conclusion: Conclusion,
    replays: Vec<(usize, Purpose)>,
}

impl Table {
    fn new(text: &str, made: &[[bool; 2]]) -> Self {
        let bound = Formulas::parse("table", text).expect("formulas").bind(&inputs());
        let limit = Limit::Spent(Spent::Work(1));
        Self {
            bound: bound.expect("bound"),
            made: made.to_vec(),
            claimed: Vec::new(),
            refused: Vec::new(),
            shown: None,
            conclusion: Conclusion::Open(limit),
            replays: Vec::new(),
        }
    }
}

fn inputs() -> Vec<Variable> {
    ["a", "b"].map(|name| Variable { name: name.to_owned(), kind: Type::Bool }).into()
}

fn test(name: &str, values: [bool; 2]) -> TestCase {
    let step = values.iter().map(|value| Some(Value::Bool(*value))).collect();
    TestCase { name: name.to_owned(), steps: vec![step] }
}

impl Language for Table {
    type Found = &'static str;
    type Runs = usize;
    type Agreement = ();
    type Error = ReplayError;

    fn program(&self) -> &Program {
        &self.bound.program
    }

    fn search(
        &mut self,
        request: &Request<()>,
        _: &Stop,
        _: &mut dyn Watcher,
    ) -> Result<Searched<Self::Found>, ReplayError> {
        let plan = self.plan(&request.criteria);
        let conclusions = Conclusions::on(&plan, |_| Some(self.conclusion.clone()));
        let tests = self.made.iter().enumerate().map(|(at, values)| MadeTest {
            test: test(&format!("g{at}"), *values),
            phase: Phase::Random,
        });
        let (tests, limit, phases) = (tests.collect(), None, Vec::new());
        let claimed = self.claimed.iter().map(|at| plan.obligations[*at].key.clone()).collect();
        Ok(Searched { tests, claimed, conclusions, limit, phases, found: "a table" })
    }

    fn confirm(&mut self, _: &[TestCase]) -> Result<Confirmed<()>, ReplayError> {
        let refused = self.refused.iter().map(|at| TestId::new(*at)).collect();
        let shown = self.shown.clone();
        Ok(Confirmed { refused, doubted: Vec::new(), shown, agreement: () })
    }

    fn replay(
        &mut self,
        tests: &[TestCase],
        _: &[Criterion],
        purpose: Purpose,
    ) -> Result<Replayed<usize>, ReplayError> {
        self.replays.push((tests.len(), purpose));
        let suite = Suite { inputs: inputs(), tests: tests.to_vec() };
        let recording = self.bound.replay(&suite)?;
        let evidence = collect(self.program(), &recording, Vectors::Keep).expect("consistent");
        Ok(Replayed { evidence, runs: tests.len() })
    }

    fn gaps(&self, _: &usize) -> Gaps {
        Gaps::default()
    }
}

fn request(given: Vec<TestCase>) -> Request<()> {
    Request {
        subject: (),
        criteria: vec![MCDC],
        given,
        phases: vec![Phase::Random],
        budget: Budget::Work(1),
        seed: 0,
        threads: 1,
        shard: None,
    }
}

fn walked(
    table: &mut Table,
    given: Vec<TestCase>,
    superfluous: Superfluous,
) -> Result<Walked<Table>, WalkError<ReplayError>> {
    walked_with_failing(table, given, &[], superfluous)
}

fn walked_with_failing(
    table: &mut Table,
    given: Vec<TestCase>,
    failing: &[TestCase],
    superfluous: Superfluous,
) -> Result<Walked<Table>, WalkError<ReplayError>> {
    walk(table, &request(given), failing, superfluous, &Stop::never(), &mut |_: &Status| {})
}

fn names(walked: &Walked<Table>) -> Vec<&str> {
    walked.made.iter().map(|made| made.test.name.as_str()).collect()
}

const ALL: [[bool; 2]; 5] =
    [[false, true], [false, false], [true, true], [true, false], [true, true]];

#[test]
fn superfluous_new_tests_are_left_out_and_given_ones_stay() {
    let given = vec![test("mine", [false, true]), test("yours", [false, true])];
    let mut table = Table::new("a && b", &ALL);
    let walked = walked(&mut table, given, Superfluous::LeaveOut).expect("walked");
    assert_eq!((walked.given.len(), walked.left_out), (2, 3));
    assert_eq!(names(&walked), ["g2", "g3"]);
    assert_eq!(walked.assessment.tally(MCDC).covered, 4);
    assert_eq!(walked.assessment.tests, ["mine", "yours", "g2", "g3"]);
    assert_eq!(table.replays, [(7, Purpose::Choice), (4, Purpose::Report)]);
    assert_eq!((walked.runs, walked.found), (4, "a table"));
}

#[test]
fn all_tests_stay_if_that_is_asked_for_and_are_replayed_once() {
    let mut table = Table::new("a && b", &ALL);
    let walked = walked(&mut table, Vec::new(), Superfluous::Keep).expect("walked");
    assert_eq!((walked.made.len(), walked.left_out), (5, 0));
    assert_eq!(table.replays, [(5, Purpose::Report)]);
}

#[test]
fn a_test_that_comes_out_otherwise_elsewhere_covers_nothing() {
    let mut table = Table::new("a && b", &ALL[..4]);
    table.refused = vec![3];
    let walked = walked(&mut table, Vec::new(), Superfluous::LeaveOut).expect("walked");
    assert_eq!(walked.refused, ["g3"]);
    let open = Verdict::Unresolved(Limit::Spent(Spent::Work(1)));
    // Only the refused test has `b` false while `a` is true.
    assert_eq!(walked.assessment.tally(MCDC).covered, 3);
    assert_eq!(walked.assessment.verdicts.iter().filter(|one| **one == open).count(), 1);
}

#[test]
fn a_proof_that_a_test_contradicts_is_an_error() {
    let mut table = Table::new("a && b", &ALL);
    let proof = Proof { method: Method::Invariant, assumptions: Vec::new() };
    table.conclusion = Conclusion::Refuted(proof);
    let error = walked(&mut table, Vec::new(), Superfluous::Keep).expect_err("contradicted");
    assert!(matches!(error, WalkError::Judge(JudgeError::Refuted { .. })), "{error}");
}

#[test]
fn a_refutation_of_what_happened_elsewhere_is_withdrawn_with_all_about_its_decision() {
    let mut table = Table::new("a && b", &[]);
    let proof = Proof { method: Method::Invariant, assumptions: Vec::new() };
    table.conclusion = Conclusion::Refuted(proof.clone());
    let refuted = walked(&mut table, Vec::new(), Superfluous::Keep).expect("walked");
    assert_eq!(refuted.assessment.tally(MCDC).uncoverable, 4);
    assert_eq!(refuted.contradicted, []);

    let elsewhere =
        Suite { inputs: inputs(), tests: vec![test("t", [true, true]), test("u", [false, true])] };
    let recording = table.bound.replay(&elsewhere).expect("replayed");
    let shown = collect(table.program(), &recording, Vectors::Keep).expect("consistent");
    table.shown = Some(shown);
    let walked = walked(&mut table, Vec::new(), Superfluous::Keep).expect("walked");
    assert!(!walked.contradicted.is_empty());
    assert!(walked.contradicted.len() < 4, "{:?}", walked.contradicted);
    let tally = walked.assessment.tally(MCDC);
    assert_eq!((tally.covered, tally.uncoverable, tally.unresolved), (0, 0, 4));
    let open = Verdict::Unresolved(Limit::Undecided(Undecided::Contradicted));
    assert!(walked.assessment.verdicts.iter().all(|verdict| *verdict == open));
}

#[test]
fn a_refutation_for_the_executors_addresses_is_not_contradicted_by_machine_code() {
    let mut table = Table::new("a && b", &[]);
    let bounds = vec![Bound::Steps(1), Bound::AddressLayout];
    table.conclusion = Conclusion::Open(Limit::NotWithinBounds(bounds.clone()));
    let elsewhere = Suite { inputs: inputs(), tests: vec![test("t", [true, true])] };
    let recording = table.bound.replay(&elsewhere).expect("replayed");
    let shown = collect(table.program(), &recording, Vectors::Keep).expect("consistent");
    table.shown = Some(shown);
    let walked = walked(&mut table, Vec::new(), Superfluous::Keep).expect("walked");
    assert_eq!(walked.contradicted, []);
    let open = Verdict::Unresolved(Limit::NotWithinBounds(bounds));
    assert!(walked.assessment.verdicts.iter().all(|verdict| *verdict == open));
}

#[test]
fn a_failing_given_test_stays_in_the_suite_and_covers_nothing() {
    let failing = [test("g2", [true, true]), test("g0", [true, false])];
    let mut table = Table::new("a && b", &ALL[..3]);
    let given = vec![test("mine", [false, true])];
    let walked = walked_with_failing(&mut table, given, &failing, Superfluous::LeaveOut);
    let walked = walked.expect("walked");
    // New tests do not have the names of failing ones; none of them has `b` false while `a` is true.
    assert_eq!(walked.assessment.tests, ["mine", "g2", "g0", "g4"]);
    assert_eq!(walked.made[0].test.steps, test("", [true, true]).steps);
    assert_eq!(walked.assessment.tally(MCDC).covered, 3);
    for verdict in &walked.assessment.verdicts {
        if let Verdict::Covered { tests, .. } = verdict {
            assert!(tests.iter().all(|test| [0, 3].contains(&test.index())), "{tests:?}");
        }
    }
}

#[test]
fn a_failing_test_contradicts_a_proof_all_the_same() {
    let mut table = Table::new("a && b", &[]);
    let proof = Proof { method: Method::Invariant, assumptions: Vec::new() };
    table.conclusion = Conclusion::Refuted(proof);
    let failing = [test("mine", [true, true])];
    let error = walked_with_failing(&mut table, Vec::new(), &failing, Superfluous::Keep);
    let error = error.expect_err("contradicted");
    assert!(matches!(error, WalkError::Judge(JudgeError::Refuted { .. })), "{error}");
}

#[test]
fn a_witness_that_does_not_replay_is_an_error() {
    // No test has `b` false while `a` is true.
    let mut table = Table::new("a && b", &ALL[..3]);
    let plan = table.plan(&[MCDC]);
    let covered = walked(&mut table, Vec::new(), Superfluous::Keep).expect("walked");
    let is_open = |at: &usize| !is_covered(&covered.assessment.verdicts[*at]);
    let open = (0..plan.obligations.len()).find(is_open).expect("one is open");
    table.claimed = vec![open];
    let error = walked(&mut table, Vec::new(), Superfluous::Keep).expect_err("not replayed");
    assert!(matches!(error, WalkError::NotReplayed(key) if key == plan.obligations[open].key));
    // Where tests came out otherwise elsewhere, what they covered does not count.
    table.refused = vec![0];
    walked(&mut table, Vec::new(), Superfluous::Keep).expect("walked");
}
