//! The changed expression as part of the tree.

use super::text::{decimal, integer};
use super::{Change, Mutant};
use crate::analysis::{ConstantValue as Value, Kind, KindId, Kinds, Model, Resolution};
use obligato_lustre_syntax::ast::{
    BinaryOperator as Binary, Expr, ExprId, Symbol, UnaryOperator as Unary,
};
use obligato_lustre_syntax::source::ByteSpan;

impl Mutant {
    /// Adds what the expression becomes to the tree of its model. The operands are those of
    /// the original, which stays where it is.
    pub(crate) fn add_replacement(&self, model: &mut Model) -> ExprId {
        let replacement = self.add_exprs(model);
        let clock = model.clocks.of(self.expr);
        model.clocks.extend(model.program.exprs().len(), clock);
        replacement
    }

    fn add_exprs(&self, model: &mut Model) -> ExprId {
        let (span, kind) = (model.program.expr_span(self.expr), model.kind(self.expr));
        match (&self.change, model.program.expr(self.expr)) {
            (Change::Operator(operator), Expr::Binary(_, left, right)) => {
                let expr = Expr::Binary(*operator, left, right);
                model.add_expr(expr, span, kind, Resolution::None)
            }
            (Change::Strip, Expr::Unary(_, operand)) => operand,
            (Change::Operator(_) | Change::Strip, _) => {
                unreachable!("invariant: only an operator is replaced or lost")
            }
            (Change::Negate, _) => {
                let expr = Expr::Unary(Unary::Not, self.expr);
                model.add_expr(expr, span, kind, Resolution::None)
            }
            (Change::Value(value), _) => add_value(model, value, span, kind),
            (Change::Variable(id), _) => {
                let (name, kind) = (model.variable(*id).name.symbol, model.variable(*id).kind);
                model.add_expr(Expr::Name(name), span, kind, Resolution::Variable(*id))
            }
            (Change::Constant(id), _) => {
                let (name, kind) = (model.constant(*id).name.symbol, model.constant(*id).kind);
                model.add_expr(Expr::Name(name), span, kind, Resolution::Constant(*id))
            }
            (Change::Delay, expr) => {
                // Copies, so that neither is changed in turn.
                let resolution = model.resolution(self.expr);
                let now = model.add_expr(expr, span, kind, resolution);
                let then = model.add_expr(expr, span, kind, resolution);
                let expr = Expr::Unary(Unary::Pre, then);
                let delayed = model.add_expr(expr, span, kind, Resolution::None);
                let expr = Expr::Binary(Binary::Arrow, now, delayed);
                model.add_expr(expr, span, kind, Resolution::None)
            }
        }
    }
}

fn add_value(model: &mut Model, value: &Value, span: ByteSpan, kind: KindId) -> ExprId {
    let signed = |model: &mut Model, negative: bool, expr, kind| {
        let literal = model.add_expr(expr, span, kind, Resolution::None);
        if !negative {
            return literal;
        }
        let expr = Expr::Unary(Unary::Negate, literal);
        model.add_expr(expr, span, kind, Resolution::None)
    };
    let symbol = |model: &mut Model, text: &str| -> Symbol { model.program.symbols.intern(text) };
    match value {
        Value::Bool(value) => model.add_expr(Expr::Bool(*value), span, kind, Resolution::None),
        Value::Int(value) => {
            let (negative, digits) = integer(value);
            let digits = Expr::Int(symbol(model, &digits));
            let literal = signed(model, negative, digits, Kinds::int());
            match *model.kinds.get(kind) {
                Kind::Machine(signedness, bits) => {
                    let expr = Expr::Unary(Unary::ToMachine(signedness, bits), literal);
                    model.add_expr(expr, span, kind, Resolution::None)
                }
                _ => literal,
            }
        }
        Value::Real(value) => {
            let (negative, digits) = decimal(value).expect("invariant: it can be written");
            let digits = Expr::Real(symbol(model, &digits));
            signed(model, negative, digits, Kinds::real())
        }
        Value::Enumeration(id, position) => {
            let name = model.kinds.enumeration(*id).values[*position as usize].symbol;
            let resolution = Resolution::Enumeration(*id, *position);
            model.add_expr(Expr::Name(name), span, kind, resolution)
        }
        Value::Array(_) | Value::Tuple(_) | Value::Record(..) => {
            unreachable!("invariant: scalars are replaced by scalars")
        }
    }
}
