//! Phases: which engine made a test or a proof, and what each has done.

use std::time::{Duration, Instant};

use obligato_model::TestCase;

use crate::status::Status;

/// Which engine a test or a proof comes from. Cheap phases come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Phase {
    /// The suite that was there before.
    Given,
    /// Models: directed random simulation in lanes.
    Random,
    /// Models: solving a step or a few from concrete states (You et al., algorithms 1 to 3).
    Incremental,
    /// Models: solving from the initial state, all open obligations together (Whalen et al., section IV).
    Complete,
    /// Models: proof that the rest cannot be covered.
    Prove,
    /// C: dynamic symbolic execution, path by path (Su et al.).
    Concolic,
    /// C: bounded model checking of the function as one formula of all paths.
    Bmc,
    /// C: a path and its twin, in which a condition never has its value, solved for a difference.
    Effects,
    /// C: branches into undefined behaviour, explored last.
    RuntimeErrors,
}

impl Phase {
    /// The phases of models that make something, in their order.
    pub const OF_MODELS: [Self; 4] = [Self::Random, Self::Incremental, Self::Complete, Self::Prove];

    /// The phases of C functions that make something, in their order.
    pub const OF_UNITS: [Self; 4] = [Self::Concolic, Self::Bmc, Self::Effects, Self::RuntimeErrors];

    /// The name that commands, reports and stores use.
    pub fn name(self) -> &'static str {
        match self {
            Self::Given => "given",
            Self::Random => "random",
            Self::Incremental => "incremental",
            Self::Complete => "complete",
            Self::Prove => "prove",
            Self::Concolic => "search",
            Self::Bmc => "formula",
            Self::Effects => "effects",
            Self::RuntimeErrors => "faults",
        }
    }
}

/// A test that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MadeTest {
    /// The test.
    pub test: TestCase,
    /// The phase that made it.
    pub phase: Phase,
}

/// What a phase did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PhaseReport {
    /// The phase.
    pub phase: Phase,
    /// Tests made.
    pub tests: usize,
    /// Obligations that came to be covered.
    pub covered: usize,
    /// Obligations that were proved uncoverable.
    pub uncoverable: usize,
    /// Work, in the units of a budget.
    pub work: u64,
    /// Time.
    pub time: Duration,
}

impl PhaseReport {
    /// Nothing done yet.
    pub fn new(phase: Phase) -> Self {
        let (tests, covered, uncoverable, work, time) = (0, 0, 0, 0, Duration::ZERO);
        Self { phase, tests, covered, uncoverable, work, time }
    }
}

/// A phase that is running: how the campaign stood when it began.
#[derive(Clone, Copy, Debug)]
pub struct RunningPhase {
    before: Status,
    start: Instant,
    spent: u64,
}

impl RunningPhase {
    /// A phase begins now, after so much work.
    pub fn begin(before: Status, spent: u64) -> Self {
        Self { before, start: Instant::now(), spent }
    }
}

/// What phases did, in the order in which they began.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PhaseReports(Vec<PhaseReport>);

impl PhaseReports {
    /// The report of a phase; a new one if it has none.
    pub fn of(&mut self, phase: Phase) -> &mut PhaseReport {
        let known = self.0.iter().position(|report| report.phase == phase);
        let index = known.unwrap_or_else(|| {
            self.0.push(PhaseReport::new(phase));
            self.0.len() - 1
        });
        &mut self.0[index]
    }

    /// Adds what happened since a phase began; so much work was done until now.
    pub fn end(&mut self, begun: &RunningPhase, after: &Status, spent: u64) {
        let RunningPhase { before, start, spent: spent_before } = begun;
        self.add(PhaseReport {
            phase: after.phase,
            tests: after.tests - before.tests,
            covered: after.covered - before.covered,
            uncoverable: after.uncoverable - before.uncoverable,
            work: spent - spent_before,
            time: start.elapsed(),
        });
    }

    /// Adds to the report of a phase.
    pub fn add(&mut self, more: PhaseReport) {
        let PhaseReport { phase, tests, covered, uncoverable, work, time } = more;
        let report = self.of(phase);
        report.tests += tests;
        report.covered += covered;
        report.uncoverable += uncoverable;
        report.work += work;
        report.time += time;
    }

    /// All of them.
    pub fn into_inner(self) -> Vec<PhaseReport> {
        self.0
    }
}

impl FromIterator<PhaseReport> for PhaseReports {
    fn from_iter<I: IntoIterator<Item = PhaseReport>>(reports: I) -> Self {
        let mut all = Self::default();
        reports.into_iter().for_each(|report| all.add(report));
        all
    }
}
