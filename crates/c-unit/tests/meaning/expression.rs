//! Random expressions of C, their text, and what they mean: an interpreter of the source that knows nothing of compilers.

use std::fmt::Write;

use obligato_model::Random;

/// The variables that expressions read.
pub const VARIABLES: [&str; 4] = ["a", "b", "c", "d"];

/// An expression.
pub struct Expression {
    form: Form,
    operands: Vec<Expression>,
    /// Where its text starts and ends in its line, parentheses around it left out.
    pub columns: (u32, u32),
}

#[derive(Clone, Copy)]
enum Form {
    Variable(usize),
    Constant(i64),
    /// `s = x`: nothing reads `s`, so that it does not matter what is evaluated first.
    Assign,
    /// `t = x`, where `t` is a `_Bool`.
    AssignTruth,
    /// `(_Bool)x`.
    Truth,
    /// `__builtin_expect(x, 1)`.
    Expect,
    Call,
    Not,
    And,
    Or,
    Comma,
    /// An operator that always evaluates both sides, as it is written.
    Both(&'static str),
    Choose,
    /// `x ?: y`.
    OrElse,
}

const BOTH: [&str; 11] = ["<", "<=", ">", ">=", "==", "!=", "&", "|", "^", "+", "-"];

impl Expression {
    /// A random expression that is at most so deep.
    pub fn grow(random: &mut Random, depth: usize) -> Self {
        let kind = if depth == 0 { random.below(5) } else { random.below(28) };
        let (form, operands) = match kind {
            0..=3 => (Form::Variable(random.below(VARIABLES.len())), 0),
            4 => (Form::Constant([0, 0, 1, 1, -1, 2, 7][random.below(7)]), 0),
            5 | 27 => (Form::Assign, 1),
            6 => (Form::Call, 1),
            7..=9 => (Form::Not, 1),
            10..=12 => (Form::And, 2),
            13..=15 => (Form::Or, 2),
            16 => (Form::Comma, 2),
            17..=19 => (Form::Both(BOTH[random.below(BOTH.len())]), 2),
            20 => (Form::OrElse, 2),
            24 => (Form::AssignTruth, 1),
            25 => (Form::Truth, 1),
            26 => (Form::Expect, 1),
            _ => (Form::Choose, 3),
        };
        let operands = (0..operands).map(|_| Self::grow(random, depth.saturating_sub(1)));
        Self { form, operands: operands.collect(), columns: (0, 0) }
    }

    /// Writes it behind what is in the line.
    pub fn write(&mut self, line: &mut String) {
        let start = column(line);
        match (self.form, self.operands.as_mut_slice()) {
            (Form::Variable(index), _) => line.push_str(VARIABLES[index]),
            (Form::Constant(value), _) => line.push_str(&value.to_string()),
            (Form::Assign, [value]) => {
                line.push_str("s = ");
                value.write_inside(line);
            }
            (Form::AssignTruth, [value]) => {
                line.push_str("t = ");
                value.write_inside(line);
            }
            (Form::Truth, [value]) => {
                line.push_str("(_Bool)");
                value.write_inside(line);
            }
            (Form::Expect, [value]) => {
                line.push_str("__builtin_expect(");
                value.write_inside(line);
                line.push_str(", 1)");
            }
            (Form::Call, [value]) => {
                line.push_str("same");
                // Parentheses of its own also keep a comma from being a second argument.
                line.push('(');
                value.write_inside(line);
                line.push(')');
            }
            (Form::Not, [value]) => {
                line.push('!');
                value.write_inside(line);
            }
            (Form::Choose, [test, then, otherwise]) => {
                test.write_inside(line);
                line.push_str(" ? ");
                then.write_inside(line);
                line.push_str(" : ");
                otherwise.write_inside(line);
            }
            (form, [left, right]) => {
                left.write_inside(line);
                let sign = match form {
                    Form::And => "&&",
                    Form::Or => "||",
                    Form::OrElse => "?:",
                    Form::Both(sign) => sign,
                    _ => ",",
                };
                let _ = write!(line, " {sign} ");
                right.write_inside(line);
            }
            _ => unreachable!("operators have their operands"),
        }
        self.columns = (start, column(line));
    }

    fn write_inside(&mut self, line: &mut String) {
        let simple = matches!(self.form, Form::Variable(_) | Form::Constant(0..) | Form::Call);
        if simple {
            return self.write(line);
        }
        line.push('(');
        self.write(line);
        line.push(')');
    }

    /// What it is worth. Every part that is evaluated is noted with whether it is true, when that is known.
    pub fn evaluate(&self, values: &[i64; 4], noted: &mut Vec<((u32, u32), bool)>) -> i64 {
        let value = match (self.form, self.operands.as_slice()) {
            (Form::Variable(index), _) => values[index],
            (Form::Constant(value), _) => value,
            (Form::Assign | Form::Call | Form::Expect, [operand]) => {
                operand.evaluate(values, noted)
            }
            (Form::AssignTruth | Form::Truth, [operand]) => {
                i64::from(operand.evaluate(values, noted) != 0)
            }
            (Form::Not, [operand]) => i64::from(operand.evaluate(values, noted) == 0),
            (Form::And, [left, right]) => {
                i64::from(left.evaluate(values, noted) != 0 && right.evaluate(values, noted) != 0)
            }
            (Form::Or, [left, right]) => {
                i64::from(left.evaluate(values, noted) != 0 || right.evaluate(values, noted) != 0)
            }
            (Form::Comma, [left, right]) => {
                left.evaluate(values, noted);
                right.evaluate(values, noted)
            }
            (Form::OrElse, [left, right]) => match left.evaluate(values, noted) {
                0 => right.evaluate(values, noted),
                value => value,
            },
            (Form::Choose, [test, then, otherwise]) => {
                let chosen = if test.evaluate(values, noted) != 0 { then } else { otherwise };
                chosen.evaluate(values, noted)
            }
            (Form::Both(sign), [left, right]) => {
                let (left, right) = (left.evaluate(values, noted), right.evaluate(values, noted));
                match sign {
                    "<" => i64::from(left < right),
                    "<=" => i64::from(left <= right),
                    ">" => i64::from(left > right),
                    ">=" => i64::from(left >= right),
                    "==" => i64::from(left == right),
                    "!=" => i64::from(left != right),
                    "&" => left & right,
                    "|" => left | right,
                    "^" => left ^ right,
                    "+" => left + right,
                    _ => left - right,
                }
            }
            _ => unreachable!("operators have their operands"),
        };
        noted.push((self.columns, value != 0));
        value
    }
}

fn column(line: &str) -> u32 {
    u32::try_from(line.len()).expect("lines are short") + 1
}
