//! The same tests as machine code: do executor and machine agree?
//!
//! A disagreement is an error of this tool. It is named once per cause, and voids only what depends on it: of a test whose outputs
//! differ, how its conditions came out still counts if machine code says the same of them.

use std::collections::BTreeMap;

use obligato_c_unit::native::{NativeEnding, NativeRun, Replay, is_address_of_executor};
use obligato_c_unit::run::Observed;
use obligato_c_unit::{Disagreement, Interface, NativeBuild, NativeOptions, RunOptions, TestRun};
use obligato_criteria::Evidence;
use obligato_model::{Key, Program, Suite, TestCase, TestId, Value};

use super::LoadedUnit;
use super::refusal::{refuse_native, refuse_run};
use crate::campaign::{Stop, unless_stopped};
use crate::error::Error;
use crate::subject::SubjectOptions;
use crate::text::counted;

impl LoadedUnit {
    /// Runs a suite as machine code as well. Tests on which the two do not agree are taken out of the
    /// suite: whatever were counted or recorded of them might be wrong.
    pub fn compare_natively(
        &self,
        asked: &SubjectOptions,
        interface: &Interface,
        suite: &mut Suite,
        options: RunOptions,
        stop: &Stop,
    ) -> Result<Agreement, Error> {
        let NativeComparison { agreement, doubts, .. } =
            self.compare_to_count(asked, interface, suite, options, stop)?;
        suite.tests.retain(|test| doubts.of(&test.name).is_none());
        Ok(agreement)
    }

    /// The same for who counts coverage: tests of which only outputs differ stay, and are among the doubts.
    pub fn compare_to_count(
        &self,
        asked: &SubjectOptions,
        interface: &Interface,
        suite: &mut Suite,
        options: RunOptions,
        stop: &Stop,
    ) -> Result<NativeComparison, Error> {
        if asked.unit.no_native || suite.tests.is_empty() {
            return Ok(NativeComparison::default());
        }
        let build = self.unit.build_natively(NativeOptions::default()).map_err(refuse_native)?;
        let comparison = self.compare_each(Some(&build), interface, suite, options, stop)?;
        let mut position = 0;
        suite.tests.retain(|_| {
            position += 1;
            !comparison.refused.contains(&TestId::new(position - 1))
        });
        Ok(comparison)
    }

    /// Compares tests with machine code that is there already, if it is asked for.
    pub fn compare_each(
        &self,
        build: Option<&NativeBuild>,
        interface: &Interface,
        suite: &Suite,
        options: RunOptions,
        stop: &Stop,
    ) -> Result<NativeComparison, Error> {
        let mut comparison = NativeComparison::default();
        let Some(build) = build.filter(|_| !suite.tests.is_empty()) else {
            return Ok(comparison);
        };
        let replay = self.replay_in_batches(build, interface, suite, options, stop)?;
        for (position, (test, found)) in suite.tests.iter().zip(&replay.disagreements).enumerate() {
            let is_address =
                |one: &Disagreement| matches!(one, Disagreement::Output { is_address: true, .. });
            let (addresses, found): (Vec<_>, Vec<_>) =
                found.iter().partition(|one| is_address(one));
            if names_address(test) && is_killed(&replay.runs[position]) {
                comparison.refused.push(TestId::new(position));
                continue;
            }
            if !found.is_empty() && self.decides_by_address(interface, test, options)? {
                comparison.refused.push(TestId::new(position));
                comparison.agreement.by_address += 1;
                continue;
            }
            comparison.agreement.add(test, &found);
            let is_output = |one: &Disagreement| matches!(one, Disagreement::Output { .. });
            if !found.iter().all(|one| is_output(one)) {
                comparison.refused.push(TestId::new(position));
            }
            for (outputs, list) in
                [(&found, &mut comparison.doubts), (&addresses, &mut comparison.addresses)]
            {
                if outputs.is_empty() {
                    continue;
                }
                let outputs = outputs.iter().filter_map(|one| match one {
                    Disagreement::Output { step, output, .. } => Some((step - 1, *output)),
                    _ => None,
                });
                list.0.insert(test.name.clone(), outputs.collect());
            }
        }
        let is_trapped = |run: &NativeRun| matches!(run.ending, NativeEnding::Signal(_));
        comparison.trapped = replay.runs.iter().map(is_trapped).collect();
        let reported: Vec<_> = replay.reported.iter().flatten().collect();
        if !reported.is_empty() {
            comparison.shown = Some(self.unit.reported_evidence(reported));
        }
        Ok(comparison)
    }

    fn decides_by_address(
        &self,
        interface: &Interface,
        test: &TestCase,
        options: RunOptions,
    ) -> Result<bool, Error> {
        self.unit.depends_on_addresses(interface, test, options).map_err(refuse_run)
    }

    /// Runs a suite as machine code, batch after batch: nobody can stop a harness that is at work.
    fn replay_in_batches(
        &self,
        build: &NativeBuild,
        interface: &Interface,
        suite: &Suite,
        options: RunOptions,
        stop: &Stop,
    ) -> Result<Replay, Error> {
        let mut whole = Replay::default();
        for tests in suite.tests.chunks(BATCH) {
            unless_stopped(stop)?;
            let batch = Suite { inputs: suite.inputs.clone(), tests: tests.to_vec() };
            let replay = self.unit.replay_on(build, interface, &batch, options);
            let Replay { runs, disagreements, reported } = replay.map_err(refuse_native)?;
            whole.runs.extend(runs);
            whole.disagreements.extend(disagreements);
            whole.reported.extend(reported);
        }
        Ok(whole)
    }
}

