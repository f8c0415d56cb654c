//! Pass 7: an output or local variable has one definition at most, an input has none.
//!
//! What nothing defines may have any value, as in Kind 2, and the warning says so. A function
//! has no such values: equal arguments give equal results.

use super::model::{Equation, Model, Node, NodeBody, VariableId, VariableRole};
use super::report::Report;
use obligato_lustre_syntax::ast::NodeKind;
use obligato_lustre_syntax::diagnostic::Diagnostic;
use obligato_lustre_syntax::source::ByteSpan;

/// Reports missing, double and forbidden definitions.
pub fn check_definitions(model: &Model, report: &mut Report) {
    let mut places = vec![None; model.variables.len()];
    for node in &model.nodes {
        check_targets(model, &node.equations, &mut places, report);
        if node.body != NodeBody::Defined {
            continue;
        }
        for variable in &node.outputs {
            check_defined(model, node, *variable, &places, "output", report);
        }
        for variable in &node.locals {
            check_defined(model, node, *variable, &places, "variable", report);
        }
    }
}

fn check_targets(
    model: &Model,
    equations: &[Equation],
    places: &mut [Option<ByteSpan>],
    report: &mut Report,
) {
    for target in equations.iter().flat_map(|equation| &equation.targets) {
        let variable = model.variable(target.variable);
        let name = model.variable_name(target.variable);
        if let VariableRole::Input(_) = variable.role {
            let text = format!("'{name}' is an input: the caller defines it, not an equation");
            let diagnostic = Diagnostic::error(target.span, text);
            report.add(diagnostic.with_related(variable.name.span, "declared here"));
            continue;
        }
        let previous = places[target.variable.index()].replace(target.span);
        if let Some(previous) = previous {
            let diagnostic = Diagnostic::error(target.span, format!("'{name}' is defined twice"));
            report.add(diagnostic.with_related(previous, "first defined here"));
        }
    }
}

fn check_defined(
    model: &Model,
    node: &Node,
    variable: VariableId,
    places: &[Option<ByteSpan>],
    what: &str,
    report: &mut Report,
) {
    let name = model.variable(variable).name;
    // What stands for `any` is meant to have any value.
    if places[variable.index()].is_some() || !model.is_written_name(name.symbol) {
        return;
    }
    let (owner, variable) = (model.text(node.name.symbol), model.text(name.symbol));
    let text = format!("the {what} '{variable}' of '{owner}' has no definition");
    let help = format!("define it by an equation, '{variable} = …;'");
    let problem = match node.kind {
        NodeKind::Function => Diagnostic::error(name.span, text),
        NodeKind::Node => {
            Diagnostic::warning(name.span, format!("{text}, so it may have any value"))
        }
    };
    report.add(problem.with_help(help));
}
