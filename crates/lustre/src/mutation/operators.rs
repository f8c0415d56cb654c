//! The mutation operators: what each makes of an expression.

use super::constants::{constant_at, is_zero, others, standard};
use super::scope::{Definition, Scope};
use super::sites::{Role, Site, names};
use super::{Change, MutationOperator};
use crate::analysis::{Kind, Kinds, Model, Node, Resolution, VariableRole};
use obligato_lustre_syntax::ast::{
    BinaryOperator as Binary, Expr, NodeKind, UnaryOperator as Unary, Variability,
};

type Changes = Vec<(MutationOperator, Change)>;

/// All changes of the expression at a site, by operator.
pub(super) fn changes(
    model: &Model,
    node: &Node,
    scope: &Scope<'_>,
    definition: &Definition,
    site: Site,
    out: &mut Changes,
) {
    replace_operator(model, site, out);
    negate(model, site, out);
    replace_constant(model, scope, site, out);
    replace_variable(model, scope, definition, site, out);
    delay(model, node, site, out);
    replace_first_value(model, scope, site, out);
}

/// Arithmetic, relational and Boolean operators are replaced by the others of their kind. On
/// Booleans `<>` is `xor`, so neither replaces the other. Nothing comes to be divided by a
/// constant zero.
fn replace_operator(model: &Model, site: Site, out: &mut Changes) {
    use Binary::{
        Add, And, BitAnd, BitOr, Divide, Equal, Greater, GreaterEqual, Implies, IntegerDivide,
        Less, LessEqual, Modulo, Multiply, NotEqual, Or, ShiftLeft, ShiftRight, Subtract, Xor,
    };
    let (operator, left, right) = match model.program.expr(site.expr) {
        Expr::Binary(operator, left, right) => (operator, left, right),
        Expr::Unary(Unary::Negate, _) => {
            out.push((MutationOperator::Arithmetic, Change::Strip));
            return;
        }
        _ => return,
    };
    let (kind, others): (_, &[Binary]) = match (operator, model.kinds.get(model.kind(left))) {
        (Add | Subtract | Multiply | Divide | IntegerDivide | Modulo, Kind::Real) => {
            (MutationOperator::Arithmetic, &[Add, Subtract, Multiply, Divide])
        }
        (Add | Subtract | Multiply | Divide | IntegerDivide | Modulo, _) => {
            (MutationOperator::Arithmetic, &[Add, Subtract, Multiply, IntegerDivide, Modulo])
        }
        (BitAnd | BitOr, _) => (MutationOperator::Arithmetic, &[BitAnd, BitOr]),
        (ShiftLeft | ShiftRight, _) => (MutationOperator::Arithmetic, &[ShiftLeft, ShiftRight]),
        (And | Or | Xor | Implies, _) | (Equal, Kind::Bool) => {
            (MutationOperator::Boolean, &[And, Or, Xor, Implies, Equal])
        }
        (NotEqual, Kind::Bool) => (MutationOperator::Boolean, &[And, Or, Implies, Equal]),
        (
            Less | LessEqual | Greater | GreaterEqual | Equal | NotEqual,
            Kind::Int | Kind::Real | Kind::Machine(..) | Kind::Subrange(..),
        ) => (
            MutationOperator::Relational,
            &[Less, LessEqual, Greater, GreaterEqual, Equal, NotEqual],
        ),
        (Equal | NotEqual, _) => (MutationOperator::Relational, &[Equal, NotEqual]),
        _ => return,
    };
    let divides = |other: &Binary| matches!(other, Divide | IntegerDivide | Modulo);
    let fits = |other: &&Binary| **other != operator && !(divides(other) && is_zero(model, right));
    out.extend(others.iter().filter(fits).map(|other| (kind, Change::Operator(*other))));
}

/// A `not` is lost, or comes in front of a Boolean. Not where another change does the same: in
/// front of constants, comparisons, `=` and `xor`, or next to another `not`.
fn negate(model: &Model, site: Site, out: &mut Changes) {
    if model.kind(site.expr) != Kinds::bool() {
        return;
    }
    match model.program.expr(site.expr) {
        Expr::Unary(Unary::Not, _) => out.push((MutationOperator::Negation, Change::Strip)),
        Expr::Binary(
            Binary::Less
            | Binary::LessEqual
            | Binary::Greater
            | Binary::GreaterEqual
            | Binary::Equal
            | Binary::NotEqual
            | Binary::Xor,
            ..,
        ) => {}
        _ if site.role == Role::Negated || constant_at(model, site.expr).is_some() => {}
        _ => out.push((MutationOperator::Negation, Change::Negate)),
    }
}

/// A literal or a constant is off by one, 0, 1, negated; another value of its enumeration; the
/// other Boolean.
fn replace_constant(model: &Model, scope: &Scope<'_>, site: Site, out: &mut Changes) {
    if site.role == Role::First {
        return;
    }
    if let Some(value) = constant_at(model, site.expr) {
        let values = others(model, scope, site, &value).into_iter();
        out.extend(values.map(|value| (MutationOperator::Constant, Change::Value(value))));
    }
}

/// Another variable or constant of the same type that is in scope; the next few in order, so
/// that large nodes do not have the square of their size.
fn replace_variable(
    model: &Model,
    scope: &Scope<'_>,
    definition: &Definition,
    site: Site,
    out: &mut Changes,
) {
    if let Some(Resolution::Variable(variable)) = names(model, site.expr) {
        let found = scope.alternatives(variable, definition, site.delayed);
        out.extend(found.into_iter().map(|change| (MutationOperator::Variable, change)));
    }
}

/// A variable one step late. Not in functions, which have no memory, nor where only the first
/// value counts.
fn delay(model: &Model, node: &Node, site: Site, out: &mut Changes) {
    if node.kind == NodeKind::Function || site.role == Role::First {
        return;
    }
    if let Some(Resolution::Variable(variable)) = names(model, site.expr) {
        match model.variable(variable).role {
            VariableRole::Input(Variability::Constant)
            | VariableRole::Quantified
            | VariableRole::Index => {}
            _ => out.push((MutationOperator::Delay, Change::Delay)),
        }
    }
}

/// Another first value: as for a constant if it is one, else false, true, 0, 1 or a value of the
/// enumeration.
fn replace_first_value(model: &Model, scope: &Scope<'_>, site: Site, out: &mut Changes) {
    if site.role != Role::First {
        return;
    }
    let values = match constant_at(model, site.expr) {
        Some(value) => others(model, scope, site, &value),
        // On a clock, only another stream on that clock could be.
        None if !scope.on_base_clock(site.expr) => return,
        None => standard(model, scope, model.kind(site.expr)),
    };
    out.extend(values.into_iter().map(|value| (MutationOperator::Initial, Change::Value(value))));
}
