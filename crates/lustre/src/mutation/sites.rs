//! The expressions that may be changed, and where they stand.

use crate::analysis::{Model, NodeId, Resolution, VariableRole};
use obligato_lustre_syntax::ast::{
    BinaryOperator as Binary, Expr, ExprId, UnaryOperator as Unary, Variability, Visit,
};

/// An expression that may be changed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Site {
    pub expr: ExprId,
    /// Under a `pre` or `fby`: what it reads, it reads one step late.
    pub delayed: bool,
    pub role: Role,
}

/// What the expression is for, where that limits the changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// Anything else.
    Other,
    /// The first value of `->` or `fby`.
    First,
    /// The operand of `not` or of a minus sign.
    Negated,
    /// What is divided by.
    Divisor,
}

/// The expressions below `root` that may be changed, from left to right, outer before inner.
pub(super) fn sites(model: &Model, root: ExprId) -> Vec<Site> {
    let mut found = Vec::new();
    let mut todo = vec![Site { expr: root, delayed: false, role: Role::Other }];
    while let Some(site) = todo.pop() {
        if model.scalar(model.kind(site.expr)).is_some() {
            found.push(site);
        }
        let start = todo.len();
        push_parts(model, site, &mut todo);
        todo[start..].reverse();
    }
    found
}

/// Is it a name, perhaps a flattened one, that stands for something?
pub(super) fn names(model: &Model, id: ExprId) -> Option<Resolution> {
    let named = matches!(model.program.expr(id), Expr::Name(_) | Expr::Field(..) | Expr::Index(..));
    Some(model.resolution(id)).filter(|found| named && *found != Resolution::None)
}

fn push_parts(model: &Model, site: Site, todo: &mut Vec<Site>) {
    let program = &model.program;
    let part = |expr, role| Site { expr, role, ..site };
    let other = |expr| part(expr, Role::Other);
    let late = |expr| Site { delayed: true, ..other(expr) };
    if names(model, site.expr).is_some() {
        return;
    }
    match program.expr(site.expr) {
        Expr::Unary(Unary::Pre, operand) => todo.push(late(operand)),
        Expr::Unary(Unary::Not | Unary::Negate, operand) => {
            todo.push(part(operand, Role::Negated));
        }
        Expr::Binary(Binary::Arrow, first, later) => {
            todo.extend([part(first, Role::First), other(later)]);
        }
        Expr::Binary(Binary::Fby, first, later) => {
            todo.extend([part(first, Role::First), late(later)]);
        }
        Expr::Delay { value, initial, .. } => {
            todo.extend([late(value), part(initial, Role::First)]);
        }
        Expr::Binary(Binary::Divide | Binary::IntegerDivide | Binary::Modulo, left, right) => {
            todo.extend([other(left), part(right, Role::Divisor)]);
        }
        Expr::Binary(Binary::Repeat, base, _) | Expr::Index(base, _) => todo.push(other(base)),
        Expr::Update { base, value, .. } => todo.extend([other(base), other(value)]),
        Expr::Slice(..) => {}
        Expr::Call(call) => {
            let call = program.call(call);
            todo.extend(call.restart.map(other));
            if let Some((clock, defaults)) = call
                .activation
                .and_then(|activation| Some((activation.clock, activation.defaults?)))
            {
                todo.push(other(clock));
                todo.extend(program.expr_lists[defaults].iter().copied().map(other));
            }
            let arguments = program.expr_lists[call.arguments].iter().copied();
            let Resolution::Node(callee) = model.resolution(site.expr) else { return };
            let inputs = model.node(callee).inputs.iter();
            let varies = |(_, input): &(_, &_)| {
                let role = model.variable(**input).role;
                role != VariableRole::Input(Variability::Constant)
            };
            todo.extend(arguments.zip(inputs).filter(varies).map(|(argument, _)| other(argument)));
        }
        _ => todo.extend(program.children(site.expr).map(other)),
    }
}

/// The nodes that an expression calls.
pub(super) fn callees(model: &Model, root: ExprId) -> impl Iterator<Item = NodeId> + '_ {
    model.program.walk(root).filter_map(|visit| match visit {
        Visit::Enter(id) => match model.resolution(id) {
            Resolution::Node(callee) => Some(callee),
            _ => None,
        },
        Visit::Leave(_) => None,
    })
}
