//! Pass 5: nodes after those they call and the contracts they import. A node that calls itself
//! and a contract that imports itself have no expansion.

use super::components::DependencyGraph;
use super::model::{Model, NodeBody, NodeId};
use super::report::Report;
use obligato_lustre_syntax::diagnostic::Diagnostic;

/// Fills in [`Model::node_order`].
pub fn order_nodes(model: &mut Model, report: &mut Report) {
    let mut graph = DependencyGraph::new();
    for node in &model.nodes {
        graph.add(node.uses().map(|used| used.index() as u32));
    }
    let (order, cycles) = graph.sort();
    for cycle in cycles {
        report.add(describe(model, &cycle));
    }
    model.node_order = order.into_iter().map(|index| NodeId::new(index as usize)).collect();
}

fn describe(model: &Model, cycle: &[u32]) -> Diagnostic {
    let node = |index: &u32| &model.nodes[*index as usize];
    let names: Vec<_> = cycle.iter().map(|index| model.text(node(index).name.symbol)).collect();
    let first = names[0];
    let itself = match node(&cycle[0]).body {
        NodeBody::Contract => format!("the contract '{first}' imports itself"),
        _ => format!("the node '{first}' calls itself"),
    };
    let text = format!("{itself}: {} -> {first}", names.join(" -> "));
    let mut diagnostic = Diagnostic::error(node(&cycle[0]).name.span, text);
    for (position, index) in cycle.iter().enumerate() {
        let next = cycle[(position + 1) % cycle.len()];
        let call = node(index).calls.iter().find(|call| call.callee.index() as u32 == next);
        if let Some(call) = call {
            let name = model.text(node(&next).name.symbol);
            let span = model.program.expr_span(call.expr);
            diagnostic = diagnostic.with_related(span, format!("'{name}' is called here"));
        }
        let mut imports = node(index).contract.iter().flat_map(|contract| &contract.imports);
        if let Some(import) = imports.find(|import| import.contract.index() as u32 == next) {
            let name = model.text(node(&next).name.symbol);
            diagnostic = diagnostic.with_related(import.span, format!("'{name}' is imported here"));
        }
    }
    diagnostic
}
