//! The walk of every language: plan, search, confirm, leave out superfluous tests, replay anew, judge.
//!
//! Engines find, replay measures, criteria judge: what is covered follows from the last replay of the tests that are kept, and
//! from nothing else.

use std::collections::HashSet;

use obligato_criteria::{Evidence, JudgeError};
use obligato_model::{Assessment, Key, Limit, Program, TestCase, TestId, Verdict};
use obligato_solver::Stop;

use crate::judging::{Conclusions, Knowledge, assess};
use crate::language::{Confirmed, Language, Purpose, Replayed, Searched};
use crate::phase::{MadeTest, PhaseReport};
use crate::reduction::needed;
use crate::request::Request;
use crate::status::Watcher;

#[cfg(test)]
mod tests;

/// Do superfluous tests stay?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Superfluous {
    /// New tests that others make superfluous are left out.
    LeaveOut,
    /// All tests stay.
    Keep,
}

/// What a walk came to.
#[derive(Debug)]
pub struct Walked<L: Language> {
    /// The given tests that are kept, failing ones last; they come first in the suite.
    pub given: Vec<TestCase>,
    /// The new tests that are kept.
    pub made: Vec<MadeTest>,
    /// How many new tests were superfluous.
    pub left_out: usize,
    /// The names of the tests that did not come out the same outside of this tool.
    pub refused: Vec<String>,
    /// What was refuted although it happened outside of this tool: an engine is wrong. The refutations are withdrawn.
    pub contradicted: Vec<Key>,
    /// The verdicts over the tests that are kept.
    pub assessment: Assessment,
    /// What these tests have shown.
    pub evidence: Evidence,
    /// What the language keeps of their runs.
    pub runs: L::Runs,
    /// Whether the machine does the same.
    pub agreement: L::Agreement,
    /// What each phase did.
    pub phases: Vec<PhaseReport>,
    /// Why something is still open, if it is.
    pub limit: Option<Limit>,
    /// What only engines of this language find.
    pub found: L::Found,
}

/// Why a walk did not come to its end.
#[derive(Debug, thiserror::Error)]
pub enum WalkError<E: std::error::Error + 'static> {
    /// The language says so.
    #[error(transparent)]
    Language(E),
    /// A proof and a replay contradict each other.
    #[error(transparent)]
    Judge(#[from] JudgeError),
    /// An engine saw it covered, and no test shows it when it is replayed: the engine or the replay is wrong.
    #[error("{0} was said to be covered and is not when its test is replayed")]
    NotReplayed(Key),
    /// The tests that are kept do not cover what all of them do: the reduction or the replay is wrong.
    #[error("{0} was covered and is not without the tests that are left out")]
    Lost(Key),
}

/// Walks from a request to verdicts. `stop` ends the search early; what it has done by then counts. `failing` are given
/// tests whose expected outputs do not come out: they stay in the suite, behind the other given ones, and cover nothing.
pub fn walk<L: Language>(
    language: &mut L,
    request: &Request<()>,
    failing: &[TestCase],
    superfluous: Superfluous,
    stop: &Stop,
    watcher: &mut dyn Watcher,
) -> Result<Walked<L>, WalkError<L::Error>> {
    let searched = language.search(request, stop, watcher).map_err(WalkError::Language)?;
    let Searched { tests, claimed, mut conclusions, limit, phases, found } = searched;
    let (given, failing) = (language.widened(&request.given), language.widened(failing));
    let mut suite = WholeSuite::new(&given, &failing, tests);
    let confirmed = language.confirm(&suite.tests()).map_err(WalkError::Language)?;
    let refused = suite.drop_refused(&confirmed);
    let contradicted = match &confirmed.shown {
        Some(shown) => {
            let plan = language.plan(&request.criteria);
            let done = obligato_criteria::judge(language.program(), plan, shown)?;
            conclusions.withdraw(language.program(), &done)
        }
        None => Vec::new(),
    };
    let before = match superfluous {
        Superfluous::Keep => None,
        Superfluous::LeaveOut => {
            let all = measure(language, request, &conclusions, &suite, Purpose::Choice)?;
            let evidence = &all.replayed.evidence;
            let left_out = suite.leave_out(language.program(), &all.assessment, evidence);
            Some((all.assessment, left_out))
        }
    };
    let Measured { replayed, assessment } =
        measure(language, request, &conclusions, &suite, Purpose::Report)?;
    if refused.is_empty() && confirmed.doubted.is_empty() {
        expect_claimed(&claimed, &assessment)?;
    }
    let mut left_out = 0;
    if let Some((all, count)) = before {
        expect_covered(&all, &assessment)?;
        left_out = count;
    }
    let Replayed { evidence, runs } = replayed;
    let (WholeSuite { given, made, .. }, agreement) = (suite, confirmed.agreement);
    Ok(Walked {
        given,
        made,
        left_out,
        refused,
        contradicted,
        assessment,
        evidence,
        runs,
        agreement,
        phases,
        limit,
        found,
    })
}

/// What a replay has shown, judged.
struct Measured<R> {
    replayed: Replayed<R>,
    assessment: Assessment,
}

