//! From the text of a precondition to its steps: Dijkstra's shunting yard, with the precedences of C.

use obligato_model::{Integer, Signedness};

use super::tokens::{Token, tokens};
use super::{BinaryOperator, Precondition, Step, UnaryOperator};
use crate::interface::{Cell, Form};

/// A text that is no precondition of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misread {
    /// Where, in bytes from the start of the text.
    pub at: usize,
    /// What is wrong there.
    pub reason: String,
}

/// No value on the way may need more bits: solvers compute with words.
const WIDEST: u32 = 128;

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// A number that fits into so many bits with its sign.
    Number(u32),
    /// `NULL` or `0`.
    Null,
    /// Whether a pointer is not null.
    Pointer,
}

impl Kind {
    fn bits(self) -> u32 {
        match self {
            Self::Number(bits) => bits,
            Self::Null | Self::Pointer => 2,
        }
    }
}

/// Something that waits for its operands.
#[derive(Clone, Copy, Debug)]
enum Waiting {
    Open,
    Unary(UnaryOperator),
    Binary(BinaryOperator),
}

/// Reads a precondition over these inputs.
pub fn parse(text: &str, inputs: &[Cell]) -> Result<Precondition, Misread> {
    let mut yard = Yard { inputs, steps: Vec::new(), kinds: Vec::new(), waiting: Vec::new() };
    let mut operand_is_due = true;
    for (at, token) in tokens(text, inputs)? {
        operand_is_due =
            yard.take(at, token, operand_is_due).map_err(|reason| Misread { at, reason })?;
    }
    let ended =
        if operand_is_due { Err("something is missing here".to_owned()) } else { yard.end() };
    ended.map_err(|reason| Misread { at: text.len(), reason })?;
    Ok(Precondition { text: text.to_owned(), steps: yard.steps })
}

struct Yard<'a> {
    inputs: &'a [Cell],
    steps: Vec<Step>,
    kinds: Vec<Kind>,
    waiting: Vec<(usize, Waiting)>,
}

impl Yard<'_> {
    /// Takes a word. Says whether an operand is due behind it.
    fn take(&mut self, at: usize, token: Token, operand_is_due: bool) -> Result<bool, String> {
        if operand_is_due {
            return self.take_operand(at, token);
        }
        match token {
            Token::Binary(operator) => {
                while let Some((_, waiting)) = self.waiting.last().copied() {
                    if precedence(waiting) < precedence(Waiting::Binary(operator)) {
                        break;
                    }
                    self.waiting.pop();
                    self.settle(waiting)?;
                }
                self.waiting.push((at, Waiting::Binary(operator)));
                Ok(true)
            }
            Token::Close => loop {
                let (_, waiting) = self.waiting.pop().ok_or("this closes nothing")?;
                if let Waiting::Open = waiting {
                    return Ok(false);
                }
                self.settle(waiting)?;
            },
            _ => Err("an operator is missing before this".to_owned()),
        }
    }

    fn take_operand(&mut self, at: usize, token: Token) -> Result<bool, String> {
        if let Some(operator) = token.unary() {
            self.waiting.push((at, Waiting::Unary(operator)));
            return Ok(true);
        }
        let (step, kind) = match token {
            Token::Open => {
                self.waiting.push((at, Waiting::Open));
                return Ok(true);
            }
            Token::Null => (Step::Number(Integer::ZERO), Kind::Null),
            Token::Number(number) if number == Integer::ZERO => (Step::Number(number), Kind::Null),
            Token::Number(number) => {
                let bits =
                    u128::try_from(&number).map_or(WIDEST, |number| 129 - number.leading_zeros());
                (Step::Number(number), Kind::Number(bits))
            }
            Token::Input(place) => {
                let kind = kind_of(&self.inputs[place]);
                narrow(kind.bits())?;
                (Step::Input(place), kind)
            }
            _ => return Err("a value is missing before this".to_owned()),
        };
        self.steps.push(step);
        self.kinds.push(kind);
        Ok(false)
    }

    fn end(&mut self) -> Result<(), String> {
        while let Some((_, waiting)) = self.waiting.pop() {
            self.settle(waiting)?;
        }
        Ok(())
    }

    /// An operator has its operands.
    fn settle(&mut self, waiting: Waiting) -> Result<(), String> {
        match waiting {
            Waiting::Open => Err("a parenthesis is not closed".to_owned()),
            Waiting::Unary(operator) => {
                let operand = self.kinds.pop().ok_or("a value is missing")?;
                let kind = match (operator, operand) {
                    (UnaryOperator::Not, _) => Kind::Number(2),
                    (UnaryOperator::Negate, Kind::Pointer) => return Err(POINTER.to_owned()),
                    (UnaryOperator::Negate, kind) => narrow(kind.bits() + 1)?,
                };
                self.steps.push(Step::Unary(operator));
                self.kinds.push(kind);
                Ok(())
            }
            Waiting::Binary(operator) => {
                let right = self.kinds.pop().ok_or("a value is missing")?;
                let left = self.kinds.pop().ok_or("a value is missing")?;
                if matches!(operator, BinaryOperator::Divide | BinaryOperator::Remainder)
                    && !matches!(self.steps.last(), Some(Step::Number(number)) if *number != Integer::ZERO)
                {
                    return Err("only a number that is not 0 can divide".to_owned());
                }
                self.kinds.push(kind_of_joined(operator, left, right)?);
                self.steps.push(Step::Binary(operator));
                Ok(())
            }
        }
    }
}

