//! Preconditions as terms: one bit for each step of a test.
//!
//! Preconditions are over mathematical integers, so every value gets as many bits as it may need; those that
//! would need more than a term has were rejected when the precondition was parsed.

use obligato_c_unit::interface::{Cell, Form};
use obligato_c_unit::precondition::{BinaryOperator, Precondition, Step, UnaryOperator};
use obligato_model::{Integer, Signedness};
use obligato_term::{BinaryOp, Term, Terms, UnaryOp};

use crate::inputs::Input;

/// The bit that says whether a precondition holds of the inputs of a step.
pub(crate) fn translate(
    terms: &mut Terms,
    cells: &[Cell],
    inputs: &[Input],
    precondition: &Precondition,
) -> Term {
    let mut stack: Vec<Term> = Vec::new();
    for step in &precondition.steps {
        let value = match step {
            Step::Number(number) => constant(terms, number),
            Step::Input(at) => number_of(terms, &cells[*at].form, inputs[*at].word),
            Step::Unary(operator) => {
                let operand = stack.pop().expect("invariant: operands come before operators");
                unary(terms, *operator, operand)
            }
            Step::Binary(operator) => {
                let right = stack.pop().expect("invariant: operands come before operators");
                let left = stack.pop().expect("invariant: operands come before operators");
                binary(terms, *operator, left, right)
            }
        };
        stack.push(value);
    }
    let whole = stack.pop().expect("invariant: a precondition has a value");
    truth(terms, whole)
}

/// A number with its sign.
fn constant(terms: &mut Terms, number: &Integer) -> Term {
    let number = i128::try_from(number).unwrap_or(i128::MAX);
    let bits = 129 - if number < 0 { number.leading_ones() } else { number.leading_zeros() };
    terms.constant(number.cast_unsigned(), bits.clamp(2, 128) as u8)
}

/// What is written into a cell as a number with its sign; of a pointer, whether it is not null.
fn number_of(terms: &mut Terms, form: &Form, word: Term) -> Term {
    let width = terms.width(word);
    let signed = match form {
        Form::Integer(signedness, _) | Form::Enumeration(_, signedness, _) => {
            *signedness == Signedness::Signed
        }
        Form::Float32 | Form::Float64 => false,
        Form::Bool(_) | Form::Pointer(_) => {
            let bit = truth(terms, word);
            return terms.zero_extend(bit, 2);
        }
    };
    if signed { word } else { terms.zero_extend(word, width + 1) }
}

fn widen(terms: &mut Terms, value: Term, width: u8) -> Term {
    if terms.width(value) == width { value } else { terms.sign_extend(value, width) }
}

fn truth(terms: &mut Terms, value: Term) -> Term {
    let zero = terms.constant(0, terms.width(value));
    let is_zero = terms.equal(value, zero);
    terms.not(is_zero)
}

fn unary(terms: &mut Terms, operator: UnaryOperator, operand: Term) -> Term {
    match operator {
        UnaryOperator::Not => {
            let holds = truth(terms, operand);
            let not = terms.not(holds);
            terms.zero_extend(not, 2)
        }
        UnaryOperator::Negate => {
            let wider = terms.sign_extend(operand, terms.width(operand) + 1);
            terms.unary(UnaryOp::Negate, wider)
        }
    }
}

fn binary(terms: &mut Terms, operator: BinaryOperator, left: Term, right: Term) -> Term {
    let (left_width, right_width) = (terms.width(left), terms.width(right));
    let both = left_width.max(right_width);
    let (op, width) = match operator {
        BinaryOperator::Add => (BinaryOp::Add, both + 1),
        BinaryOperator::Subtract => (BinaryOp::Subtract, both + 1),
        BinaryOperator::Multiply => (BinaryOp::Multiply, left_width + right_width),
        BinaryOperator::Divide => (BinaryOp::DivideSigned, both + 1),
        BinaryOperator::Remainder => (BinaryOp::RemainderSigned, both),
        _ => {
            let bit = compare(terms, operator, left, right, both);
            return terms.zero_extend(bit, 2);
        }
    };
    let (left, right) = (widen(terms, left, width), widen(terms, right, width));
    terms.binary(op, left, right)
}

/// The operators whose value is 0 or 1.
fn compare(
    terms: &mut Terms,
    operator: BinaryOperator,
    left: Term,
    right: Term,
    width: u8,
) -> Term {
    if matches!(operator, BinaryOperator::And | BinaryOperator::Or) {
        let (left, right) = (truth(terms, left), truth(terms, right));
        return if operator == BinaryOperator::And {
            terms.and(left, right)
        } else {
            terms.or(left, right)
        };
    }
    let (left, right) = (widen(terms, left, width), widen(terms, right, width));
    let (swapped, negated) = match operator {
        BinaryOperator::Less => (false, false),
        BinaryOperator::Greater => (true, false),
        BinaryOperator::LessEqual => (true, true),
        BinaryOperator::GreaterEqual => (false, true),
        _ => {
            let equal = terms.equal(left, right);
            return if operator == BinaryOperator::Equal { equal } else { terms.not(equal) };
        }
    };
    let (left, right) = if swapped { (right, left) } else { (left, right) };
    let less = terms.binary(BinaryOp::LessSigned, left, right);
    if negated { terms.not(less) } else { less }
}

#[cfg(test)]
mod tests;
