//! Decisions held against the typed inputs of a suite.

use std::collections::{HashMap, HashSet};

use obligato_model::program::{NewCondition, NewDecision};
use obligato_model::{
    Function, Position, Program, Relation, RelationOperator, Role, Span, Type, Value, Variable,
};

use crate::columns::Use;
use crate::equalities::is_number;
use crate::error::{FormulaError, Reason};
use crate::formulas::{Formula, FormulaCondition, Formulas, OperandSource, Term};

/// Decisions whose columns are inputs of a suite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoundFormulas {
    /// The decisions as a program: one function that has them all.
    pub program: Program,
    /// Per condition of the program, how it is evaluated.
    pub(crate) terms: Vec<BoundTerm>,
}

/// How a condition is evaluated on a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum BoundTerm {
    /// Always so.
    Constant(bool),
    /// As this cell says.
    Cell(usize),
    /// By comparison.
    Comparison(RelationOperator, Source, Source),
}

/// Where the value of an operand comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// This cell of the step.
    Cell(usize),
    /// The text.
    Constant(Value),
}

/// At most so many columns are listed in a message.
const MOST_LISTED: usize = 10;

impl Formulas {
    /// Finds every column among `inputs` and checks that their types allow what
    /// the decisions do with them.
    pub fn bind(&self, inputs: &[Variable]) -> Result<BoundFormulas, FormulaError> {
        let cells = self.find_cells(inputs)?;
        let numbers: HashSet<&str> = inputs
            .iter()
            .filter(|input| is_number(&input.kind))
            .map(|input| input.name.as_str())
            .collect();
        self.check_equalities(|left, right| numbers.contains(left) && numbers.contains(right))?;
        let binder = Binder { formulas: self, inputs, cells };
        let mut program = Program::new();
        program.interface.inputs = inputs.to_vec();
        let file = program.add_file(&self.file);
        let span = self.span();
        let name = "decisions".to_owned();
        let function = program.add_function(Function { name, file, span, entered: false });
        let mut terms = Vec::new();
        for decision in &self.decisions {
            let mut conditions = Vec::with_capacity(decision.conditions.len());
            for condition in &decision.conditions {
                let (new, term) = binder.bind_condition(decision, condition)?;
                conditions.push(new);
                terms.push(term);
            }
            let Formula { span, text, tree, .. } = decision;
            program
                .add_decision(NewDecision {
                    function,
                    span: *span,
                    text: text.clone(),
                    role: Role::Value,
                    tree: tree.clone(),
                    conditions,
                })
                .expect("invariant: the parser lists the conditions of its tree");
        }
        Ok(BoundFormulas { program, terms })
    }

    /// Per column, its place among `inputs`.
    fn find_cells(&self, inputs: &[Variable]) -> Result<Vec<usize>, FormulaError> {
        let numbered = inputs.iter().enumerate();
        let places: HashMap<&str, usize> =
            numbered.map(|(at, input)| (input.name.as_str(), at)).collect();
        let find = |column: &crate::Column| {
            places.get(column.name.as_str()).copied().ok_or_else(|| {
                let known = listed(inputs);
                let reason = Reason::NoColumn { name: column.name.clone(), known };
                self.error_at(column.first_use, reason)
            })
        };
        self.columns().iter().map(find).collect()
    }

    fn error_at(&self, at: Position, reason: Reason) -> FormulaError {
        let found = self.decisions.iter().find(|decision| decision.span.start.line == at.line);
        let line = found.map(|decision| decision.line.clone()).unwrap_or_default();
        FormulaError { file: self.file.clone(), at, line, reason: Box::new(reason) }
    }

    /// From the first character to the end of the last decision.
    fn span(&self) -> Span {
        let start = Position { line: 1, column: 1 };
        let end = self.decisions.last().map_or(start, |decision| decision.span.end);
        Span { start, end }
    }
}

struct Binder<'a> {
    formulas: &'a Formulas,
    inputs: &'a [Variable],
    /// Per column, its place among the inputs.
    cells: Vec<usize>,
}