const POINTER: &str = "a pointer can only be compared with NULL";

fn kind_of_joined(operator: BinaryOperator, left: Kind, right: Kind) -> Result<Kind, String> {
    let pointers = (left == Kind::Pointer, right == Kind::Pointer);
    let bits = left.bits().max(right.bits());
    match (operator, pointers) {
        (BinaryOperator::And | BinaryOperator::Or, _) => Ok(Kind::Number(2)),
        (BinaryOperator::Equal | BinaryOperator::NotEqual, _)
            if pointers == (false, false) || left == Kind::Null || right == Kind::Null =>
        {
            Ok(Kind::Number(2))
        }
        (_, (true, _) | (_, true)) => Err(POINTER.to_owned()),
        (BinaryOperator::Add | BinaryOperator::Subtract, _) => narrow(bits + 1),
        (BinaryOperator::Multiply, _) => narrow(left.bits() + right.bits()),
        (BinaryOperator::Divide, _) => narrow(left.bits() + 1),
        (BinaryOperator::Remainder, _) => narrow(bits),
        _ => Ok(Kind::Number(2)),
    }
}

fn narrow(bits: u32) -> Result<Kind, String> {
    if bits <= WIDEST {
        Ok(Kind::Number(bits))
    } else {
        Err(format!("this computes with numbers of more than {WIDEST} bits"))
    }
}

fn kind_of(cell: &Cell) -> Kind {
    match &cell.form {
        Form::Integer(signedness, bits) | Form::Enumeration(_, signedness, bits) => {
            match signedness {
                Signedness::Signed => Kind::Number(*bits),
                Signedness::Unsigned => Kind::Number(bits + 1),
            }
        }
        Form::Pointer(_) => Kind::Pointer,
        Form::Bool(_) | Form::Float32 | Form::Float64 => Kind::Number(2),
    }
}

/// How closely an operator binds.
fn precedence(waiting: Waiting) -> u8 {
    match waiting {
        Waiting::Open => 0,
        Waiting::Binary(BinaryOperator::Or) => 1,
        Waiting::Binary(BinaryOperator::And) => 2,
        Waiting::Binary(BinaryOperator::Equal | BinaryOperator::NotEqual) => 3,
        Waiting::Binary(
            BinaryOperator::Less
            | BinaryOperator::LessEqual
            | BinaryOperator::Greater
            | BinaryOperator::GreaterEqual,
        ) => 4,
        Waiting::Binary(BinaryOperator::Add | BinaryOperator::Subtract) => 5,
        Waiting::Binary(
            BinaryOperator::Multiply | BinaryOperator::Divide | BinaryOperator::Remainder,
        ) => 6,
        Waiting::Unary(_) => 7,
    }
}
