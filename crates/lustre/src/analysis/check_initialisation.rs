//! Pass 11: every `pre` should be guarded, as it has no value at the first instant.
//!
//! The rule is `JKind`'s, on the text alone: `pre` is guarded to the right of `->`, and what it
//! delays is unguarded again, as it was computed one instant earlier. An argument of a node is
//! unguarded too, as the node may store it, and so are operands of `condact`, `current` and `fby` with a number of steps.

use super::model::{Model, Resolution};
use super::report::Report;
use obligato_lustre_syntax::ast::{BinaryOperator, Expr, ExprId, NodeKind, UnaryOperator};
use obligato_lustre_syntax::diagnostic::Diagnostic;

/// Warns of each `pre` that may give its missing first value away.
pub fn check_initialisation(model: &Model, report: &mut Report) {
    for node in &model.nodes {
        let equations = node.equations.iter().map(|equation| equation.value);
        let properties = node.properties.iter().map(|property| property.condition);
        for root in equations.chain(node.asserts.iter().copied()).chain(properties) {
            check(model, root, report);
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum First {
    /// Something else is taken at the first instant.
    Guarded,
    /// The first value counts.
    Counts,
}

fn check(model: &Model, root: ExprId, report: &mut Report) {
    let program = &model.program;
    let mut todo = vec![(root, First::Counts)];
    while let Some((id, first)) = todo.pop() {
        match program.expr(id) {
            Expr::Unary(UnaryOperator::Pre, operand) => {
                if first == First::Counts && model.is_written(id) {
                    let text = "'pre' has no value at the first instant, and no '->' stands in";
                    let span = program.expr_span(id);
                    report.add(Diagnostic::warning(span, text).with_help("write '… -> pre …'"));
                }
                todo.push((operand, First::Counts));
            }
            Expr::Name(symbol) if first == First::Counts && model.uninitialised.contains(&id) => {
                let last = model.text(symbol);
                let span = program.expr_span(id);
                report.add(if model.is_written(id) {
                    let text = format!(
                        "'{last}' has no value at the first instant, and no '->' stands in"
                    );
                    Diagnostic::warning(span, text).with_help(format!("write '… -> {last}'"))
                } else {
                    let name = last.strip_prefix("last ").unwrap_or(last);
                    let text =
                        format!("'{name}' keeps its value here, but has none at the first instant");
                    let help = format!("give it one: 'frame (…) {name} = …; let'");
                    Diagnostic::warning(span, text).with_help(help)
                });
            }
            Expr::Binary(BinaryOperator::Arrow, initial, later) => {
                todo.extend([(later, First::Guarded), (initial, first)]);
            }
            Expr::Binary(BinaryOperator::Fby, initial, later) => {
                todo.extend([(later, First::Counts), (initial, first)]);
            }
            // What is stored counts later, also where it is discarded at first.
            Expr::Delay { .. } | Expr::Condact { .. } | Expr::Unary(UnaryOperator::Current, _) => {
                todo.extend(program.children(id).map(|child| (child, First::Counts)));
            }
            Expr::Call(_) => {
                let stores = match model.resolution(id) {
                    Resolution::Node(callee) => model.node(callee).kind == NodeKind::Node,
                    _ => false,
                };
                let first = if stores { First::Counts } else { first };
                todo.extend(program.children(id).map(|child| (child, first)));
            }
            _ => todo.extend(program.children(id).map(|child| (child, first))),
        }
    }
}
