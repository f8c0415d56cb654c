//! How wide expressions are on one line.

use super::precedence::{Side, Tail, encloses, encloses_base, encloses_else, encloses_unary};
use crate::ast::{Expr, ExprId, Symbol, SyntaxTree};

/// The width of each expression on one line, near enough to decide where to break.
pub(super) fn widths(program: &SyntaxTree) -> Vec<u32> {
    let mut widths: Vec<u32> = Vec::with_capacity(program.exprs().len());
    for index in 0..program.exprs().len() {
        let id = ExprId::new(index);
        let children = program.children(id);
        let inner = children.fold(0, |sum: u32, child| sum.saturating_add(widths[child.index()]));
        widths.push(inner.saturating_add(own_width(program, id)));
    }
    widths
}

/// The width of an expression without its operands.
fn own_width(program: &SyntaxTree, id: ExprId) -> u32 {
    let length = |symbol: Symbol| program.text(symbol).len();
    let parentheses = |enclosed: bool| if enclosed { 2 } else { 0 };
    let width = match program.expr(id) {
        Expr::Int(symbol) | Expr::Real(symbol) | Expr::Name(symbol) => length(symbol),
        Expr::Mode(symbol) => length(symbol) + 2,
        Expr::Last(symbol) => length(symbol) + 5,
        Expr::Bool(_) => 5,
        Expr::Field(base, symbol) => 1 + length(symbol) + parentheses(encloses_base(program, base)),
        Expr::Project(_, symbol) => 2 + length(symbol),
        Expr::Unary(operator, operand) => {
            let enclosed = encloses_unary(program, operator, operand);
            operator.spelling().len() + 1 + parentheses(enclosed)
        }
        Expr::Binary(operator, left, right) => {
            let left = encloses(program, operator, left, Side::Left, Tail::No);
            let right = encloses(program, operator, right, Side::Right, Tail::Yes);
            operator.spelling().len() + 2 + parentheses(left) + parentheses(right)
        }
        Expr::If(_, _, other) => 15 + parentheses(encloses_else(program, other)),
        Expr::Group(_, elements) => 1 + 2 * elements.len(),
        Expr::Index(base, _) => 2 + parentheses(encloses_base(program, base)),
        Expr::Slice(..) => 6,
        Expr::Update { base, .. } => 6 + parentheses(encloses_base(program, base)),
        Expr::Record { name, fields, .. } => {
            let fields = program.named[fields].iter().map(|field| length(field.name.symbol) + 5);
            fields.sum::<usize>() + length(name) + 4
        }
        Expr::Call(id) => {
            let call = program.call(id);
            let words = if call.activation.is_some() { 34 } else { 2 };
            length(call.node.symbol) + words + 2 * call.arguments.len()
        }
        Expr::Condact { defaults, .. } => 11 + 2 * defaults.len(),
        Expr::Merge { branches, .. } => {
            let names = program.named[branches].iter().map(|case| length(case.name.symbol) + 7);
            names.sum::<usize>() + 20
        }
        Expr::When(..) | Expr::Delay { .. } => 16,
        Expr::Quantified(_, variables, _) => 10 + 12 * variables.len(),
    };
    u32::try_from(width).unwrap_or(u32::MAX)
}
