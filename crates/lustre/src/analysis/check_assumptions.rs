//! Pass 10: no contract assumes anything of what its node gives in the same step.
//!
//! An assumption is about the caller. One that reads an output of the same instant would be met, or not, by
//! the node itself; Kind 2 refuses it, too. What the node gave before, `pre out`, the caller has seen. The
//! contract's own variables, its modes and the contracts that it imports are followed.

use rustc_hash::{FxHashMap, FxHashSet};

use super::check_causality::Reader;
use super::instantiate_parameters::written_name;
use super::model::{Contract, Model, Node, NodeBody, NodeId, VariableId};
use super::report::Report;
use obligato_lustre_syntax::ast::{Expr, ExprId};
use obligato_lustre_syntax::diagnostic::Diagnostic;
use obligato_lustre_syntax::source::ByteSpan;

/// Reports assumptions that read outputs of the same instant.
pub fn check_assumptions(model: &Model, report: &mut Report) {
    let mut reader = Reader::default();
    let mut inputs: FxHashMap<NodeId, Vec<VariableId>> = FxHashMap::default();
    for id in &model.node_order {
        let node = model.node(*id);
        let Some(contract) = &node.contract else { continue };
        let mut reads = Vec::new();
        for assumption in &contract.assumptions {
            reads.extend(read_by(model, &mut reader, contract, *assumption));
        }
        for import in &contract.imports {
            let imported = model.node(import.contract);
            // What it assumes of its own outputs is refused where it is declared.
            for variable in inputs.get(&import.contract).into_iter().flatten() {
                let position = imported.inputs.iter().position(|input| input == variable);
                if let Some(given) = position.and_then(|at| import.inputs.get(at)) {
                    reads.extend(read_by(model, &mut reader, contract, *given));
                }
            }
        }
        report_outputs(model, node, &reads, report);
        if node.body == NodeBody::Contract {
            let own = reads.iter().map(|(variable, _)| *variable);
            inputs.insert(*id, own.filter(|variable| node.inputs.contains(variable)).collect());
        }
    }
}

/// What an expression of a contract reads at the same instant, each with the place in the expression through
/// which it does.
fn read_by(
    model: &Model,
    reader: &mut Reader,
    contract: &Contract,
    root: ExprId,
) -> Vec<(VariableId, ByteSpan)> {
    let mut found = Vec::new();
    let mut seen = FxHashSet::default();
    let mut todo: Vec<(VariableId, ByteSpan)> = Vec::new();
    let mut roots = vec![(root, None)];
    loop {
        while let Some((expr, through)) = roots.pop() {
            let place = |id| through.unwrap_or_else(|| model.program.expr_span(id));
            let uses = reader.uses(model, expr);
            todo.extend(uses.into_iter().map(|(variable, id)| (variable, place(id))));
            for at in reader.modes() {
                for required in required_by(model, contract, *at) {
                    if seen.insert(Err(required)) {
                        roots.push((required, Some(place(*at))));
                    }
                }
            }
        }
        let Some((variable, place)) = todo.pop() else { return found };
        if !seen.insert(Ok(variable)) {
            continue;
        }
        found.push((variable, place));
        let mut definitions = contract.definitions.iter();
        if let Some(definition) = definitions.find(|one| one.variable == variable) {
            let equation = &contract.equations[definition.equation as usize];
            roots.push((equation.value, Some(place)));
        }
    }
}

/// What a mode requires. One of an imported contract may read all that the contract is given.
fn required_by(model: &Model, contract: &Contract, mode: ExprId) -> Vec<ExprId> {
    let Expr::Mode(path) = model.program.expr(mode) else { return Vec::new() };
    let path = model.text(path);
    let Some((step, _)) = path.split_once("::") else {
        let mut declared = contract.modes.iter();
        let named = declared.find(|one| model.text(one.name.symbol) == path);
        return named.map_or_else(Vec::new, |one| one.requires.clone());
    };
    let mut imports = contract.imports.iter();
    let name = |id| written_name(model.text(model.node(id).name.symbol));
    let named = imports.find(|one| name(one.contract) == step);
    named.map_or_else(Vec::new, |one| one.inputs.clone())
}

fn report_outputs(
    model: &Model,
    node: &Node,
    reads: &[(VariableId, ByteSpan)],
    report: &mut Report,
) {
    for (variable, place) in reads.iter().filter(|(one, _)| node.outputs.contains(one)) {
        let name = model.variable_name(*variable);
        let text = format!(
            "an assumption is about the caller, and '{name}' is what the node gives in the same step"
        );
        let help = format!(
            "assume something of 'pre {name}', which the caller has seen, or make it a 'guarantee'"
        );
        let declared = model.variable(*variable).name.span;
        let diagnostic = Diagnostic::error(*place, text).with_help(help);
        report.add(diagnostic.with_related(declared, format!("'{name}' is declared here")));
    }
}
