//! Running a suite: every decision is evaluated on every step of every test, from
//! left to right, skipping what its operators skip.

use obligato_model::recording::ConditionEvaluation;
use obligato_model::{
    BoolTree, ConditionId, DecisionId, RecordedEvent, RecordedTest, Recording, Step, Suite,
    TestCase, Type, Value, Watched,
};

use crate::bind::{BoundFormulas, BoundTerm, Source};

/// Why a suite cannot be run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplayError {
    /// The inputs are not those the decisions were bound to.
    #[error("the inputs of the suite are not those that the decisions were bound to")]
    OtherInputs,
    /// A value that is needed is not there, or is none of its type.
    #[error(
        "test '{test}', step {step}: column '{column}' has no value, but `{condition}` needs it"
    )]
    NoValue {
        /// The test.
        test: String,
        /// The step, from 1.
        step: usize,
        /// The column.
        column: String,
        /// The condition that needs it.
        condition: String,
    },
}

/// What a condition is on a step: its value and its operands, or the cell that it lacks.
type Evaluated = Result<(bool, Option<Box<(Value, Value)>>), usize>;

impl BoundFormulas {
    /// Runs `suite`.
    pub fn replay(&self, suite: &Suite) -> Result<Recording, ReplayError> {
        if suite.inputs != self.program.interface.inputs {
            return Err(ReplayError::OtherInputs);
        }
        let mut tests = Vec::with_capacity(suite.tests.len());
        for test in &suite.tests {
            let mut events = Vec::new();
            self.replay_test(test, |step| -> Result<(), ReplayError> {
                events.append(step);
                Ok(())
            })?;
            tests.push(RecordedTest { name: test.name.clone(), events });
        }
        Ok(Recording { tests, watched: Watched::default() })
    }

    /// Runs one test over the inputs that the decisions were bound to. The events of
    /// each step are handed to `take` and then forgotten: those of a whole suite take
    /// many times the space of its text.
    pub fn replay_test<E: From<ReplayError>>(
        &self,
        test: &TestCase,
        mut take: impl FnMut(&mut Vec<RecordedEvent>) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut events = Vec::new();
        for (index, step) in test.steps.iter().enumerate() {
            self.run_step(step, &mut events).map_err(|(condition, cell)| ReplayError::NoValue {
                test: test.name.clone(),
                step: index + 1,
                column: self.program.interface.inputs[cell].name.clone(),
                condition: self.program.condition(condition).text.clone(),
            })?;
            take(&mut events)?;
            events.clear();
        }
        Ok(())
    }

    fn run_step(
        &self,
        step: &Step,
        events: &mut Vec<RecordedEvent>,
    ) -> Result<(), (ConditionId, usize)> {
        for (index, decision) in self.program.decisions().iter().enumerate() {
            let first = self.program.condition_at(DecisionId::new(index), 0).index();
            let terms = &self.terms[first..first + decision.tree.conditions()];
            let evaluated = terms.iter().map(|term| self.evaluate(term, step)).collect();
            record(&decision.tree, first, evaluated, events)?;
        }
        Ok(())
    }

    fn evaluate(&self, term: &BoundTerm, step: &Step) -> Evaluated {
        match term {
            BoundTerm::Constant(value) => Ok((*value, None)),
            BoundTerm::Cell(cell) => match step.get(*cell) {
                Some(Some(Value::Bool(value))) => Ok((*value, None)),
                _ => Err(*cell),
            },
            BoundTerm::Comparison(operator, left, right) => {
                let value = |source: &Source| match source {
                    Source::Constant(value) => Ok(value.clone()),
                    Source::Cell(cell) => {
                        let found = step.get(*cell).and_then(Option::as_ref);
                        found.filter(|value| value.has_type(self.kind(*cell))).cloned().ok_or(*cell)
                    }
                };
                let (left, right) = (value(left)?, value(right)?);
                let holds = operator.holds(left.compare(&right));
                Ok((holds, Some(Box::new((left, right)))))
            }
        }
    }

    fn kind(&self, cell: usize) -> &Type {
        &self.program.interface.inputs[cell].kind
    }
}

/// Records the evaluation of one decision, whose conditions start at `first`.
///
/// A condition without a value is taken to be false until it turns out to be
/// needed. The leftmost one that is needed is so whatever the others are: whether
/// a condition is reached depends only on those to its left.
fn record(
    tree: &BoolTree,
    first: usize,
    evaluated: Vec<Evaluated>,
    events: &mut Vec<RecordedEvent>,
) -> Result<(), (ConditionId, usize)> {
    let values: Vec<bool> =
        evaluated.iter().map(|one| one.as_ref().is_ok_and(|(value, _)| *value)).collect();
    let evaluation = tree.evaluate(&values);
    for (ordinal, one) in evaluated.into_iter().enumerate() {
        if evaluation.value(ordinal).is_some() {
            let condition = ConditionId::new(first + ordinal);
            let (value, operands) = one.map_err(|cell| (condition, cell))?;
            events.push(RecordedEvent::Evaluated(ConditionEvaluation {
                condition,
                value,
                operands,
            }));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