/// Does a test guess where the executor has an object, with a number that the unit takes for an address? There is nothing there
/// as machine code.
fn names_address(test: &TestCase) -> bool {
    let values = test.steps.iter().flatten().flatten();
    let mut numbers = values.filter_map(|value| match value {
        Value::Int(number) => u64::try_from(number.clone()).ok(),
        _ => None,
    });
    numbers.any(is_address_of_executor)
}

/// Did it access memory that is not there?
fn is_killed(run: &NativeRun) -> bool {
    const ACCESS: [i32; 2] = [7, 11];
    matches!(run.ending, NativeEnding::Signal(signal) if ACCESS.contains(&signal))
}

/// So many tests run as machine code before a stop is looked for: enough that starting the harness does not count.
const BATCH: usize = 256;

/// What came of a comparison.
#[derive(Debug, Default)]
pub struct NativeComparison {
    /// In words.
    pub agreement: Agreement,
    /// The tests of which nothing counts.
    pub refused: Vec<TestId>,
    /// What is in doubt of the others.
    pub doubts: Doubts,
    /// Outputs that are addresses: whoever reads the tests cannot expect them elsewhere.
    pub addresses: Doubts,
    /// Per test, did a signal end it as machine code?
    pub trapped: Vec<bool>,
    /// What machine code has shown where it evaluates conditions to other values than the executor.
    pub shown: Option<Evidence>,
}

/// Per test on which executor and machine do not agree, the outputs that differ: step and position in the interface.
#[derive(Debug, Clone, Default)]
pub struct Doubts(BTreeMap<String, Vec<(usize, usize)>>);

impl Doubts {
    /// The outputs of a test that differ, if it is in doubt.
    fn of(&self, test: &str) -> Option<&[(usize, usize)]> {
        self.0.get(test).map(Vec::as_slice)
    }

    /// Those of the tests that are in doubt, by their positions.
    pub fn among(&self, tests: &[TestCase]) -> impl Iterator<Item = TestId> {
        let doubted = tests.iter().enumerate().filter(|(_, test)| self.of(&test.name).is_some());
        doubted.map(|(at, _)| TestId::new(at))
    }

    /// What tests have shown that nothing speaks against: of a test in doubt only how its conditions came out.
    pub fn restrict(&self, program: &Program, evidence: Evidence) -> Evidence {
        if self.0.is_empty() {
            return evidence;
        }
        let mut restricted = Evidence::new(program, evidence.watched.clone(), evidence.vectors);
        for test in evidence.tests() {
            restricted.add(match self.of(&test.name) {
                Some(_) => test.outcomes_only(program, &evidence.watched),
                None => test.clone(),
            });
        }
        restricted
    }

    /// Leaves the outputs open that differ.
    pub fn hide<'t>(&self, tests: impl IntoIterator<Item = &'t TestCase>, runs: &mut [TestRun]) {
        for (test, run) in tests.into_iter().zip(runs) {
            for &(step, output) in self.of(&test.name).into_iter().flatten() {
                let held = run.steps.get_mut(step).and_then(|step| step.get_mut(output));
                if let Some(held) = held {
                    *held = Observed::Hidden;
                }
            }
        }
    }
}

/// Whether executor and machine agree, in words.
#[derive(Debug, Clone, Default)]
pub struct Agreement {
    /// On so many tests they agree.
    pub agreed: usize,
    /// Why they do not on others: an error of ours each.
    pub causes: Vec<Cause>,
    /// So many others decide by bits of addresses, on which no two machines agree. They count for nothing.
    pub by_address: usize,
}

/// A cause of disagreement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cause {
    /// What tells it from others.
    id: String,
    /// What differs, in the first test in which it does.
    pub first: String,
    /// In so many tests.
    pub tests: usize,
}

impl Cause {
    /// The first test with what differs, and in how many others it does.
    pub fn words(&self) -> String {
        match self.tests {
            0 | 1 => self.first.clone(),
            tests => format!("{} (and in {})", self.first, counted(tests - 1, "other test")),
        }
    }
}

impl Agreement {
    /// Do they agree on all?
    pub fn is_full(&self) -> bool {
        self.causes.is_empty()
    }

    /// Counts a test, by the first of its disagreements of each cause.
    fn add(&mut self, test: &TestCase, found: &[&Disagreement]) {
        self.agreed += usize::from(found.is_empty());
        let mut seen: Vec<String> = Vec::new();
        for disagreement in found {
            let id = disagreement.cause();
            if seen.contains(&id) {
                continue;
            }
            if let Some(cause) = self.causes.iter_mut().find(|cause| cause.id == id) {
                cause.tests += 1;
            } else {
                let first = format!("{}: {disagreement}", test.name);
                self.causes.push(Cause { id: id.clone(), first, tests: 1 });
            }
            seen.push(id);
        }
    }

    /// Adds what another comparison of the same function came to.
    pub fn extend(&mut self, other: Self) {
        self.by_address += other.by_address;
        for cause in other.causes {
            match self.causes.iter_mut().find(|known| known.id == cause.id) {
                Some(known) => known.tests += cause.tests,
                None => self.causes.push(cause),
            }
        }
    }

    /// Adds that machine code did what engines had refuted.
    pub fn add_contradicted(&mut self, keys: &[Key]) {
        if let Some(first) = keys.first() {
            let more = match keys.len() {
                1 => String::new(),
                all => format!(", and {}", counted(all - 1, "other refutation")),
            };
            let first =
                format!("proofs: machine code does what was refuted: {first}{more}; withdrawn");
            self.causes.push(Cause { id: "refuted".to_owned(), first, tests: 1 });
        }
    }
}
