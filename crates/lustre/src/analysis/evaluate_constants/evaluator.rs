//! The value of a constant expression, exact.
//!
//! The expression is well-typed already; what is left to go wrong is that it is not constant,
//! divides by zero or leaves an array. An arm of an `if` that is not taken may do so.

use std::sync::Arc;

use obligato_model::{Integer, Rational, Signedness, Type};
use rustc_hash::FxHashMap;

use crate::analysis::kind::Kind;
use crate::analysis::model::{Model, Resolution};
use crate::analysis::value::ConstantValue as Value;
use obligato_lustre_syntax::ast::{
    BinaryOperator as Binary, Expr, ExprId, Group, Step, SyntaxTree, UnaryOperator as Unary, Visit,
};
use obligato_lustre_syntax::diagnostic::Diagnostic;
use obligato_lustre_syntax::literal;
use obligato_transition_system::meaning::divide;

/// Larger numbers come from a slip, and computing with them takes all memory.
const MOST_BITS: usize = 1 << 16;
/// Larger constant arrays likewise.
const MOST_ELEMENTS: u64 = 1 << 20;

type Outcome = Result<Value, Box<Diagnostic>>;

/// The value of a constant expression. `program` is the model's own, which a pass may hold.
pub fn evaluate(program: &SyntaxTree, model: &Model, root: ExprId) -> Outcome {
    let mut evaluator = Evaluator { program, model, values: FxHashMap::default() };
    for visit in program.walk(root) {
        if let Visit::Leave(id) = visit {
            let value = evaluator.evaluate(id);
            evaluator.values.insert(id, value);
        }
    }
    evaluator.value(root)
}

struct Evaluator<'a> {
    program: &'a SyntaxTree,
    model: &'a Model,
    values: FxHashMap<ExprId, Outcome>,
}

