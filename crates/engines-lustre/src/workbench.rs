//! Replays the tests that engines propose, and keeps those whose replay shows open events.

use std::borrow::Cow;

use obligato_lustre::lowering::Lowered;
use obligato_lustre_replay::{Failure, LANES, Meter};
use obligato_model::TestCase;
use obligato_transition_system::{CheckKind, Error, System};
use rustc_hash::FxHashSet;

use crate::engine::Slice;
use crate::event::EventId;
use crate::functions::{Functions, Inconsistency};
use crate::ledger::Ledger;
use obligato_campaign::MadeTest;
use obligato_campaign::Phase;

/// The kept tests, and what the ledger knows of them.
#[derive(Debug)]
pub struct Workbench<'b, 'm> {
    meter: Meter<'b>,
    system: &'b System,
    functions: Option<Functions<'b>>,
    /// The open events.
    pub ledger: Ledger<'m>,
    /// The tests that were made and kept.
    pub made: Vec<MadeTest>,
    /// The names of given tests.
    taken: FxHashSet<String>,
    /// What the last test is named by.
    number: usize,
}

impl<'b, 'm> Workbench<'b, 'm> {
    /// A workbench without tests.
    pub fn new(meter: Meter<'b>, lowered: &'b Lowered, ledger: Ledger<'m>) -> Result<Self, Error> {
        let (made, taken) = (Vec::new(), FxHashSet::default());
        let (system, functions) = (&lowered.system, Functions::new(lowered)?);
        Ok(Self { meter, system, functions, ledger, made, taken, number: 0 })
    }

    /// Adds the given tests: all of them count.
    pub fn take_given(&mut self, tests: &[TestCase]) -> Result<(), Error> {
        self.taken.extend(tests.iter().map(|test| test.name.clone()));
        for batch in tests.chunks(LANES) {
            for measured in self.meter.measure(batch)? {
                self.ledger.record(&measured.evidence);
            }
        }
        Ok(())
    }

    /// Replays tests and keeps those that show open events; returns the new events.
    pub fn try_out(&mut self, phase: Phase, tests: &[TestCase]) -> Result<Vec<EventId>, Error> {
        let mut new = Vec::new();
        let tests = self.cut_contradictions(tests)?;
        for batch in tests.chunks(LANES) {
            let measured = self.meter.measure(batch)?;
            for (test, measured) in batch.iter().zip(measured) {
                let assertion = measured
                    .failures
                    .iter()
                    .find(|failure| self.system.checks[failure.check].kind == CheckKind::Assertion);
                // Nothing counts from the violation on; a suite has only tests of the model.
                let mut test = test.clone();
                test.steps.truncate(assertion.map_or(usize::MAX, |failure| failure.step));
                let mut shown =
                    self.ledger.shown_by(&measured.evidence, &violated(&measured.failures));
                self.ledger.mark_seen(&shown);
                if !shown.is_empty() {
                    self.add(phase, test);
                }
                new.append(&mut shown);
            }
        }
        Ok(new)
    }

    /// The tests up to where no function explains them. What they would have shown from there on has a reason to be open.
    fn cut_contradictions<'t>(
        &mut self,
        tests: &'t [TestCase],
    ) -> Result<Cow<'t, [TestCase]>, Error> {
        let Some(functions) = &self.functions else { return Ok(Cow::Borrowed(tests)) };
        let contradictions = functions.contradictions(tests)?;
        let mut cut = tests.to_vec();
        for (test, contradiction) in cut.iter_mut().zip(contradictions) {
            let Some(Inconsistency { step, why }) = contradiction else { continue };
            for measured in self.meter.measure(std::slice::from_ref(test))? {
                for event in self.ledger.shown_by(&measured.evidence, &violated(&measured.failures))
                {
                    self.ledger.note_limit(event, why.clone());
                }
            }
            test.steps.truncate(step);
        }
        cut.retain(|test| !test.steps.is_empty());
        Ok(Cow::Owned(cut))
    }

    /// Gives away the tests that were made, and what stands in the way of open events.
    pub(crate) fn hand_over(&mut self, slice: &mut Slice) {
        slice.tests.extend(self.made.drain(..).map(|made| made.test));
        if self.functions.is_some() {
            let ledger = &self.ledger;
            let limits = ledger.open_events().iter();
            let limits =
                limits.filter_map(|event| Some((*event, ledger.limit_of(*event)?.clone())));
            slice.limits.extend(limits);
        }
    }

    /// Keeps a test whose evidence the ledger has already.
    pub fn add(&mut self, phase: Phase, mut test: TestCase) {
        test.name = self.new_name();
        self.made.push(MadeTest { test, phase });
    }

    /// A name that no other test has: the given ones may have been made here before.
    fn new_name(&mut self) -> String {
        self.number += 1;
        while self.taken.contains(&name_of(self.number)) {
            self.number += 1;
        }
        name_of(self.number)
    }
}

fn name_of(number: usize) -> String {
    format!("g{number}")
}

/// The checks that failed.
fn violated(failures: &[Failure]) -> Vec<usize> {
    failures.iter().map(|failure| failure.check).collect()
}
