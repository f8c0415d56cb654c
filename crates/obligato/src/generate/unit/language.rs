//! A C function in the walk: its engines search in rounds, machine code confirms, the executor replays.

use std::time::{Duration, Instant};

use obligato_c_unit::{NativeBuild, RunOptions, TestRun, Unit};
use obligato_campaign::language::{Confirmed, Language, Purpose, Replayed, Searched};
use obligato_campaign::{Gaps, Request, Watcher};
use obligato_criteria::Vectors;
use obligato_engines_c::FunctionFindings;
use obligato_model::{Criterion, Program, Suite, TestCase};
use obligato_solver::Stop;

use crate::error::Error;
use crate::generate::GenerateRequest;
use crate::generate::rounds::{self, RoundInputs, Rounds, Search};
use crate::generate::unit::needed_build;
use crate::unit::{Agreement, Doubts, LoadedUnit, NativeComparison, refuse_run};

/// So many operations a test that is searched for has at most when it is run again.
const MOST_OPERATIONS: u64 = 2_000_000;

/// A C function and its engines.
pub(super) struct FunctionLanguage<'a> {
    loaded: &'a LoadedUnit,
    request: &'a GenerateRequest,
    /// What the given tests set and see.
    asked: RoundInputs,
    /// How many tests are given, failing ones too.
    given: usize,
    /// What all tests set and see after the search.
    pub(super) inputs: RoundInputs,
    /// The machine code, made beside the search.
    pub(super) build: Option<NativeBuild>,
    /// How long searching took.
    pub(super) took: Duration,
    /// What is not certain of tests, because machine code does something else.
    doubts: Doubts,
    /// Outputs that are addresses.
    addresses: Doubts,
}

impl<'a> FunctionLanguage<'a> {
    pub(super) fn new(
        loaded: &'a LoadedUnit,
        request: &'a GenerateRequest,
        asked: RoundInputs,
        given: usize,
    ) -> Self {
        let (inputs, build, doubts) = (asked.clone(), None, Doubts::default());
        let addresses = Doubts::default();
        let took = Duration::ZERO;
        Self { loaded, request, asked, given, inputs, build, took, doubts, addresses }
    }

    fn unit(&self) -> &Unit {
        &self.loaded.unit
    }

    /// How tests run. Those that the search makes are no longer than it lets them be; others may be.
    fn options(&self, tables: bool) -> RunOptions {
        let mut options = self.loaded.options(tables);
        if self.given == 0 {
            options.limits.steps = options.limits.steps.min(MOST_OPERATIONS);
        }
        options
    }

    fn suite(&self, tests: &[TestCase]) -> Suite {
        Suite { inputs: self.inputs.variables.inputs.clone(), tests: tests.to_vec() }
    }
}

impl Language for FunctionLanguage<'_> {
    type Found = FunctionFindings;
    type Runs = Vec<TestRun>;
    type Agreement = Agreement;
    type Error = Error;

    fn program(&self) -> &Program {
        self.unit().program()
    }

    fn search(
        &mut self,
        request: &Request<()>,
        stop: &Stop,
        watcher: &mut dyn Watcher,
    ) -> Result<Searched<FunctionFindings>, Error> {
        let start = Instant::now();
        let (loaded, options, first) = (self.loaded, self.request, &self.asked);
        let search = Search { loaded, options, request, first, stop };
        let Rounds { inputs, searched, build } = rounds::search(&search, watcher)?;
        let build =
            needed_build(build, self.given + searched.tests.len() + searched.found.errors.len())?;
        (self.inputs, self.build, self.took) = (inputs, build, start.elapsed());
        Ok(searched)
    }

    fn widened(&self, tests: &[TestCase]) -> Vec<TestCase> {
        self.inputs.take(&self.asked, tests)
    }

    fn confirm(&mut self, tests: &[TestCase]) -> Result<Confirmed<Agreement>, Error> {
        let options = self.options(self.request.judging.tables);
        let suite = self.suite(tests);
        // What engines have found until a stop is confirmed to its end.
        let (build, stop) = (self.build.as_ref(), Stop::never());
        let compared =
            self.loaded.compare_each(build, &self.inputs.interface, &suite, options, &stop)?;
        let NativeComparison { agreement, refused, doubts, addresses, shown, .. } = compared;
        let doubted = doubts.among(tests).filter(|test| !refused.contains(test)).collect();
        self.doubts = doubts;
        self.addresses = addresses;
        Ok(Confirmed { refused, doubted, shown, agreement })
    }

    fn replay(
        &mut self,
        tests: &[TestCase],
        criteria: &[Criterion],
        purpose: Purpose,
    ) -> Result<Replayed<Vec<TestRun>>, Error> {
        let judging = &self.request.judging;
        let tables = match purpose {
            Purpose::Choice => judging.tables,
            Purpose::Report => judging.vectors(tests.len()) == Vectors::Keep,
        };
        let suite = self.suite(tests);
        let shown =
            self.unit().measure(&self.inputs.interface, &suite, criteria, self.options(tables));
        let mut shown = shown.map_err(refuse_run)?;
        for outputs in [&self.doubts, &self.addresses] {
            outputs.hide(tests, &mut shown.runs);
        }
        let evidence = self.doubts.restrict(self.program(), shown.evidence);
        Ok(Replayed { evidence, runs: shown.runs })
    }

    fn gaps(&self, runs: &Vec<TestRun>) -> Gaps {
        self.loaded.gaps(runs)
    }
}