impl Evaluator<'_> {
    fn value(&self, id: ExprId) -> Outcome {
        self.values.get(&id).cloned().unwrap_or_else(|| self.fail(id, "is not constant"))
    }

    fn fail<T>(&self, id: ExprId, text: &str) -> Result<T, Box<Diagnostic>> {
        let text = format!("this {text}");
        Err(Box::new(Diagnostic::error(self.program.expr_span(id), text)))
    }

    fn integer(&self, id: ExprId) -> Result<Integer, Box<Diagnostic>> {
        match self.value(id)? {
            Value::Int(value) => Ok(value),
            _ => self.fail(id, "is not an integer"),
        }
    }

    fn boolean(&self, id: ExprId) -> Result<bool, Box<Diagnostic>> {
        match self.value(id)? {
            Value::Bool(value) => Ok(value),
            _ => self.fail(id, "is not a Boolean"),
        }
    }

    fn all(&self, ids: &[ExprId]) -> Result<Arc<[Value]>, Box<Diagnostic>> {
        ids.iter().map(|id| self.value(*id)).collect()
    }

    fn evaluate(&self, id: ExprId) -> Outcome {
        match self.program.expr(id) {
            Expr::Bool(value) => Ok(Value::Bool(value)),
            Expr::Int(text) => match literal::integer(self.program.text(text)) {
                Some(value) => Ok(Value::Int(value)),
                None => self.fail(id, "is not an integer"),
            },
            Expr::Real(text) => match literal::real(self.program.text(text)) {
                Some(value) => Ok(Value::Real(value)),
                None => self.fail(id, "real is too long to be exact"),
            },
            Expr::Name(_) => self.name(id),
            Expr::Unary(operator, operand) => self.unary(id, operator, operand),
            Expr::Binary(operator, left, right) => self.binary(id, operator, left, right),
            Expr::If(test, then, otherwise) => {
                self.value(if self.boolean(test)? { then } else { otherwise })
            }
            Expr::Group(Group::Array, list) => {
                Ok(Value::Array(self.all(&self.program.expr_lists[list])?))
            }
            Expr::Group(Group::Tuple | Group::List, list) => {
                Ok(Value::Tuple(self.all(&self.program.expr_lists[list])?))
            }
            Expr::Group(Group::AtMostOne, list) => {
                let values = self.all(&self.program.expr_lists[list])?;
                Ok(Value::Bool(values.iter().filter(|v| **v == Value::Bool(true)).count() <= 1))
            }
            Expr::Index(base, index) => match self.value(base)? {
                Value::Array(elements) => {
                    let position = self.position(index, elements.len())?;
                    Ok(elements[position].clone())
                }
                _ => self.fail(base, "is not an array"),
            },
            Expr::Slice(base, low, high) => match self.value(base)? {
                Value::Array(elements) => {
                    let low = self.position(low, elements.len())?;
                    let high = self.position(high, elements.len())?;
                    match elements.get(low..=high) {
                        Some(slice @ [_, ..]) => Ok(Value::Array(slice.into())),
                        _ => self.fail(id, "is an empty slice"),
                    }
                }
                _ => self.fail(base, "is not an array"),
            },
            Expr::Field(base, field) => match self.value(base)? {
                Value::Record(record, fields) => {
                    match self.model.kinds.record(record).field(field) {
                        Some(position) => Ok(fields[position].clone()),
                        None => self.fail(id, "is not a field"),
                    }
                }
                _ => self.fail(base, "is not a record"),
            },
            Expr::Project(base, number) => {
                let number = self.program.text(number).parse::<usize>().unwrap_or(usize::MAX);
                match self.value(base)? {
                    Value::Tuple(parts) if number < parts.len() => Ok(parts[number].clone()),
                    _ => self.fail(id, "is not an element of a tuple"),
                }
            }
            Expr::Record { base, .. } => self.record(id, base),
            Expr::Update { base, path, value, .. } => match self.program.steps[path] {
                [step] => self.update(id, base, step, value),
                _ => self.fail(id, "is not constant: it changes a part of a part"),
            },
            Expr::Call(_) | Expr::Condact { .. } => self.fail(id, "is not constant: it is a call"),
            _ => self.fail(id, "is not constant"),
        }
    }

    fn name(&self, id: ExprId) -> Outcome {
        match self.model.resolution(id) {
            Resolution::Constant(constant) => match &self.model.constant(constant).value {
                Some(value) => Ok(value.clone()),
                None => self.fail(id, "is not known: the constant is free"),
            },
            Resolution::Enumeration(enumeration, position) => {
                Ok(Value::Enumeration(enumeration, position))
            }
            Resolution::Variable(variable) => {
                let declared = self.model.variable(variable).name;
                let text = format!(
                    "expected a constant, found the variable '{}'",
                    self.program.text(declared.symbol)
                );
                let diagnostic = Diagnostic::error(self.program.expr_span(id), text);
                Err(Box::new(diagnostic.with_related(declared.span, "declared here")))
            }
            _ => self.fail(id, "is not constant"),
        }
    }

    fn record(&self, id: ExprId, base: Option<ExprId>) -> Outcome {
        let Kind::Record(record) = *self.model.kinds.get(self.model.kind(id)) else {
            return self.fail(id, "is not a record");
        };
        let Expr::Record { fields, .. } = self.program.expr(id) else {
            return self.fail(id, "is not a record");
        };
        let base = base.map(|base| self.value(base)).transpose()?;
        let written = &self.program.named[fields];
        let value = |(position, name): (usize, &obligato_lustre_syntax::ast::Symbol)| match (
            written.iter().find(|field| field.name.symbol == *name),
            &base,
        ) {
            (Some(field), _) => self.value(field.value),
            (None, Some(Value::Record(_, fields))) => Ok(fields[position].clone()),
            _ => self.fail(id, "does not have all fields"),
        };
        let names: Vec<_> =
            self.model.kinds.record(record).fields.iter().map(|(name, _)| name.symbol).collect();
        let fields = names.iter().enumerate().map(value).collect::<Result<_, _>>()?;
        Ok(Value::Record(record, fields))
    }

    fn update(&self, id: ExprId, base: ExprId, step: Step, value: ExprId) -> Outcome {
        let new = self.value(value)?;
        let replaced = |parts: &[Value], position: usize| -> Arc<[Value]> {
            let mut parts = parts.to_vec();
            parts[position] = new.clone();
            parts.into()
        };
        match (self.value(base)?, step) {
            (Value::Array(elements), Step::Index(index)) => {
                let position = self.position(index, elements.len())?;
                Ok(Value::Array(replaced(&elements, position)))
            }
            (Value::Record(record, fields), Step::Field(name)) => {
                match self.model.kinds.record(record).field(name.symbol) {
                    Some(position) => Ok(Value::Record(record, replaced(&fields, position))),
                    None => self.fail(id, "does not have this field"),
                }
            }
            _ => self.fail(id, "is not constant"),
        }
    }

    fn position(&self, index: ExprId, length: usize) -> Result<usize, Box<Diagnostic>> {
        let position = usize::try_from(self.integer(index)?).ok();
        match position.filter(|position| *position < length) {
            Some(position) => Ok(position),
            None => self.fail(index, &format!("index is not one of the array's {length}")),
        }
    }

    /// An integer as the kind of its expression can hold it.
    fn fitted(&self, id: ExprId, value: Integer) -> Outcome {
        match *self.model.kinds.get(self.model.kind(id)) {
            Kind::Machine(signedness, bits) => Ok(Value::Int(wrap(&value, signedness, bits))),
            _ if is_too_large(&value) => self.fail(id, "number is too large to compute with"),
            _ => Ok(Value::Int(value)),
        }
    }

    fn unary(&self, id: ExprId, operator: Unary, operand: ExprId) -> Outcome {
        match (operator, self.value(operand)?) {
            (Unary::Not, Value::Bool(value)) => Ok(Value::Bool(!value)),
            (Unary::Negate, Value::Int(value)) => self.fitted(id, -value),
            (Unary::BitNot, Value::Int(value)) => self.fitted(id, -value - Integer::ONE),
            (Unary::Negate, Value::Real(value)) => Ok(Value::Real(-value)),
            (Unary::ToInt | Unary::ToMachine(..), Value::Int(value)) => self.fitted(id, value),
            // Kind 2's `int` of a real is its floor, as SMT-LIB's `to_int`.
            (Unary::ToInt | Unary::Floor, Value::Real(value)) => Ok(Value::Int(value.floor())),
            (Unary::ToReal, Value::Int(value)) => Ok(Value::Real(Rational::from(value))),
            (Unary::ToReal, Value::Real(value)) => Ok(Value::Real(value)),
            _ => self.fail(id, &format!("is not constant: it has '{}'", operator.spelling())),
        }
    }

    fn binary(&self, id: ExprId, operator: Binary, left: ExprId, right: ExprId) -> Outcome {
        if operator == Binary::Repeat {
            let count = u64::try_from(self.integer(right)?).unwrap_or(u64::MAX);
            if count > MOST_ELEMENTS {
                return self.fail(right, "array is too large for a constant");
            }
            let element = self.value(left)?;
            return Ok(Value::Array((0..count).map(|_| element.clone()).collect()));
        }
        match (operator, self.value(left)?, self.value(right)?) {
            (Binary::Equal, a, b) => Ok(Value::Bool(a == b)),
            (Binary::NotEqual, a, b) => Ok(Value::Bool(a != b)),
            (_, Value::Bool(a), Value::Bool(b)) => match operator {
                Binary::And => Ok(Value::Bool(a && b)),
                Binary::Or => Ok(Value::Bool(a || b)),
                Binary::Xor => Ok(Value::Bool(a != b)),
                Binary::Implies => Ok(Value::Bool(!a || b)),
                _ => self.not_constant(id, operator),
            },
            (_, Value::Int(a), Value::Int(b)) => self.integers(id, operator, a, b, right),
            (_, Value::Real(a), Value::Real(b)) => match operator {
                Binary::Add => Ok(Value::Real(a + b)),
                Binary::Subtract => Ok(Value::Real(a - b)),
                Binary::Multiply => Ok(Value::Real(a * b)),
                Binary::Divide if b == Rational::ZERO => self.fail(right, "divisor is zero"),
                Binary::Divide => Ok(Value::Real(a / b)),
                Binary::Less => Ok(Value::Bool(a < b)),
                Binary::LessEqual => Ok(Value::Bool(a <= b)),
                Binary::Greater => Ok(Value::Bool(a > b)),
                Binary::GreaterEqual => Ok(Value::Bool(a >= b)),
                _ => self.not_constant(id, operator),
            },
            _ => self.not_constant(id, operator),
        }
    }

    fn not_constant(&self, id: ExprId, operator: Binary) -> Outcome {
        self.fail(id, &format!("is not constant: it has '{}'", operator.spelling()))
    }

    fn integers(
        &self,
        id: ExprId,
        operator: Binary,
        a: Integer,
        b: Integer,
        right: ExprId,
    ) -> Outcome {
        let kind = self.model.kinds.get(self.model.kind(id));
        let amount = usize::try_from(&b).unwrap_or(usize::MAX).min(64);
        let operator = if operator == Binary::Divide { Binary::IntegerDivide } else { operator };
        match operator {
            Binary::Add => self.fitted(id, a + b),
            Binary::Subtract => self.fitted(id, a - b),
            Binary::Multiply => self.fitted(id, a * b),
            Binary::IntegerDivide | Binary::Modulo if b == Integer::ZERO => {
                self.fail(right, "divisor is zero")
            }
            // Machine division rounds to zero, as SMT-LIB's on bit vectors.
            Binary::IntegerDivide if matches!(kind, Kind::Machine(..)) => self.fitted(id, a / b),
            Binary::Modulo if matches!(kind, Kind::Machine(..)) => self.fitted(id, a % b),
            Binary::IntegerDivide => Ok(Value::Int(divide(&a, &b).0)),
            Binary::Modulo => Ok(Value::Int(divide(&a, &b).1)),
            Binary::BitAnd => self.fitted(id, a & b),
            Binary::BitOr => self.fitted(id, a | b),
            Binary::ShiftLeft => self.fitted(id, a << amount),
            Binary::ShiftRight => self.fitted(id, a >> amount),
            Binary::Less => Ok(Value::Bool(a < b)),
            Binary::LessEqual => Ok(Value::Bool(a <= b)),
            Binary::Greater => Ok(Value::Bool(a > b)),
            Binary::GreaterEqual => Ok(Value::Bool(a >= b)),
            _ => self.not_constant(id, operator),
        }
    }
}

