//! From points that are passed to events.
//!
//! Two things are added to what the code shows. Conditions that the compiler has folded away are
//! evaluated all the same as far as the source is concerned, so they are put in where the tree says that they
//! are due. And a value that is compared is given with its type.

use obligato_model::{
    ConditionEvaluation, ConditionId, DecisionId, FunctionId, Node, Operator, Program,
    RecordedEvent,
};

use crate::mapping::{EvaluationSite, FunctionMap};
use crate::program::FunctionIds;
use crate::watch::{Meaning, operand};

/// Makes events of one test.
#[derive(Clone, Debug)]
pub struct Recorder<'u> {
    program: &'u Program,
    folded: &'u Folded,
    /// The calls in progress.
    calls: Vec<FunctionId>,
    /// Evaluations in progress of decisions that are partly folded, with how many calls were in progress.
    running: Vec<Running>,
}

/// What the compiler has folded: per decision, the values of such conditions.
#[derive(Clone, Debug, Default)]
pub struct Folded(Vec<Option<Vec<Option<bool>>>>);

#[derive(Clone, Debug)]
struct Running {
    decision: DecisionId,
    depth: usize,
    values: Vec<Option<bool>>,
}

impl Folded {
    /// Of a unit.
    pub fn new(program: &Program, maps: &[Option<FunctionMap>], ids: &[FunctionIds]) -> Self {
        let mut folded = vec![None; program.decisions().len()];
        for (map, ids) in maps.iter().zip(ids) {
            let Some(map) = map else { continue };
            for (decision, id) in map.decisions.iter().zip(&ids.decisions) {
                let values: Vec<Option<bool>> = decision.conditions.iter().map(value_of).collect();
                if values.iter().any(Option::is_some) {
                    folded[id.index()] = Some(values);
                }
            }
        }
        Self(folded)
    }

    /// Per condition of a decision its value, if it is folded; none if nothing of it is.
    pub fn of(&self, decision: DecisionId) -> Option<&[Option<bool>]> {
        self.0[decision.index()].as_deref()
    }
}

fn value_of(site: &EvaluationSite) -> Option<bool> {
    match site {
        EvaluationSite::Folded(value) => Some(*value),
        _ => None,
    }
}

impl<'u> Recorder<'u> {
    /// A recorder for runs of a unit.
    pub fn new(program: &'u Program, folded: &'u Folded) -> Self {
        Self { program, folded, calls: Vec::new(), running: Vec::new() }
    }

    /// Begins a test.
    pub fn begin(&mut self) {
        self.calls.clear();
        self.running.clear();
    }

    /// A point was passed, with this value in its register, after these operands.
    pub fn pass(
        &mut self,
        meaning: &Meaning,
        value: u64,
        operands: &[u64],
        mut take: impl FnMut(RecordedEvent),
    ) {
        match meaning {
            Meaning::Enter(function) => {
                self.calls.push(*function);
                take(RecordedEvent::Entered(*function));
            }
            Meaning::Leave(exit) => {
                let function = self.program.exits()[exit.index()].function;
                self.unwind_to(function);
                self.calls.pop();
                take(RecordedEvent::Left(*exit));
            }
            Meaning::Execute(statement) => take(RecordedEvent::Executed(*statement)),
            Meaning::Choose(choice) => take(RecordedEvent::Switched(choice.arm(value))),
            Meaning::Evaluate(condition) => {
                self.evaluate(*condition, value & 1 != 0, operands, &mut take);
            }
            Meaning::Pass(decision) => {
                let count = self.program.decision(*decision).tree.conditions();
                let mut values = vec![None; count];
                self.fill(*decision, &mut values, &mut take);
            }
        }
    }

    /// Calls inside of the innermost one of this function are over.
    fn unwind_to(&mut self, function: FunctionId) {
        if let Some(depth) = self.calls.iter().rposition(|call| *call == function) {
            self.calls.truncate(depth + 1);
        }
    }

    fn evaluate(
        &mut self,
        condition: ConditionId,
        value: bool,
        operands: &[u64],
        take: &mut impl FnMut(RecordedEvent),
    ) {
        let home = self.program.condition(condition);
        let operands = match (&home.relation, operands) {
            (Some(relation), [left, right]) => {
                let left = operand(&relation.kind, *left);
                left.zip(operand(&relation.kind, *right)).map(Box::new)
            }
            _ => None,
        };
        let event = RecordedEvent::Evaluated(ConditionEvaluation { condition, value, operands });
        if self.folded.of(home.decision).is_none() {
            return take(event);
        }
        let mut running = self.resume(home.decision, home.ordinal, take);
        running.values[home.ordinal] = Some(value);
        take(event);
        if self.fill(home.decision, &mut running.values, take).is_some() {
            self.running.push(running);
        }
    }

    /// The evaluation in which a condition is due, begun if there is none.
    fn resume(
        &mut self,
        decision: DecisionId,
        ordinal: usize,
        take: &mut impl FnMut(RecordedEvent),
    ) -> Running {
        self.unwind_to(self.program.decision(decision).function);
        let depth = self.calls.len();
        self.running.retain(|running| running.depth <= depth);
        let here = |running: &Running| running.decision == decision && running.depth == depth;
        if let Some(at) = self.running.iter().rposition(here) {
            let running = self.running.remove(at);
            if self.due(decision, &running.values) == Some(ordinal) {
                return running;
            }
        }
        let mut values = vec![None; self.program.decision(decision).tree.conditions()];
        self.fill(decision, &mut values, take);
        Running { decision, depth, values }
    }

    /// Evaluates what is folded and due. Gives the condition that is due then.
    fn fill(
        &self,
        decision: DecisionId,
        values: &mut [Option<bool>],
        take: &mut impl FnMut(RecordedEvent),
    ) -> Option<usize> {
        let folded = self.folded.of(decision)?;
        while let Some(ordinal) = self.due(decision, values) {
            let Some(value) = folded[ordinal] else { return Some(ordinal) };
            values[ordinal] = Some(value);
            let condition = self.program.condition_at(decision, ordinal);
            let relation = self.program.condition(condition).relation.as_ref();
            let operands = relation.and_then(|relation| {
                relation.left.clone().zip(relation.right.clone()).map(Box::new)
            });
            take(RecordedEvent::Evaluated(ConditionEvaluation { condition, value, operands }));
        }
        None
    }

    /// The condition that is evaluated next, after those that have values.
    fn due(&self, decision: DecisionId, values: &[Option<bool>]) -> Option<usize> {
        let tree = &self.program.decision(decision).tree;
        let mut results: Vec<Result<bool, usize>> = Vec::with_capacity(tree.nodes().len());
        for node in tree.nodes() {
            results.push(match *node {
                Node::Condition(ordinal) => values[ordinal as usize].ok_or(ordinal as usize),
                Node::Not(operand) => results[operand.index()].map(|value| !value),
                Node::Binary(operator, left, right) => {
                    joined(operator, results[left.index()], results[right.index()])
                }
                Node::Choose(_, test, then, otherwise) => {
                    let (then, otherwise) = (results[then.index()], results[otherwise.index()]);
                    results[test.index()].and_then(|test| if test { then } else { otherwise })
                }
            });
        }
        results.last().and_then(|root| root.err())
    }
}

fn joined(
    operator: Operator,
    left: Result<bool, usize>,
    right: Result<bool, usize>,
) -> Result<bool, usize> {
    let left = left?;
    if operator.skips_right(left) { Ok(left) } else { Ok(operator.apply(left, right?)) }
}

#[cfg(test)]
mod tests;
