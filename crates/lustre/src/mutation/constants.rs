//! Values of constants, and which other values to put in their place.

use obligato_model::{Integer, Rational};

use super::scope::{MOST_ALTERNATIVES, Scope};
use super::sites::{Role, Site, names};
use super::text::decimal;
use crate::analysis::{ConstantValue as Value, Kind, KindId, Model, Resolution};
use obligato_lustre_syntax::ast::{Expr, ExprId};
use obligato_lustre_syntax::literal;

/// The value of a literal or of a constant that has a scalar one.
pub(super) fn constant_at(model: &Model, id: ExprId) -> Option<Value> {
    let program = &model.program;
    match (program.expr(id), names(model, id)) {
        (_, Some(Resolution::Constant(constant))) => {
            let value = model.constant(constant).value.clone()?;
            let scalar = !matches!(value, Value::Array(_) | Value::Tuple(_) | Value::Record(..));
            scalar.then_some(value)
        }
        (_, Some(Resolution::Enumeration(id, position))) => Some(Value::Enumeration(id, position)),
        (Expr::Bool(value), _) => Some(Value::Bool(value)),
        (Expr::Int(text), _) => literal::integer(program.text(text)).map(Value::Int),
        (Expr::Real(text), _) => literal::real(program.text(text)).map(Value::Real),
        _ => None,
    }
}

/// Is it a constant zero?
pub(super) fn is_zero(model: &Model, id: ExprId) -> bool {
    match constant_at(model, id) {
        Some(Value::Int(value)) => value == Integer::ZERO,
        Some(Value::Real(value)) => value == Rational::ZERO,
        _ => false,
    }
}

/// The values to put in place of a constant. Not zero where it would be divided by, nor the
/// negative where losing the minus sign does the same.
pub(super) fn others(model: &Model, scope: &Scope<'_>, site: Site, value: &Value) -> Vec<Value> {
    let keeps_sign = site.role == Role::Negated;
    let mut found = Vec::new();
    match value {
        Value::Bool(value) => found.push(Value::Bool(!value)),
        Value::Int(value) => {
            let one = Integer::ONE;
            found.extend([value + &one, value - &one, Integer::ZERO, one].map(Value::Int));
            found.extend((!keeps_sign).then(|| Value::Int(-value)));
        }
        Value::Real(value) => {
            let one = Rational::ONE;
            found.extend([value + &one, value - &one, Rational::ZERO, one].map(Value::Real));
            found.extend((!keeps_sign).then(|| Value::Real(-value)));
        }
        Value::Enumeration(id, position) => {
            let count = model.kinds.enumeration(*id).values.len() as u32;
            let others = (1..count).map(|step| (position + step) % count);
            found.extend(others.map(|position| Value::Enumeration(*id, position)));
        }
        Value::Array(_) | Value::Tuple(_) | Value::Record(..) => {}
    }
    let zero = [Value::Int(Integer::ZERO), Value::Real(Rational::ZERO)];
    let mut kept: Vec<Value> = Vec::new();
    for other in found {
        let fits = other != *value && !(site.role == Role::Divisor && zero.contains(&other));
        if fits && !kept.contains(&other) && writable(model, scope, &other) {
            kept.push(other);
        }
        if kept.len() == LONGEST {
            break;
        }
    }
    kept
}

/// As many as numbers have: off by one both ways, 0, 1 and the negative.
const LONGEST: usize = if MOST_ALTERNATIVES > 5 { MOST_ALTERNATIVES } else { 5 };

/// False and true, 0 and 1, or the first values of the enumeration.
pub(super) fn standard(model: &Model, scope: &Scope<'_>, kind: KindId) -> Vec<Value> {
    let mut found = match model.kinds.get(kind) {
        Kind::Bool => [false, true].map(Value::Bool).to_vec(),
        Kind::Int | Kind::Subrange(..) | Kind::Machine(..) => {
            [Integer::ZERO, Integer::ONE].map(Value::Int).to_vec()
        }
        Kind::Real => [Rational::ZERO, Rational::ONE].map(Value::Real).to_vec(),
        Kind::Enumeration(id) => {
            let count = model.kinds.enumeration(*id).values.len().min(LONGEST) as u32;
            (0..count).map(|position| Value::Enumeration(*id, position)).collect()
        }
        _ => Vec::new(),
    };
    found.retain(|value| writable(model, scope, value));
    found
}

/// Can it be written where names mean what they do in this scope?
fn writable(model: &Model, scope: &Scope<'_>, value: &Value) -> bool {
    match value {
        Value::Real(value) => decimal(value).is_some(),
        Value::Enumeration(id, position) => {
            let name = model.kinds.enumeration(*id).values[*position as usize];
            !scope.hides(name.symbol)
        }
        _ => true,
    }
}
