//! The columns that decisions use, and how.

use std::fmt;

use obligato_model::{Position, Type, Value, Variable};

use crate::formulas::{Formulas, OperandSource, Term};

/// What a column is used as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// A condition of its own.
    Boolean,
    /// An operand of a comparison.
    Number,
}

impl fmt::Display for Use {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Boolean => "Boolean",
            Self::Number => "number",
        })
    }
}

/// A column that decisions use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// What it is used as, everywhere.
    pub used_as: Use,
    /// Where it is used first.
    pub first_use: Position,
}

impl Formulas {
    /// The inputs of a suite without types of its own, such as a CSV file, with
    /// the types that the decisions ask for put in place of those `guessed`.
    ///
    /// A column used as a Boolean is one, so `0` and `1` may stand for it. A
    /// column used as a number is an `int`, or a `real` if it has a value, or
    /// is compared with something, that no integer is.
    pub fn retype(&self, guessed: &[Variable]) -> Vec<Variable> {
        let real = self.real_columns(guessed);
        let retyped = guessed.iter().map(|input| {
            let Some(column) = self.column_named(&input.name) else { return input.clone() };
            let kind = match self.columns()[column].used_as {
                Use::Boolean => Type::Bool,
                Use::Number if real[column] => Type::Real,
                Use::Number => Type::Int,
            };
            Variable { name: input.name.clone(), kind }
        });
        retyped.collect()
    }

    /// Per column, must it be a `real`? What a real column is compared with is real too.
    fn real_columns(&self, guessed: &[Variable]) -> Vec<bool> {
        let mut compared_with = vec![Vec::new(); self.columns().len()];
        let mut todo: Vec<usize> = guessed
            .iter()
            .filter(|input| input.kind == Type::Real)
            .filter_map(|input| self.column_named(&input.name))
            .collect();
        for term in self.conditions().map(|condition| &condition.term) {
            match term {
                Term::Comparison(_, OperandSource::Column(left), OperandSource::Column(right)) => {
                    compared_with[*left].push(*right);
                    compared_with[*right].push(*left);
                }
                Term::Comparison(
                    _,
                    OperandSource::Column(column),
                    OperandSource::Number(number),
                )
                | Term::Comparison(
                    _,
                    OperandSource::Number(number),
                    OperandSource::Column(column),
                ) if Value::parse(number, &Type::Int).is_err() => {
                    todo.push(*column);
                }
                _ => {}
            }
        }
        let mut real = vec![false; self.columns().len()];
        while let Some(column) = todo.pop() {
            if !std::mem::replace(&mut real[column], true) {
                todo.append(&mut compared_with[column]);
            }
        }
        real
    }
}
