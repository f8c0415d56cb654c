//! Preconditions: what holds of the inputs of a function whenever it is called, as the user says in C.
//!
//! `low <= high && (p == NULL || p->count <= 8)`: names of inputs as tests write them, numbers, constants of enumerations and
//! `NULL`, joined by the operators of C. Numbers are those of mathematics here: nothing overflows. [`parse`] makes a list of
//! steps of a text, in postfix order; [`Precondition::holds`] decides a test, and whoever solves for inputs
//! takes the same steps on terms.

use obligato_model::{Integer, Value};

use crate::interface::{Cell, Form, PointerTarget};

mod parse;
mod tokens;

pub use parse::{Misread, parse};

/// Something that holds of the inputs of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Precondition {
    /// As it was written.
    pub text: String,
    /// In postfix order.
    pub steps: Vec<Step>,
}

/// A step on the way to the value of a precondition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// A number.
    Number(Integer),
    /// The input at this place among those of the function: a number, or whether a pointer is not null.
    Input(usize),
    /// On the last value.
    Unary(UnaryOperator),
    /// On the last two values.
    Binary(BinaryOperator),
}

/// An operator with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOperator {
    /// `!`
    Not,
    /// `-`
    Negate,
}

/// An operator with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the operators of C")]
pub enum BinaryOperator {
    Or,
    And,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Add,
    Subtract,
    Multiply,
    /// By a constant, towards zero.
    Divide,
    /// By a constant, with the sign of the number.
    Remainder,
}

impl Precondition {
    /// Does it hold of these inputs? A test may leave some open; `None` if it depends on them.
    pub fn holds(&self, inputs: &[Cell], values: &[Option<&Value>]) -> Option<bool> {
        let mut stack: Vec<Option<Integer>> = Vec::new();
        for step in &self.steps {
            let value = match step {
                Step::Number(number) => Some(number.clone()),
                Step::Input(at) => {
                    let value = values.get(*at).copied().flatten();
                    value.and_then(|value| number_of(&inputs[*at].form, value))
                }
                Step::Unary(operator) => stack.pop()?.map(|operand| match operator {
                    UnaryOperator::Not => truth(operand == Integer::ZERO),
                    UnaryOperator::Negate => -operand,
                }),
                Step::Binary(operator) => {
                    let (right, left) = (stack.pop()?, stack.pop()?);
                    joined(*operator, left, right)
                }
            };
            stack.push(value);
        }
        stack.pop()?.map(|value| value != Integer::ZERO)
    }

    /// The places of the inputs that it is about.
    pub fn inputs(&self) -> impl Iterator<Item = usize> + '_ {
        self.steps.iter().filter_map(|step| match step {
            Step::Input(at) => Some(*at),
            _ => None,
        })
    }
}

fn joined(
    operator: BinaryOperator,
    left: Option<Integer>,
    right: Option<Integer>,
) -> Option<Integer> {
    let decides = match operator {
        BinaryOperator::Or => Some(true),
        BinaryOperator::And => Some(false),
        _ => None,
    };
    if let Some(decides) = decides {
        let [left, right] = [left, right].map(|side| side.map(|value| value != Integer::ZERO));
        return match (left, right) {
            (Some(side), _) | (_, Some(side)) if side == decides => Some(truth(decides)),
            (Some(_), Some(_)) => Some(truth(!decides)),
            _ => None,
        };
    }
    let (left, right) = (left?, right?);
    Some(match operator {
        BinaryOperator::Equal => truth(left == right),
        BinaryOperator::NotEqual => truth(left != right),
        BinaryOperator::Less => truth(left < right),
        BinaryOperator::LessEqual => truth(left <= right),
        BinaryOperator::Greater => truth(left > right),
        BinaryOperator::GreaterEqual => truth(left >= right),
        BinaryOperator::Add => left + right,
        BinaryOperator::Subtract => left - right,
        BinaryOperator::Multiply => left * right,
        BinaryOperator::Divide if right != Integer::ZERO => left / right,
        BinaryOperator::Remainder if right != Integer::ZERO => left % right,
        BinaryOperator::Or
        | BinaryOperator::And
        | BinaryOperator::Divide
        | BinaryOperator::Remainder => return None,
    })
}

fn truth(holds: bool) -> Integer {
    if holds { Integer::ONE } else { Integer::ZERO }
}

/// What a precondition takes the value of an input for.
fn number_of(form: &Form, value: &Value) -> Option<Integer> {
    match (form, value) {
        (_, Value::Bool(value)) => Some(truth(*value)),
        (Form::Integer(..) | Form::Enumeration(..), Value::Int(value)) => Some(value.clone()),
        (Form::Enumeration(names, ..), Value::Symbol(name)) => {
            names.iter().find(|(known, _)| known == name).map(|(_, value)| Integer::from(*value))
        }
        (Form::Pointer(_), Value::Symbol(name)) => {
            Some(truth(name != PointerTarget::NULL && name != PointerTarget::UNSET))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests;
