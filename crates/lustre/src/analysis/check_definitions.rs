//! Pass 7: every output and local variable has one definition, an input has none.
//!
//! Kind 2 lets outputs without a definition be anything. What the main node is made of must be
//! complete; in other nodes a missing output is a warning.

use super::model::{Equation, Model, NodeBody, NodeId, VariableId, VariableRole};
use super::report::Report;
use obligato_lustre_syntax::diagnostic::Diagnostic;
use obligato_lustre_syntax::source::ByteSpan;

/// Reports missing, double and forbidden definitions.
pub fn check_definitions(model: &Model, report: &mut Report) {
    let used = used_nodes(model);
    let mut places = vec![None; model.variables.len()];
    for (index, node) in model.nodes.iter().enumerate() {
        check_targets(model, &node.equations, &mut places, report);
        if node.body != NodeBody::Defined {
            continue;
        }
        let needed = used[index];
        for variable in &node.outputs {
            check_defined(model, *variable, &places, "output", needed, node.name.symbol, report);
        }
        for variable in &node.locals {
            check_defined(model, *variable, &places, "variable", true, node.name.symbol, report);
        }
    }
}

/// The nodes that the main node is made of, itself included.
pub fn used_nodes(model: &Model) -> Vec<bool> {
    let mut used = vec![false; model.nodes.len()];
    let mut todo: Vec<NodeId> = vec![model.main];
    while let Some(id) = todo.pop() {
        if !std::mem::replace(&mut used[id.index()], true) {
            todo.extend(model.node(id).uses());
        }
    }
    used
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
    variable: VariableId,
    places: &[Option<ByteSpan>],
    what: &str,
    needed: bool,
    node: obligato_lustre_syntax::ast::Symbol,
    report: &mut Report,
) {
    if places[variable.index()].is_some() {
        return;
    }
    let name = model.variable(variable).name;
    let text = format!(
        "the {what} '{}' of '{}' has no definition",
        model.text(name.symbol),
        model.text(node)
    );
    report.add(if needed {
        Diagnostic::error(name.span, text)
    } else {
        Diagnostic::warning(name.span, text)
    });
}
