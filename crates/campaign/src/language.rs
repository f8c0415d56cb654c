//! What a language supplies to the [walk](crate::walk): its program, its engines, and its ways to run tests.

use obligato_criteria::Evidence;
use obligato_model::{Criterion, Key, Limit, Plan, Program, TestCase, TestId};
use obligato_solver::Stop;

use crate::judging::{Conclusions, Gaps};
use crate::outcome::Outcome;
use crate::phase::{MadeTest, PhaseReport};
use crate::request::Request;
use crate::status::Watcher;

/// A program of some language, ready to be tested.
pub trait Language {
    /// What only engines of this language find: certificates, runtime errors, statistics.
    type Found;
    /// What it keeps of runs: outputs, how each test ended.
    type Runs;
    /// Whether the machine does the same as the replay.
    type Agreement;
    /// Why it cannot be tested.
    type Error: std::error::Error + 'static;

    /// The program that criteria plan over.
    fn program(&self) -> &Program;

    /// What is asked for. A language that samples mutants asks for those of its sample.
    fn plan(&self, criteria: &[Criterion]) -> Plan {
        obligato_criteria::plan(self.program(), criteria)
    }

    /// Makes tests and proofs for the obligations of [`Self::plan`].
    fn search(
        &mut self,
        request: &Request<()>,
        stop: &Stop,
        watcher: &mut dyn Watcher,
    ) -> Result<Searched<Self::Found>, Self::Error>;

    /// Given tests as they are after the search, which may widen what tests set.
    fn widened(&self, tests: &[TestCase]) -> Vec<TestCase> {
        tests.to_vec()
    }

    /// Runs tests as they run outside of this tool, as machine code say. A language without such a way refuses no test.
    fn confirm(&mut self, tests: &[TestCase]) -> Result<Confirmed<Self::Agreement>, Self::Error>;

    /// Runs tests and measures what they show.
    fn replay(
        &mut self,
        tests: &[TestCase],
        criteria: &[Criterion],
        purpose: Purpose,
    ) -> Result<Replayed<Self::Runs>, Self::Error>;

    /// What the code leaves out, and where these runs could not go on.
    fn gaps(&self, runs: &Self::Runs) -> Gaps;
}

/// What a replay is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// To choose the tests that are kept: only verdicts are made of it.
    Choice,
    /// To report: tables and listings are made of it too.
    Report,
}

/// What engines came to, as owned data.
#[derive(Clone, Debug)]
pub struct Searched<F> {
    /// The tests that were made, in order.
    pub tests: Vec<MadeTest>,
    /// The obligations that engines saw covered, as far as they know: a replay has to show them too.
    pub claimed: Vec<Key>,
    /// What follows for obligations that no test covers, by the plan of the language.
    pub conclusions: Conclusions,
    /// Why something is still open, if it is.
    pub limit: Option<Limit>,
    /// What each phase did.
    pub phases: Vec<PhaseReport>,
    /// What only engines of this language find.
    pub found: F,
}

impl<F> From<Outcome<'_, F>> for Searched<F> {
    fn from(outcome: Outcome<'_, F>) -> Self {
        let conclusions = outcome.conclusions();
        let Outcome { tests, ledger, limit, phases, found } = outcome;
        let claimed = ledger.covered().cloned().collect();
        Self { tests, claimed, conclusions, limit, phases, found }
    }
}

/// What runs outside of this tool have shown.
#[derive(Clone, Debug, Default)]
pub struct Confirmed<A> {
    /// The tests that did not come out the same there: they are left out.
    pub refused: Vec<TestId>,
    /// The tests of which something else differs there: they stay, and a replay counts only what is certain of them.
    pub doubted: Vec<TestId>,
    /// What those runs have shown where they did not come out the same: no refutation of it stands.
    pub shown: Option<Evidence>,
    /// What there is to say of it.
    pub agreement: A,
}

/// What a replay has shown.
#[derive(Clone, Debug)]
pub struct Replayed<R> {
    /// The evidence of the tests, in their order.
    pub evidence: Evidence,
    /// What the language keeps of the runs.
    pub runs: R,
}
