//! Open inputs: the values that they had when each step of a test began.
//!
//! What a step leaves open keeps what is there: what the step before left, or what the program starts with. [`Unit::complete`] runs
//! tests and writes these values down, so that a test says all of what it does. A value stays open if writing it would change what a run
//! does: a pointer to where no input can point, a value outside of a range that a person gave.

use std::collections::HashMap;

use obligato_execute::Variables;
use obligato_model::{Suite, TestCase, Type, Value};

use crate::interface::{Form, Interface, ObjectIndex};
use crate::measure::Watches;
use crate::script::{Columns, Content, Held, Write, content, is_at, value_of, write_values};
use crate::suite::{RunError, RunOptions};
use crate::unit::Unit;

#[cfg(test)]
mod tests;

/// The inputs of a step, by their places in the interface.
struct StepInputs<'a> {
    interface: &'a Interface,
    /// What each can be in a suite; none for inputs that the suite has no column for.
    kinds: &'a [Option<Type>],
    /// What the test gives.
    given: &'a [Option<Value>],
    /// What each held when the step began; none where nothing is to be seen or pointed to any more.
    held: &'a [Option<Held>],
}

impl Unit {
    /// The tests of a suite with the values that open inputs had. Steps that did not begin stay as they are.
    pub fn complete(
        &self,
        interface: &Interface,
        suite: &Suite,
        options: RunOptions,
    ) -> Result<Vec<TestCase>, RunError> {
        let is_open = |test: &TestCase| test.steps.iter().flatten().any(Option::is_none);
        if !suite.tests.iter().any(is_open) {
            return Ok(suite.tests.clone());
        }
        let columns = Columns::new(interface, suite)?;
        let mut kinds: Vec<Option<Type>> = vec![None; interface.inputs.len()];
        let variables = self.variables(interface).inputs;
        for column in columns.places() {
            kinds[*column] = Some(variables[*column].kind.clone());
        }
        let executable = self.executable(&Watches::default(), options, Variables::InRegisters)?;
        let mut runner = self.runner(&executable, interface, options, (), ())?;
        let mut completed = Vec::with_capacity(suite.tests.len());
        for test in &suite.tests {
            let script = columns.script(interface, test)?;
            let mut held: Vec<Vec<Option<Held>>> = Vec::new();
            runner.run_from(&script, |runner| held.push(runner.held_inputs()));
            let mut test = test.clone();
            for (step, held) in test.steps.iter_mut().zip(&held) {
                let mut given = vec![None; interface.inputs.len()];
                for (column, value) in columns.places().iter().zip(&*step) {
                    given[*column].clone_from(value);
                }
                let inputs = StepInputs { interface, kinds: &kinds, given: &given, held };
                let filled = inputs.complete();
                for (column, value) in columns.places().iter().zip(step.iter_mut()) {
                    value.clone_from(&filled[*column]);
                }
            }
            completed.push(test);
        }
        Ok(completed)
    }
}

impl StepInputs<'_> {
    /// The values with as many open ones as can be written without a change to memory.
    fn complete(&self) -> Vec<Option<Value>> {
        let open = 0..self.given.len();
        let mut filled: Vec<Option<Value>> =
            open.map(|at| self.given[at].clone().or_else(|| self.value_at(at))).collect();
        // A value behind a pointer without a column makes the pointer `new`: where it was not, what is behind it stays open.
        while let Some(wrong) = self.first_wrongly_implied(&filled) {
            let mut changed = false;
            for (at, cell) in self.interface.inputs.iter().enumerate() {
                if cell.object == wrong && self.given[at].is_none() {
                    changed |= filled[at].take().is_some();
                }
            }
            if !changed {
                return self.given.to_vec();
            }
        }
        if self.breaks_precondition(&filled) { self.given.to_vec() } else { filled }
    }

    /// The value that an open input had, if a test can set exactly this.
    fn value_at(&self, at: usize) -> Option<Value> {
        let (kind, held) = (self.kinds[at].as_ref()?, self.held[at].as_ref()?);
        let cell = &self.interface.inputs[at];
        // What functions outside do not write stays so.
        if cell.given.is_some() {
            return None;
        }
        let value = value_of(self.interface, cell, held);
        let same = content(cell, &value).is_some_and(|content| is_held(&content, held));
        (same && value.has_type(kind)).then_some(value)
    }

    /// The object behind an open pointer that would become `new` and was not.
    fn first_wrongly_implied(&self, filled: &[Option<Value>]) -> Option<ObjectIndex> {
        let values: Vec<Option<&Value>> = filled.iter().map(Option::as_ref).collect();
        let writes = write_values(self.interface, &values).ok()?;
        let places: HashMap<(ObjectIndex, u64), &Write> =
            writes.iter().map(|write| ((write.object, write.offset), write)).collect();
        let cells = self.interface.inputs.iter().enumerate();
        let mut open = cells.filter(|(at, _)| filled[*at].is_none());
        open.find_map(|(at, cell)| {
            if !matches!(cell.form, Form::Pointer(_)) {
                return None;
            }
            let write = places.get(&(cell.object, cell.offset))?;
            let held = self.held[at].as_ref();
            match &write.content {
                content if held.is_some_and(|held| is_held(content, held)) => None,
                Content::Pointer(to) => to.object(),
                Content::Bits { .. } => None,
            }
        })
    }

    /// Would the test be refused, which it is not as it is given?
    fn breaks_precondition(&self, filled: &[Option<Value>]) -> bool {
        let values: Vec<Option<&Value>> = filled.iter().map(Option::as_ref).collect();
        let mut preconditions = self.interface.preconditions.iter();
        preconditions.any(|one| one.holds(&self.interface.inputs, &values) == Some(false))
    }
}

/// Is this what memory holds already?
fn is_held(content: &Content, held: &Held) -> bool {
    match (content, held) {
        (Content::Bits { count, value }, Held::Bits(bits)) => {
            let mask = if *count >= 128 { u128::MAX } else { (1 << count) - 1 };
            value & mask == *bits
        }
        (Content::Pointer(to), Held::Pointer(held, offset)) => is_at(to, held, *offset),
        _ => false,
    }
}
