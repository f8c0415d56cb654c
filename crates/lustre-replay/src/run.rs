//! Runs of a batch, and the trace of each test.

use obligato_model::{TestCase, Type, Value};
use obligato_transition_system::lanes::{WORDS, contains};
use obligato_transition_system::{Error, LaneProgram, NodeId, Simulator, sort};

use crate::batch::Batch;
use crate::failure::{Failure, Failures};

/// A node whose values a trace shows, which the program has to observe.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TracedNode {
    /// The node.
    pub node: NodeId,
    /// Its type.
    pub kind: Type,
}

/// The trace of one test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// Per step, the value of each shown node. Shorter than the test if it is
    /// [`exhausted`](Self::exhausted).
    pub steps: Vec<Vec<Value>>,
    /// The first failure of each check, in the order of steps; after a violated assertion
    /// there are none.
    pub failures: Vec<Failure>,
    /// The step in which a number exceeded the size limit, if one did: the test ended there.
    pub exhausted: Option<usize>,
}

/// Runs batches on one program.
#[derive(Debug)]
pub struct Runner<'p> {
    simulator: Simulator<'p, WORDS>,
    shown: &'p [TracedNode],
}

impl<'p> Runner<'p> {
    /// A runner that shows these nodes of the program.
    pub fn new(program: &'p LaneProgram<'p>, shown: &'p [TracedNode]) -> Self {
        Self { simulator: Simulator::new(program), shown }
    }

    /// Runs up to [`LANES`](crate::LANES) tests; a trace for each.
    pub fn run(&mut self, tests: &[TestCase]) -> Result<Vec<Trace>, Error> {
        let batch = Batch::new(tests);
        let mut failures = Failures::new(self.simulator.program().system());
        let mut traces: Vec<Trace> = batch.tests().iter().map(|_| Trace::new()).collect();
        self.simulator.reset();
        for step in 0..batch.steps() {
            batch.apply(step, &mut self.simulator)?;
            self.simulator.step();
            failures.record(step, &self.simulator)?;
            self.read(step, batch, &mut traces)?;
        }
        for (trace, failures) in traces.iter_mut().zip(failures.into_lanes()) {
            trace.failures = failures;
        }
        Ok(traces)
    }

    fn read(&self, step: usize, batch: Batch<'_>, traces: &mut [Trace]) -> Result<(), Error> {
        let exhausted = self.simulator.exhausted();
        for (lane, (test, trace)) in batch.tests().iter().zip(traces).enumerate() {
            if step >= test.steps.len() || trace.exhausted.is_some() {
                continue;
            }
            if contains(&exhausted, lane) {
                trace.exhausted = Some(step);
                continue;
            }
            let values = self.shown.iter().map(|shown| {
                let value = self.simulator.value(shown.node, lane)?;
                Ok(sort::decode(&shown.kind, value))
            });
            trace.steps.push(values.collect::<Result<_, Error>>()?);
        }
        Ok(())
    }
}

impl Trace {
    fn new() -> Self {
        Self { steps: Vec::new(), failures: Vec::new(), exhausted: None }
    }
}

#[cfg(test)]
mod tests;