/// Comparing with one power of two is enough, and needs no access to the digits.
fn is_too_large(value: &Integer) -> bool {
    let limit = Integer::ONE << MOST_BITS;
    *value >= limit || *value <= -limit
}

/// The low bits of a number, read as a machine integer.
fn wrap(value: &Integer, signedness: Signedness, bits: u8) -> Integer {
    let modulus = Integer::ONE << usize::from(bits);
    let low = divide(value, &modulus).1;
    let (_, high) = Type::Machine(signedness, u32::from(bits)).bounds().unwrap_or_default();
    if low > high { low - modulus } else { low }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn division_leaves_no_negative_remainder() {
        for (a, b, quotient, remainder) in
            [(7, 2, 3, 1), (-7, 2, -4, 1), (7, -2, -3, 1), (-7, -2, 4, 1), (6, -3, -2, 0)]
        {
            let expected = (Integer::from(quotient), Integer::from(remainder));
            assert_eq!(divide(&Integer::from(a), &Integer::from(b)), expected, "{a} {b}");
        }
    }

    #[test]
    fn a_machine_integer_keeps_its_low_bits() {
        let eight = |n: i32, s| wrap(&Integer::from(n), s, 8);
        assert_eq!(eight(300, Signedness::Unsigned), Integer::from(44));
        assert_eq!(eight(-1, Signedness::Unsigned), Integer::from(255));
        assert_eq!(eight(200, Signedness::Signed), Integer::from(-56));
        assert_eq!(eight(-128, Signedness::Signed), Integer::from(-128));
    }
}
