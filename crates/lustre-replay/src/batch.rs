//! Tests in lanes: the inputs of each step, and the active lanes.
//!
//! ```text
//! for step in 0..batch.steps() {
//!     batch.apply(step, &mut simulator)?;   // inputs and active lanes
//!     simulator.step();                     // then read it
//! }
//! ```

use obligato_model::{Integer, TestCase, Type, Value};
use obligato_transition_system::lanes::{Mask, WORDS};
use obligato_transition_system::{Error, Simulator, sort};

/// The number of tests that run at once.
pub const LANES: usize = 64 * WORDS;

/// Up to [`LANES`] tests; the test at a position runs in the lane there.
#[derive(Clone, Copy, Debug)]
pub struct Batch<'t> {
    tests: &'t [TestCase],
}

impl<'t> Batch<'t> {
    /// The first [`LANES`] of these tests.
    pub fn new(tests: &'t [TestCase]) -> Self {
        Self { tests: &tests[..tests.len().min(LANES)] }
    }

    /// The tests, by lane.
    pub fn tests(&self) -> &'t [TestCase] {
        self.tests
    }

    /// How many steps the longest test has.
    pub fn steps(&self) -> usize {
        self.tests.iter().map(|test| test.steps.len()).max().unwrap_or(0)
    }

    /// The lanes whose tests have this step, counted from 0.
    pub fn active(&self, step: usize) -> Mask<WORDS> {
        let mut mask = [0; WORDS];
        for (lane, test) in self.tests.iter().enumerate() {
            mask[lane / 64] |= u64::from(step < test.steps.len()) << (lane % 64);
        }
        mask
    }

    /// Gives every input of every active lane its value in this step. An input without a value
    /// gets the [`default_value`] of its type. A step that does not go with the inputs of the
    /// system, or a value that is not of its input's type, is an error.
    pub fn apply(&self, step: usize, simulator: &mut Simulator<'_, WORDS>) -> Result<(), Error> {
        self.apply_unless(step, simulator, |_, _| false)
    }

    /// The same after the step before was applied: an input keeps its value until it gets another, so only
    /// what changes is set.
    pub fn apply_next(
        &self,
        step: usize,
        simulator: &mut Simulator<'_, WORDS>,
    ) -> Result<(), Error> {
        let Some(before) = step.checked_sub(1) else { return self.apply(step, simulator) };
        self.apply_unless(step, simulator, |lane, input| {
            let steps = &self.tests[lane].steps;
            steps[before].get(input) == steps[step].get(input)
        })
    }

    fn apply_unless(
        &self,
        step: usize,
        simulator: &mut Simulator<'_, WORDS>,
        is_there: impl Fn(usize, usize) -> bool,
    ) -> Result<(), Error> {
        simulator.set_active(self.active(step));
        let inputs = &simulator.program().system().inputs;
        for (lane, test) in self.tests.iter().enumerate() {
            let Some(values) = test.steps.get(step) else { continue };
            if values.len() != inputs.len() {
                let (expected, found) = (inputs.len(), values.len());
                return Err(Error::WrongCount { what: "the inputs", expected, found });
            }
            for (index, (value, input)) in values.iter().zip(inputs).enumerate() {
                match value {
                    _ if is_there(lane, index) => {}
                    Some(value) => simulator.set_input(index, lane, value)?,
                    None => simulator.set_input(index, lane, &default_value(&input.kind))?,
                }
            }
        }
        Ok(())
    }
}

/// The value of an input that a test leaves open: false, the first name of an enumeration, or
/// the number that is nearest to 0.
pub fn default_value(kind: &Type) -> Value {
    match kind {
        Type::Bool => Value::Bool(false),
        Type::Real => Value::Real(obligato_model::Rational::ZERO),
        Type::Float32 => Value::float32(0.0),
        Type::Float64 => Value::float64(0.0),
        Type::Enumeration(_) => sort::decode(kind, Value::int(0)),
        Type::Int | Type::Subrange(..) | Type::Machine(..) | Type::OpenEnumeration(_) => {
            let (low, high) = kind.bounds().unwrap_or((Integer::ZERO, Integer::ZERO));
            sort::decode(kind, Value::Int(Integer::ZERO.max(low).min(high)))
        }
    }
}

#[cfg(test)]
mod tests;
