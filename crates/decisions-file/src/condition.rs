//! The text of one condition, taken apart.

use std::ops::Range;

use obligato_model::{RelationOperator, Type, Value};

use crate::error::Reason;

/// A condition as written; places are bytes of its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Atom {
    /// `true` or `false`.
    Constant(bool),
    /// A name alone.
    Name(Range<usize>),
    /// Two operands and how they are compared.
    Comparison(RelationOperator, Operand, Operand),
}

/// A side of a comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operand {
    /// The name of a column.
    Name(Range<usize>),
    /// A number.
    Number(Range<usize>),
}

/// Longest first, so that `<=` is never read as `<`.
const COMPARISONS: [(&str, RelationOperator); 8] = [
    ("<=", RelationOperator::LessEqual),
    (">=", RelationOperator::GreaterEqual),
    ("<>", RelationOperator::NotEqual),
    ("==", RelationOperator::Equal),
    ("!=", RelationOperator::NotEqual),
    ("<", RelationOperator::Less),
    (">", RelationOperator::Greater),
    ("=", RelationOperator::Equal),
];

/// Takes a condition apart, or says at which byte it goes wrong and how.
pub fn parse(text: &str) -> Result<Atom, (usize, Reason)> {
    let comparison = text.char_indices().find_map(|(at, _)| {
        let found = COMPARISONS.into_iter().find(|(sign, _)| text[at..].starts_with(sign));
        found.map(|(sign, operator)| (at, at + sign.len(), operator))
    });
    if let Some((end, start, operator)) = comparison {
        let left = parse_operand(text, 0..end)?;
        let right = parse_operand(text, start..text.len())?;
        return Ok(Atom::Comparison(operator, left, right));
    }
    match text.trim() {
        "true" => Ok(Atom::Constant(true)),
        "false" => Ok(Atom::Constant(false)),
        word => match parse_operand(text, 0..text.len())? {
            Operand::Name(range) => Ok(Atom::Name(range)),
            Operand::Number(range) => Err((range.start, Reason::NumberAlone(abridged(word)))),
        },
    }
}

fn parse_operand(text: &str, range: Range<usize>) -> Result<Operand, (usize, Reason)> {
    let part = &text[range.clone()];
    let start = range.start + (part.len() - part.trim_start().len());
    let word = part.trim();
    let range = start..start + word.len();
    if is_number(word) {
        return Ok(Operand::Number(range));
    }
    let starts_well = word.starts_with(|first: char| first.is_alphabetic() || first == '_');
    if starts_well && word.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.')) {
        return Ok(Operand::Name(range));
    }
    Err((start, Reason::NotAnOperand(abridged(word))))
}

fn is_number(word: &str) -> bool {
    // No name begins so, and words that only floats read (`inf`) stay names.
    word.starts_with(|first: char| first.is_ascii_digit() || matches!(first, '-' | '+' | '.'))
        && Value::parse(word, &Type::Real).is_ok()
}

/// The text, cut where a message would become unreadable.
fn abridged(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests;
