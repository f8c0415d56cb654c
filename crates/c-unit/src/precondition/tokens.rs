//! The words of a precondition.

use obligato_model::Integer;

use super::{BinaryOperator, Misread, UnaryOperator};
use crate::interface::{Cell, Form};

/// A word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// A number, or the constant of an enumeration.
    Number(Integer),
    /// `NULL`.
    Null,
    /// An input, by its place.
    Input(usize),
    Not,
    Binary(BinaryOperator),
    Open,
    Close,
}

/// The operators, longer ones before those that they begin with.
const OPERATORS: &[(&str, Token)] = &[
    ("&&", Token::Binary(BinaryOperator::And)),
    ("||", Token::Binary(BinaryOperator::Or)),
    ("==", Token::Binary(BinaryOperator::Equal)),
    ("!=", Token::Binary(BinaryOperator::NotEqual)),
    ("<=", Token::Binary(BinaryOperator::LessEqual)),
    (">=", Token::Binary(BinaryOperator::GreaterEqual)),
    ("<", Token::Binary(BinaryOperator::Less)),
    (">", Token::Binary(BinaryOperator::Greater)),
    ("+", Token::Binary(BinaryOperator::Add)),
    ("-", Token::Binary(BinaryOperator::Subtract)),
    ("*", Token::Binary(BinaryOperator::Multiply)),
    ("/", Token::Binary(BinaryOperator::Divide)),
    ("%", Token::Binary(BinaryOperator::Remainder)),
    ("!", Token::Not),
    ("(", Token::Open),
    (")", Token::Close),
];

impl Token {
    /// The operator with one operand that it can stand for.
    pub fn unary(&self) -> Option<UnaryOperator> {
        match self {
            Self::Not => Some(UnaryOperator::Not),
            Self::Binary(BinaryOperator::Subtract) => Some(UnaryOperator::Negate),
            _ => None,
        }
    }
}

/// The words of a text, each with where it starts.
pub(super) fn tokens(text: &str, inputs: &[Cell]) -> Result<Vec<(usize, Token)>, Misread> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(next) = text[at..].chars().next() {
        if next.is_whitespace() {
            at += next.len_utf8();
            continue;
        }
        let (length, token) =
            token(&text[at..], inputs).map_err(|reason| Misread { at, reason })?;
        found.push((at, token));
        at += length;
    }
    Ok(found)
}

/// The first word of a text, and its length.
fn token(text: &str, inputs: &[Cell]) -> Result<(usize, Token), String> {
    // Names of inputs may have operators in them, as `p->count` and `read()[0]` have: the longest counts.
    let named = inputs.iter().enumerate().filter(|(_, cell)| is_word(text, &cell.name));
    if let Some((place, cell)) = named.max_by_key(|(_, cell)| cell.name.len()) {
        return match cell.form {
            Form::Float32 | Form::Float64 => Err(format!(
                "'{}' is a floating-point number, and those cannot stand here",
                cell.name
            )),
            _ => Ok((cell.name.len(), Token::Input(place))),
        };
    }
    let word: &str = &text[..text.find(|c: char| !is_part_of_word(c)).unwrap_or(text.len())];
    if word.starts_with(|c: char| c.is_ascii_digit()) {
        return number(word).map(|number| (word.len(), Token::Number(number)));
    }
    if word == "NULL" {
        return Ok((word.len(), Token::Null));
    }
    if !word.is_empty() {
        let constant = constant_of(word, inputs);
        let constant = constant.ok_or_else(|| format!("the function has no input '{word}'"))?;
        return Ok((word.len(), Token::Number(constant)));
    }
    let operator = OPERATORS.iter().find(|(sign, _)| text.starts_with(sign));
    let (sign, token) = operator
        .ok_or_else(|| format!("'{}' has no meaning here", text.chars().next().unwrap_or(' ')))?;
    Ok((sign.len(), token.clone()))
}

/// Does a text begin with this name, and not with a longer word?
fn is_word(text: &str, name: &str) -> bool {
    text.strip_prefix(name)
        .is_some_and(|rest| !name.ends_with(is_part_of_word) || !rest.starts_with(is_part_of_word))
}

fn is_part_of_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The value that a name has in one of the enumerations among the inputs.
fn constant_of(name: &str, inputs: &[Cell]) -> Option<Integer> {
    inputs.iter().find_map(|cell| match &cell.form {
        Form::Enumeration(names, ..) => {
            names.iter().find(|(known, _)| known == name).map(|(_, value)| Integer::from(*value))
        }
        _ => None,
    })
}

/// A number as C writes it; suffixes say nothing here.
fn number(word: &str) -> Result<Integer, String> {
    let digits = word.trim_end_matches(['u', 'U', 'l', 'L']);
    let hexadecimal = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X"));
    let parsed = match hexadecimal {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None if digits.len() > 1 && digits.starts_with('0') => u64::from_str_radix(digits, 8).ok(),
        None => digits.parse().ok(),
    };
    parsed
        .map(Integer::from)
        .ok_or_else(|| format!("'{word}' is no whole number of at most 64 bits"))
}