impl Binder<'_> {
    fn bind_condition(
        &self,
        decision: &Formula,
        condition: &FormulaCondition,
    ) -> Result<(NewCondition, BoundTerm), FormulaError> {
        let bound = match &condition.term {
            Term::Constant(value) => Ok((Some(*value), None, BoundTerm::Constant(*value))),
            Term::Column(column) => self.bind_flag(*column),
            Term::Comparison(operator, left, right) => self.bind_comparison(*operator, left, right),
        };
        let (constant, relation, term) = bound.map_err(|reason| FormulaError {
            file: self.formulas.file.clone(),
            at: condition.span.start,
            line: decision.line.clone(),
            reason: Box::new(reason),
        })?;
        let FormulaCondition { span, text, .. } = condition;
        Ok((NewCondition { span: *span, text: text.clone(), constant, relation }, term))
    }

    fn input(&self, column: usize) -> &Variable {
        &self.inputs[self.cells[column]]
    }

    fn bind_flag(
        &self,
        column: usize,
    ) -> Result<(Option<bool>, Option<Relation>, BoundTerm), Reason> {
        let Variable { name, kind } = self.input(column);
        if *kind != Type::Bool {
            let (name, kind) = (name.clone(), kind.clone());
            let hint = match kind {
                Type::Enumeration(_) | Type::OpenEnumeration(_) => "",
                _ => "; write a comparison of numbers as [x == y]",
            };
            return Err(Reason::NotBoolean { name, kind, hint });
        }
        Ok((None, None, BoundTerm::Cell(self.cells[column])))
    }

    fn bind_comparison(
        &self,
        operator: RelationOperator,
        left: &OperandSource,
        right: &OperandSource,
    ) -> Result<(Option<bool>, Option<Relation>, BoundTerm), Reason> {
        let kind = self.type_of_comparison(left, right)?;
        let [left, right] = [(left, right), (right, left)].map(|(side, other)| {
            Ok(match side {
                OperandSource::Column(column) => Source::Cell(self.cells[*column]),
                OperandSource::Number(number) => Source::Constant(self.read(number, other, &kind)?),
            })
        });
        let (left, right) = (left?, right?);
        let constant_of = |source: &Source| match source {
            Source::Cell(_) => None,
            Source::Constant(value) => Some(value.clone()),
        };
        let (x, y) = (constant_of(&left), constant_of(&right));
        let constant = x.as_ref().zip(y.as_ref()).map(|(x, y)| operator.holds(x.compare(y)));
        let relation = Relation { operator, kind, left: x, right: y };
        Ok((constant, Some(relation), BoundTerm::Comparison(operator, left, right)))
    }

    /// Numbers take the type of the column they are compared with.
    fn type_of_comparison(
        &self,
        left: &OperandSource,
        right: &OperandSource,
    ) -> Result<Type, Reason> {
        match (left, right) {
            (OperandSource::Column(left), OperandSource::Column(right)) => {
                let (left, right) = (self.number(*left)?, self.number(*right)?);
                if left.kind != right.kind {
                    return Err(Reason::TypesDiffer {
                        left: Box::new(left.clone()),
                        right: Box::new(right.clone()),
                    });
                }
                Ok(left.kind.clone())
            }
            (OperandSource::Column(column), OperandSource::Number(_))
            | (OperandSource::Number(_), OperandSource::Column(column)) => {
                Ok(self.number(*column)?.kind.clone())
            }
            (OperandSource::Number(left), OperandSource::Number(right)) => {
                let whole = [left, right].map(|text| Value::parse(text, &Type::Int).is_ok());
                Ok(if whole == [true, true] { Type::Int } else { Type::Real })
            }
        }
    }

    fn number(&self, column: usize) -> Result<&Variable, Reason> {
        debug_assert_eq!(self.formulas.columns()[column].used_as, Use::Number);
        let input = self.input(column);
        if matches!(input.kind, Type::Bool | Type::Enumeration(_) | Type::OpenEnumeration(_)) {
            let (name, kind) = (input.name.clone(), input.kind.clone());
            return Err(Reason::NotANumber { name, kind });
        }
        Ok(input)
    }

    fn read(&self, number: &str, other: &OperandSource, kind: &Type) -> Result<Value, Reason> {
        Value::parse(number, kind).map_err(|error| match other {
            OperandSource::Column(column) => Reason::NotOfType {
                number: number.to_owned(),
                name: self.input(*column).name.clone(),
                kind: kind.clone(),
            },
            OperandSource::Number(_) => Reason::Syntax(error.to_string()),
        })
    }
}

/// The names of the inputs, the first few if they are many.
fn listed(inputs: &[Variable]) -> String {
    let mut names: Vec<String> =
        inputs.iter().take(MOST_LISTED).map(|input| format!("'{}'", input.name)).collect();
    if inputs.len() > MOST_LISTED {
        names.push(format!("and {} more", inputs.len() - MOST_LISTED));
    }
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

#[cfg(test)]
mod tests;