/// Replays a suite and judges what it shows.
fn measure<L: Language>(
    language: &mut L,
    request: &Request<()>,
    conclusions: &Conclusions,
    suite: &WholeSuite,
    purpose: Purpose,
) -> Result<Measured<L::Runs>, WalkError<L::Error>> {
    let criteria = &request.criteria;
    let mut replayed =
        language.replay(&suite.tests(), criteria, purpose).map_err(WalkError::Language)?;
    let knowledge = Knowledge {
        conclusions: conclusions.clone(),
        gaps: language.gaps(&replayed.runs),
        shard: request.shard,
    };
    let failing = suite.failing();
    if !failing.is_empty() {
        // What a failing test does is no coverage, and refutes a proof all the same.
        assess(language.program(), language.plan(criteria), &replayed.evidence, &knowledge)?;
        replayed.evidence.discount(language.program(), &failing);
    }
    let plan = language.plan(criteria);
    let assessment = assess(language.program(), plan, &replayed.evidence, &knowledge)?;
    Ok(Measured { replayed, assessment })
}

/// What engines saw covered has to be covered in a replay: a witness that does not replay is an error of ours.
fn expect_claimed<E: std::error::Error + 'static>(
    claimed: &[Key],
    assessment: &Assessment,
) -> Result<(), WalkError<E>> {
    let judged = assessment.plan.obligations.iter().zip(&assessment.verdicts);
    let covered = judged.filter(|(_, verdict)| is_covered(verdict));
    let covered: HashSet<&Key> = covered.map(|(obligation, _)| &obligation.key).collect();
    match claimed.iter().find(|key| !covered.contains(key)) {
        Some(key) => Err(WalkError::NotReplayed(key.clone())),
        None => Ok(()),
    }
}

fn is_covered(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Covered { .. })
}

/// What all tests cover has to be covered by those that are kept.
fn expect_covered<E: std::error::Error + 'static>(
    all: &Assessment,
    kept: &Assessment,
) -> Result<(), WalkError<E>> {
    let verdicts = all.verdicts.iter().zip(&kept.verdicts);
    for (obligation, (before, now)) in all.plan.obligations.iter().zip(verdicts) {
        if is_covered(before) && !is_covered(now) {
            return Err(WalkError::Lost(obligation.key.clone()));
        }
    }
    Ok(())
}

/// The given tests and then the new ones.
struct WholeSuite {
    given: Vec<TestCase>,
    made: Vec<MadeTest>,
    /// The names of the given tests that fail.
    failing: HashSet<String>,
}

impl WholeSuite {
    /// Engines know nothing of failing tests, so a new test may have the name of one: it gets another.
    fn new(given: &[TestCase], failing: &[TestCase], mut made: Vec<MadeTest>) -> Self {
        let given: Vec<TestCase> = given.iter().chain(failing).cloned().collect();
        let mut taken: HashSet<String> = given.iter().map(|test| test.name.clone()).collect();
        let (clashing, free): (Vec<&mut MadeTest>, Vec<&mut MadeTest>) =
            made.iter_mut().partition(|made| taken.contains(&made.test.name));
        taken.extend(free.into_iter().map(|made| made.test.name.clone()));
        for made in clashing {
            made.test.name = free_name(&made.test.name, &taken);
            taken.insert(made.test.name.clone());
        }
        let failing = failing.iter().map(|test| test.name.clone()).collect();
        Self { given, made, failing }
    }

    /// The failing tests, by their positions.
    fn failing(&self) -> HashSet<TestId> {
        let given = self.given.iter().enumerate();
        let failing = given.filter(|(_, test)| self.failing.contains(&test.name));
        failing.map(|(at, _)| TestId::new(at)).collect()
    }

    fn tests(&self) -> Vec<TestCase> {
        let made = self.made.iter().map(|made| made.test.clone());
        self.given.iter().cloned().chain(made).collect()
    }

    /// Keeps the tests at positions for which `stays` holds.
    fn retain(&mut self, stays: impl Fn(usize) -> bool) {
        let given = self.given.len();
        let mut position = 0;
        self.given.retain(|_| {
            position += 1;
            stays(position - 1)
        });
        position = given;
        self.made.retain(|_| {
            position += 1;
            stays(position - 1)
        });
    }

    /// Drops the tests that did not come out the same elsewhere; gives their names.
    fn drop_refused<A>(&mut self, confirmed: &Confirmed<A>) -> Vec<String> {
        let is_refused = |at: usize| confirmed.refused.iter().any(|test| test.index() == at);
        let tests = self.tests().into_iter().enumerate();
        let names = tests.filter(|(at, _)| is_refused(*at)).map(|(_, test)| test.name).collect();
        self.retain(|at| !is_refused(at));
        names
    }

    /// Leaves out new tests that others make superfluous; says how many.
    fn leave_out(
        &mut self,
        program: &Program,
        assessment: &Assessment,
        evidence: &Evidence,
    ) -> usize {
        let (given, before) = (self.given.len(), self.made.len());
        let needed = needed(program, assessment, evidence, given);
        self.retain(|at| at < given || needed.iter().any(|test| test.index() == at));
        before - self.made.len()
    }
}

/// The name with the next number that no other test has.
fn free_name(name: &str, taken: &HashSet<String>) -> String {
    let stem = name.trim_end_matches(|character: char| character.is_ascii_digit());
    let first = name[stem.len()..].parse::<u64>().unwrap_or(0);
    let mut numbers = (first..=u64::MAX).map(|number| format!("{stem}{number}"));
    numbers
        .find(|name| !taken.contains(name))
        .expect("invariant: there are more numbers than tests")
}
